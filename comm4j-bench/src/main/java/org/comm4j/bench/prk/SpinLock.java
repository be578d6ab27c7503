// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import org.comm4j.core.DataType;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;

/**
 * A lock that whoever finds it free takes, in no order. Those who do not find it free stay away for some microseconds,
 * in which its holder takes it again and again and has all that it protects in its cache: many more updates in all than
 * with {@link org.comm4j.core.PgasLock}, which goes round.
 */
final class SpinLock implements AutoCloseable {
    /** Between two looks: time for about a hundred updates by the holder. */
    private static final int PAUSES = 512;

    private static final long LOOK_AROUND_NANOS = 100_000_000;

    private final OpenShmem shmem;
    /** 0, or who holds it, plus 1; on the home PE. */
    private final SymmetricArray word;

    private final int home;
    private final long me;

    /** Collective. */
    SpinLock(OpenShmem shmem, int home) {
        this.shmem = shmem;
        this.word = shmem.allocate(DataType.INT64, 1);
        this.home = home;
        this.me = shmem.myPe() + 1L;
    }

    /**
     * @throws org.comm4j.core.RankFailedException if a PE died, perhaps the one that holds it
     * @throws org.comm4j.core.CommTimeoutException after {@link OpenShmem#timeout()}, with the PE that holds it
     */
    void lock() {
        if (shmem.atomicCompareSwap(word, 0, 0, me, home) == 0) {
            return;
        }
        long start = System.nanoTime();
        long lookedAround = start;
        do {
            long holder;
            do {
                for (int i = 0; i < PAUSES; i++) {
                    Thread.onSpinWait();
                }
                // The holder may need this processor.
                Thread.yield();
                holder = shmem.atomicFetch(word, 0, home);
                long now = System.nanoTime();
                if (now - lookedAround >= LOOK_AROUND_NANOS) {
                    lookedAround = now;
                    shmem.lookAround(
                            "refcount's spin lock, "
                                    + (holder == 0 ? "free at last," : "held by PE " + (holder - 1) + ","),
                            start);
                }
            } while (holder != 0);
        } while (shmem.atomicCompareSwap(word, 0, 0, me, home) != 0);
    }

    void unlock() {
        shmem.quiet();
        shmem.atomicSet(word, 0, 0, home);
    }

    @Override
    public void close() {
        word.close();
    }
}
