// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongBinaryOperator;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Atomic operations: each on each of its types against plain Java, and all PEs on one variable. */
class AtomicContract {
    private static final int TIMES = 50;

    private final Nvshmem shmem = Pes.current();
    private final int me = shmem.myPe();
    private final int n = shmem.nPes();
    private final int next = (me + 1) % n;
    private final int previous = (me + n - 1) % n;

    /** As an element of the type. */
    private static long cut(DataType type, long value) {
        return switch (type) {
            case INT32 -> (int) value;
            case UINT32 -> value & 0xffff_ffffL;
            default -> value;
        };
    }

    /** An operation on an element of {@code next}. */
    private interface Fetching {
        long apply(SymmetricArray array, long index, long value, int pe);
    }

    private interface Plain {
        void apply(SymmetricArray array, long index, long value, int pe);
    }

    private interface Streamed {
        void apply(SymmetricArray array, long index, long value, int pe, Stream stream);
    }

    private void check(
            DataType type,
            String what,
            LongBinaryOperator expected,
            Fetching fetching,
            Plain plain,
            Streamed streamed) {
        Random random = new Random(Data.seed() + me);
        try (SymmetricArray x = shmem.allocate(type, 3);
                Stream stream = shmem.device().newStream()) {
            shmem.barrierAll();
            long value = 0;
            for (int i = 0; i < 5; i++) {
                long operand = random.nextLong();
                assertThat(fetching.apply(x, 1, operand, next)).as(what).isEqualTo(value);
                value = cut(type, expected.applyAsLong(value, operand));
                operand = random.nextLong();
                plain.apply(x, 1, operand, next);
                value = cut(type, expected.applyAsLong(value, operand));
                operand = random.nextLong();
                streamed.apply(x, 1, operand, next, stream);
                shmem.synchronize(stream);
                value = cut(type, expected.applyAsLong(value, operand));
                assertThat(shmem.atomicFetch(x, 1, next)).as(what).isEqualTo(value);
            }
            shmem.barrierAll();
            HostArray mine = x.toHost();
            assertThat(mine.getLong(0)).isZero();
            assertThat(mine.getLong(2)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INT32", "UINT32", "INT64", "UINT64"})
    void integers(DataType type) {
        check(
                type,
                "add",
                Long::sum,
                shmem::atomicFetchAdd,
                shmem::atomicAdd,
                (x, i, value, pe, stream) -> shmem.atomicAdd(x, i, value, pe, stream));
        check(
                type,
                "increment",
                (a, ignored) -> a + 1,
                (x, i, ignored, pe) -> shmem.atomicFetchInc(x, i, pe),
                (x, i, ignored, pe) -> shmem.atomicInc(x, i, pe),
                (x, i, ignored, pe, stream) -> shmem.atomicInc(x, i, pe, stream));
        check(type, "or", (a, b) -> a | b, shmem::atomicFetchOr, shmem::atomicOr, shmem::atomicOr);
        check(type, "xor", (a, b) -> a ^ b, shmem::atomicFetchXor, shmem::atomicXor, shmem::atomicXor);
        check(
                type,
                "and",
                (a, b) -> a & b,
                shmem::atomicFetchAnd,
                shmem::atomicAnd,
                (x, i, value, pe, stream) -> shmem.atomicAnd(x, i, value, pe, stream));
        check(
                type,
                "swap",
                (ignored, b) -> b,
                shmem::atomicSwap,
                shmem::atomicSet,
                (x, i, value, pe, stream) -> shmem.atomicSet(x, i, value, pe, stream));
    }

    @ParameterizedTest
    @EnumSource(names = {"INT32", "UINT32", "INT64", "UINT64"})
    void bitsOfOnes(DataType type) {
        try (SymmetricArray x = shmem.allocate(type, 1)) {
            shmem.atomicSet(x, 0, -1, next);
            assertThat(shmem.atomicFetchAnd(x, 0, 0x0f0f0f0f0f0f0f0fL, next)).isEqualTo(cut(type, -1));
            assertThat(shmem.atomicFetch(x, 0, next)).isEqualTo(cut(type, 0x0f0f0f0f0f0f0f0fL));
            shmem.barrierAll();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INT32", "UINT32", "INT64", "UINT64"})
    void compareAndSwap(DataType type) {
        try (SymmetricArray x = shmem.allocate(type, 1)) {
            assertThat(shmem.atomicCompareSwap(x, 0, 1, 5, next)).isZero();
            assertThat(shmem.atomicFetch(x, 0, next)).isZero();
            assertThat(shmem.atomicCompareSwap(x, 0, 0, -5, next)).isZero();
            assertThat(shmem.atomicFetch(x, 0, next)).isEqualTo(cut(type, -5));
            assertThat(shmem.atomicCompareSwap(x, 0, -5, 7, next)).isEqualTo(cut(type, -5));
            assertThat(shmem.atomicFetch(x, 0, next)).isEqualTo(7);
            shmem.barrierAll();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void floatingPointNumbers(DataType type) {
        try (SymmetricArray x = shmem.allocate(type, 2);
                Stream stream = shmem.device().newStream()) {
            shmem.atomicSet(x, 1, 1.5, next);
            assertThat(shmem.atomicFetchDouble(x, 1, next)).isEqualTo(1.5);
            assertThat(shmem.atomicSwap(x, 1, -2.25, next)).isEqualTo(1.5);
            assertThat(shmem.atomicFetchAdd(x, 1, 0.5, next)).isEqualTo(-2.25);
            shmem.atomicAdd(x, 1, 4.0, next);
            shmem.atomicAdd(x, 1, 0.25, next, stream);
            shmem.synchronize(stream);
            assertThat(shmem.atomicFetchDouble(x, 1, next)).isEqualTo(2.5);
            shmem.atomicSet(x, 1, 100.0 + me, next, stream);
            shmem.synchronize(stream);
            shmem.barrierAll();
            assertThat(x.toHost().getDouble(1)).isEqualTo(100.0 + previous);
            assertThat(x.toHost().getDouble(0)).isZero();
        }
    }

    @Test
    void halfFloats() {
        try (SymmetricArray x = shmem.allocate(DataType.FLOAT16, 3)) {
            for (int pe = 0; pe < n; pe++) {
                shmem.atomicAdd(x, 1, 0.5, pe);
            }
            shmem.barrierAll();
            assertThat(shmem.atomicFetchAdd(x, 1, 0.0, me)).isEqualTo(n / 2.0);
            assertThat(x.toHost().getFloat(0)).isZero();
            assertThat(x.toHost().getFloat(2)).isZero();
            shmem.barrierAll();
        }
    }

    /** All PEs on one variable of one PE: nothing is lost, and nobody gets what another one got. */
    @Test
    void allAtOnce() {
        int times = TIMES * 4;
        try (SymmetricArray x = shmem.allocate(DataType.INT64, 3);
                SymmetricArray seen = shmem.allocate(DataType.INT32, (long) n * times);
                Stream stream = shmem.device().newStream()) {
            int owner = n - 1;
            for (int i = 0; i < times; i++) {
                long ticket = shmem.atomicFetchInc(x, 0, owner);
                shmem.atomicInc(seen, ticket, owner, stream);
                shmem.atomicAdd(x, 1, 3, owner, stream);
            }
            shmem.synchronize(stream);
            shmem.barrierAll();
            if (me == owner) {
                HostArray sums = x.toHost();
                assertThat(sums.getLong(0)).isEqualTo((long) n * times);
                assertThat(sums.getLong(1)).isEqualTo(3L * n * times);
                assertThat(seen.toHost().toIntArray()).containsOnly(1);
            }
        }
    }

    /** A lock by compare and swap: what is read and written under it is not lost. */
    @Test
    void aLock() {
        try (SymmetricArray lock = shmem.allocate(DataType.UINT32, 1);
                SymmetricArray value = shmem.allocate(DataType.INT32, 1)) {
            for (int i = 0; i < TIMES; i++) {
                while (shmem.atomicCompareSwap(lock, 0, 0, me + 1, 0) != 0) {
                    Thread.onSpinWait();
                }
                shmem.p(value, 0, shmem.g(value, 0, 0) + 1, 0);
                assertThat(shmem.atomicSwap(lock, 0, 0, 0)).isEqualTo(me + 1);
            }
            shmem.barrierAll();
            assertThat(shmem.g(value, 0, 0)).isEqualTo((long) n * TIMES);
            shmem.barrierAll();
        }
    }

    /** Threads of one PE call at the same time; one of them waits for what another one does. */
    @Test
    void threads() throws InterruptedException, ExecutionException {
        try (SymmetricArray x = shmem.allocate(DataType.INT64, 2);
                SymmetricArray data = shmem.allocate(DataType.INT32, 4 * TIMES);
                ExecutorService pool = Executors.newFixedThreadPool(4)) {
            shmem.barrierAll();
            List<Future<?>> ends = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                int thread = t;
                ends.add(pool.submit(() -> {
                    for (int i = 0; i < TIMES; i++) {
                        shmem.put(data.slice((long) thread * TIMES + i, 1), HostArray.of(thread + i), next);
                        long ignored = shmem.atomicFetchAdd(x, 0, 1, next);
                    }
                }));
            }
            ends.add(pool.submit(() -> shmem.waitUntil(x, 0, Comparison.EQ, 3L * TIMES)));
            for (Future<?> end : ends) {
                end.get();
            }
            shmem.barrierAll();
            int[] got = data.toHost().toIntArray();
            for (int i = 0; i < 3 * TIMES; i++) {
                assertThat(got[i]).isEqualTo(i / TIMES + i % TIMES);
            }
            shmem.barrierAll();
        }
    }

    @Test
    void whatIsRefused() {
        try (SymmetricArray small = shmem.allocate(DataType.INT16, 2);
                SymmetricArray real = shmem.allocate(DataType.FLOAT32, 2);
                SymmetricArray whole = shmem.allocate(DataType.INT32, 2)) {
            assertThatThrownBy(() -> shmem.atomicAdd(small, 0, 1, next))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("atomicAdd on PE " + me)
                    .hasMessageContaining("is not of integers of 32 or 64 bits");
            assertThatThrownBy(() -> shmem.atomicFetchOr(real, 0, 1, next))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> shmem.atomicFetchAdd(whole, 0, 1.5, next))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> shmem.atomicInc(whole, 2, next)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> shmem.atomicInc(whole, -1, next)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> shmem.atomicInc(whole, 0, n)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
