// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.math.HaloExchange.Side;
import org.comm4j.math.HaloExchange.Slices;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that ranks write into each other's memory, each rank a thread: kernels on the executor, and plain loops. */
class HaloTest {
    private static PeerMemory memory(int rank, List<Buffer> parts, Duration timeout) {
        return new PeerMemory(
                rank,
                parts,
                HostArray.allocate(DataType.INT64, 1),
                timeout,
                missing -> new CommTimeoutException("halo: rank " + missing));
    }

    private static List<Buffer> parts(int ranks, long bytes) {
        List<Buffer> parts = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            parts.add(HostArray.allocate(DataType.INT64, HaloKernels.length(bytes)));
        }
        return parts;
    }

    private static double element(int rank, int turn, long row, long column) {
        return rank + 10.0 * turn + 100.0 * row + 1000.0 * column;
    }

    /** Outer slices of rows, from each rank to the ranks beside it, in odd and even exchanges. */
    @ParameterizedTest
    @CsvSource({
        "FLOAT64, 1, 4, 2, 2, false",
        "FLOAT32, 3, 5, 3, 2, false",
        "FLOAT64, 2, 3, 1, 1, false",
        "FLOAT64, 1, 3, 4001, 2, false",
        "FLOAT32, 3, 5, 3, 2, true",
        "FLOAT64, 1, 3, 4001, 2, true"
    })
    void rowsArrive(DataType type, int outer, int length, int inner, int width, boolean loops) throws Exception {
        int ranks = 3;
        long row = (long) inner * type.bytes();
        long bytes = outer * width * row;
        List<Buffer> parts = parts(ranks, bytes);
        Slices first = new Slices(outer, width * row, length * row, 0);
        Slices last = new Slices(outer, width * row, length * row, (length - width) * row);
        Slices rim = new Slices(outer, width * row, width * row, 0);
        try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int r = 0; r < ranks; r++) {
                int rank = r;
                ends.add(threads.submit(() -> {
                    HostArray x = HostArray.allocate(type, (long) outer * length * inner);
                    HostArray before = HostArray.allocate(type, (long) outer * width * inner);
                    HostArray after = HostArray.allocate(type, (long) outer * width * inner);
                    Side front = rank == 0 ? null : new Side(rank - 1, first, before, rim);
                    Side back = rank == ranks - 1 ? null : new Side(rank + 1, last, after, rim);
                    PeerMemory memory = memory(rank, parts, Duration.ofSeconds(60));
                    try (ExecutorQueue queue = new ExecutorQueue();
                            KernelRunner runner = new KernelRunner(queue)) {
                        HaloExchange halo = loops
                                ? new HostHalo(memory, bytes, front, back)
                                : new KernelHalo(queue, runner, null, memory, bytes, front, back);
                        for (int turn = 0; turn < 6; turn++) {
                            for (long i = 0; i < x.count(); i++) {
                                x.setDouble(i, element(rank, turn, i / inner, i % inner));
                            }
                            if (turn % 2 == 0) {
                                halo.exchange(x);
                            } else {
                                halo.begin(x);
                                halo.end();
                            }
                            for (long i = 0; i < before.count(); i++) {
                                long o = i / inner / width;
                                long w = i / inner % width;
                                assertThat(before.getDouble(i))
                                        .isEqualTo(
                                                rank == 0
                                                        ? 0
                                                        : element(
                                                                rank - 1,
                                                                turn,
                                                                o * length + length - width + w,
                                                                i % inner));
                                assertThat(after.getDouble(i))
                                        .isEqualTo(
                                                rank == ranks - 1
                                                        ? 0
                                                        : element(rank + 1, turn, o * length + w, i % inner));
                            }
                        }
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    @Test
    void aRankThatDoesNotComeIsNamed() {
        PeerMemory memory = memory(1, parts(2, 8), Duration.ofMillis(50));
        HostArray x = HostArray.allocate(DataType.FLOAT64, 2);
        Slices one = new Slices(1, 8, 8, 0);
        Side front = new Side(0, one, HostArray.allocate(DataType.FLOAT64, 1), one);
        try (ExecutorQueue queue = new ExecutorQueue();
                KernelRunner runner = new KernelRunner(queue)) {
            new KernelHalo(queue, runner, null, memory, 8, front, null).exchange(x);
        }
        assertThatThrownBy(memory::check)
                .isInstanceOf(CommTimeoutException.class)
                .hasMessage("halo: rank 0");
        assertThatThrownBy(() -> new HostHalo(memory, 8, front, null).exchange(x))
                .isInstanceOf(CommTimeoutException.class);
    }

    /** Machine code of a GPU, which needs none: 16 bytes at once, flags of the whole system, nothing on a stack. */
    @Test
    void itIsCompiledForGpus() {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        KernelCode code = KernelCode.compile(
                KernelMethod.named(HaloKernels.class, "exchange"),
                CudaArch.parse("sm_90"),
                CompileOptions.DEFAULT,
                HaloKernels.PACK);
        assertThat(code.attributes().localBytes()).isZero();
        assertThat(code.ptx())
                .contains("st.release.sys", "ld.acquire.sys")
                .containsPattern("ld\\.global\\.v[24]\\.[bu](64|32)")
                .containsPattern("st\\.global\\.v[24]\\.[bu](64|32)");
    }
}
