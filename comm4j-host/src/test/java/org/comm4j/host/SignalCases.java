// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SignalOp;

/** Signals, waits and order. */
final class SignalCases {
    private SignalCases() {}

    /** How data and then a flag go to another PE. */
    private enum Way {
        PUT_SIGNAL_SET,
        PUT_SIGNAL_ADD,
        PUT_FENCE_P,
        P_FENCE_ATOMIC_SET,
        P_SIGNAL;

        void send(HostShmem shmem, SymmetricArray data, SymmetricArray flags, long i, HostArray value, int pe) {
            long number = value.getLong(0);
            switch (this) {
                case PUT_SIGNAL_SET -> shmem.putSignal(data.slice(i, 1), value, flags, i, number, SignalOp.SET, pe);
                case PUT_SIGNAL_ADD -> shmem.putSignal(data.slice(i, 1), value, flags, i, 1, SignalOp.ADD, pe);
                case PUT_FENCE_P -> {
                    shmem.put(data.slice(i, 1), value, pe);
                    shmem.fence();
                    shmem.p(flags, i, number, pe);
                }
                case P_FENCE_ATOMIC_SET -> {
                    shmem.p(data, i, number, pe);
                    shmem.fence();
                    shmem.atomicSet(flags, i, number, pe);
                }
                case P_SIGNAL -> {
                    shmem.p(data, i, number, pe);
                    shmem.signal(flags, i, number, SignalOp.SET, pe);
                }
            }
        }
    }

    /**
     * Every other PE sends to the next one as fast as it can; the receiver runs right behind. Whoever sees a flag must see the data
     * that was sent before it. Every place is one trial.
     */
    static void dataBeforeSignal(HostShmem shmem) {
        int n = shmem.nPes();
        int me = shmem.myPe();
        int to = (me + 1) % n;
        int places = 1 << 14;
        // Pairs: with more PEs than processors a chain of receivers would only wait.
        boolean sends = n == 1 || me % 2 == 0 && me + 1 < n;
        boolean receives = n == 1 || me % 2 == 1;
        long trials = 0;
        try (SymmetricArray data = shmem.allocate(DataType.INT64, places);
                SymmetricArray flags = shmem.allocate(DataType.UINT64, places);
                SymmetricArray go = shmem.allocate(DataType.INT64, 1)) {
            HostArray value = HostArray.allocate(DataType.INT64, 1);
            long end =
                    System.nanoTime() + Duration.ofMillis(n == 2 ? 1000 : 150).toNanos();
            for (long round = 1; ; round++) {
                if (me == 0) {
                    // One look at the clock: all PEs must be told the same.
                    long goes = System.nanoTime() < end ? round : -1;
                    for (int pe = 0; pe < n; pe++) {
                        shmem.p(go, 0, goes, pe);
                    }
                }
                shmem.barrierAll();
                if (go.getLong(0) < 0) {
                    break;
                }
                Way way = Way.values()[(int) (round % Way.values().length)];
                if (sends) {
                    send(shmem, way, data, flags, places, value, round, to);
                    trials += places;
                }
                if (receives) {
                    receive(shmem, data, flags, places, round);
                }
                shmem.barrierAll();
            }
            if (me == 0) {
                System.out.printf("%d PEs: %d times data, then flag%n", n, trials);
            }
        }
    }

    private static void send(
            HostShmem shmem,
            Way way,
            SymmetricArray data,
            SymmetricArray flags,
            int places,
            HostArray value,
            long round,
            int to) {
        value.setLong(0, round);
        for (int i = 0; i < places; i++) {
            way.send(shmem, data, flags, i, value, to);
        }
    }

    private static void receive(HostShmem shmem, SymmetricArray data, SymmetricArray flags, int places, long round) {
        for (int i = 0; i < places; i++) {
            shmem.waitUntil(flags, i, Comparison.EQ, round);
            long seen = data.getLong(i);
            if (seen != round) {
                throw new AssertionError("place " + i + " round " + round + ": the flag came before the data, " + seen);
            }
        }
    }

    /** A token goes round and round; blocks of changing size with it. */
    static void roundTrips(HostShmem shmem) {
        int n = shmem.nPes();
        int me = shmem.myPe();
        int to = (me + 1) % n;
        int rounds = n <= 2 ? 5000 : 300;
        try (SymmetricArray data = shmem.allocate(DataType.INT64, 500);
                SymmetricArray token = shmem.allocate(DataType.INT64, 1)) {
            HostArray block = HostArray.allocate(DataType.INT64, 500);
            for (long round = 1; round <= rounds; round++) {
                long count = 1 + round % 500;
                if (me > 0) {
                    check(shmem, data, token, round, count);
                }
                block.fill((double) round);
                shmem.putSignal(data, block, count, token, 0, round, SignalOp.SET, to);
                if (me == 0) {
                    check(shmem, data, token, round, count);
                }
            }
        }
    }

    private static void check(HostShmem shmem, SymmetricArray data, SymmetricArray token, long round, long count) {
        assertThat(shmem.signalWaitUntil(token, 0, Comparison.GE, round)).isEqualTo(round);
        assertThat(shmem.signalFetch(token, 0)).isEqualTo(round);
        for (long i = 0; i < count; i++) {
            if (data.getLong(i) != round) {
                throw new AssertionError(
                        "element " + i + " of " + count + " in round " + round + ": " + data.getLong(i));
            }
        }
    }

    /** A value for which a comparison with {@code limit} does not hold, and one for which it does. */
    private record Trial(Comparison comparison, long limit, long before, long after) {}

    private static final List<Trial> TRIALS = List.of(
            new Trial(Comparison.EQ, 5, 7, 5),
            new Trial(Comparison.NE, 5, 5, 7),
            new Trial(Comparison.GT, 5, 5, 6),
            new Trial(Comparison.GE, 5, 4, 5),
            new Trial(Comparison.LT, 5, 5, 4),
            new Trial(Comparison.LE, 5, 6, 5));

    /** −1 is less than all others here, or the largest number. */
    private static final List<Trial> SIGNED_TRIALS =
            List.of(new Trial(Comparison.LT, 5, 7, -1), new Trial(Comparison.GE, -1, -2, 0));

    private static final List<Trial> UNSIGNED_TRIALS =
            List.of(new Trial(Comparison.GT, 5, 4, -1), new Trial(Comparison.LE, 5, -1, 0));

    static void everyComparison(HostShmem shmem) {
        int me = shmem.myPe();
        int to = (me + 1) % shmem.nPes();
        for (DataType type : List.of(DataType.INT32, DataType.UINT32, DataType.INT64, DataType.UINT64)) {
            List<Trial> trials = new ArrayList<>(TRIALS);
            trials.addAll(type.isUnsigned() ? UNSIGNED_TRIALS : SIGNED_TRIALS);
            try (SymmetricArray variable = shmem.allocate(type, 2)) {
                for (Trial trial : trials) {
                    shmem.p(variable, 1, trial.before, me);
                    shmem.barrierAll();
                    assertThat(shmem.test(variable, 1, trial.comparison, trial.limit))
                            .as("%s %s", type, trial)
                            .isFalse();
                    shmem.barrierAll();
                    shmem.atomicSet(variable, 1, trial.after, to);
                    assertThat(shmem.waitUntil(variable, 1, trial.comparison, trial.limit))
                            .as("%s %s", type, trial)
                            .isEqualTo(type == DataType.UINT32 ? trial.after & 0xffff_ffffL : trial.after);
                    assertThat(shmem.test(variable, 1, trial.comparison, trial.limit))
                            .isTrue();
                    assertThat(shmem.g(variable, 0, me)).isZero();
                    shmem.barrierAll();
                }
            }
        }
    }

    static void waitForAll(HostShmem shmem) {
        int n = shmem.nPes();
        for (DataType type : List.of(DataType.INT32, DataType.UINT64)) {
            try (SymmetricArray flags = shmem.allocate(type, n);
                    SymmetricArray data = shmem.allocate(DataType.INT64, n)) {
                for (int round = 1; round <= 30; round++) {
                    long[] values = new long[n];
                    for (int pe = 0; pe < n; pe++) {
                        values[pe] = round * 10L + pe;
                    }
                    assertThat(shmem.testAll(flags, null, Comparison.EQ, values))
                            .isFalse();
                    shmem.barrierAll();
                    for (int i = 0; i < n; i++) {
                        int pe = (shmem.myPe() + i) % n;
                        shmem.p(data, shmem.myPe(), round, pe);
                        shmem.fence();
                        shmem.atomicSet(flags, shmem.myPe(), round * 10L + shmem.myPe(), pe);
                    }
                    shmem.waitUntilAll(flags, null, Comparison.EQ, values);
                    assertThat(shmem.testAll(flags, null, Comparison.EQ, values))
                            .isTrue();
                    assertThat(shmem.testAll(flags, null, Comparison.GE, round * 10L))
                            .isTrue();
                    for (int pe = 0; pe < n; pe++) {
                        assertThat(data.getLong(pe)).isEqualTo(round);
                    }
                    shmem.barrierAll();
                }
            }
        }
    }

    /** Takes what has come, in the order in which it comes, until everything is there. */
    static void waitForAny(HostShmem shmem) {
        int n = shmem.nPes();
        try (SymmetricArray flags = shmem.allocate(DataType.INT64, n)) {
            for (int round = 1; round <= 20; round++) {
                for (int i = 0; i < n; i++) {
                    shmem.signal(flags, shmem.myPe(), 1, SignalOp.ADD, (shmem.myPe() + i) % n);
                }
                boolean[] done = new boolean[n];
                for (int i = 0; i < n; i++) {
                    long from = shmem.waitUntilAny(flags, done, Comparison.GE, round);
                    assertThat(from).isBetween(0L, n - 1L);
                    assertThat(done[(int) from]).isFalse();
                    done[(int) from] = true;
                }
                assertThat(shmem.waitUntilAny(flags, done, Comparison.GE, round))
                        .isEqualTo(-1);
                assertThat(shmem.testAny(flags, done, Comparison.GE, round)).isEqualTo(-1);
                assertThat(shmem.testAny(flags, null, Comparison.GE, round)).isNotNegative();
                shmem.barrierAll();
            }
        }
    }

    static void waitForSome(HostShmem shmem) {
        int n = shmem.nPes();
        try (SymmetricArray flags = shmem.allocate(DataType.UINT32, n)) {
            for (int round = 1; round <= 20; round++) {
                for (int i = 0; i < n; i++) {
                    shmem.atomicInc(flags, shmem.myPe(), (shmem.myPe() + i) % n);
                }
                boolean[] done = new boolean[n];
                int missing = n;
                while (missing > 0) {
                    long[] some = shmem.waitUntilSome(flags, done, Comparison.GE, round);
                    assertThat(some).isNotEmpty().isSorted();
                    for (long from : some) {
                        assertThat(done[(int) from]).isFalse();
                        done[(int) from] = true;
                        missing--;
                    }
                }
                assertThat(shmem.waitUntilSome(flags, done, Comparison.GE, round))
                        .isEmpty();
                shmem.barrierAll();
                assertThat(shmem.testSome(flags, null, Comparison.EQ, round)).hasSize(n);
                assertThat(shmem.testSome(flags, null, Comparison.GT, round)).isEmpty();
                shmem.barrierAll();
            }
        }
    }

    static void masksAndEmptySets(HostShmem shmem) {
        try (SymmetricArray flags = shmem.allocate(DataType.INT64, 4)) {
            boolean[] all = {true, true, true, true};
            shmem.waitUntilAll(flags, all, Comparison.EQ, 1);
            assertThat(shmem.testAll(flags, all, Comparison.EQ, 1)).isTrue();
            assertThat(shmem.waitUntilAny(flags, all, Comparison.EQ, 0)).isEqualTo(-1);
            assertThat(shmem.waitUntilSome(flags, all, Comparison.EQ, 0)).isEmpty();
            SymmetricArray none = flags.slice(2, 0);
            shmem.waitUntilAll(none, null, Comparison.EQ, 1);
            assertThat(shmem.waitUntilAny(none, null, Comparison.EQ, 1)).isEqualTo(-1);
            assertThat(shmem.waitUntilSome(none, null, Comparison.EQ, 1)).isEmpty();
            flags.setLong(1, 10);
            flags.setLong(3, 30);
            boolean[] odd = {true, false, true, false};
            shmem.waitUntilAll(flags, odd, Comparison.GT, 0);
            shmem.waitUntilAll(flags, null, Comparison.EQ, 0, 10, 0, 30);
            assertThat(shmem.testSome(flags, null, Comparison.EQ, 0, 10, 1, 30)).containsExactly(0, 1, 3);
            assertThat(shmem.testSome(flags, odd, Comparison.EQ, 0, 10, 1, 31)).containsExactly(1);
            assertThat(shmem.waitUntilSome(flags.slice(1, 3), null, Comparison.NE, 0))
                    .containsExactly(0, 2);
            assertThat(shmem.testAny(flags, odd, Comparison.EQ, 30)).isEqualTo(3);
            assertThat(shmem.testAll(flags, null, Comparison.LE, 30)).isTrue();
            assertThat(shmem.testAll(flags, null, Comparison.LE, 29)).isFalse();
        }
    }

    /** One that is always ready must not hide the others. */
    static void fairWaits(HostShmem shmem) {
        try (SymmetricArray flags = shmem.allocate(DataType.INT64, 100)) {
            flags.setLong(0, 1);
            flags.setLong(1, 1);
            flags.setLong(99, 1);
            int[] times = new int[100];
            for (int i = 0; i < 30; i++) {
                times[(int) shmem.waitUntilAny(flags, null, Comparison.EQ, 1)]++;
                times[(int) shmem.testAny(flags, null, Comparison.EQ, 1)]++;
            }
            assertThat(new int[] {times[0], times[1], times[99]}).containsExactly(20, 20, 20);
        }
    }

    static void anotherThreadWrites(HostShmem shmem) throws InterruptedException {
        try (SymmetricArray flag = shmem.allocate(DataType.INT32, 1);
                SymmetricArray answer = shmem.allocate(DataType.INT32, 1)) {
            Thread writer = Thread.ofPlatform().start(() -> {
                for (int round = 1; round <= 200; round++) {
                    shmem.p(flag, 0, round, shmem.myPe());
                    shmem.waitUntil(answer, 0, Comparison.GE, round);
                }
            });
            for (int round = 1; round <= 200; round++) {
                assertThat(shmem.waitUntil(flag, 0, Comparison.GE, round)).isEqualTo(round);
                shmem.atomicSet(answer, 0, round, shmem.myPe());
            }
            writer.join();
        }
    }
}
