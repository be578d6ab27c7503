// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.comm4j.core.World;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemPe;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.jspecify.annotations.Nullable;

/**
 * Measures dispatch and combine of a mixture-of-experts layer on the PEs of a job, as the benchmarks of pplx-kernels
 * do: calls are queued in tens, each behind a barrier. On a GPU a ten begins when all of it is queued, except where
 * the host waits within a call. Every PE calls it.
 */
public final class MoeBench {
    private static final int BATCH = 10;
    /** Calls before the timed ones: the host's code is compiled meanwhile. */
    private static final int WARM = 300;

    private static final int WARM_ON_PROCESSORS = 20;
    private static final int CHECKED = 3;
    private static final int IN_A_ROW = 50;
    private static final int GRAPH_PAIRS = 20;
    private static final int GRAPH_LAUNCHES = 10;
    /** The most seconds that warm-up calls, and timed calls, of one measurement take. */
    private static final double SECONDS = 2;

    private static final double NANOS = 1e9;
    private static final double MICROS = 1e6;
    private static final int ROUNDS = 4;

    private final World world;
    private final ShmemPe pe;
    private final MoeSettings settings;
    private final MoeClock clock;
    private @Nullable NcclCommunicator communicator;
    private int agreements;

    private MoeBench(World world, ShmemPe pe, MoeSettings settings, MoeClock clock) {
        this.world = world;
        this.pe = pe;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Collective: measures everything, and gives each row away as soon as it is there.
     *
     * @throws IllegalArgumentException if bare kernels are asked for and there are no GPUs
     */
    public static List<MoeRow> run(World world, ShmemPe pe, MoeSettings settings, Consumer<MoeRow> seen) {
        if (!pe.onGpu() && settings.ways().contains(MoeSettings.Way.FLOOR)) {
            throw new IllegalArgumentException("the bare kernels (--ways floor) are for GPUs, and these PEs have none");
        }
        if (!pe.onGpu() && settings.ways().stream().anyMatch(MoeSettings.Way::isNccl)) {
            throw new IllegalArgumentException("NCCL (--ways nccl-counted) is for GPUs, and these PEs have none");
        }
        List<MoeRow> rows = new ArrayList<>();
        try (MoeClock clock = pe.onGpu() ? new MoeClock.OfGpu(pe.nvshmem()) : new MoeClock.OfProcessor(pe)) {
            MoeBench bench = new MoeBench(world, pe, settings, clock);
            try {
                for (int tokens : settings.tokens()) {
                    for (MoeSettings.Way way : settings.ways()) {
                        MoeRow row = bench.measure(way, tokens);
                        rows.add(row);
                        seen.accept(row);
                    }
                }
            } finally {
                if (bench.communicator != null) {
                    bench.communicator.close();
                }
            }
        }
        return rows;
    }

    /** Returns NCCL's communicator, of which all ways through NCCL are. */
    private NcclCommunicator communicator() {
        NcclCommunicator made = communicator;
        if (made == null) {
            made = Nccl.communicator(world, pe.nvshmem().device());
            communicator = made;
        }
        return made;
    }

    /** Returns microseconds in which all PEs tell each other something once, less those of an empty kernel; on GPUs. */
    public static double meeting(World world, ShmemPe pe, MoeSettings settings) {
        try (MoeClock.OfGpu clock = new MoeClock.OfGpu(pe.nvshmem());
                MoeTokens tokens = new MoeTokens(pe, settings, 1);
                FloorWay floor = new FloorWay(pe, settings, tokens)) {
            MoeBench bench = new MoeBench(world, pe, settings, clock);
            List<double[]> times = bench.times(List.of(_ -> {}, _ -> floor.meet(clock.stream())), true, true);
            return bench.summary(times.get(1)).p50()
                    - bench.summary(times.get(0)).p50();
        }
    }

    /** A call of a number. */
    private interface Call {
        void run(int number);
    }

    private MoeWay way(MoeSettings.Way kind, MoeTokens tokens) {
        return switch (kind) {
            case FLOOR -> new FloorWay(pe, settings, tokens);
            case KERNELS -> new KernelsWay(pe, settings, tokens);
            case NCCL_COUNTED, NCCL_PADDED, NCCL_GATHER ->
                KernelsWay.byNccl(world, pe, communicator(), settings, tokens, kind);
        };
    }

    private MoeRow measure(MoeSettings.Way kind, int count) {
        try (MoeTokens tokens = new MoeTokens(pe, settings, count);
                MoeWay way = way(kind, tokens)) {
            Stream stream = clock.stream();
            long wrong = 0;
            for (int i = 0; i < CHECKED; i++) {
                wrong += way.wrong(i, stream);
            }
            wrong = Math.round(Arrays.stream(exchange((double) wrong)).sum());
            Call dispatch = i -> way.dispatch(i, stream);
            Call combine = _ -> way.combine(stream);
            // A host that waits for a held stream would wait until the hold gives up.
            boolean held = !kind.hostWaits();
            List<double[]> together = times(List.of(dispatch, combine), false, held);
            List<double[]> alone = times(List.of(dispatch, combine), true, held);
            MoeRow.Times dispatchTimes = summary(together.get(0));
            MoeRow.Times combineTimes = summary(together.get(1));
            double[] halves = {};
            if (settings.split() && way.isSplit()) {
                halves = times(
                                List.of(
                                        i -> way.dispatchSend(i, stream),
                                        _ -> way.dispatchReceive(stream),
                                        _ -> way.combineSend(stream),
                                        _ -> way.combineReceive(stream)),
                                true,
                                held)
                        .stream()
                        .mapToDouble(each -> summary(each).p50())
                        .toArray();
            }
            double[] layers = {Double.NaN, Double.NaN};
            if (settings.fused() && kind == MoeSettings.Way.KERNELS) {
                try (LayerWay layer = new LayerWay(pe, settings, tokens)) {
                    for (int i = 0; i < CHECKED; i++) {
                        wrong += Math.round(Arrays.stream(exchange((double) layer.wrong(i, stream)))
                                .sum());
                    }
                    layers =
                            times(List.of(i -> layer.inSteps(i, stream), i -> layer.fused(i, stream)), true, held)
                                    .stream()
                                    .mapToDouble(each -> summary(each).p50())
                                    .toArray();
                }
            }
            double pair = inARow(way, stream, held, dispatchTimes.p50() + combineTimes.p50());
            long routes = (long) count * settings.perToken();
            return new MoeRow(
                    kind.toString(),
                    count,
                    together.getFirst().length,
                    dispatchTimes,
                    combineTimes,
                    summary(alone.get(0)),
                    summary(alone.get(1)),
                    pair,
                    settings.graph() && stream != null && way.isSplit() ? inAGraph(way, stream) : Double.NaN,
                    halves,
                    layers[0],
                    layers[1],
                    routes * settings.rowBytes(),
                    routes * settings.answerBytes(),
                    wrong);
        }
    }

    /**
     * Microseconds of each call in each sample, on this PE. There are fewer samples than wanted if they would take more
     * than {@link #SECONDS}.
     *
     * @param apart whether a barrier is before each call, or only before the first
     * @param held whether a batch begins when all of it is queued
     */
    private List<double[]> times(List<Call> calls, boolean apart, boolean held) {
        int batch = Math.min(BATCH, settings.samples());
        // Code is loaded and connections are made in the first batch; the second one says how long they take.
        queue(calls, apart, 0, batch);
        long begin = System.nanoTime();
        queue(calls, apart, batch, batch);
        double took = most(exchange((System.nanoTime() - begin) / NANOS));
        int warm = fitting(pe.onGpu() ? WARM : Math.min(WARM_ON_PROCESSORS, settings.samples()), batch, took);
        for (int first = 2 * batch; first < warm; first += batch) {
            queue(calls, apart, first, batch);
        }
        int samples = fitting(settings.samples(), batch, took);
        List<double[]> all = new ArrayList<>();
        calls.forEach(_ -> all.add(new double[samples]));
        for (int first = 0; first < samples; first += batch) {
            if (held) {
                clock.hold();
            }
            queue(calls, apart, first, batch);
            for (int i = 0; i < batch && first + i < samples; i++) {
                for (int c = 0; c < calls.size(); c++) {
                    all.get(c)[first + i] = clock.micros(i, c);
                }
            }
        }
        return all;
    }

    /** Does a batch of calls, of the numbers from {@code first} on, and waits for it. */
    private void queue(List<Call> calls, boolean apart, int first, int batch) {
        for (int i = 0; i < batch; i++) {
            clock.barrier();
            for (int c = 0; c < calls.size(); c++) {
                if (apart && c > 0) {
                    clock.barrier();
                }
                clock.begin(i, c);
                calls.get(c).run(first + i);
                clock.end(i, c);
            }
        }
        clock.complete();
    }

    /** Returns how many of the wanted samples fit into {@link #SECONDS}, a batch at least. */
    static int fitting(int wanted, int batch, double secondsOfBatch) {
        double batches = Math.max(1, Math.floor(SECONDS / secondsOfBatch));
        return (int) Math.min(wanted, batches * batch);
    }

    private static double most(double[] values) {
        return Arrays.stream(values).max().orElse(0);
    }

    private MoeRow.Times summary(double[] times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        double mean = Arrays.stream(times).average().orElse(0);
        double variance =
                Arrays.stream(times).map(t -> (t - mean) * (t - mean)).average().orElse(0);
        double p50 = most(exchange(sorted[sorted.length / 2]));
        double most = most(exchange(sorted[sorted.length - 1]));
        return new MoeRow.Times(p50, exchange(mean)[0], exchange(Math.sqrt(variance))[0], most);
    }

    /** Microseconds of a dispatch and a combine, of many in a row; the least of rounds. */
    private double inARow(MoeWay way, @Nullable Stream stream, boolean held, double micros) {
        int pairs = fitting(Math.min(IN_A_ROW, settings.samples()), 1, ROUNDS * micros / MICROS);
        return least(pairs, held, () -> {
            for (int i = 0; i < pairs; i++) {
                way.dispatch(i, stream);
                way.combine(stream);
            }
        });
    }

    private double inAGraph(MoeWay way, Stream stream) {
        Graph graph = Graph.capture(stream, () -> {
            for (int i = 0; i < GRAPH_PAIRS; i++) {
                way.dispatch(i, stream);
                way.combine(stream);
            }
        });
        try (graph;
                GraphExec exec = graph.instantiate()) {
            return least(GRAPH_PAIRS * GRAPH_LAUNCHES, true, () -> {
                for (int i = 0; i < GRAPH_LAUNCHES; i++) {
                    exec.launch(stream);
                }
            });
        }
    }

    private double least(int calls, boolean held, Runnable body) {
        double least = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            if (held && round > 0) {
                clock.hold();
            }
            clock.barrier();
            clock.begin(0, 0);
            body.run();
            clock.end(0, 0);
            clock.complete();
            double worst = most(exchange(clock.micros(0, 0) / calls));
            least = round == 0 ? Double.MAX_VALUE : Math.min(least, worst);
        }
        return least;
    }

    private double[] exchange(double mine) {
        byte[] bytes = ByteBuffer.allocate(Double.BYTES).putDouble(mine).array();
        return world.exchange("bench-moe-" + agreements++, bytes).stream()
                .mapToDouble(each -> ByteBuffer.wrap(each).getDouble())
                .toArray();
    }
}
