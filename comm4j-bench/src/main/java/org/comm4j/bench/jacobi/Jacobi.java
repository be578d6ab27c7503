// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/**
 * The main job: solves a {@link JacobiProblem} on all ranks. Rows are split over the ranks; halo rows travel by
 * one-sided put and signal while the interior is computed; the norm of the change is summed over all of them.
 *
 * <p>The norms are those of the plain method, whatever the blocking; the grid is the same, bit for bit, for any number
 * of ranks and any blocking.
 */
public final class Jacobi {
    /** Rows that travel at once when grids are compared or drawn. */
    private static final int ROWS_AT_ONCE = 64;

    private final JacobiProblem problem;
    private final int iterations;
    private final int normEvery;
    private final double tolerance;
    private final int blocking;

    /**
     * @param iterations the most iterations, at least 1
     * @param normEvery compute the norm of every so many iterations, at least 1
     * @param tolerance stop when a norm is at most this
     * @param blocking iterations a pass over memory, 1 to {@link Slab#MAX_DEPTH}
     */
    public Jacobi(JacobiProblem problem, int iterations, int normEvery, double tolerance, int blocking) {
        if (iterations < 1) {
            throw new IllegalArgumentException("jacobi: " + iterations + " iterations; at least 1 is needed");
        }
        if (normEvery < 1) {
            throw new IllegalArgumentException(
                    "jacobi: a norm every " + normEvery + " iterations; at least 1 is needed");
        }
        this.problem = problem;
        this.iterations = iterations;
        this.normEvery = normEvery;
        this.tolerance = tolerance;
        this.blocking = blocking;
    }

    /**
     * Whether so many ranks can solve this.
     *
     * @throws IllegalArgumentException if not; the message says why
     */
    public void check(int ranks) {
        Slab.check(problem, ranks, blocking);
        Slab.checkRows(problem, ranks, blocking);
    }

    /** Sees each norm on rank 0 as it is known. */
    public interface NormListener {
        void norm(int iteration, double norm);
    }

    /**
     * What a solve gives.
     *
     * @param slab this rank's rows
     * @param iterations how many iterations were done: those asked for, or fewer if the tolerance was reached, which is
     *     noticed at the end of a pass
     * @param seconds from when all ranks started to when all had ended
     * @param norms of the iterations 0, {@code normEvery}, 2 {@code normEvery}, …
     */
    public record Result(Slab slab, int iterations, double seconds, double[] norms) {}

    /** Collective: solves on all ranks. The listener is called on rank 0. */
    public Result solve(HostRanks ranks, NormListener listener) {
        Slab slab = new Slab(problem, ranks.rank(), ranks.size(), blocking);
        try (HaloExchange halo = ranks.halo(slab)) {
            return solve(slab, halo, ranks::barrier, ranks::sum, ranks.rank() == 0 ? listener : null);
        }
    }

    /** Solves on this rank alone. */
    public Result solveAlone(NormListener listener) {
        Slab slab = new Slab(problem, 0, 1, blocking);
        return solve(slab, new OwnHalo(), () -> {}, squares -> {}, listener);
    }

    private interface Sum {
        void overRanks(double[] squares);
    }

    private Result solve(Slab slab, HaloExchange halo, Runnable barrier, Sum sum, @Nullable NormListener listener) {
        double[] norms = new double[(iterations - 1) / normEvery + 1];
        double[] squares = new double[blocking];
        int known = 0;
        int done = 0;
        boolean converged = false;
        barrier.run();
        long start = System.nanoTime();
        slab.start(halo, Math.min(blocking, iterations));
        while (done < iterations && !converged) {
            int now = Math.min(blocking, iterations - done);
            slab.sweep(now, squares, 0, halo, Math.min(blocking, iterations - done - now));
            // The iterations of this pass whose norm is wanted, if any.
            int first = Math.ceilDiv(done, normEvery) * normEvery;
            if (first < done + now) {
                sum.overRanks(squares);
                for (int iteration = first; iteration < done + now; iteration += normEvery) {
                    double norm = Math.sqrt(squares[iteration - done]);
                    norms[known++] = norm;
                    converged |= norm <= tolerance;
                    if (listener != null) {
                        listener.norm(iteration, norm);
                    }
                }
            }
            done += now;
        }
        barrier.run();
        double seconds = (System.nanoTime() - start) * 1e-9;
        return new Result(slab, done, seconds, Arrays.copyOf(norms, known));
    }

    /**
     * Collective: lets the compiler see everything before the clock starts, by small solves with the same blocking,
     * alone and with all ranks.
     */
    public void warmUp(HostRanks ranks) {
        int columns = Math.min(problem.nx(), 2100);
        int rows = Math.max(32, blocking) * ranks.size();
        Jacobi small = new Jacobi(new JacobiProblem(columns, rows + 2), 1000 * blocking, normEvery, -1, blocking);
        small.solveAlone((iteration, norm) -> {});
        small.solve(ranks, (iteration, norm) -> {});
    }

    /**
     * Collective: the largest difference between the grid that all ranks hold and one that rank 0 holds alone. Known on
     * rank 0, 0 elsewhere.
     *
     * @param alone on rank 0 the whole grid; not used elsewhere
     */
    public static double difference(HostRanks ranks, Slab slab, @Nullable Slab alone) {
        double[] largest = {0};
        float[] expected = new float[slab.problem().nx()];
        collectRows(ranks, slab, 1, (row, values) -> {
            if (alone != null) {
                alone.getRow(row - alone.firstRow(), expected);
                for (int x = 0; x < expected.length; x++) {
                    // Written so that a NaN counts.
                    if (values[x] != expected[x]) {
                        double gap = Math.abs((double) values[x] - expected[x]);
                        largest[0] = Double.isNaN(gap) ? Double.POSITIVE_INFINITY : Math.max(largest[0], gap);
                    }
                }
            }
        });
        return largest[0];
    }

    /** Receives grid rows on rank 0, in order. */
    interface RowReader {
        void row(int gridRow, float[] values);
    }

    /** Collective: rank 0 reads every {@code step}-th computed row of the grid, each whole. */
    static void collectRows(HostRanks ranks, Slab slab, int step, RowReader reader) {
        JacobiProblem problem = slab.problem();
        int nx = problem.nx();
        float[] row = new float[nx];
        try (HostRanks.Rows block = ranks.rows(DataType.FLOAT32, (long) ROWS_AT_ONCE * nx)) {
            MemorySegment rows = block.array().segment();
            for (int rank = 0; rank < ranks.size(); rank++) {
                int first = problem.firstRow(rank, ranks.size());
                int end = first + problem.rowsOf(rank, ranks.size());
                int next = 1 + Math.ceilDiv(first - 1, step) * step;
                while (next < end) {
                    int count = Math.min(ROWS_AT_ONCE, Math.ceilDiv(end - next, step));
                    if (rank == ranks.rank()) {
                        for (int i = 0; i < count; i++) {
                            slab.getRow(next + i * step - first, row);
                            MemorySegment.copy(row, 0, rows, ValueLayout.JAVA_FLOAT, (long) i * nx * Float.BYTES, nx);
                        }
                    }
                    block.toFirst((long) count * nx, rank);
                    if (ranks.rank() == 0) {
                        for (int i = 0; i < count; i++) {
                            MemorySegment.copy(rows, ValueLayout.JAVA_FLOAT, (long) i * nx * Float.BYTES, row, 0, nx);
                            reader.row(next + i * step, row);
                        }
                    }
                    next += count * step;
                }
            }
        }
    }
}
