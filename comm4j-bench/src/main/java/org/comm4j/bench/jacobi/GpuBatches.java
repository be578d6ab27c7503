// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/** Puts the passes of a {@link GpuPlan} into streams, and brings the norms that come of it to the host. */
final class GpuBatches implements AutoCloseable {
    // Places among a kernel's arguments.
    private static final int SQUARES = 2;
    private static final int NORMS = 3;

    private final GpuPlan plan;
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
    /** Of batches with even and odd numbers: when their sums are with the host. */
    private final Event[] known = new Event[2];

    /** The squared norm of every iteration. */
    private final DeviceArray history;

    private final PinnedArray seen;

    // For graphs: places for the sums of one batch, and where in the history they belong.
    private final DeviceArray ring;
    private final DeviceArray position;
    /** By the grid that the batch begins with. */
    private final @Nullable GraphExec[] recorded = new GraphExec[2];

    /** By depth. */
    private final @Nullable Launches[] launches = new Launches[GpuSlab.MAX_DEPTH + 1];

    /** The grid that the last pass wrote. */
    private int grid;

    /**
     * Kernels for passes of some depth, from the first and from the second grid: all rows; the inner ones, those at the
     * edges.
     */
    private record Launches(PreparedLaunch[] whole, PreparedLaunch[] inner, PreparedLaunch[] edge) {}

    GpuBatches(GpuPlan plan, GpuSlab slab, GpuHalo halo, boolean overlap) {
        this.plan = plan;
        this.slab = slab;
        this.halo = halo;
        // Without rows inside there is nothing to compute while others travel.
        this.overlap = overlap && slab.rows() > 2 * slab.depth();
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
        history = slab.ranks().allocate(DataType.FLOAT64, plan.iterations());
        seen = device.allocatePinned(DataType.FLOAT64, plan.iterations());
        ring = slab.ranks().allocate(DataType.FLOAT64, plan.batch());
        position = device.allocate(DataType.INT64, 1);
        for (int depth = 1; depth <= plan.blocking(); depth *= 2) {
            if (plan.has(depth)) {
                launches[depth] = prepare(depth);
            }
        }
    }

    private Launches prepare(int depth) {
        Launches prepared = new Launches(new PreparedLaunch[2], new PreparedLaunch[2], new PreparedLaunch[2]);
        for (int from = 0; from < 2; from++) {
            if (overlap) {
                prepared.inner[from] = slab.inner(depth, from, ring);
                prepared.edge[from] = slab.edges(depth, from, ring);
            } else {
                prepared.whole[from] = slab.whole(depth, from, ring);
            }
        }
        return prepared;
    }

    /** Communicates once, on a grid that does not change by it: connections are made in the first calls. */
    void connect() {
        halo.exchange(0, compute);
        halo.sum(ring.slice(0, Math.min(plan.blocking(), plan.batch())), compute);
        compute.synchronize();
    }

    /** Records a batch, for each grid that one can begin with. */
    void record() {
        for (int from = 0; from < (plan.passes(plan.batch()) % 2 == 0 ? 1 : 2); from++) {
            grid = from;
            try (Graph recording = Graph.capture(compute, () -> {
                enqueue(0, plan.batch(), ring);
                slab.collect(ring, history, position, compute);
            })) {
                GraphExec exec = recording.instantiate();
                recorded[from] = exec;
                exec.upload(compute);
            }
        }
        grid = 0;
        position.fill(0, compute);
        compute.synchronize();
    }

    /** Puts iterations into the streams, and after them what brings their sums to the host. */
    void start(int done, int now) {
        GraphExec exec = now == plan.batch() ? recorded[grid] : null;
        if (exec != null) {
            exec.launch(compute);
            grid = (grid + plan.passes(now)) % 2;
        } else {
            enqueue(done, now, history);
        }
        history.slice(done, now).copyTo(seen.slice(done, now), compute);
        compute.record(known[done / plan.batch() % 2]);
    }

    /** The iterations from {@code first} on; the sum of each is added to its place among {@code places}. */
    private void enqueue(int first, int count, DeviceArray places) {
        compute.record(begun);
        edges.await(begun);
        sums.await(begun);
        for (int i = 0; i < count; ) {
            int depth = plan.depth(count - i);
            // A recording begins with 0: its iterations stand for every one that has their number in a batch.
            DeviceArray place = plan.hasNorm(first + i, depth) ? places.slice(first + i, depth) : null;
            Launches pass = Objects.requireNonNull(launches[depth]);
            if (overlap) {
                overlapped(pass, i == 0, place);
            } else {
                simple(pass, place);
            }
            grid = 1 - grid;
            i += depth;
        }
        edges.record(edgesDone);
        sums.record(sumsDone);
        compute.await(edgesDone);
        compute.await(sumsDone);
    }

    private static PreparedLaunch adding(PreparedLaunch launch, @Nullable DeviceArray place) {
        return place == null
                ? launch.set(NORMS, false)
                : launch.set(NORMS, true).set(SQUARES, place);
    }

    private void simple(Launches pass, @Nullable DeviceArray place) {
        adding(pass.whole[grid], place).launch(compute);
        compute.record(computed);
        halo.exchange(1 - grid, compute);
        if (place != null) {
            sums.await(computed);
            halo.sum(place, sums);
        }
    }

    private void overlapped(Launches pass, boolean first, @Nullable DeviceArray place) {
        if (!first) {
            // Each reads what the other has written in the pass before, and writes what the other has read there.
            edges.await(computed);
            compute.await(edgesComputed);
        }
        adding(pass.edge[grid], place).launch(edges);
        edges.record(edgesComputed);
        halo.exchange(1 - grid, edges);
        adding(pass.inner[grid], place).launch(compute);
        compute.record(computed);
        if (place != null) {
            sums.await(computed);
            sums.await(edgesComputed);
            halo.sum(place, sums);
        }
    }

    /** Waits until the norms of the batch that begins with this iteration are known. */
    void await(int from) {
        known[from / plan.batch() % 2].synchronize();
    }

    /** Of an iteration that was waited for, and that has one. */
    double norm(int iteration) {
        return Math.sqrt(seen.getDouble(iteration));
    }

    /** The grid that holds the result. */
    int grid() {
        return grid;
    }

    void finish() {
        compute.synchronize();
    }

    @Override
    public void close() {
        for (GraphExec exec : recorded) {
            if (exec != null) {
                exec.close();
            }
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
