// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SignalOp;

/** Atomics. */
final class AtomicCases {
    private static final List<DataType> INTEGERS =
            List.of(DataType.INT32, DataType.UINT32, DataType.INT64, DataType.UINT64);

    private AtomicCases() {}

    /** A value as the type holds it and {@code g} returns it. */
    private static long as(DataType type, long value) {
        return switch (type) {
            case INT32 -> (int) value;
            case UINT32 -> value & 0xffff_ffffL;
            default -> value;
        };
    }

    static void oneByOne(HostShmem shmem) {
        int n = shmem.nPes();
        int pe = (shmem.myPe() + 1) % n;
        long a = 0x8123_4567_89ab_cdefL;
        long b = 0xfedc_ba98_f654_3210L;
        for (DataType type : INTEGERS) {
            try (SymmetricArray array = shmem.allocate(type, 3)) {
                // The words on both sides must not change.
                shmem.atomicSet(array, 0, -1, pe);
                shmem.atomicSet(array, 2, -1, pe);
                shmem.atomicSet(array, 1, a, pe);
                assertThat(shmem.atomicFetch(array, 1, pe)).isEqualTo(as(type, a));
                assertThat(shmem.atomicSwap(array, 1, b, pe)).isEqualTo(as(type, a));
                assertThat(shmem.atomicFetchAdd(array, 1, a, pe)).isEqualTo(as(type, b));
                assertThat(shmem.atomicFetchInc(array, 1, pe)).isEqualTo(as(type, a + b));
                shmem.atomicAdd(array, 1, -1, pe);
                shmem.atomicInc(array, 1, pe);
                assertThat(shmem.atomicFetchAdd(array, 1, -1, pe)).isEqualTo(as(type, a + b + 1));
                long x = a + b;
                assertThat(shmem.atomicFetchAnd(array, 1, a, pe)).isEqualTo(as(type, x));
                assertThat(shmem.atomicFetchOr(array, 1, b, pe)).isEqualTo(as(type, x &= a));
                assertThat(shmem.atomicFetchXor(array, 1, a, pe)).isEqualTo(as(type, x |= b));
                shmem.atomicAnd(array, 1, ~b, pe);
                shmem.atomicOr(array, 1, 6, pe);
                shmem.atomicXor(array, 1, 3, pe);
                x = ((x ^ a) & ~b | 6) ^ 3;
                assertThat(shmem.atomicFetch(array, 1, pe)).isEqualTo(as(type, x));
                assertThat(shmem.atomicCompareSwap(array, 1, x + 1, a, pe)).isEqualTo(as(type, x));
                assertThat(shmem.atomicCompareSwap(array, 1, x, a, pe)).isEqualTo(as(type, x));
                assertThat(shmem.atomicFetch(array, 1, pe)).isEqualTo(as(type, a));
                assertThat(shmem.atomicFetch(array, 0, pe)).isEqualTo(as(type, -1));
                assertThat(shmem.atomicFetch(array, 2, pe)).isEqualTo(as(type, -1));
                shmem.barrierAll();
            }
        }
    }

    static void concurrentSums(HostShmem shmem) {
        int n = shmem.nPes();
        int rounds = 3000;
        for (DataType type : INTEGERS) {
            // Two neighbours: an access too wide would destroy the other one's sum.
            try (SymmetricArray sums = shmem.allocate(type, 2)) {
                for (int i = 0; i < rounds; i++) {
                    int pe = (shmem.myPe() + i) % n;
                    shmem.atomicAdd(sums, 0, 3, pe);
                    shmem.atomicInc(sums, 1, pe);
                    long ignored = shmem.atomicFetchAdd(sums, 0, -1, pe);
                    shmem.atomicFetchInc(sums, 1, pe);
                }
                shmem.barrierAll();
                long first = 0;
                long second = 0;
                for (int pe = 0; pe < n; pe++) {
                    first += shmem.g(sums, 0, pe);
                    second += shmem.g(sums, 1, pe);
                }
                assertThat(first).isEqualTo(2L * rounds * n);
                assertThat(second).isEqualTo(2L * rounds * n);
                shmem.barrierAll();
            }
        }
    }

    /** Everybody draws numbers from one counter; each number is drawn once. */
    static void tickets(HostShmem shmem) {
        int n = shmem.nPes();
        int each = 1000;
        try (SymmetricArray counter = shmem.allocate(DataType.UINT32, 1);
                SymmetricArray drawn = shmem.allocate(DataType.INT32, (long) n * each)) {
            long last = -1;
            for (int i = 0; i < each; i++) {
                long ticket = shmem.atomicFetchInc(counter, 0, n - 1);
                assertThat(ticket).isGreaterThan(last);
                last = ticket;
                shmem.atomicInc(drawn, ticket, 0);
            }
            shmem.barrierAll();
            if (shmem.myPe() == 0) {
                assertThat(drawn.toIntArray()).containsOnly(1);
            }
            shmem.barrierAll();
        }
    }

    static void concurrentBits(HostShmem shmem) {
        int me = shmem.myPe();
        for (DataType type : INTEGERS) {
            try (SymmetricArray bits = shmem.allocate(type, 2)) {
                long mine = 1L << 3 * me;
                for (int i = 0; i < 500; i++) {
                    assertThat(shmem.atomicFetchOr(bits, 0, mine, 0) & mine).isZero();
                    assertThat(shmem.atomicFetchXor(bits, 0, mine << 1, 0) & mine * 7)
                            .isEqualTo(mine + (i % 2 == 0 ? 0 : mine << 1));
                    assertThat(shmem.atomicFetchAnd(bits, 0, ~mine, 0) & mine).isEqualTo(mine);
                }
                shmem.atomicOr(bits, 0, mine, 0);
                shmem.barrierAll();
                long expected = 0;
                for (int pe = 0; pe < shmem.nPes(); pe++) {
                    expected |= 1L << 3 * pe;
                }
                assertThat(shmem.atomicFetch(bits, 0, 0)).isEqualTo(expected);
                assertThat(shmem.atomicFetch(bits, 1, 0)).isZero();
                shmem.barrierAll();
            }
        }
    }

    static void compareSwapAsLock(HostShmem shmem) {
        int n = shmem.nPes();
        int rounds = 200;
        for (DataType type : INTEGERS) {
            try (SymmetricArray lock = shmem.allocate(type, 2);
                    SymmetricArray counter = shmem.allocate(DataType.INT64, 1)) {
                for (int i = 0; i < rounds; i++) {
                    while (shmem.atomicCompareSwap(lock, 0, 0, shmem.myPe() + 1, 0) != 0) {
                        Thread.yield();
                    }
                    // Not atomic: only the lock makes this right.
                    shmem.p(counter, 0, shmem.g(counter, 0, 0) + 1, 0);
                    assertThat(shmem.atomicSwap(lock, 0, 0, 0)).isEqualTo(shmem.myPe() + 1);
                }
                shmem.barrierAll();
                assertThat(shmem.g(counter, 0, 0)).isEqualTo((long) n * rounds);
                assertThat(shmem.g(lock, 1, 0)).isZero();
                shmem.barrierAll();
            }
        }
    }

    /** Everybody puts numbers into one box and keeps what was there: at the end each number is somewhere. */
    static void swapLosesNothing(HostShmem shmem) {
        int n = shmem.nPes();
        long each = 1000;
        try (SymmetricArray box = shmem.allocate(DataType.UINT64, 1);
                SymmetricArray total = shmem.allocate(DataType.INT64, 1)) {
            long kept = 0;
            for (long i = 1; i <= each; i++) {
                kept += shmem.atomicSwap(box, 0, shmem.myPe() * each + i, 0);
            }
            shmem.atomicAdd(total, 0, kept, 0);
            shmem.barrierAll();
            long all = n * each;
            assertThat(shmem.g(total, 0, 0) + shmem.g(box, 0, 0)).isEqualTo(all * (all + 1) / 2);
            shmem.barrierAll();
        }
    }

    static void floatingPoint(HostShmem shmem) {
        int n = shmem.nPes();
        int pe = (shmem.myPe() + 1) % n;
        for (DataType type : new DataType[] {DataType.FLOAT32, DataType.FLOAT64}) {
            try (SymmetricArray array = shmem.allocate(type, 3);
                    SymmetricArray sums = shmem.allocate(type, 1)) {
                shmem.atomicSet(array, 1, 1.5, pe);
                assertThat(shmem.atomicFetchDouble(array, 1, pe)).isEqualTo(1.5);
                assertThat(shmem.atomicSwap(array, 1, -2.25, pe)).isEqualTo(1.5);
                assertThat(shmem.atomicFetchAdd(array, 1, 0.25, pe)).isEqualTo(-2.25);
                assertThat(shmem.gDouble(array, 1, pe)).isEqualTo(-2.0);
                assertThat(shmem.gDouble(array, 0, pe)).isZero();
                assertThat(shmem.gDouble(array, 2, pe)).isZero();
                int rounds = 2000;
                for (int i = 0; i < rounds; i++) {
                    double ignored = shmem.atomicFetchAdd(sums, 0, 0.5, 0);
                }
                shmem.barrierAll();
                assertThat(shmem.gDouble(sums, 0, 0)).isEqualTo(0.5 * rounds * n);
                shmem.barrierAll();
            }
        }
    }

    static void severalThreads(HostShmem shmem) throws Exception {
        int n = shmem.nPes();
        int threads = 3;
        int rounds = 500;
        try (SymmetricArray sums = shmem.allocate(DataType.INT64, 1);
                SymmetricArray mail = shmem.allocate(DataType.INT64, 64L * n * threads);
                SymmetricArray arrived = shmem.allocate(DataType.UINT64, (long) n * threads);
                ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> futures = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int box = shmem.myPe() * threads + thread;
                futures.add(executor.submit(() -> {
                    HostArray block = HostArray.allocate(DataType.INT64, 64);
                    int to = (shmem.myPe() + 1) % n;
                    int fromBox = (shmem.myPe() + n - 1) % n * threads + box % threads;
                    for (long round = 1; round <= rounds; round++) {
                        block.fill((double) round);
                        shmem.atomicAdd(sums, 0, round, (int) (round % n));
                        // Each thread with the same one of the next PE, in step through the signal.
                        shmem.putSignal(mail.slice(64L * box, 64), block, arrived, box, round, SignalOp.SET, to);
                        long seen = shmem.signalWaitUntil(arrived, fromBox, Comparison.GE, round);
                        assertThat(mail.getLong(64L * fromBox + round % 64)).isGreaterThanOrEqualTo(round);
                        assertThat(seen).isGreaterThanOrEqualTo(round);
                    }
                }));
            }
            for (Future<?> future : futures) {
                future.get();
            }
            shmem.barrierAll();
            long sum = 0;
            for (int pe = 0; pe < n; pe++) {
                sum += shmem.g(sums, 0, pe);
            }
            assertThat(sum).isEqualTo((long) n * threads * rounds * (rounds + 1) / 2);
            shmem.barrierAll();
        }
    }
}
