// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract.pgas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Pgas;
import org.comm4j.core.SignalOp;
import org.comm4j.core.SymmetricBuffer;

/** Signals, waits and order. */
final class Signals {
    private Signals() {}

    /** Who sees the signal sees all of the data, which is larger than anything that is stored at once. */
    static void dataBeforeSignal(Pgas shmem) {
        int next = (shmem.myPe() + 1) % shmem.nPes();
        int before = (shmem.myPe() + shmem.nPes() - 1) % shmem.nPes();
        int count = 333;
        try (SymmetricBuffer data = shmem.allocate(DataType.INT64, count);
                SymmetricBuffer signals = shmem.allocate(DataType.UINT64, 2);
                SymmetricBuffer credit = shmem.allocate(DataType.INT64, 1)) {
            HostArray mine = HostArray.allocate(DataType.INT64, count);
            for (long round = 1; round <= 300; round++) {
                mine.fill((double) round * 100 + shmem.myPe());
                switch ((int) (round % 3)) {
                    case 0 -> shmem.putSignal(data, mine, signals, 1, round, SignalOp.SET, next);
                    case 1 -> shmem.putSignal(data, mine, signals, 1, 1, SignalOp.ADD, next);
                    default -> shmem.putSignalNbi(data, mine, signals, 1, round, SignalOp.SET, next);
                }
                assertThat(shmem.signalWaitUntil(signals, 1, Comparison.GE, round))
                        .isEqualTo(round);
                assertThat(data.toHost().toLongArray()).containsOnly(round * 100 + before);
                shmem.signal(credit, 0, round, SignalOp.SET, before);
                assertThat(shmem.signalWaitUntil(credit, 0, Comparison.EQ, round))
                        .isEqualTo(round);
            }
            shmem.quiet();
            assertThat(shmem.signalFetch(signals, 1)).isEqualTo(300);
            assertThat(shmem.signalFetch(signals, 0)).isZero();
        }
    }

    static void flagAfterData(Pgas shmem) {
        int n = shmem.nPes();
        int places = 1 << 12;
        int next = (shmem.myPe() + 1) % n;
        try (SymmetricBuffer data = shmem.allocate(DataType.INT64, places);
                SymmetricBuffer flags = shmem.allocate(DataType.INT32, places)) {
            for (int i = 0; i < places; i++) {
                shmem.p(data, i, i + 1L, next);
                shmem.fence();
                if (i % 2 == 0) {
                    shmem.p(flags, i, 1, next);
                } else {
                    shmem.atomicSet(flags, i, 1, next);
                }
            }
            for (int i = 0; i < places; i++) {
                long ignored = shmem.waitUntil(flags, i, Comparison.NE, 0);
                assertThat(shmem.g(data, i, shmem.myPe())).isEqualTo(i + 1);
            }
            shmem.barrierAll();
        }
    }

    static void roundTrips(Pgas shmem) {
        try (SymmetricBuffer ball = shmem.allocate(DataType.INT64, 1)) {
            int n = shmem.nPes();
            int me = shmem.myPe();
            for (long round = 1; round <= 200; round++) {
                if (me == 0) {
                    shmem.p(ball, 0, round, 1 % n);
                    long ignored = shmem.waitUntil(ball, 0, Comparison.EQ, round);
                } else {
                    long ignored = shmem.waitUntil(ball, 0, Comparison.EQ, round);
                    shmem.p(ball, 0, round, (me + 1) % n);
                }
            }
            shmem.barrierAll();
        }
    }

    static void everyComparison(Pgas shmem) {
        for (DataType type : new DataType[] {DataType.INT32, DataType.UINT32, DataType.INT64, DataType.UINT64}) {
            try (SymmetricBuffer a = shmem.allocate(type, 1)) {
                shmem.p(a, 0, -1, shmem.myPe());
                boolean unsigned = type.isUnsigned();
                assertThat(shmem.test(a, 0, Comparison.GT, 5)).isEqualTo(unsigned);
                assertThat(shmem.test(a, 0, Comparison.LT, 5)).isEqualTo(!unsigned);
                long minusOne = type == DataType.UINT32 ? 0xffff_ffffL : -1;
                assertThat(shmem.test(a, 0, Comparison.EQ, minusOne)).isTrue();
                // As in C, a value is cut to the type.
                assertThat(shmem.test(a, 0, Comparison.EQ, -1)).isTrue();
                for (Comparison comparison : Comparison.values()) {
                    shmem.p(a, 0, 7, shmem.myPe());
                    long right = switch (comparison) {
                        case EQ, GE, LE -> 7;
                        case NE, GT -> 6;
                        case LT -> 8;
                    };
                    assertThat(shmem.waitUntil(a, 0, comparison, right)).isEqualTo(7);
                    long wrong = switch (comparison) {
                        case EQ, GE -> 8;
                        case NE, GT, LT -> 7;
                        case LE -> 6;
                    };
                    assertThat(shmem.test(a, 0, comparison, wrong)).isFalse();
                }
            }
        }
    }

    static void several(Pgas shmem) {
        int n = shmem.nPes();
        int me = shmem.myPe();
        try (SymmetricBuffer a = shmem.allocate(DataType.INT64, n)) {
            for (long round = 1; round <= 20; round++) {
                for (int i = 0; i < n; i++) {
                    int pe = (me + i) % n;
                    shmem.p(a, me, round * 10 + pe, pe);
                }
                switch ((int) (round % 3)) {
                    case 0 -> shmem.waitUntilAll(a, null, Comparison.EQ, round * 10 + me);
                    case 1 -> {
                        boolean[] seen = new boolean[n];
                        for (int i = 0; i < n; i++) {
                            long which = shmem.waitUntilAny(a, seen, Comparison.EQ, round * 10 + me);
                            assertThat(seen[(int) which]).isFalse();
                            seen[(int) which] = true;
                        }
                        assertThat(shmem.waitUntilAny(a, seen, Comparison.EQ, 0))
                                .isEqualTo(-1);
                    }
                    default -> {
                        boolean[] seen = new boolean[n];
                        long[] values = new long[n];
                        java.util.Arrays.fill(values, round * 10 + me);
                        for (int got = 0; got < n; ) {
                            for (long which : shmem.waitUntilSome(a, seen, Comparison.EQ, values)) {
                                seen[(int) which] = true;
                                got++;
                            }
                        }
                    }
                }
                assertThat(shmem.testAll(a, null, Comparison.EQ, round * 10 + me))
                        .isTrue();
                assertThat(shmem.testSome(a, null, Comparison.EQ, round * 10 + me))
                        .hasSize(n);
                assertThat(shmem.testAny(a, null, Comparison.NE, round * 10 + me))
                        .isEqualTo(-1);
                shmem.barrierAll();
            }
        }
    }

    static void masksAndEmptySets(Pgas shmem) {
        try (SymmetricBuffer a = shmem.allocate(DataType.INT32, 3)) {
            boolean[] all = {true, true, true};
            shmem.waitUntilAll(a, all, Comparison.NE, 0);
            assertThat(shmem.waitUntilAny(a, all, Comparison.EQ, 0)).isEqualTo(-1);
            assertThat(shmem.waitUntilSome(a, all, Comparison.EQ, 0)).isEmpty();
            assertThat(shmem.testAll(a, all, Comparison.NE, 0)).isTrue();
            SymmetricBuffer none = a.slice(1, 0);
            shmem.waitUntilAll(none, null, Comparison.NE, 0);
            assertThat(shmem.waitUntilAny(none, null, Comparison.NE, 0)).isEqualTo(-1);
            boolean[] first = {true, false, false};
            shmem.p(a, 1, 4, shmem.myPe());
            shmem.p(a, 2, 5, shmem.myPe());
            shmem.waitUntilAll(a, first, Comparison.EQ, 9, 4, 5);
            assertThat(shmem.testSome(a, first, Comparison.EQ, 0, 4, 9)).containsExactly(1);
            assertThatThrownBy(() -> shmem.testAll(a, new boolean[2], Comparison.EQ, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("skip has 2 entries");
            assertThatThrownBy(() -> shmem.testAll(a, null, Comparison.EQ, 1, 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2 values");
        }
    }

    /** Elements that are always ready do not hide another one. */
    static void fair(Pgas shmem) {
        try (SymmetricBuffer a = shmem.allocate(DataType.INT64, 5)) {
            a.fill(1);
            int[] found = new int[5];
            for (int i = 0; i < 50; i++) {
                found[(int) shmem.waitUntilAny(a, null, Comparison.EQ, 1)]++;
            }
            assertThat(found).containsOnly(10);
            // Nor for an array object that is new each time.
            boolean[] seen = new boolean[5];
            for (int i = 0; i < 300; i++) {
                seen[(int) shmem.testAny(a.slice(0, 5), null, Comparison.EQ, 1)] = true;
            }
            assertThat(seen).containsOnly(true);
        }
    }

    static void anotherThread(Pgas shmem) throws Exception {
        try (SymmetricBuffer a = shmem.allocate(DataType.INT64, 1)) {
            Thread writer = Thread.ofPlatform().start(() -> {
                try {
                    Thread.sleep(20);
                } catch (InterruptedException e) {
                    return;
                }
                shmem.p(a, 0, 3, shmem.myPe());
            });
            assertThat(shmem.waitUntil(a, 0, Comparison.NE, 0)).isEqualTo(3);
            writer.join();
        }
    }

    static void inVain(Pgas shmem) {
        Duration before = shmem.timeout();
        try (SymmetricBuffer a = shmem.allocate(DataType.INT64, 3)) {
            shmem.p(a, 1, 41, shmem.myPe());
            shmem.timeout(Duration.ofMillis(60));
            assertThatThrownBy(() -> shmem.waitUntil(a, 1, Comparison.EQ, 42))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining("waitUntil")
                    .hasMessageContaining("PE " + shmem.myPe())
                    .hasMessageContaining("0x" + Long.toHexString(a.address() + 8))
                    .hasMessageContaining("41")
                    .hasMessageContaining("EQ 42");
            assertThatThrownBy(() -> shmem.waitUntilAll(a, null, Comparison.EQ, 0, 41, 5))
                    .isInstanceOf(CommTimeoutException.class);
            // Freeing is collective: others may be late.
            shmem.timeout(before);
        } finally {
            shmem.timeout(before);
        }
        // Waits for memory concern nobody else: everything goes on.
        shmem.barrierAll();
    }
}
