// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelAttributes;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GpuJacobiTest {

    /** For every architecture, and what a thread works with stays in registers but for a little. */
    @ParameterizedTest
    @ValueSource(strings = {"start", "collect", "relax", "relax2", "relax4", "relax8"})
    void kernelsCompile(String name) {
        needsCompilers();
        for (String architecture : Nightly.variants(name.hashCode(), List.of("sm_80", "sm_90", "sm_100"))) {
            KernelAttributes attributes = KernelCode.compile(
                            GpuSlab.method(name), CudaArch.parse(architecture), CompileOptions.DEFAULT)
                    .attributes();
            assertThat(attributes.localBytes())
                    .as("%s for %s", name, architecture)
                    .isLessThan(128);
        }
    }

    @Test
    void blocksOfDeepPassesAreNeitherSmallNorFew() {
        // A quarter of 16384 x 16384 on an H200: several blocks for each multiprocessor, of about a hundred rows.
        assertThat(GpuSlab.rowsOfABlock(8, 4096, 37, 132)).isBetween(96, 160);
        // A quarter of 1024 x 1024: a block for each multiprocessor.
        assertThat(GpuSlab.rowsOfABlock(8, 256, 3, 132)).isEqualTo(6);
        assertThat(GpuSlab.rowsOfABlock(8, 1, 1, 132)).isEqualTo(1);
        // A grid has no more than 65535 blocks below each other.
        assertThat(Math.ceilDiv(1 << 26, GpuSlab.rowsOfABlock(2, 1 << 26, 1, 132)))
                .isLessThan(65536);
    }

    private static void needsCompilers() {
        Natives.use();
        String problem = KernelCode.problem();
        assumeTrue(problem == null, problem);
    }

    private static void needsGpus() {
        needsCompilers();
        String problem = Nccl.problem();
        assumeTrue(problem == null, problem);
    }

    /** One GPU, against the problem's definition: the same grid to the last bit, whatever the blocking. */
    @ParameterizedTest(name = "{0} x {1}, {2} iterations, graph {3}")
    @CsvSource({
        "3, 3, 1, false",
        "3, 11, 40, true",
        "4, 5, 7, false",
        "33, 4, 20, true",
        "111, 40, 90, true",
        "113, 12, 95, false",
        "120, 18, 31, true",
        "121, 10, 200, true",
        "130, 99, 45, false",
        "130, 99, 205, true",
        "129, 3, 41, true",
        "1025, 70, 20, true",
        "2050, 131, 23, false"
    })
    @Tag("gpu")
    void sameAsTheDefinition(int nx, int ny, int iterations, boolean graph) {
        needsGpus();
        JacobiProblem problem = new JacobiProblem(nx, ny);
        JacobiReference reference = new JacobiReference(problem, iterations);
        try (Device device = Device.of(0)) {
            for (int blocking = 1; blocking <= GpuJacobi.bestBlocking(problem, 1); blocking *= 2) {
                GpuJacobi jacobi = new GpuJacobi(problem, iterations, 1, -1, blocking, false, graph);
                try (GpuJacobi.Result result = jacobi.solveAlone(device, (iteration, norm) -> {})) {
                    same(result, reference, iterations, "blocking " + blocking);
                }
            }
        }
    }

    private static void same(GpuJacobi.Result result, JacobiReference reference, int iterations, String what) {
        assertThat(result.iterations()).as(what).isEqualTo(iterations);
        GpuSlab slab = result.slab();
        for (int row = 0; row < slab.rows(); row++) {
            HostArray values = slab.rows(result.grid(), row, 1).toHost();
            for (int x = 0; x < slab.problem().nx(); x++) {
                assertThat(values.getFloat(x))
                        .as("%s, row %d, column %d", what, row, x)
                        .isEqualTo(reference.grid[slab.firstRow() + row][x]);
            }
        }
        for (int i = 0; i < iterations; i++) {
            double expected = Math.sqrt(reference.squaredNorms[i]);
            assertThat(result.norms()[i])
                    .as("%s, norm of iteration %d", what, i)
                    .isCloseTo(expected, within(1e-5 * expected + 1e-12));
        }
    }

    /** All GPUs, a thread each: the same grid and norms as by the definition. */
    @ParameterizedTest(name = "{0} x {1}, {2} iterations, norm every {3}, blocking {4}, overlap {5}, graph {6}")
    @CsvSource({
        "200, 150, 60, 1, 1, false, false",
        "200, 150, 60, 1, 1, true, false",
        "200, 150, 67, 1, 1, false, true",
        "200, 150, 67, 1, 1, true, true",
        "200, 150, 50, 7, 1, true, true",
        "64, 10, 40, 1, 1, true, true",
        "200, 150, 67, 1, 2, true, true",
        "200, 150, 67, 1, 4, false, false",
        "200, 150, 150, 1, 4, true, true",
        "200, 150, 187, 1, 8, false, false",
        "200, 150, 187, 1, 8, false, true",
        "200, 150, 187, 1, 8, true, false",
        "200, 150, 187, 1, 8, true, true",
        "200, 150, 230, 7, 8, true, true",
        "200, 150, 350, 100, 8, true, true",
        "200, 150, 350, 10, 4, true, true",
        "200, 150, 100, 99, 8, true, true",
        "200, 150, 100, 1000, 8, true, true",
        // As few rows as a pass needs, and a few more.
        "64, 34, 90, 1, 8, true, true",
        "500, 66, 90, 1, 8, true, true",
        "70, 70, 90, 3, 8, true, true",
        "1000, 2000, 100, 1, 1, true, true",
        "1000, 2000, 400, 1, 8, true, true"
    })
    @Tag("gpu")
    void sameOnAllGpus(int nx, int ny, int iterations, int normEvery, int blocking, boolean overlap, boolean graph) {
        needsGpus();
        JacobiProblem problem = new JacobiProblem(nx, ny);
        GpuJacobi jacobi = new GpuJacobi(problem, iterations, normEvery, -1, blocking, overlap, graph);
        assertThat(jacobi.recorded()).isEqualTo(graph && normEvery <= iterations);
        int ranks = Math.clamp(problem.rows() / blocking, 1, Cuda.deviceCount());
        JacobiReference reference = new JacobiReference(problem, iterations);
        World.threads(ranks, world -> {
            try (Device device = Device.of(world.rank());
                    NcclCommunicator comm = Nccl.communicator(world, device)) {
                List<Integer> heard = new ArrayList<>();
                try (GpuJacobi.Result result =
                        jacobi.solve(world, GpuRanks.of(comm), (iteration, norm) -> heard.add(iteration))) {
                    int norms = Math.ceilDiv(iterations, normEvery);
                    assertThat(result.norms()).hasSize(norms);
                    assertThat(heard).hasSize(comm.rank() == 0 ? norms : 0);
                    for (int i = 0; i < norms; i++) {
                        double expected = Math.sqrt(reference.squaredNorms[i * normEvery]);
                        assertThat(result.norms()[i])
                                .as("norm of iteration %d", i * normEvery)
                                .isCloseTo(expected, within(1e-5 * expected + 1e-12));
                    }
                    GpuSlab slab = result.slab();
                    for (int row = 0; row < slab.rows(); row++) {
                        HostArray values = slab.rows(result.grid(), row, 1).toHost();
                        for (int x = 0; x < nx; x++) {
                            assertThat(values.getFloat(x))
                                    .as("row %d, column %d", slab.firstRow() + row, x)
                                    .isEqualTo(reference.grid[slab.firstRow() + row][x]);
                        }
                    }
                    world.barrier();
                }
                comm.barrier();
            }
        });
    }

    /** The comparison that the command makes. */
    @Test
    @Tag("gpu")
    void noDifferenceToOneOfThemAlone() {
        needsGpus();
        JacobiProblem problem = new JacobiProblem(333, 222);
        GpuJacobi jacobi = new GpuJacobi(problem, 99, 1, -1, 8, true, true);
        World.threads(Math.min(Cuda.deviceCount(), 27), world -> {
            try (Device device = Device.of(world.rank());
                    NcclCommunicator comm = Nccl.communicator(world, device);
                    GpuJacobi.Result together = jacobi.solve(world, GpuRanks.of(comm), (iteration, norm) -> {})) {
                try (GpuJacobi.Result alone =
                        comm.rank() == 0 ? jacobi.solveAlone(device, (iteration, norm) -> {}) : null) {
                    assertThat(GpuJacobi.difference(world, together, alone)).isZero();
                }
                comm.barrier();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    @Tag("gpu")
    void endsWhenTheToleranceIsReached(int blocking) {
        needsGpus();
        GpuJacobi jacobi = new GpuJacobi(new JacobiProblem(16, 16), 100_000, 1, 1e-3, blocking, false, true);
        try (Device device = Device.of(0);
                GpuJacobi.Result result = jacobi.solveAlone(device, (iteration, norm) -> {})) {
            assertThat(result.iterations()).isLessThan(100_000);
            assertThat(result.norms()[result.norms().length - 1]).isLessThanOrEqualTo(1e-3);
            // Noticed one batch late at most.
            assertThat(result.norms()[Math.max(0, result.iterations() - 2 * jacobi.batch() - 1)])
                    .isGreaterThan(1e-3);
        }
    }
}
