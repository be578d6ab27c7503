// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract.pgas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.Pgas;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.test.Nightly;

/** Atomic operations. */
final class Atomics {
    private static final DataType[] TYPES = {DataType.INT32, DataType.UINT32, DataType.INT64, DataType.UINT64};

    private Atomics() {}

    static void oneByOne(Pgas shmem) {
        int pe = (shmem.myPe() + 1) % shmem.nPes();
        for (DataType type : TYPES) {
            try (SymmetricBuffer a = shmem.allocate(type, 4)) {
                long ones = type == DataType.UINT32 ? 0xffff_ffffL : -1;
                shmem.atomicSet(a, 1, -1, pe);
                assertThat(shmem.atomicFetch(a, 1, pe)).isEqualTo(ones);
                assertThat(shmem.atomicFetchAdd(a, 1, 3, pe)).isEqualTo(ones);
                assertThat(shmem.atomicFetchInc(a, 1, pe)).isEqualTo(2);
                shmem.atomicInc(a, 1, pe);
                shmem.atomicAdd(a, 1, 8, pe);
                assertThat(shmem.atomicFetchAnd(a, 1, 0b1110, pe)).isEqualTo(12);
                assertThat(shmem.atomicFetchOr(a, 1, 0b0011, pe)).isEqualTo(12);
                assertThat(shmem.atomicFetchXor(a, 1, 0b0101, pe)).isEqualTo(15);
                shmem.atomicAnd(a, 1, 0b1000, pe);
                shmem.atomicOr(a, 1, 0b0001, pe);
                shmem.atomicXor(a, 1, 0b0011, pe);
                assertThat(shmem.atomicSwap(a, 1, 77, pe)).isEqualTo(10);
                assertThat(shmem.atomicCompareSwap(a, 1, 78, 5, pe)).isEqualTo(77);
                assertThat(shmem.atomicCompareSwap(a, 1, 77, -5, pe)).isEqualTo(77);
                long minusFive = type == DataType.UINT32 ? 0xffff_fffbL : -5;
                assertThat(shmem.atomicCompareSwap(a, 1, minusFive, 5, pe)).isEqualTo(minusFive);
                assertThat(shmem.atomicFetch(a, 1, pe)).isEqualTo(5);
                shmem.barrierAll();
                assertThat(a.toHost().getLong(0)).isZero();
                assertThat(a.toHost().getLong(2)).isZero();
                shmem.barrierAll();
            }
        }
    }

    /** Both halves of a 64-bit word are counters of their own. */
    static void neighbours(Pgas shmem) {
        int n = shmem.nPes();
        try (SymmetricBuffer a = shmem.allocate(DataType.INT32, 2)) {
            int rounds = 500;
            for (int i = 0; i < rounds; i++) {
                shmem.atomicInc(a, 0, 0);
                shmem.atomicAdd(a, 1, -1, 0);
                long seen = shmem.atomicFetch(a, 0, 0);
                long ignored = shmem.atomicCompareSwap(a, 0, seen, seen, 0);
                ignored = shmem.atomicFetchXor(a, 1, 0, 0);
            }
            shmem.barrierAll();
            assertThat(shmem.g(a, 0, 0)).isEqualTo((long) rounds * n);
            assertThat(shmem.g(a, 1, 0)).isEqualTo((long) -rounds * n);
            shmem.barrierAll();
        }
    }

    static void concurrentSums(Pgas shmem) {
        int rounds = Nightly.times(200, 2000);
        for (DataType type : TYPES) {
            try (SymmetricBuffer a = shmem.allocate(type, 1)) {
                for (int i = 0; i < rounds; i++) {
                    for (int pe = 0; pe < shmem.nPes(); pe++) {
                        if (i % 2 == 0) {
                            shmem.atomicInc(a, 0, pe);
                        } else {
                            shmem.atomicAdd(a, 0, 2, pe);
                        }
                    }
                }
                shmem.barrierAll();
                assertThat(a.toHost().getLong(0)).isEqualTo(rounds / 2 * 3L * shmem.nPes());
                shmem.barrierAll();
            }
        }
    }

    static void concurrentBits(Pgas shmem) {
        int bit = shmem.myPe();
        for (DataType type : TYPES) {
            try (SymmetricBuffer a = shmem.allocate(type, 3)) {
                for (int i = 0; i < 300; i++) {
                    long had = shmem.atomicFetchOr(a, 0, 1L << bit, 0);
                    assertThat(had >> bit & 1).isZero();
                    had = shmem.atomicFetchAnd(a, 0, ~(1L << bit), 0);
                    assertThat(had >> bit & 1).isEqualTo(1);
                    had = shmem.atomicFetchXor(a, 1, 1L << bit, 0);
                    assertThat(had >> bit & 1).isEqualTo(i & 1);
                    shmem.atomicXor(a, 2, 1L << bit, 0);
                }
                shmem.barrierAll();
                assertThat(shmem.g(a, 0, 0)).isZero();
                assertThat(shmem.g(a, 1, 0)).isZero();
                assertThat(shmem.g(a, 2, 0)).isZero();
                shmem.barrierAll();
            }
        }
    }

    static void compareSwapAsLock(Pgas shmem) {
        for (DataType type : new DataType[] {DataType.INT32, DataType.INT64}) {
            try (SymmetricBuffer lock = shmem.allocate(type, 2);
                    SymmetricBuffer count = shmem.allocate(DataType.INT64, 1)) {
                int rounds = 50;
                for (int i = 0; i < rounds; i++) {
                    while (shmem.atomicCompareSwap(lock, 1, 0, shmem.myPe() + 1, 0) != 0) {
                        Thread.yield();
                    }
                    shmem.p(count, 0, shmem.g(count, 0, 0) + 1, 0);
                    shmem.quiet();
                    assertThat(shmem.atomicSwap(lock, 1, 0, 0)).isEqualTo(shmem.myPe() + 1);
                }
                shmem.barrierAll();
                assertThat(shmem.g(count, 0, 0)).isEqualTo((long) rounds * shmem.nPes());
                assertThat(shmem.g(lock, 0, 0)).isZero();
                shmem.barrierAll();
            }
        }
    }

    /** What is put in by swap comes out exactly once. */
    static void swapLosesNothing(Pgas shmem) {
        try (SymmetricBuffer a = shmem.allocate(DataType.INT64, 1);
                SymmetricBuffer sum = shmem.allocate(DataType.INT64, 1)) {
            long in = 0;
            long out = 0;
            for (int i = 1; i <= 1000; i++) {
                long value = i * 64L + shmem.myPe() + 1;
                in += value;
                out += shmem.atomicSwap(a, 0, value, 0);
            }
            shmem.atomicAdd(sum, 0, in - out, 0);
            shmem.barrierAll();
            assertThat(shmem.g(sum, 0, 0)).isEqualTo(shmem.g(a, 0, 0));
            shmem.barrierAll();
        }
    }

    static void floatingPoint(Pgas shmem) {
        int pe = (shmem.myPe() + 1) % shmem.nPes();
        for (DataType type : new DataType[] {DataType.FLOAT32, DataType.FLOAT64}) {
            try (SymmetricBuffer a = shmem.allocate(type, 3)) {
                shmem.atomicSet(a, 1, -2.5, pe);
                assertThat(shmem.atomicFetchDouble(a, 1, pe)).isEqualTo(-2.5);
                assertThat(shmem.atomicSwap(a, 1, 4.25, pe)).isEqualTo(-2.5);
                assertThat(shmem.atomicFetchAdd(a, 1, 0.5, pe)).isEqualTo(4.25);
                assertThat(shmem.gDouble(a, 1, pe)).isEqualTo(4.75);
                shmem.barrierAll();
                for (int i = 0; i < 200; i++) {
                    shmem.atomicAdd(a, 2, 1.0, 0);
                }
                shmem.barrierAll();
                assertThat(shmem.gDouble(a, 2, 0)).isEqualTo(200.0 * shmem.nPes());
                shmem.barrierAll();
            }
        }
    }

    static void severalThreads(Pgas shmem) throws Exception {
        int threads = 4;
        int rounds = 50;
        try (SymmetricBuffer a = shmem.allocate(DataType.INT64, 1);
                SymmetricBuffer places = shmem.allocate(DataType.INT64, (long) threads * shmem.nPes())) {
            List<Thread> all = new ArrayList<>();
            List<Throwable> failures = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int place = shmem.myPe() * threads + t;
                all.add(Thread.ofPlatform()
                        .uncaughtExceptionHandler((thread, e) -> {
                            synchronized (failures) {
                                failures.add(e);
                            }
                        })
                        .start(() -> {
                            for (int i = 0; i < rounds; i++) {
                                for (int pe = 0; pe < shmem.nPes(); pe++) {
                                    shmem.atomicInc(a, 0, pe);
                                    shmem.p(places, place, i, pe);
                                    assertThat(shmem.g(places, place, pe)).isEqualTo(i);
                                }
                            }
                        }));
            }
            for (Thread thread : all) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            shmem.barrierAll();
            assertThat(a.toHost().getLong(0)).isEqualTo((long) threads * rounds * shmem.nPes());
            assertThat(places.toHost().toLongArray()).containsOnly(rounds - 1);
            shmem.barrierAll();
        }
    }
}
