// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuJacobiTest {

    @Test
    void kernelsCompile() {
        String problem = Nvrtc.problem();
        assumeTrue(problem == null, problem);
        String source = GpuSlab.source();
        assertThat(Nvrtc.compile(source, "jacobi.cu", "sm_90")).isNotEmpty();
        assertThat(new String(Nvrtc.compile(source, "jacobi.cu", "compute_80"), StandardCharsets.UTF_8))
                .contains(".entry relax", ".entry start", ".entry collect");
    }

    private static void needsGpus() {
        String problem = Nvrtc.problem() != null ? Nvrtc.problem() : Nccl.problem();
        assumeTrue(problem == null, problem);
    }

    /** One GPU, against the problem's definition: the same grid to the last bit. */
    @ParameterizedTest(name = "{0} x {1}, {2} iterations, graph {3}")
    @CsvSource({
        "3, 3, 1, false",
        "4, 5, 7, false",
        "33, 4, 20, true",
        "130, 99, 45, false",
        "130, 99, 45, true",
        "129, 3, 41, true",
        "1025, 70, 20, true",
        "2050, 131, 23, false"
    })
    @Tag("gpu")
    void sameAsTheDefinition(int nx, int ny, int iterations, boolean graph) {
        needsGpus();
        JacobiProblem problem = new JacobiProblem(nx, ny);
        JacobiReference reference = new JacobiReference(problem, iterations);
        GpuJacobi jacobi = new GpuJacobi(problem, iterations, 1, -1, false, graph);
        try (Device device = Device.of(0);
                GpuJacobi.Result result = jacobi.solveAlone(device, (iteration, norm) -> {})) {
            assertThat(result.iterations()).isEqualTo(iterations);
            GpuSlab slab = result.slab();
            for (int row = 1; row <= slab.rows(); row++) {
                HostArray values = slab.row(result.grid(), row).toHost();
                for (int x = 0; x < nx; x++) {
                    assertThat(values.getFloat(x))
                            .as("row %d, column %d", row, x)
                            .isEqualTo(reference.grid[row][x]);
                }
            }
            for (int i = 0; i < iterations; i++) {
                double expected = Math.sqrt(reference.squaredNorms[i]);
                assertThat(result.norms()[i]).isCloseTo(expected, within(1e-5 * expected + 1e-12));
            }
        }
    }

    /** All GPUs, a thread each: the same grid as one of them alone. */
    @ParameterizedTest(name = "{0} x {1}, {2} iterations, norm every {3}, overlap {4}, graph {5}")
    @CsvSource({
        "200, 150, 60, 1, false, false",
        "200, 150, 60, 1, true, false",
        "200, 150, 67, 1, false, true",
        "200, 150, 67, 1, true, true",
        "200, 150, 50, 7, true, true",
        "64, 10, 40, 1, true, true",
        "1000, 2000, 100, 1, true, true"
    })
    @Tag("gpu")
    void sameOnAllGpus(int nx, int ny, int iterations, int normEvery, boolean overlap, boolean graph) {
        needsGpus();
        JacobiProblem problem = new JacobiProblem(nx, ny);
        GpuJacobi jacobi = new GpuJacobi(problem, iterations, normEvery, -1, overlap, graph);
        int ranks = Math.min(Cuda.deviceCount(), problem.rows());
        World.threads(ranks, world -> {
            try (Device device = Device.of(world.rank());
                    NcclCommunicator comm = Nccl.communicator(world, device)) {
                List<Integer> heard = new ArrayList<>();
                try (GpuJacobi.Result together = jacobi.solve(world, comm, (iteration, norm) -> heard.add(iteration))) {
                    if (comm.rank() == 0) {
                        try (GpuJacobi.Result alone = jacobi.solveAlone(device, (iteration, norm) -> {})) {
                            assertThat(GpuJacobi.difference(world, comm, together, alone))
                                    .isZero();
                            assertThat(together.norms()).hasSameSizeAs(alone.norms());
                            for (int i = 0; i < alone.norms().length; i++) {
                                double expected = alone.norms()[i];
                                assertThat(together.norms()[i]).isCloseTo(expected, within(1e-6 * expected));
                            }
                            assertThat(heard).hasSameSizeAs(alone.norms());
                        }
                    } else {
                        assertThat(GpuJacobi.difference(world, comm, together, null))
                                .isZero();
                    }
                }
                comm.barrier();
            }
        });
    }

    @Test
    @Tag("gpu")
    void endsWhenTheToleranceIsReached() {
        needsGpus();
        GpuJacobi jacobi = new GpuJacobi(new JacobiProblem(16, 16), 100_000, 1, 1e-3, false, true);
        try (Device device = Device.of(0);
                GpuJacobi.Result result = jacobi.solveAlone(device, (iteration, norm) -> {})) {
            assertThat(result.iterations()).isLessThan(100_000);
            assertThat(result.norms()[result.norms().length - 1]).isLessThanOrEqualTo(1e-3);
            // Noticed one pass late at most.
            assertThat(result.norms()[result.iterations() - 2 * GpuJacobi.PASS - 1])
                    .isGreaterThan(1e-3);
        }
    }
}
