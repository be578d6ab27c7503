// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Objects;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SignalOp;

/** Wrong calls: each is an exception that says what is wrong, and nothing happens. */
final class MisuseCases {
    private MisuseCases() {}

    private static void assertRefused(Class<? extends Exception> type, ThrowingCallable call, String... words) {
        AbstractThrowableAssert<?, ?> refused = assertThatThrownBy(call).isInstanceOf(type);
        for (String word : words) {
            refused.hasMessageContaining(word);
        }
    }

    private static void assertWrong(ThrowingCallable call, String... words) {
        assertRefused(IllegalArgumentException.class, call, words);
    }

    private static void assertOutside(ThrowingCallable call, String... words) {
        assertRefused(IndexOutOfBoundsException.class, call, words);
    }

    @SuppressWarnings("NullAway") // nulls are what is tested
    static void wrongArguments(HostShmem s) {
        int n = s.nPes();
        try (SymmetricArray array = s.allocate(DataType.INT64, 10)) {
            HostArray ten = HostArray.allocate(DataType.INT64, 10);
            HostArray eleven = HostArray.allocate(DataType.INT64, 11);
            for (int pe : new int[] {-1, n, Integer.MAX_VALUE}) {
                String[] words = {"PE " + pe, "0 to " + (n - 1)};
                assertWrong(() -> s.put(array, ten, pe), words);
                assertWrong(() -> s.get(ten, array, pe), words);
                assertWrong(() -> s.iput(array, ten, 1, 1, 1, pe), words);
                assertWrong(() -> s.iget(ten, array, 1, 1, 1, pe), words);
                assertWrong(() -> s.p(array, 0, 1, pe), words);
                assertWrong(() -> s.g(array, 0, pe), words);
                assertWrong(() -> s.atomicAdd(array, 0, 1, pe), words);
                assertWrong(() -> s.atomicFetch(array, 0, pe), words);
                assertWrong(() -> s.signal(array, 0, 1, SignalOp.SET, pe), words);
                assertWrong(() -> s.putSignal(array, ten, array, 0, 1, SignalOp.SET, pe), words);
                assertWrong(() -> s.ptr(array, pe), words);
            }
            assertOutside(() -> s.put(array, eleven, 0), "destination", "11 elements at 0", "10 x INT64");
            assertOutside(() -> s.put(array, ten, 11, 0), "destination", "11 elements");
            assertOutside(() -> s.put(array, ten, -1, 0), "destination", "-1 elements");
            assertOutside(() -> s.put(array, ten.slice(0, 3), 4, 0), "source", "4 elements", "3 x INT64");
            assertOutside(() -> s.get(eleven, array, 0), "source", "11 elements");
            assertOutside(() -> s.get(ten.slice(0, 3), array, 4, 0), "destination", "4 elements");
            assertOutside(() -> s.put(array, ten, Long.MAX_VALUE, 0), "destination");
            assertOutside(() -> s.iput(array, ten, 3, 1, 5, 0), "destination", "13 elements");
            assertOutside(() -> s.iput(array, ten, 1, 3, 5, 0), "source", "13 elements");
            assertOutside(() -> s.iget(ten, array, 3, 1, 5, 0), "destination", "13 elements");
            assertOutside(() -> s.iget(ten, array, 1, 3, 5, 0), "source", "13 elements");
            assertWrong(() -> s.iput(array, ten, 0, 1, 1, 0), "stride 0");
            assertWrong(() -> s.iput(array, ten, 1, -1, 1, 0), "stride -1");
            assertWrong(() -> s.iget(ten, array, 1, 1, -1, 0), "count -1");
            assertWrong(() -> s.iget(ten, array, Long.MAX_VALUE, 1, 3, 0), "stride " + Long.MAX_VALUE);
            for (long index : new long[] {-1, 10, Long.MAX_VALUE, Long.MIN_VALUE}) {
                String at = "at " + index;
                assertOutside(() -> s.p(array, index, 1, 0), at);
                assertOutside(() -> s.g(array, index, 0), at);
                assertOutside(() -> s.atomicFetchAdd(array, index, 1, 0), at);
                assertOutside(() -> s.atomicCompareSwap(array, index, 1, 1, 0), at);
                assertOutside(() -> s.signalFetch(array, index), "signal", at);
                assertOutside(() -> s.waitUntil(array, index, Comparison.EQ, 0), "variable", at);
                assertOutside(() -> s.test(array, index, Comparison.EQ, 0), "variable", at);
            }
            assertOutside(() -> array.slice(5, 6), "6 elements at 5");
            assertWrong(
                    () -> s.waitUntilAll(array, new boolean[9], Comparison.EQ, 0), "waitUntilAll", "9 entries", "10");
            assertWrong(() -> s.waitUntilAny(array, null, Comparison.EQ, 0, 1), "waitUntilAny", "2 values", "10");
            assertWrong(() -> s.testSome(array, null, Comparison.EQ), "testSome", "0 values");
            assertWrong(() -> s.allocate(DataType.INT8, -1).close(), "-1");
            assertWrong(() -> s.allocate(DataType.INT64, Long.MAX_VALUE).close(), "INT64");
            assertWrong(() -> s.timeout(Duration.ofSeconds(-1)), "negative");
            assertWrong(() -> HostShmem.init(s.heap().world(), -1).close(), "-1 bytes");
            assertRefused(NullPointerException.class, () -> s.put(null, ten, 0));
            assertRefused(NullPointerException.class, () -> s.put(array, null, 0));
            assertRefused(NullPointerException.class, () -> s.signal(array, 0, 5, null, 0), "op");
            assertRefused(NullPointerException.class, () -> s.putSignal(array, ten, array, 0, 5, null, 0), "op");
            assertRefused(NullPointerException.class, () -> s.waitUntil(array, 0, null, 0));
            assertRefused(NullPointerException.class, () -> s.allocate(null, 1).close());
            assertOutside(() -> s.world().worldRank(n), "member " + n);
            s.barrierAll();
            assertThat(array.toLongArray()).containsOnly(0);
            s.barrierAll();
        }
    }

    static void wrongTypes(HostShmem s) {
        try (SymmetricArray floats = s.allocate(DataType.FLOAT32, 4);
                SymmetricArray bytes = s.allocate(DataType.INT8, 4);
                SymmetricArray ints = s.allocate(DataType.INT32, 4)) {
            assertWrong(() -> s.put(floats, HostArray.of(1), 0), "source", "INT32", "FLOAT32");
            assertWrong(() -> s.get(HostArray.of(1L), ints, 0), "destination", "INT64", "INT32");
            assertWrong(() -> s.iput(floats, HostArray.of(1.0), 1, 1, 1, 0), "FLOAT64");
            assertWrong(() -> s.p(floats, 0, 1, 0), "FLOAT32", "integer");
            assertWrong(() -> s.p(ints, 0, 1.0, 0), "INT32", "floating-point");
            assertWrong(() -> s.g(floats, 0, 0), "FLOAT32", "integer");
            assertWrong(() -> s.gDouble(ints, 0, 0), "INT32");
            assertWrong(() -> s.atomicAdd(bytes, 0, 1, 0), "INT8", "32 and 64 bits");
            assertWrong(() -> s.atomicAdd(floats, 0, 1, 0), "FLOAT32");
            assertWrong(() -> s.atomicFetchAdd(ints, 0, 1.0, 0), "INT32");
            assertWrong(() -> s.atomicSwap(bytes, 0, 1.0, 0), "INT8");
            assertWrong(() -> s.signal(ints, 0, 1, SignalOp.SET, 0), "INT32", "signal");
            assertWrong(() -> s.signalFetch(ints, 0), "signal");
            assertWrong(() -> s.putSignal(ints, HostArray.of(1), ints, 0, 1, SignalOp.SET, 0), "signal");
            assertWrong(() -> s.waitUntil(floats, 0, Comparison.EQ, 0), "FLOAT32");
            assertWrong(() -> s.test(bytes, 0, Comparison.EQ, 0), "INT8");
            assertWrong(() -> s.waitUntilAny(bytes, null, Comparison.EQ, 0), "INT8");
            s.barrierAll();
        }
    }

    static void freedAndForeign(HostShmem s) {
        SymmetricArray freed = s.allocate(DataType.INT64, 4);
        SymmetricArray part = freed.slice(1, 2);
        SymmetricArray alive = s.allocate(DataType.INT64, 4);
        HostArray two = HostArray.of(1L, 2L);
        freed.close();
        for (SymmetricArray array : new SymmetricArray[] {freed, part}) {
            Class<? extends Exception> state = IllegalStateException.class;
            assertRefused(state, () -> s.put(array, two, 0), "destination", "freed", "PE " + s.myPe());
            assertRefused(state, () -> s.get(two, array, 0), "source", "freed");
            assertRefused(state, () -> s.put(alive, array, 0), "source", "freed");
            assertRefused(state, () -> s.atomicAdd(array, 0, 1, 0), "target", "freed");
            assertRefused(state, () -> s.signal(array, 0, 1, SignalOp.ADD, 0), "signal", "freed");
            assertRefused(state, () -> s.waitUntil(array, 0, Comparison.EQ, 0), "variable", "freed");
            assertRefused(state, () -> s.waitUntilAny(array, null, Comparison.EQ, 0), "variables", "freed");
            assertRefused(state, () -> s.ptr(array, 0), "freed");
        }
        part.close();
        HostShmem other = HostShmem.init(s.heap().world(), 1 << 20);
        SymmetricArray foreign = other.allocate(DataType.INT64, 4);
        assertWrong(() -> s.put(foreign, two, 0), "destination", "another symmetric heap");
        assertWrong(() -> other.get(two, alive, 0), "source", "another symmetric heap");
        // As the other side of a copy it is memory like any other.
        s.put(alive, foreign, s.myPe());
        other.barrierAll();
        other.close();
        other.close();
        foreign.close();
        assertRefused(IllegalStateException.class, () -> other.put(foreign, two, 0), "closed");
        assertRefused(IllegalStateException.class, () -> s.put(alive, foreign, 0), "source", "freed");
        assertRefused(IllegalStateException.class, other::barrierAll, "barrierAll", "closed");
        assertRefused(
                IllegalStateException.class,
                () -> other.allocate(DataType.INT8, 1).close(),
                "allocate",
                "closed");
        assertRefused(
                IllegalStateException.class, () -> Host.communicator(other).close());
        alive.close();
    }

    static void closedTeam(HostShmem s) {
        Team team = Objects.requireNonNull(s.splitStrided(s.world(), 0, 1, s.nPes()));
        team.close();
        team.close();
        assertRefused(IllegalStateException.class, team::sync, "closed");
        assertRefused(IllegalStateException.class, () -> s.barrier(team), "closed");
        assertRefused(IllegalStateException.class, () -> s.split2d(team, 1), "closed");
        s.world().close();
        s.barrierAll();
    }
}
