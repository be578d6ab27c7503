// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SignalOp;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Signals with and without data, waits and tests, on the host and in streams; what a signal promises of the data before
 * it.
 */
class SignalContract {
    /** Rounds of the tests of order: more of them where it is quick. */
    private static final int ROUNDS = Integer.parseInt(System.getenv().getOrDefault("COMM4J_TEST_ROUNDS", "1000"));

    private final Nvshmem shmem = Pes.current();
    private final int me = shmem.myPe();
    private final int n = shmem.nPes();
    private final int next = (me + 1) % n;
    private final int previous = (me + n - 1) % n;
    private Stream stream;

    @BeforeEach
    void stream() {
        stream = shmem.device().newStream();
    }

    @AfterEach
    void end() {
        shmem.synchronize(stream);
        stream.close();
        shmem.barrierAll();
    }

    /** The limit of one wait is no failure: the work goes on, and can be waited for again. */
    @Test
    void aStreamThatIsLateCanBeWaitedForAgain() {
        try (SymmetricArray signals = shmem.allocate(DataType.UINT64, 1)) {
            shmem.signalWaitUntil(signals, 0, Comparison.EQ, 1, stream);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> shmem.synchronize(stream, Duration.ofMillis(50)))
                        .isInstanceOf(CommTimeoutException.class)
                        .hasMessageContaining("signalWaitUntil for EQ 1")
                        .hasMessageContaining("it can be waited for again");
            }
            shmem.barrierAll();
            shmem.signal(signals, 0, 1, SignalOp.SET, next);
            shmem.synchronize(stream);
            shmem.barrierAll();
        }
    }

    // ---- data with a signal ----

    /** How a put with a signal is called, and waited for. */
    enum Way {
        HOST,
        STREAM,
        NBI
    }

    @ParameterizedTest
    @CsvSource({"HOST, SET", "HOST, ADD", "STREAM, SET", "STREAM, ADD", "NBI, SET", "NBI, ADD"})
    void whoSeesTheSignalSeesTheData(Way way, SignalOp op) {
        int count = 3001;
        int rounds = 20;
        try (SymmetricArray to = shmem.allocate(DataType.INT32, count);
                SymmetricArray from = shmem.allocate(DataType.INT32, count);
                SymmetricArray signals = shmem.allocate(DataType.UINT64, 3);
                SymmetricArray read = shmem.allocate(DataType.INT64, 1)) {
            for (int round = 1; round <= rounds; round++) {
                int length = round % 5 == 0 ? 0 : count / round;
                from.slice(0, length).copyFrom(Data.bits(DataType.INT32, length, me, round));
                long value = op == SignalOp.SET ? round : 1;
                switch (way) {
                    case HOST -> shmem.putSignal(to, from, length, signals, 1, value, op, next);
                    case STREAM -> shmem.putSignal(to, from, length, signals, 1, value, op, next, stream);
                    case NBI -> shmem.putSignalNbi(to, from, length, signals, 1, value, op, next, stream);
                }
                assertThat(shmem.signalWaitUntil(signals, 1, Comparison.GE, round))
                        .isEqualTo(round);
                Data.assertSame(
                        to.slice(0, length).toHost(),
                        Data.bits(DataType.INT32, length, previous, round),
                        way + " " + op);
                // The one before may write again, and this one's source is free when the next one says so.
                shmem.signal(read, 0, round, SignalOp.SET, previous);
                assertThat(shmem.signalWaitUntil(read, 0, Comparison.EQ, round)).isEqualTo(round);
            }
            shmem.quiet(stream);
            HostArray mine = signals.toHost();
            assertThat(mine.getLong(0)).isZero();
            assertThat(mine.getLong(1)).isEqualTo(rounds);
            assertThat(mine.getLong(2)).isZero();
            shmem.synchronize(stream);
            shmem.barrierAll();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyTypeTravels(DataType type) {
        int count = 129;
        try (SymmetricArray to = shmem.allocate(type, count);
                SymmetricArray from = shmem.allocate(type, count);
                SymmetricArray signal = shmem.allocate(DataType.UINT64, 1)) {
            from.copyFrom(Data.bits(type, count, me, 0));
            shmem.putSignal(to, from, signal, 0, 1, SignalOp.SET, next, stream);
            shmem.signalWaitUntil(signal, 0, Comparison.EQ, 1, stream);
            shmem.synchronize(stream);
            Data.assertSame(to.toHost(), Data.bits(type, count, previous, 0), "put with signal");
            shmem.barrierAll();
        }
    }

    @Test
    void signalsOfAllAddUp() {
        try (SymmetricArray signal = shmem.allocate(DataType.UINT64, 2)) {
            for (int round = 1; round <= 10; round++) {
                for (int pe = 0; pe < n; pe++) {
                    if (round % 2 == 0) {
                        shmem.signal(signal, 1, me + 1, SignalOp.ADD, pe);
                    } else {
                        shmem.signal(signal, 1, me + 1, SignalOp.ADD, pe, stream);
                    }
                }
                long sum = (long) n * (n + 1) / 2;
                if (round % 3 == 0) {
                    shmem.signalWaitUntil(signal, 1, Comparison.GE, round * sum, stream);
                    shmem.synchronize(stream);
                } else {
                    assertThat(shmem.signalWaitUntil(signal, 1, Comparison.GE, round * sum))
                            .isGreaterThanOrEqualTo(round * sum);
                }
            }
            shmem.synchronize(stream);
            shmem.barrierAll();
            assertThat(shmem.signalFetch(signal, 1)).isEqualTo(10L * n * (n + 1) / 2);
            assertThat(shmem.signalFetch(signal, 0)).isZero();
            shmem.barrierAll();
        }
    }

    // ---- order ----

    /**
     * Rounds in streams, nothing on the host: each PE puts a number and a signal to the next one, which notes the
     * number and says that it may be overwritten.
     */
    private void inOrder(Runnable put, SymmetricArray number, SymmetricArray signals, DeviceArray notes, int round) {
        put.run();
        shmem.signalWaitUntil(signals, 0, Comparison.GE, round, stream);
        notes.slice(round - 1, 1).copyFrom(number, stream);
        shmem.signal(signals, 1, round, SignalOp.SET, previous, stream);
        shmem.signalWaitUntil(signals, 1, Comparison.GE, round, stream);
    }

    @ParameterizedTest
    @EnumSource(names = {"STREAM", "NBI"})
    void aSignalComesAfterThePutBeforeIt(Way way) {
        try (SymmetricArray number = shmem.allocate(DataType.INT32, 1);
                SymmetricArray source = shmem.allocate(DataType.INT32, 1);
                SymmetricArray signals = shmem.allocate(DataType.UINT64, 2);
                DeviceArray notes = shmem.device().allocate(DataType.INT32, ROUNDS)) {
            for (int round = 1; round <= ROUNDS; round++) {
                int time = round;
                inOrder(
                        () -> {
                            source.fill(10.0 * time + me, stream);
                            if (way == Way.STREAM) {
                                shmem.put(number, source, next, stream);
                            } else {
                                shmem.putNbi(number, source, next, stream);
                                shmem.quiet(stream);
                            }
                            shmem.signal(signals, 0, time, SignalOp.SET, next, stream);
                        },
                        number,
                        signals,
                        notes,
                        round);
            }
            shmem.synchronize(stream);
            int[] noted = notes.toHost().toIntArray();
            for (int round = 1; round <= ROUNDS; round++) {
                assertThat(noted[round - 1]).as("round %d", round).isEqualTo(10 * round + previous);
            }
            shmem.barrierAll();
        }
    }

    /** The same on the host: a put, a fence, a signal. */
    @Test
    void aFenceOrders() {
        int rounds = ROUNDS / 10;
        try (SymmetricArray number = shmem.allocate(DataType.INT64, 1);
                SymmetricArray signals = shmem.allocate(DataType.UINT64, 2)) {
            for (int round = 1; round <= rounds; round++) {
                shmem.p(number, 0, 100L * round + me, next);
                shmem.fence();
                shmem.signal(signals, 0, round, SignalOp.SET, next);
                shmem.signalWaitUntil(signals, 0, Comparison.GE, round);
                assertThat(shmem.g(number, 0, me)).isEqualTo(100L * round + previous);
                shmem.signal(signals, 1, round, SignalOp.SET, previous);
                shmem.signalWaitUntil(signals, 1, Comparison.GE, round);
            }
            shmem.barrierAll();
        }
    }

    // ---- waits for integers ----

    @ParameterizedTest
    @EnumSource(names = {"INT16", "UINT16", "INT32", "UINT32", "INT64", "UINT64"})
    void waitsOfEveryTypeAndComparison(DataType type) {
        try (SymmetricArray x = shmem.allocate(type, 2)) {
            // The greatest of the type, as unsigned numbers −2 and −1 are.
            long large = type.isUnsigned() ? -1 : 100;
            long before = large - 1;
            for (Comparison comparison : Comparison.values()) {
                for (boolean onStream : new boolean[] {false, true}) {
                    boolean down = comparison == Comparison.LT || comparison == Comparison.LE;
                    long from = down ? large : before;
                    long to = down ? before : large;
                    long with = switch (comparison) {
                        case EQ, GE, LE -> to;
                        case NE, GT, LT -> from;
                    };
                    x.fill(0);
                    shmem.p(x, 1, from, me);
                    assertThat(shmem.test(x, 1, comparison, with))
                            .as("%s before", comparison)
                            .isFalse();
                    shmem.barrierAll();
                    if (onStream) {
                        shmem.waitUntil(x, 1, comparison, with, stream);
                    }
                    shmem.p(x, 1, to, next);
                    if (onStream) {
                        shmem.synchronize(stream);
                    } else {
                        HostArray expected = HostArray.allocate(type, 1);
                        expected.setLong(0, to);
                        assertThat(shmem.waitUntil(x, 1, comparison, with)).isEqualTo(expected.getLong(0));
                    }
                    assertThat(shmem.test(x, 1, comparison, with))
                            .as("%s after", comparison)
                            .isTrue();
                    shmem.barrierAll();
                }
            }
        }
    }

    @Test
    void waitsForSeveral() {
        int count = 5;
        try (SymmetricArray x = shmem.allocate(DataType.INT32, count);
                DeviceArray skip = shmem.device().allocate(DataType.INT32, count);
                DeviceArray values = shmem.device().allocate(DataType.INT32, count)) {
            boolean[] skipped = {false, true, false, false, true};
            skip.copyFrom(HostArray.of(0, 1, 0, 0, 7));
            values.copyFrom(HostArray.of(11, 99, 13, 14, 99));
            shmem.barrierAll();
            assertThat(shmem.testAll(x, skipped, Comparison.EQ, 0)).isTrue();
            assertThat(shmem.testAll(x, skipped, Comparison.NE, 0)).isFalse();
            assertThat(shmem.testAny(x, skipped, Comparison.NE, 0)).isEqualTo(-1);
            assertThat(shmem.testSome(x, null, Comparison.EQ, 0)).containsExactly(0, 1, 2, 3, 4);
            shmem.barrierAll();
            shmem.waitUntilAll(x, skip, Comparison.GE, 11, stream);
            shmem.waitUntilAll(x, skip, Comparison.EQ, values, stream);
            for (int i : new int[] {2, 0, 3}) {
                shmem.p(x, i, 11 + i, next);
            }
            shmem.waitUntilAll(x, skipped, Comparison.EQ, 11, 99, 13, 14, 99);
            shmem.synchronize(stream);
            assertThat(x.toHost().toIntArray()).containsExactly(11, 0, 13, 14, 0);
            assertThat(shmem.testSome(x, null, Comparison.GT, 0)).containsExactly(0, 2, 3);
            assertThat(shmem.waitUntilSome(x, skipped, Comparison.GT, 11)).containsExactly(2, 3);
            // Each in turn.
            assertThat(new long[] {
                        shmem.waitUntilAny(x, null, Comparison.GT, 0),
                        shmem.waitUntilAny(x, null, Comparison.GT, 0),
                        shmem.waitUntilAny(x, null, Comparison.GT, 0)
                    })
                    .containsExactlyInAnyOrder(0, 2, 3);
            boolean[] all = {true, true, true, true, true};
            assertThat(shmem.waitUntilAny(x, all, Comparison.EQ, 1000)).isEqualTo(-1);
            assertThat(shmem.waitUntilSome(x, all, Comparison.EQ, 1000)).isEmpty();
            shmem.waitUntilAll(x, all, Comparison.EQ, 1000);
            shmem.waitUntilAll(x.slice(0, 0), (boolean[]) null, Comparison.EQ, 1000);
            shmem.waitUntilAll(x.slice(0, 0), (DeviceArray) null, Comparison.EQ, 1000, stream);
            shmem.barrierAll();
        }
    }

    @Test
    void aWaitInAStreamLetsTheHostGoOn() {
        try (SymmetricArray signal = shmem.allocate(DataType.INT64, 1);
                SymmetricArray x = shmem.allocate(DataType.INT32, 1)) {
            shmem.signalWaitUntil(signal, 0, Comparison.NE, 0, stream);
            x.fill(7, stream);
            assertThat(stream.isDone()).isFalse();
            assertThat(shmem.g(x, 0, me)).isZero();
            assertThat(shmem.signalFetch(signal, 0)).isZero();
            shmem.signal(signal, 0, 1, SignalOp.SET, me);
            shmem.synchronize(stream);
            assertThat(shmem.g(x, 0, me)).isEqualTo(7);
        }
    }

    // ---- waits that do not end, and what is refused ----

    @Test
    void aWaitInVainSaysWhatItSaw() {
        try (SymmetricArray signal = shmem.allocate(DataType.UINT64, 4)) {
            Duration limit = shmem.timeout();
            shmem.p(signal, 2, 41, me);
            shmem.timeout(Duration.ofMillis(200));
            try {
                assertThatThrownBy(() -> shmem.signalWaitUntil(signal, 2, Comparison.EQ, 42))
                        .isInstanceOf(CommTimeoutException.class)
                        .hasMessageContaining("signalWaitUntil for element 2 of SymmetricArray[4 x UINT64")
                        .hasMessageContaining("address 0x" + Long.toHexString(signal.address() + 16))
                        .hasMessageContaining("which is 41, to be EQ 42")
                        .hasMessageContaining("on PE " + me + " of " + n)
                        .hasMessageContaining("200 ms");
                assertThatThrownBy(() ->
                                shmem.waitUntilAll(signal, new boolean[] {true, false, false, true}, Comparison.NE, 0))
                        .isInstanceOf(CommTimeoutException.class)
                        .hasMessageContaining("waitUntilAll for all of SymmetricArray[4 x UINT64")
                        .hasMessageContaining("element 1 of")
                        .hasMessageContaining("which is 0, is the first that is not NE 0");
            } finally {
                shmem.timeout(limit);
            }
            // Nothing was started that could be out of step.
            shmem.barrierAll();
            assertThat(shmem.signalFetch(signal, 2)).isEqualTo(41);
        }
    }

    @Test
    void whatIsRefused() {
        try (SymmetricArray x = shmem.allocate(DataType.INT32, 4);
                SymmetricArray small = shmem.allocate(DataType.INT8, 4);
                SymmetricArray signal = shmem.allocate(DataType.UINT64, 1);
                DeviceArray skip = shmem.device().allocate(DataType.INT32, 3)) {
            assertThatThrownBy(() -> shmem.signal(x, 0, 1, SignalOp.SET, next))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not an array of INT64 or UINT64");
            assertThatThrownBy(() -> shmem.signal(signal, 1, 1, SignalOp.SET, next))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> shmem.signal(signal, 0, 1, SignalOp.SET, n, stream))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> shmem.putSignal(x, x, 5, signal, 0, 1, SignalOp.ADD, next))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> shmem.waitUntil(small, 0, Comparison.EQ, 1))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("not for INT8");
            assertThatThrownBy(() -> shmem.waitUntil(x, 4, Comparison.EQ, 1, stream))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> shmem.waitUntilAll(x, skip, Comparison.EQ, 1, stream))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not an array of 4 x INT32");
            assertThatThrownBy(() -> shmem.waitUntilAll(x, null, Comparison.EQ, skip, stream))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> shmem.testAll(x, new boolean[3], Comparison.EQ, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("skip has 3 entries, not 4");
            assertThatThrownBy(() -> shmem.testAll(x, null, Comparison.EQ, 1, 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2 values to compare with, not 1 or 4");
        }
    }
}
