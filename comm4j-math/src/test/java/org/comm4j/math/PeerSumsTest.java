// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
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
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums over ranks within the kernel of dot products, each rank a thread with the executor for processors. */
class PeerSumsTest {
    private static PeerMemory memory(int rank, List<Buffer> parts, Duration timeout) {
        HostArray report = HostArray.allocate(DataType.INT64, 1);
        return new PeerMemory(
                rank, parts, report, timeout, missing -> new CommTimeoutException("dot: rank " + missing));
    }

    private static List<Buffer> parts(int ranks) {
        List<Buffer> parts = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            parts.add(HostArray.allocate(DataType.INT64, PeerSums.length(ranks)));
        }
        return parts;
    }

    private static double element(int rank, int turn, long i) {
        return Math.sin(1 + 3.0 * rank + 7.0 * turn + i);
    }

    @Test
    void dotsAndTheirSumsAreOneKernel() throws Exception {
        dotsAndSums(3);
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 8})
    void dotsAndTheirSumsAreOneKernelOn(int ranks) throws Exception {
        dotsAndSums(ranks);
    }

    /** Two dots of all ranks, several times, and a calculation with them: one launch each time. */
    private static void dotsAndSums(int ranks) throws Exception {
        List<Buffer> parts = parts(ranks);
        int turns = 5;
        double[][] seen = new double[ranks][2 * turns];
        int[] launches = new int[ranks];
        try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int r = 0; r < ranks; r++) {
                int rank = r;
                ends.add(threads.submit(() -> {
                    ExecutorQueue queue = new ExecutorQueue();
                    // Of several blocks on some ranks.
                    HostArray x = HostArray.allocate(DataType.FLOAT64, rank % 2 == 0 ? 37 : 4500);
                    try (Compute compute = new GpuCompute(queue)) {
                        Scalars sums = compute.scalars(2);
                        HostArray twice = HostArray.allocate(DataType.FLOAT64, 4);
                        Sweep sweep = new Sweep()
                                .vdot(x, x, sums.get(0), false)
                                .dot(x, x, sums.get(1), false)
                                .sumOverRanks(memory(rank, parts, Duration.ofSeconds(60)), sums.buffer());
                        Runnable run = compute.prepare(
                                sweep,
                                (a, b, _) -> {
                                    b.set(0, 2 * a.get(0));
                                    b.set(2, 2 * a.get(2));
                                },
                                sums.buffer(),
                                twice,
                                twice);
                        for (int turn = 0; turn < turns; turn++) {
                            for (int i = 0; i < 37; i++) {
                                x.setDouble(i, element(rank, turn, i));
                            }
                            int before = queue.launches();
                            run.run();
                            launches[rank] += queue.launches() - before;
                            seen[rank][2 * turn] = twice.getDouble(0);
                            seen[rank][2 * turn + 1] = twice.getDouble(2);
                        }
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
        for (int turn = 0; turn < turns; turn++) {
            double sum = 0;
            for (int rank = 0; rank < ranks; rank++) {
                for (int i = 0; i < 37; i++) {
                    sum += element(rank, turn, i) * element(rank, turn, i);
                }
            }
            for (int rank = 0; rank < ranks; rank++) {
                assertThat(seen[rank][2 * turn]).isCloseTo(2 * sum, within(1e-12 * sum));
                assertThat(seen[rank]).as("the bits of rank %d", rank).isEqualTo(seen[0]);
            }
        }
        assertThat(launches).containsOnly(turns);
    }

    /** The sum is that of the numbers in the order of ranks, also where the count of sums begins anew. */
    @Test
    void numbersAreAddedInTheOrderOfRanks() throws Exception {
        int ranks = 4;
        List<Buffer> parts = parts(ranks);
        parts.forEach(part -> ((HostArray) part).setLong(0, 0xffff_fffdL));
        double[] terms = {1e16, 1, -1e16, 1};
        HostArray[] numbers = new HostArray[ranks];
        try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int r = 0; r < ranks; r++) {
                int rank = r;
                numbers[rank] = HostArray.allocate(DataType.FLOAT64, 3);
                PeerSums.Peers peers =
                        PeerSums.of(memory(rank, parts, Duration.ofSeconds(60)), numbers[rank].slice(0, 1));
                ends.add(threads.submit(() -> {
                    for (int turn = 0; turn < 6; turn++) {
                        numbers[rank].setDouble(0, terms[rank] * (1 << turn));
                        PeerSums.sum(peers, 0);
                        assertThat(numbers[rank].getDouble(0)).isEqualTo((((1e16 + 1) + -1e16) + 1) * (1 << turn));
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    /** Machine code of a GPU, which needs none: accesses of the whole system, and nothing on a stack. */
    @Test
    void itIsCompiledForGpus() {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        KernelCode code = KernelCode.compile(
                KernelMethod.named(SweepKernels.class, "calculate"),
                CudaArch.parse("sm_90"),
                CompileOptions.DEFAULT,
                true,
                SweepLaunches.NOTHING);
        assertThat(code.attributes().localBytes()).isZero();
        assertThat(code.ptx())
                .containsPattern("ld\\.(volatile|relaxed\\.sys)")
                .containsPattern("st\\.(volatile|relaxed\\.sys)")
                .doesNotContain("call.uni");
    }

    @Test
    void aRankThatDoesNotComeIsNamed() {
        PeerMemory memory = memory(0, parts(3), Duration.ofMillis(50));
        HostArray numbers = HostArray.allocate(DataType.FLOAT64, 2);
        try (Compute compute = new GpuCompute(new ExecutorQueue())) {
            compute.prepare(new Sweep().sumOverRanks(memory, numbers)).run();
        }
        assertThat(numbers.getDouble(0)).isNaN();
        assertThat(memory.report().getLong(0)).isBetween(2L, 3L);
        assertThatThrownBy(memory::check)
                .isInstanceOf(CommTimeoutException.class)
                .hasMessageMatching("dot: rank [12]");
    }

    @Test
    void tooManyNumbersAreRefused() {
        HostArray numbers = HostArray.allocate(DataType.FLOAT64, PeerSums.MOST_NUMBERS + 1L);
        assertThatThrownBy(() -> new Sweep().sumOverRanks(memory(0, parts(2), Duration.ZERO), numbers))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65 numbers on 2 ranks");
    }
}
