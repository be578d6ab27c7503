// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import org.comm4j.core.DataType;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;

/**
 * A lock that whoever finds it free takes, in no order. Those who do not find it free look more and more rarely, so that under contention its holder often takes it again and has
 * all that it protects in its cache: many more updates in all than with {@link org.comm4j.shmem.Lock}, which goes round.
 */
final class SpinLock implements AutoCloseable {
    /** Between two looks, some microseconds: enough for hundreds of updates by the holder. */
    private static final int MOST_PAUSES = 512;

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

    void lock() {
        int pauses = 1;
        while (shmem.atomicCompareSwap(word, 0, 0, me, home) != 0) {
            for (int i = 0; i < pauses; i++) {
                Thread.onSpinWait();
            }
            if (pauses < MOST_PAUSES) {
                pauses *= 2;
            } else {
                // The holder may need this processor.
                Thread.yield();
            }
        }
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
