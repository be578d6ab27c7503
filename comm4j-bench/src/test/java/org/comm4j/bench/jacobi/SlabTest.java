// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.Stream;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SlabTest {

    private record Solution(float[][] rows, double[] squaredNorms) {}

    /** Solves with several slabs that take turns, a sweep each. */
    private static Solution solve(JacobiProblem problem, int ranks, int depth, int iterations) {
        Slab[] slabs = new Slab[ranks];
        Arrays.setAll(slabs, rank -> new Slab(problem, rank, ranks, depth));
        HaloExchange[] halos = ranks == 1 ? new HaloExchange[] {new OwnHalo()} : ThreadHalo.of(slabs);
        for (int rank = 0; rank < ranks; rank++) {
            slabs[rank].start(halos[rank], Math.min(depth, iterations));
        }
        double[] sums = new double[iterations];
        double[] part = new double[iterations];
        for (int done = 0; done < iterations; ) {
            int now = Math.min(depth, iterations - done);
            int next = Math.min(depth, iterations - done - now);
            for (int rank = 0; rank < ranks; rank++) {
                slabs[rank].sweep(now, part, done, halos[rank], next);
                for (int i = done; i < done + now; i++) {
                    sums[i] += part[i];
                }
            }
            done += now;
        }
        float[][] rows = new float[problem.rows()][problem.nx()];
        for (Slab slab : slabs) {
            for (int row = 0; row < slab.rows(); row++) {
                slab.getRow(row, rows[slab.firstRow() - 1 + row]);
            }
        }
        return new Solution(rows, sums);
    }

    static Stream<Arguments> grids() {
        return Stream.of(
                // nx, ny, iterations: the smallest, odd ones, several stripes, more iterations than the rows can drift
                Arguments.of(3, 3, 5),
                Arguments.of(4, 3, 9),
                Arguments.of(3, 10, 20),
                Arguments.of(17, 5, 33),
                Arguments.of(63, 21, 300),
                Arguments.of(64, 66, 50),
                Arguments.of(1023, 12, 21),
                Arguments.of(1024, 19, 17),
                Arguments.of(1025, 19, 17),
                Arguments.of(2051, 37, 130),
                Arguments.of(4096, 18, 19));
    }

    @ParameterizedTest
    @MethodSource("grids")
    void matchesTheReferenceForAnyDepthAndAnyNumberOfRanks(int nx, int ny, int iterations) {
        JacobiProblem problem = new JacobiProblem(nx, ny);
        JacobiReference reference = new JacobiReference(problem, iterations);
        float[][] expected = Arrays.copyOfRange(reference.grid, 1, ny - 1);
        for (int ranks : Nightly.isOn() ? new int[] {1, 2, 3, 5, 8} : new int[] {1, 3, 8}) {
            if (ranks > problem.rows()) {
                continue;
            }
            double[] first = null;
            for (int depth = 1; depth <= Math.min(Slab.MAX_DEPTH, problem.rows() / ranks); depth++) {
                Solution solution = solve(problem, ranks, depth, iterations);
                String where = nx + "x" + ny + ", " + ranks + " ranks, blocking " + depth;
                assertThat(Arrays.deepEquals(solution.rows, expected))
                        .as("field of %s", where)
                        .isTrue();
                for (int k = 0; k < iterations; k++) {
                    assertThat(solution.squaredNorms[k])
                            .as("squared norm of iteration %d of %s", k, where)
                            .isCloseTo(reference.squaredNorms[k], within(1e-6 * reference.squaredNorms[k] + 1e-30));
                }
                if (first == null) {
                    first = solution.squaredNorms;
                }
                assertThat(solution.squaredNorms)
                        .as("norms of %s against those of blocking 1, bit for bit", where)
                        .isEqualTo(first);
            }
        }
    }

    @Test
    void threadsThatRunFreelyGetTheSameAnswer() throws InterruptedException {
        JacobiProblem problem = new JacobiProblem(2100, 50);
        int ranks = 3;
        Solution expected = solve(problem, ranks, 1, 101);
        Slab[] slabs = new Slab[ranks];
        Arrays.setAll(slabs, rank -> new Slab(problem, rank, ranks, 4));
        HaloExchange[] halos = ThreadHalo.of(slabs);
        double[][] parts = new double[ranks][101];
        Thread[] threads = new Thread[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            int me = rank;
            threads[rank] = Thread.ofPlatform().start(() -> iterate(slabs[me], halos[me], parts[me], 4));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        float[] row = new float[problem.nx()];
        for (Slab slab : slabs) {
            for (int i = 0; i < slab.rows(); i++) {
                slab.getRow(i, row);
                assertThat(row).isEqualTo(expected.rows[slab.firstRow() - 1 + i]);
            }
        }
        for (int k = 0; k < 101; k++) {
            assertThat(parts[0][k] + parts[1][k] + parts[2][k]).isEqualTo(expected.squaredNorms[k]);
        }
    }

    @Test
    void sharesRowsEvenlyAndWithoutGaps() {
        JacobiProblem problem = new JacobiProblem(5, 25);
        int next = 1;
        for (int rank = 0; rank < 7; rank++) {
            assertThat(problem.firstRow(rank, 7)).isEqualTo(next);
            assertThat(problem.rowsOf(rank, 7)).isBetween(3, 4);
            next += problem.rowsOf(rank, 7);
        }
        assertThat(next).isEqualTo(24);
    }

    @Test
    void saysWhatIsWrongWithAnImpossibleGridOrDepth() {
        assertThatThrownBy(() -> new JacobiProblem(2, 9)).hasMessageContaining("nx is 2");
        assertThatThrownBy(() -> new JacobiProblem(9, 2)).hasMessageContaining("ny is 2");
        JacobiProblem problem = new JacobiProblem(8, 10);
        assertThatThrownBy(() -> new Slab(problem, 0, 9, 1)).hasMessageContaining("too few for 9 ranks");
        assertThatThrownBy(() -> new Slab(problem, 2, 2, 1)).hasMessageContaining("no rank 2 of 2");
        assertThatThrownBy(() -> new Slab(problem, 0, 3, 3)).hasMessageContaining("one has only 2");
        assertThatThrownBy(() -> new Slab(problem, 0, 1, 0)).hasMessageContaining("blocking is 0");
        assertThatThrownBy(() -> new Slab(problem, 0, 1, 17)).hasMessageContaining("1 to 16");
        assertThatThrownBy(() -> new Slab(new JacobiProblem(8, 2_100_000), 0, 1, 1))
                .hasMessageContaining("use more ranks");
        Slab slab = new Slab(problem, 0, 1, 2);
        assertThatThrownBy(() -> slab.sweep(3, new double[3], 0, new OwnHalo(), 0))
                .hasMessageContaining("made for 1 to 2");
    }

    /** Iterates {@code squaredNorms.length} times, {@code depth} at a time. */
    private static void iterate(Slab slab, HaloExchange halo, double[] squaredNorms, int depth) {
        int total = squaredNorms.length;
        slab.start(halo, Math.min(depth, total));
        for (int done = 0; done < total; ) {
            int now = Math.min(depth, total - done);
            slab.sweep(now, squaredNorms, done, halo, Math.min(depth, total - done - now));
            done += now;
        }
    }
}
