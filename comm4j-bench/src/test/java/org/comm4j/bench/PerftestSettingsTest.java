// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PerftestSettingsTest {
    private static final long GIB = 1L << 30;

    static PerftestSettings settings(@Nullable Long min, @Nullable Long max, List<Perftest> tests) {
        return new PerftestSettings(
                PerftestCase.of(tests, List.of(false), List.of(false), false),
                min,
                max,
                16,
                10,
                5,
                Duration.ZERO,
                DataType.INT32,
                ReduceOp.SUM,
                true,
                PerftestSettings.Busy.LEAST);
    }

    /** As the programs count: parts are rounded down, and have one element at least. */
    @Test
    void countsAreThoseOfThePrograms() {
        PerftestSettings some = settings(4L, 1000L, List.of(Perftest.BW));
        assertThat(some.counts(Perftest.BW, 2, GIB)).containsExactly(4L, 64L);
        assertThat(some.counts(Perftest.REDUCTION, 2, GIB)).containsExactly(1L, 16L);
        assertThat(some.counts(Perftest.BROADCAST, 3, GIB)).containsExactly(1L, 16L);
        assertThat(some.counts(Perftest.FCOLLECT, 3, GIB)).containsExactly(1L, 16L);
        assertThat(some.counts(Perftest.ALL_TO_ALL, 16, GIB)).containsExactly(1L);
        assertThat(some.unit(Perftest.ALL_TO_ALL, 16)).isEqualTo(64);
        assertThat(some.unit(Perftest.REDUCTION, 16)).isEqualTo(4);
        assertThat(some.unit(Perftest.LATENCY, 16)).isEqualTo(1);
        // One element a PE is more than was asked for.
        assertThat(settings(4L, 8L, List.of(Perftest.REDUCE_SCATTER)).largest(4, GIB))
                .isEqualTo(16);
    }

    @Test
    void defaultsAreThoseOfThePrograms() {
        PerftestSettings usual = settings(null, null, List.of(Perftest.LATENCY, Perftest.STREAM_LATENCY));
        assertThat(usual.counts(Perftest.LATENCY, 2, GIB)).startsWith(4L).endsWith(4L << 20);
        assertThat(usual.counts(Perftest.STREAM_LATENCY, 2, GIB)).startsWith(1L).endsWith(1L << 24);
        assertThat(usual.largest(2, GIB)).isEqualTo(1 << 24);
        assertThat(settings(8L << 20, null, List.of(Perftest.BW)).counts(Perftest.BW, 2, GIB))
                .containsExactly(8L << 20);
    }

    /** What was allocated is still there when the next one is. */
    @Test
    void allocationsFitTogether() {
        PerftestSettings usual = new PerftestSettings(
                PerftestCase.of(List.of(Perftest.MALLOC), List.of(false), List.of(false), false),
                null,
                null,
                2,
                1,
                0,
                Duration.ZERO,
                DataType.INT32,
                ReduceOp.SUM,
                true,
                PerftestSettings.Busy.LEAST);
        // 0.4 of it is 32 GiB; the next one would be 16.
        assertThat(usual.counts(Perftest.MALLOC, 2, 80 * GIB))
                .containsExactly(GIB, 2 * GIB, 4 * GIB, 8 * GIB, 16 * GIB);
        assertThat(usual.counts(Perftest.MALLOC, 2, 77 * GIB)).containsExactly(GIB, 2 * GIB, 4 * GIB, 8 * GIB);
        assertThat(usual.counts(Perftest.MALLOC, 2, 2 * GIB)).isEmpty();
        assertThat(usual.largest(2, 80 * GIB)).isZero();
    }

    @Test
    void variantsAreThoseThatATestHas() {
        assertThat(PerftestCase.of(List.of(Perftest.values()), List.of(false, true), List.of(false, true), true))
                .extracting(PerftestCase::toString)
                .containsExactly(
                        "bw",
                        "bw read",
                        "bw host",
                        "bw read host",
                        "latency",
                        "latency read",
                        "latency host",
                        "latency read host",
                        "stream_latency",
                        "stream_latency read",
                        "stream_latency host",
                        "stream_latency read host",
                        "put_signal_on_stream",
                        "put_signal_ping_pong_on_stream",
                        "alltoall_on_stream graph",
                        "broadcast_on_stream graph",
                        "fcollect_on_stream graph",
                        "reducescatter_on_stream graph",
                        "reduction_on_stream graph",
                        "barrier_on_stream",
                        "barrier_all_on_stream",
                        "sync_on_stream",
                        "sync_all_on_stream",
                        "malloc",
                        "init");
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(64L, 8L, List.of(Perftest.BW)))
                .withMessageContaining("from 64 to 8 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings(0L, 8L, List.of(Perftest.BW)))
                .withMessageContaining("do not grow");
        assertThatIllegalArgumentException().isThrownBy(() -> new PerftestSettings.Busy(1, 2000, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Perftests.check(settings(4L, 8L, List.of(Perftest.INIT, Perftest.PUT_SIGNAL)), 1))
                .withMessage("put_signal_on_stream needs 2 PEs");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Perftest.named("shmem_put_bw"))
                .withMessageContaining("there is no test 'shmem_put_bw'; there are bw, latency,");
    }
}
