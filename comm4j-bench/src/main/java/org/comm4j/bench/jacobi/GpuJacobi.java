// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.util.Arrays;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.nccl.NcclCommunicator;
import org.jspecify.annotations.Nullable;

/**
 * Solves a {@link JacobiProblem} on GPUs, a rank each: halo rows travel by grouped send and receive, the norm of the change is summed by
 * allReduce, and everything is put into streams, so that the host is never waited for. The grid is that of the solver for processors,
 * bit for bit, for any number of ranks.
 *
 * <p>Work is put in by the pass of {@value #PASS} iterations. The host looks at the norms of a pass while the next one runs: when one is at
 * most the tolerance, the solve ends with the pass that is under way.
 */
public final class GpuJacobi {
    /** Iterations of a pass; even, so that a pass begins and ends with the same grid. */
    static final int PASS = 20;

    /** Rows that travel at once when grids are compared. */
    private static final int AT_ONCE = 256;

    private final JacobiProblem problem;
    private final int iterations;
    private final int normEvery;
    private final double tolerance;
    private final boolean overlap;
    private final boolean graph;

    /**
     * @param iterations the most iterations, at least 1
     * @param normEvery compute the norm of every so many iterations, at least 1
     * @param tolerance stop when a norm is at most this
     * @param overlap whether rows that neighbours need come first, on a stream of high priority, and travel while the others are computed
     * @param graph whether a pass is recorded once and then launched as a whole; without effect unless every norm is computed
     */
    public GpuJacobi(
            JacobiProblem problem, int iterations, int normEvery, double tolerance, boolean overlap, boolean graph) {
        if (iterations < 1 || normEvery < 1) {
            throw new IllegalArgumentException(
                    "jacobi: " + iterations + " iterations with a norm every " + normEvery + "; both are at least 1");
        }
        this.problem = problem;
        this.iterations = iterations;
        this.normEvery = normEvery;
        this.tolerance = tolerance;
        this.overlap = overlap;
        this.graph = graph;
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
     * @param comm of all ranks of {@code world}
     */
    public Result solve(World world, NcclCommunicator comm, Jacobi.NormListener listener) {
        GpuSlab slab = new GpuSlab(problem, comm.rank(), comm.size(), comm.device());
        try (GpuHalo halo = GpuHalo.of(comm, slab)) {
            return solve(slab, halo, world::barrier, comm::barrier, overlap, comm.rank() == 0 ? listener : null);
        } catch (Throwable e) {
            slab.close();
            throw e;
        }
    }

    /** Solves on one GPU alone. */
    public Result solveAlone(Device device, Jacobi.NormListener listener) {
        GpuSlab slab = new GpuSlab(problem, 0, 1, device);
        try (GpuHalo halo = GpuHalo.alone(slab)) {
            return solve(slab, halo, () -> {}, () -> {}, false, listener);
        } catch (Throwable e) {
            slab.close();
            throw e;
        }
    }

    /** Collective: a short solve, in which connections are made. */
    public void warmUp(World world, NcclCommunicator comm) {
        new GpuJacobi(problem, 3 * PASS, normEvery, -1, overlap, graph)
                .solve(world, comm, (iteration, norm) -> {})
                .close();
    }

    /**
     * Solves on one rank of all.
     *
     * @param meet returns when all ranks have called it, without using the GPUs: allocating while another GPU of this process waits in a
     *     collective may never end
     * @param barrier the same as quickly as possible
     */
    private Result solve(
            GpuSlab slab,
            GpuHalo halo,
            Runnable meet,
            Runnable barrier,
            boolean overlap,
            Jacobi.@Nullable NormListener listener) {
        try (Pass pass = new Pass(slab, halo, overlap)) {
            meet.run();
            pass.connect();
            if (graph && normEvery == 1 && iterations >= PASS) {
                pass.record();
            }
            meet.run();
            barrier.run();
            long start = System.nanoTime();
            int done = 0;
            int looked = 0;
            boolean converged = false;
            while (done < iterations && !converged) {
                int now = Math.min(PASS, iterations - done);
                pass.start(done, now);
                // One pass is always under way while the host looks at the one before.
                converged = looked < done && pass.look(looked, done, listener);
                looked = done;
                done += now;
            }
            boolean ignored = pass.look(looked, done, listener);
            pass.finish();
            barrier.run();
            double seconds = (System.nanoTime() - start) * 1e-9;
            return new Result(slab, done % 2, done, seconds, pass.norms(done));
        }
    }

    /** What is put into the streams for some iterations, and the sums that come of it. */
    private final class Pass implements AutoCloseable {
        private final GpuSlab slab;
        private final GpuHalo halo;
        private final boolean overlap;

        private final Stream compute;
        private final Stream edges;
        private final Stream sums;
        private final Event begun;
        private final Event computed;
        private final Event edgesComputed;
        private final Event edgesDone;
        private final Event sumsDone;
        /** Of passes with even and odd numbers: when their sums are with the host. */
        private final Event[] known = new Event[2];

        /** The squared norm of every iteration. */
        private final DeviceArray history;

        private final PinnedArray seen;

        // For graphs: places for the sums of one pass, and where in the history they belong.
        private final DeviceArray ring;
        private final DeviceArray position;
        private @Nullable GraphExec recorded;

        /** Kernels of the first and the second grid: all rows, the inner ones, those at the edges. */
        private final PreparedLaunch[] whole = new PreparedLaunch[2];

        private final PreparedLaunch[] inner = new PreparedLaunch[2];
        private final PreparedLaunch[] edge = new PreparedLaunch[2];

        Pass(GpuSlab slab, GpuHalo halo, boolean overlap) {
            this.slab = slab;
            this.halo = halo;
            // Without rows inside there is nothing to compute while others travel.
            this.overlap = overlap && slab.rows() > 2;
            Device device = slab.device();
            int high = device.streamPriorities()[0];
            compute = device.newStream();
            edges = device.newStream(high);
            sums = device.newStream(high);
            begun = device.newEvent();
            computed = device.newEvent();
            edgesComputed = device.newEvent();
            edgesDone = device.newEvent();
            sumsDone = device.newEvent();
            known[0] = device.newEvent();
            known[1] = device.newEvent();
            history = device.allocate(DataType.FLOAT64, iterations);
            seen = device.allocatePinned(DataType.FLOAT64, iterations);
            ring = device.allocate(DataType.FLOAT64, PASS);
            position = device.allocate(DataType.INT64, 1);
            for (int grid = 0; grid < 2; grid++) {
                whole[grid] = slab.whole(grid, ring);
                if (this.overlap) {
                    inner[grid] = slab.inner(grid, ring);
                    edge[grid] = slab.edges(grid, ring);
                }
            }
        }

        /** Whether the norm of this iteration is asked for. */
        private boolean hasNorm(int iteration) {
            return iteration % normEvery == 0;
        }

        /** Communicates once, on a grid that does not change by it: NCCL makes its connections in the first calls. */
        void connect() {
            halo.exchange(0, compute);
            halo.sum(ring.slice(0, 1), compute);
            compute.synchronize();
        }

        /** Records a pass, in which the norm of every iteration is computed. */
        void record() {
            try (Graph recording = Graph.capture(compute, () -> {
                enqueue(0, PASS, ring);
                slab.collect(ring, history, position, compute);
            })) {
                recorded = recording.instantiate();
            }
            position.fill(0, compute);
            recorded.upload(compute);
            compute.synchronize();
        }

        /** Puts iterations into the streams, and after them what brings their sums to the host. */
        void start(int done, int now) {
            GraphExec exec = recorded;
            if (exec != null && now == PASS) {
                exec.launch(compute);
            } else {
                enqueue(done, now, history);
            }
            history.slice(done, now).copyTo(seen.slice(done, now), compute);
            compute.record(known[done / PASS % 2]);
        }

        /** The iterations from {@code first} on; the sum of each is added to its place among {@code places}. */
        private void enqueue(int first, int count, DeviceArray places) {
            compute.record(begun);
            edges.await(begun);
            sums.await(begun);
            for (int i = 0; i < count; i++) {
                int iteration = first + i;
                // An iteration of a recording stands for every one that has its number in a pass.
                DeviceArray place = places.slice(places == ring ? i : iteration, 1);
                if (overlap) {
                    overlapped(iteration, i == 0, place);
                } else {
                    simple(iteration, place);
                }
            }
            edges.record(edgesDone);
            sums.record(sumsDone);
            compute.await(edgesDone);
            compute.await(sumsDone);
        }

        private void simple(int iteration, DeviceArray place) {
            int grid = iteration % 2;
            whole[grid].set(2, place).launch(compute);
            compute.record(computed);
            halo.exchange(1 - grid, compute);
            if (hasNorm(iteration)) {
                sums.await(computed);
                halo.sum(place, sums);
            }
        }

        private void overlapped(int iteration, boolean first, DeviceArray place) {
            int grid = iteration % 2;
            if (!first) {
                // Each reads what the other has written in the iteration before, and writes what the other has read
                // there.
                edges.await(computed);
                compute.await(edgesComputed);
            }
            edge[grid].set(2, place).launch(edges);
            edges.record(edgesComputed);
            halo.exchange(1 - grid, edges);
            inner[grid].set(2, place).launch(compute);
            compute.record(computed);
            if (hasNorm(iteration)) {
                sums.await(computed);
                sums.await(edgesComputed);
                halo.sum(place, sums);
            }
        }

        /** Waits for the sums of the pass from {@code from} to {@code to}; true if one is at most the tolerance. */
        boolean look(int from, int to, Jacobi.@Nullable NormListener listener) {
            known[from / PASS % 2].synchronize();
            boolean converged = false;
            for (int iteration = Math.ceilDiv(from, normEvery) * normEvery; iteration < to; iteration += normEvery) {
                double norm = Math.sqrt(seen.getDouble(iteration));
                converged |= norm <= tolerance;
                if (listener != null) {
                    listener.norm(iteration, norm);
                }
            }
            return converged;
        }

        void finish() {
            compute.synchronize();
        }

        double[] norms(int done) {
            double[] norms = new double[(done - 1) / normEvery + 1];
            Arrays.setAll(norms, i -> Math.sqrt(seen.getDouble((long) i * normEvery)));
            return norms;
        }

        @Override
        public void close() {
            if (recorded != null) {
                recorded.close();
            }
            for (AutoCloseable each : new AutoCloseable[] {
                compute,
                edges,
                sums,
                begun,
                computed,
                edgesComputed,
                edgesDone,
                sumsDone,
                known[0],
                known[1],
                history,
                seen,
                ring,
                position
            }) {
                closed(each);
            }
        }

        private static void closed(AutoCloseable each) {
            try {
                each.close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    /**
     * Collective: the largest difference between the grid that all ranks hold and one that rank 0 holds alone. Known on rank 0,
     * 0 elsewhere.
     *
     * @param alone on rank 0 the whole grid; not used elsewhere
     */
    public static double difference(World world, NcclCommunicator comm, Result result, @Nullable Result alone) {
        double[] largest = {0};
        int nx = result.slab.problem().nx();
        HostArray host = HostArray.allocate(DataType.FLOAT32, (long) AT_ONCE * result.slab.pitch());
        collectRows(world, comm, result, 1, (row, count, values, pitch) -> {
            if (alone == null) {
                return;
            }
            HostArray expected = host.slice(0, (long) count * pitch);
            alone.slab.rows(alone.grid, row - alone.slab.firstRow() + 1, count).copyTo(expected);
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
    static void collectRows(World world, NcclCommunicator comm, Result result, int step, RowsReader reader) {
        GpuSlab mine = result.slab;
        JacobiProblem problem = mine.problem();
        int atOnce = step == 1 ? AT_ONCE : 1;
        HostArray host = HostArray.allocate(DataType.FLOAT32, (long) atOnce * mine.pitch());
        try (DeviceArray block = mine.device().allocate(DataType.FLOAT32, host.count())) {
            world.barrier();
            for (int rank = 0; rank < comm.size(); rank++) {
                int first = problem.firstRow(rank, comm.size());
                int end = first + problem.rowsOf(rank, comm.size());
                for (int row = 1 + Math.ceilDiv(first - 1, step) * step; row < end; row += atOnce * step) {
                    int count = Math.min(atOnce, end - row);
                    DeviceArray here = rank == comm.rank()
                            ? mine.rows(result.grid, row - mine.firstRow() + 1, count)
                            : block.slice(0, (long) count * mine.pitch());
                    if (rank != 0 && rank == comm.rank()) {
                        comm.send(here, 0);
                    } else if (rank != 0 && comm.rank() == 0) {
                        comm.recv(here, rank);
                    }
                    if (comm.rank() == 0) {
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
