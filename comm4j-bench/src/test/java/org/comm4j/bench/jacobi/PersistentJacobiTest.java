// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.World;
import org.comm4j.host.Host;
import org.comm4j.host.HostCommunicator;
import org.comm4j.kernel.CpuOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kernels that communicate, on the CPU, with ranks that are threads; on GPUs in GpuPersistentTest. */
class PersistentJacobiTest {
    /** Against the problem's definition: the same grid to the last bit, and the norms. */
    @ParameterizedTest(name = "{0} ranks, {1} x {2}, {3} iterations, norm every {4}, blocking {5}")
    @CsvSource({
        "1, 3, 3, 1, 1, 1",
        "1, 115, 21, 13, 1, 8",
        "2, 250, 21, 9, 1, 4",
        // Ranks with more and with fewer rows, and as few as a pass has iterations.
        "3, 34, 29, 19, 3, 8",
        "8, 40, 10, 6, 1, 1"
    })
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void sameAsTheDefinition(int ranks, int nx, int ny, int iterations, int normEvery, int blocking) {
        solves(ranks, nx, ny, iterations, normEvery, blocking, CpuOptions.fast());
    }

    @ParameterizedTest(name = "{0} ranks, {1} x {2}, {3} iterations, norm every {4}, blocking {5}")
    @Tag("nightly")
    @CsvSource({
        "1, 3, 3, 4, 1, 1",
        "2, 250, 41, 17, 1, 4",
        "1, 130, 12, 9, 1, 1",
        "2, 113, 6, 7, 1, 2",
        "2, 118, 19, 17, 1, 8",
        "3, 121, 13, 8, 1, 1",
        "3, 240, 52, 16, 1, 8",
        "4, 60, 19, 11, 1, 4",
        "5, 122, 7, 6, 1, 1",
        "6, 20, 51, 15, 1, 8",
        "7, 129, 24, 10, 5, 2",
        "8, 33, 66, 16, 1, 8"
    })
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void moreSameAsTheDefinition(int ranks, int nx, int ny, int iterations, int normEvery, int blocking) {
        solves(ranks, nx, ny, iterations, normEvery, blocking, CpuOptions.fast());
    }

    /** With every access looked at, in an order that is drawn. */
    @ParameterizedTest(name = "{0} ranks, {1} x {2}, {3} iterations, blocking {4}")
    @CsvSource({"1, 125, 9, 5, 1", "2, 30, 35, 17, 8"})
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void sameWithChecks(int ranks, int nx, int ny, int iterations, int blocking) {
        long seed = Long.getLong("comm4j.seed", System.nanoTime());
        System.out.println("PersistentJacobiTest: -Dcomm4j.seed=" + seed);
        solves(ranks, nx, ny, iterations, 1, blocking, CpuOptions.checked(seed));
    }

    @Test
    @Tag("nightly")
    void sameWithChecksOnThree() {
        sameWithChecks(3, 125, 20, 7, 4);
    }

    private static void solves(
            int ranks, int nx, int ny, int iterations, int normEvery, int blocking, CpuOptions options) {
        JacobiProblem problem = new JacobiProblem(nx, ny);
        PersistentJacobi jacobi = new PersistentJacobi(problem, iterations, normEvery, -1, blocking);
        jacobi.check(ranks);
        JacobiReference reference = new JacobiReference(problem, iterations);
        World.threads(ranks, world -> {
            try (HostCommunicator comm = Host.communicator(world)) {
                List<Integer> heard = new ArrayList<>();
                Jacobi.Result result = jacobi.solve(comm, options, (iteration, norm) -> heard.add(iteration));
                int norms = Math.ceilDiv(iterations, normEvery);
                assertThat(result.iterations()).isEqualTo(iterations);
                assertThat(result.norms()).hasSize(norms);
                assertThat(heard).hasSize(comm.rank() == 0 ? norms : 0);
                for (int i = 0; i < norms; i++) {
                    double expected = Math.sqrt(reference.squaredNorms[i * normEvery]);
                    assertThat(result.norms()[i])
                            .as("norm of iteration %d", i * normEvery)
                            .isCloseTo(expected, within(1e-5 * expected + 1e-12));
                }
                Slab slab = result.slab();
                float[] row = new float[nx];
                for (int y = 0; y < slab.rows(); y++) {
                    slab.getRow(y, row);
                    for (int x = 0; x < nx; x++) {
                        assertThat(row[x])
                                .as("row %d, column %d", slab.firstRow() + y, x)
                                .isEqualTo(reference.grid[slab.firstRow() + y][x]);
                    }
                }
            }
        });
    }

    /** Looked at after each launch. */
    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void endsWithTheLaunchThatReachesTheTolerance() {
        PersistentJacobi jacobi = new PersistentJacobi(new JacobiProblem(3, 3), 100_000, 100, 1e-6, 1);
        World.threads(1, world -> {
            try (HostCommunicator comm = Host.communicator(world)) {
                Jacobi.Result result = jacobi.solve(comm, (iteration, norm) -> {});
                assertThat(result.iterations()).isEqualTo(PersistentJacobi.LAUNCH);
                assertThat(result.norms()).hasSize(PersistentJacobi.LAUNCH / 100);
                assertThat(result.norms()[9]).isLessThanOrEqualTo(1e-6);
            }
        });
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void theRankThatDoesNotComeIsNamed() {
        PersistentJacobi jacobi = new PersistentJacobi(new JacobiProblem(40, 32), 20, 1, -1, 2);
        World.threads(3, world -> {
            try (HostCommunicator comm = Host.communicator(world)) {
                comm.shmem().timeout(Duration.ofSeconds(2));
                if (comm.rank() == 2) {
                    // All that is collective, but no kernel.
                    try (CpuPersistentRun run =
                            new CpuPersistentRun(comm, new JacobiProblem(40, 32), 20, 2, CpuOptions.fast())) {
                        run.barrier();
                        world.barrier();
                    }
                    return;
                }
                assertThatThrownBy(() -> jacobi.solve(comm, (iteration, norm) -> {}))
                        .isInstanceOf(CommTimeoutException.class)
                        .hasMessageContaining("jacobi on rank " + comm.rank() + " of 3")
                        .hasMessageMatching("(?s).*rows of rank [012] in vain.*");
                world.barrier();
            }
        });
    }

    @Test
    void whatCannotBeIsSaid() {
        JacobiProblem problem = new JacobiProblem(100, 20);
        assertThatThrownBy(() -> new PersistentJacobi(problem, 10, 1, -1, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("jacobi: blocking is 3, but a kernel's pass has 1, 2, 4 or 8 iterations");
        assertThatThrownBy(() -> new PersistentJacobi(problem, 10, 1, -1, 16))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("blocking is 16");
        assertThatThrownBy(() -> new PersistentJacobi(problem, 10, 1, -1, 8).check(3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use fewer ranks, a larger ny or less blocking");
        assertThatThrownBy(() -> new PersistentJacobi(problem, 0, 1, -1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("both are at least 1");
    }
}
