// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.util.Arrays;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.jspecify.annotations.Nullable;

/**
 * Solves a {@link JacobiProblem} on GPUs, a rank each: halo rows travel and the norm of the change is summed as the
 * ranks' engine does it ({@link GpuRanks}), and everything is put into streams, so that the host is never waited for.
 * The grid is that of the solver for processors, bit for bit, for any number of ranks.
 *
 * <p>A pass over memory does one or several iterations; for several, as many rows of each neighbour travel at once. The
 * norms are those of every iteration, whatever the blocking.
 *
 * <p>Passes are put in by the batch, {@link #batch} iterations. The host looks at the norms of a batch while the next
 * one runs: when one is at most the tolerance, the solve ends with the batch that is under way.
 */
public final class GpuJacobi {
    /** Rows that travel at once when grids are compared. */
    private static final int AT_ONCE = 256;

    /** For what else needs memory, and for what is lost between pieces. */
    private static final long SPARE = 64 << 20;

    private final JacobiProblem problem;
    private final GpuPlan plan;
    private final double tolerance;
    private final boolean overlap;
    private final boolean graph;

    /**
     * @param iterations the most iterations, at least 1
     * @param normEvery compute the norm of every so many iterations, at least 1
     * @param tolerance stop when a norm is at most this
     * @param blocking iterations a pass over memory: 1, 2, 4 or 8, and at most the rows of the rank with the fewest
     * @param overlap whether rows that neighbours need come first, on a stream of high priority, and travel while the
     *     others are computed
     * @param graph whether a batch is recorded once and then launched as a whole; see {@link #recorded}
     */
    public GpuJacobi(
            JacobiProblem problem,
            int iterations,
            int normEvery,
            double tolerance,
            int blocking,
            boolean overlap,
            boolean graph) {
        if (iterations < 1 || normEvery < 1) {
            throw new IllegalArgumentException(
                    "jacobi: " + iterations + " iterations with a norm every " + normEvery + "; both are at least 1");
        }
        GpuSlab.check(problem, 1, blocking);
        this.problem = problem;
        this.plan = GpuPlan.of(iterations, blocking, normEvery, graph);
        this.tolerance = tolerance;
        this.overlap = overlap;
        this.graph = graph;
    }

    /** The blocking with which so many ranks are the quickest: the most that each has rows for. */
    public static int bestBlocking(JacobiProblem problem, int ranks) {
        problem.firstRow(0, ranks);
        return Math.min(GpuSlab.MAX_DEPTH, Integer.highestOneBit(problem.rows() / ranks));
    }

    /**
     * Whether so many ranks can solve this.
     *
     * @throws IllegalArgumentException if not; the message says why
     */
    public void check(int ranks) {
        GpuSlab.check(problem, ranks, plan.blocking());
    }

    /** Iterations a pass over memory. */
    public int blocking() {
        return plan.blocking();
    }

    /** About the bytes of memory that each of so many ranks needs for a solve. */
    public long bytes(int ranks) {
        long sums = 2L * (plan.iterations() + plan.batch()) * Double.BYTES;
        return GpuSlab.bytes(problem, plan.blocking(), ranks) + sums + SPARE;
    }

    /** Iterations that are put in at once. */
    public int batch() {
        return plan.batch();
    }

    /**
     * Whether batches are graphs: if that was asked for, and there are not fewer iterations than from one norm to the
     * next.
     */
    public boolean recorded() {
        return plan.recorded();
    }

    /**
     * What a solve gives. To be closed: the grid is in the memory of the GPU.
     *
     * @param slab this rank's rows
     * @param grid which of the slab's two grids is the result
     * @param iterations how many iterations were done
     * @param seconds from when all ranks started to when all had ended
     * @param norms of the iterations 0, {@code normEvery}, 2 {@code normEvery}, …
     */
    public record Result(GpuSlab slab, int grid, int iterations, double seconds, double[] norms)
            implements AutoCloseable {
        @Override
        public void close() {
            slab.close();
        }
    }

    /**
     * Collective: solves on all ranks. The listener is called on rank 0.
     *
     * @param ranks all ranks of {@code world}
     */
    public Result solve(World world, GpuRanks ranks, Jacobi.NormListener listener) {
        return solve(ranks, world::barrier, overlap, ranks.rank() == 0 ? listener : null);
    }

    private Result solve(GpuRanks ranks, Runnable meet, boolean overlap, Jacobi.@Nullable NormListener listener) {
        GpuSlab slab = new GpuSlab(problem, plan.blocking(), ranks);
        try (GpuHalo halo = ranks.halo(slab)) {
            return solve(slab, halo, meet, ranks::barrier, overlap, listener);
        } catch (Throwable e) {
            slab.close();
            throw e;
        }
    }

    /** Solves on one GPU alone. */
    public Result solveAlone(Device device, Jacobi.NormListener listener) {
        return solve(GpuRanks.alone(device), () -> {}, false, listener);
    }

    /** Collective: a short solve, in which connections are made. */
    public void warmUp(World world, GpuRanks ranks) {
        int batch = GpuPlan.of(Integer.MAX_VALUE, plan.blocking(), 1, graph).batch();
        new GpuJacobi(problem, 2 * batch, 1, -1, plan.blocking(), overlap, graph)
                .solve(world, ranks, (iteration, norm) -> {})
                .close();
    }

    /**
     * Solves on one rank of all.
     *
     * @param meet returns when all ranks have called it, without using the GPUs: allocating while another GPU of this
     *     process waits in a collective may never end
     * @param barrier the same as quickly as possible
     */
    private Result solve(
            GpuSlab slab,
            GpuHalo halo,
            Runnable meet,
            Runnable barrier,
            boolean overlap,
            Jacobi.@Nullable NormListener listener) {
        try (GpuBatches batches = new GpuBatches(plan, slab, halo, overlap)) {
            meet.run();
            batches.connect();
            if (plan.recorded()) {
                batches.record();
            }
            meet.run();
            barrier.run();
            long start = System.nanoTime();
            int done = 0;
            int looked = 0;
            boolean converged = false;
            while (done < plan.iterations() && !converged) {
                int now = Math.min(plan.batch(), plan.iterations() - done);
                batches.start(done, now);
                // One batch is always under way while the host looks at the one before.
                converged = looked < done && converged(batches, looked, done, listener);
                looked = done;
                done += now;
            }
            boolean ignored = converged(batches, looked, done, listener);
            batches.finish();
            barrier.run();
            double seconds = (System.nanoTime() - start) * 1e-9;
            double[] norms = new double[plan.norms(done)];
            Arrays.setAll(norms, i -> batches.norm(i * plan.normEvery()));
            return new Result(slab, batches.grid(), done, seconds, norms);
        }
    }

    /** Waits for the batch from {@code from} to {@code to}; true if one of its norms is at most the tolerance. */
    private boolean converged(GpuBatches batches, int from, int to, Jacobi.@Nullable NormListener listener) {
        batches.await(from);
        boolean converged = false;
        for (long iteration = plan.firstNorm(from); iteration < to; iteration += plan.normEvery()) {
            double norm = batches.norm((int) iteration);
            converged |= norm <= tolerance;
            if (listener != null) {
                listener.norm((int) iteration, norm);
            }
        }
        return converged;
    }

    /**
     * Collective: the largest difference between the grid that all ranks hold and one that rank 0 holds alone. Known on
     * rank 0, 0 elsewhere.
     *
     * @param alone on rank 0 the whole grid; not used elsewhere
     */
    public static double difference(World world, Result result, @Nullable Result alone) {
        double[] largest = {0};
        int nx = result.slab.problem().nx();
        HostArray host = HostArray.allocate(DataType.FLOAT32, (long) AT_ONCE * result.slab.pitch());
        collectRows(world, result, 1, (row, count, values, pitch) -> {
            if (alone == null) {
                return;
            }
            HostArray expected = host.slice(0, (long) count * pitch);
            alone.slab.rows(alone.grid, row - alone.slab.firstRow(), count).copyTo(expected);
            for (int y = 0; y < count; y++) {
                for (int x = 0; x < nx; x++) {
                    float a = values.getFloat((long) y * pitch + x);
                    float b = expected.getFloat((long) y * pitch + x);
                    // Written so that a NaN counts.
                    if (a != b) {
                        double gap = Math.abs((double) a - b);
                        largest[0] = Double.isNaN(gap) ? Double.POSITIVE_INFINITY : Math.max(largest[0], gap);
                    }
                }
            }
        });
        return largest[0];
    }

    /** Receives grid rows on rank 0, in order. */
    interface RowsReader {
        void rows(int firstRow, int count, HostArray values, int pitch);
    }

    /** Collective: rank 0 reads the computed rows of the grid, some at a time, or every {@code step}-th one. */
    static void collectRows(World world, Result result, int step, RowsReader reader) {
        GpuSlab mine = result.slab;
        GpuRanks ranks = mine.ranks();
        JacobiProblem problem = mine.problem();
        int atOnce = step == 1 ? AT_ONCE : 1;
        HostArray host = HostArray.allocate(DataType.FLOAT32, (long) atOnce * mine.pitch());
        try (DeviceArray block = ranks.allocate(DataType.FLOAT32, host.count())) {
            world.barrier();
            for (int rank = 0; rank < ranks.size(); rank++) {
                int first = problem.firstRow(rank, ranks.size());
                int end = first + problem.rowsOf(rank, ranks.size());
                for (int row = 1 + Math.ceilDiv(first - 1, step) * step; row < end; row += atOnce * step) {
                    int count = Math.min(atOnce, end - row);
                    DeviceArray here = rank == 0
                            ? mine.rows(result.grid, row - first, count)
                            : block.slice(0, (long) count * mine.pitch());
                    if (rank != 0 && (ranks.rank() == 0 || ranks.rank() == rank)) {
                        ranks.toFirst(mine, result.grid, row - first, count, rank, here);
                    }
                    if (ranks.rank() == 0) {
                        HostArray values = host.slice(0, here.count());
                        here.copyTo(values);
                        reader.rows(row, count, values, mine.pitch());
                    }
                }
            }
            world.barrier();
        }
    }
}
