// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.time.Duration;
import org.comm4j.core.DataType;

/** Stores that others wait for. */
final class WaitCases {
    private WaitCases() {}

    /**
     * Every other PE stores at the next one as fast as it can; the receiver runs right behind. Whoever sees a flag must
     * see the data that was stored before it. Every place is one trial.
     */
    static void dataBeforeFlag(HostShmem shmem) {
        int n = shmem.nPes();
        int me = shmem.myPe();
        int to = (me + 1) % n;
        int places = 1 << 14;
        // Pairs: with more PEs than processors a chain of receivers would only wait.
        boolean sends = n == 1 || me % 2 == 0 && me + 1 < n;
        boolean receives = n == 1 || me % 2 == 1;
        try (SymmetricArray data = shmem.allocate(DataType.INT64, places);
                SymmetricArray flags = shmem.allocate(DataType.INT64, places);
                SymmetricArray go = shmem.allocate(DataType.INT64, 1)) {
            long end =
                    System.nanoTime() + Duration.ofMillis(n == 2 ? 1000 : 150).toNanos();
            for (long round = 1; ; round++) {
                if (me == 0) {
                    // One look at the clock: all PEs must be told the same.
                    long goes = System.nanoTime() < end ? round : -1;
                    for (int pe = 0; pe < n; pe++) {
                        Words.store(shmem, go, 0, goes, pe);
                    }
                }
                shmem.barrierAll();
                if (go.getLong(0) < 0) {
                    break;
                }
                if (sends) {
                    for (int i = 0; i < places; i++) {
                        shmem.ptr(data, to).setLong(i, round);
                        Words.store(shmem, flags, i, round, to);
                    }
                }
                if (receives) {
                    for (int i = 0; i < places; i++) {
                        Words.await(shmem, flags, i, round);
                        if (data.getLong(i) != round) {
                            throw new AssertionError("place " + i + " round " + round
                                    + ": the flag came before the data, " + data.getLong(i));
                        }
                    }
                }
                shmem.barrierAll();
            }
        }
    }

    /** A token goes round and round. */
    static void roundTrips(HostShmem shmem) {
        int n = shmem.nPes();
        int me = shmem.myPe();
        int to = (me + 1) % n;
        int rounds = n <= 2 ? 5000 : 300;
        try (SymmetricArray token = shmem.allocate(DataType.INT64, 1)) {
            for (long round = 1; round <= rounds; round++) {
                if (me > 0) {
                    Words.await(shmem, token, 0, round);
                }
                Words.store(shmem, token, 0, round, to);
                if (me == 0) {
                    Words.await(shmem, token, 0, round);
                }
            }
            shmem.barrierAll();
        }
    }

    static void anotherThreadWrites(HostShmem shmem) throws InterruptedException {
        try (SymmetricArray flag = shmem.allocate(DataType.INT64, 1);
                SymmetricArray answer = shmem.allocate(DataType.INT64, 1)) {
            Thread writer = Thread.ofPlatform().start(() -> {
                for (int round = 1; round <= 200; round++) {
                    Words.store(shmem, flag, 0, round, shmem.myPe());
                    Words.await(shmem, answer, 0, round);
                }
            });
            for (int round = 1; round <= 200; round++) {
                Words.await(shmem, flag, 0, round);
                Words.store(shmem, answer, 0, round, shmem.myPe());
            }
            writer.join();
        }
    }
}
