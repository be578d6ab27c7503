// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.comm4j.bench.Perftest.Kind;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.cuda.Stream;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;
import org.comm4j.nvshmem.Team;

/**
 * Runs NVSHMEM's host perftests on all PEs, each case with the calls, waits and clocks of its C program: what a row
 * shows is PE 0's time. Before a case its calls go on for a while, since a program that runs for some milliseconds is
 * not yet compiled. Afterwards each size is called once more, with data whose result is known.
 */
public final class Perftests {
    /** Calls between two looks at the clock while warming up. */
    private static final int CHUNK = 100;

    private final Agreement agreement;
    private final Nvshmem shmem;
    private final Device device;
    private final PerftestSettings settings;
    private final double secondsOfInit;
    private final SymmetricArray near;
    private final SymmetricArray far;
    private final SymmetricArray signal;
    private final Stream stream;
    private final PerftestTimes times;
    private final BusyKernel busy;
    private long signals;

    private Perftests(World world, Nvshmem shmem, PerftestSettings settings, double secondsOfInit) {
        this.agreement = new Agreement(world, "bench.perftests");
        this.shmem = shmem;
        this.device = shmem.device();
        this.settings = settings;
        this.secondsOfInit = secondsOfInit;
        // The kernel of stream_latency writes a long.
        long bytes = Math.max(settings.largest(shmem.nPes(), device.totalMemory()), Long.BYTES);
        this.near = shmem.allocate(DataType.UINT8, bytes);
        this.far = shmem.allocate(DataType.UINT8, bytes);
        this.signal = shmem.allocate(DataType.UINT64, 1);
        this.stream = device.newStream();
        this.times = new PerftestTimes(shmem, device, stream, settings);
        this.busy = new BusyKernel(device, settings.kernel());
    }

    /**
     * Collective over the processes of {@code world}, each of which is a PE on a GPU: runs the tests.
     *
     * @param consumer gets, from what all run on, what gets each row as soon as there is one; rows are those of PE 0,
     *     and the others get none
     * @return all rows; none but on PE 0
     * @throws IllegalArgumentException if there are too few PEs
     */
    public static List<Row> run(World world, PerftestSettings settings, Function<Platform, Consumer<Row>> consumer) {
        check(settings, world.size());
        List<Row> rows = new ArrayList<>();
        try (Device device = Device.inTurn(world.localRank())) {
            long memory = device.totalMemory();
            long needed = 2 * settings.largest(world.size(), memory) + NvshmemCase.SPARE;
            if (settings.cases().stream().anyMatch(each -> each.test() == Perftest.MALLOC)) {
                needed += settings.max(Perftest.MALLOC, memory);
            }
            Platform platform = Platform.of(world, "nvshmem", "NVSHMEM " + Nvshmem.version(), device);
            Consumer<Row> each = consumer.apply(platform);
            device.makeCurrent();
            world.barrier();
            long begin = System.nanoTime();
            try (Nvshmem shmem = Nvshmem.init(world, device, NvshmemCase.heap(needed))) {
                double seconds = (System.nanoTime() - begin) / 1e9;
                Perftests tests = new Perftests(world, shmem, settings, seconds);
                for (PerftestCase test : settings.cases()) {
                    tests.measure(test, row -> {
                        if (world.rank() == 0) {
                            rows.add(row);
                            each.accept(row);
                        }
                    });
                }
                tests.close();
            }
        }
        return Collections.unmodifiableList(rows);
    }

    /**
     * Whether so many PEs can run these tests.
     *
     * @throws IllegalArgumentException if not; the message says why
     */
    public static void check(PerftestSettings settings, int pes) {
        for (PerftestCase each : settings.cases()) {
            if (each.test().isOneSided() && pes < 2) {
                throw new IllegalArgumentException(each + " needs 2 PEs");
            }
        }
    }

    /** Not on the way of a failure: what that leaves in the stream must not be waited for. */
    private void close() {
        busy.close();
        stream.close();
        times.close();
        near.close();
        far.close();
        signal.close();
    }

    // ---- tests ----

    private void measure(PerftestCase test, Consumer<Row> rows) {
        signals = (long) agree((double) signals, ReduceOp.MAX);
        switch (test.test().kind()) {
            case ONE_SIDED, COLLECTIVE -> transfers(test, rows);
            case SYNCHRONIZATION -> {
                Runnable call = synchronization(test.test());
                warmUp(test, call);
                meet();
                double[] ignored = times.synchronizations(test.test(), call);
                rows.accept(row(test, 1, new double[] {one(times.synchronizations(test.test(), call))}, Row.UNCHECKED));
            }
            case MANAGEMENT -> {
                if (test.test() == Perftest.INIT) {
                    rows.accept(row(test, 1, new double[] {secondsOfInit * 1e6}, Row.UNCHECKED));
                } else {
                    allocations(test, rows);
                }
            }
        }
    }

    private void transfers(PerftestCase test, Consumer<Row> rows) {
        List<Long> counts = counts(test.test());
        warmUp(test, call(test, counts.getFirst()));
        for (long count : counts) {
            Runnable call = call(test, count);
            meet();
            double[] micros = takesPart(test) ? awake(test, call) : new double[] {0};
            meet();
            rows.accept(row(test, count, micros, settings.checked() ? check(test, count) : Row.UNCHECKED));
        }
    }

    private void allocations(PerftestCase test, Consumer<Row> rows) {
        List<SymmetricArray> arrays = new ArrayList<>();
        for (long bytes : counts(test.test())) {
            long begin = System.nanoTime();
            arrays.add(shmem.allocateUninitialized(DataType.UINT8, bytes));
            rows.accept(row(test, bytes, new double[] {(System.nanoTime() - begin) / 1e3}, Row.UNCHECKED));
        }
        arrays.forEach(SymmetricArray::close);
    }

    private List<Long> counts(Perftest test) {
        return settings.counts(test, shmem.nPes(), device.totalMemory());
    }

    private boolean takesPart(PerftestCase test) {
        return !test.test().isOneSided() || shmem.myPe() < (test.test() == Perftest.PUT_SIGNAL_PING_PONG ? 2 : 1);
    }

    private Row row(PerftestCase test, long count, double[] micros, long wrong) {
        boolean collective = test.test().kind() == Kind.COLLECTIVE;
        long bytes = count * settings.unit(test.test(), shmem.nPes());
        Iterations iterations =
                collective ? new Iterations(DoubleStream.of(micros).boxed().toList(), 0) : null;
        double seconds = (iterations == null ? one(micros) : iterations.mean()) / 1e6;
        return new Row(
                test,
                bytes,
                collective ? bytes / settings.type().bytes() : bytes,
                collective ? settings.type() : DataType.UINT8,
                test.test().reduces() ? settings.reduction() : null,
                -1,
                Row.Timing.of(test, bytes, shmem.nPes(), seconds, wrong, iterations),
                null,
                Double.NaN);
    }

    private static double one(double[] values) {
        return values[0];
    }

    // ---- calls ----

    private Runnable call(PerftestCase test, long count) {
        return test.test().kind() == Kind.COLLECTIVE ? collective(test.test(), count) : oneSided(test, count);
    }

    private Runnable oneSided(PerftestCase test, long bytes) {
        SymmetricArray here = near.slice(0, bytes);
        SymmetricArray there = far.slice(0, bytes);
        int peer = shmem.myPe() == 0 ? 1 : 0;
        return switch (test.test()) {
            case BW ->
                test.fromHost()
                        ? test.reads() ? () -> shmem.getNbi(here, there, peer) : () -> shmem.putNbi(there, here, peer)
                        : test.reads()
                                ? () -> shmem.getNbi(here, there, peer, stream)
                                : () -> shmem.putNbi(there, here, peer, stream);
            case LATENCY ->
                test.fromHost()
                        ? test.reads() ? () -> shmem.get(here, there, peer) : () -> shmem.put(there, here, peer)
                        : test.reads()
                                ? () -> shmem.get(here, there, peer, stream)
                                : () -> shmem.put(there, here, peer, stream);
            case STREAM_LATENCY -> besideKernels(test, here, there, peer);
            case PUT_SIGNAL -> () -> shmem.putSignal(there, here, signal, 0, ++signals, SignalOp.SET, peer, stream);
            case PUT_SIGNAL_PING_PONG ->
                shmem.myPe() == 0
                        ? () -> {
                            shmem.putSignal(there, here, signal, 0, ++signals, SignalOp.SET, peer, stream);
                            shmem.signalWaitUntil(signal, 0, Comparison.GE, signals, stream);
                        }
                        : () -> {
                            shmem.signalWaitUntil(signal, 0, Comparison.GE, ++signals, stream);
                            shmem.putSignal(there, here, signal, 0, signals, SignalOp.SET, peer, stream);
                        };
            default -> throw new AssertionError(test);
        };
    }

    private Runnable besideKernels(PerftestCase test, SymmetricArray here, SymmetricArray there, int peer) {
        if (test.reads()) {
            return test.fromHost()
                    ? () -> {
                        shmem.get(here, there, peer);
                        busy.launch(near, stream);
                    }
                    : () -> {
                        shmem.get(here, there, peer, stream);
                        busy.launch(near, stream);
                    };
        }
        return test.fromHost()
                ? () -> {
                    busy.launch(near, stream);
                    stream.synchronize();
                    shmem.put(there, here, peer);
                }
                : () -> {
                    busy.launch(near, stream);
                    shmem.put(there, here, peer, stream);
                };
    }

    private Runnable collective(Perftest test, long count) {
        Operation.Shape shape = shape(test, count);
        SymmetricArray send = view(near, shape.send());
        SymmetricArray recv = view(far, shape.recv());
        ReduceOp op = settings.reduction();
        Team team = shmem.world();
        return switch (test) {
            case ALL_TO_ALL -> () -> team.allToAll(recv, send, stream);
            case BROADCAST -> () -> team.broadcast(recv, send, 0, stream);
            case FCOLLECT -> () -> team.fcollect(recv, send, stream);
            case REDUCE_SCATTER -> () -> team.reduceScatter(recv, send, op, stream);
            case REDUCTION -> () -> team.reduce(recv, send, op, stream);
            default -> throw new AssertionError(test);
        };
    }

    /** Of the buffers for parts of {@code count} elements, or of so many in all where there are no parts. */
    private Operation.Shape shape(Perftest test, long count) {
        long all = count * shmem.nPes();
        return switch (test) {
            case ALL_TO_ALL -> new Operation.Shape(all, all, count);
            case FCOLLECT -> new Operation.Shape(count, all, count);
            case REDUCE_SCATTER -> new Operation.Shape(all, count, count);
            default -> new Operation.Shape(count, count, count);
        };
    }

    private SymmetricArray view(SymmetricArray memory, long count) {
        return memory.slice(0, count * settings.type().bytes()).view(settings.type());
    }

    private Runnable synchronization(Perftest test) {
        Team team = shmem.world();
        return switch (test) {
            case BARRIER -> () -> shmem.barrier(team, stream);
            case BARRIER_ALL -> () -> shmem.barrierAll(stream);
            case SYNC -> () -> team.sync(stream);
            case SYNC_ALL -> () -> shmem.syncAll(stream);
            default -> throw new AssertionError(test);
        };
    }

    /**
     * The times of a thread that has worked before, as a program's has that goes from size to size: {@link #meet} lets
     * it sleep, and for some hundred microseconds after that each call takes half as long again.
     */
    private double[] awake(PerftestCase test, Runnable call) {
        double[] ignored = times.of(test, call, settings.warmup(), Math.min(settings.iterations(), CHUNK));
        return times.of(test, call, settings.warmup(), settings.iterations());
    }

    /** Calls for a while, and at least once, because connections are made then. */
    private void warmUp(PerftestCase test, Runnable call) {
        PerftestCase plain = PerftestCase.of(test.test(), test.reads(), test.fromHost(), false);
        goOn(plain, call);
        if (test.graph()) {
            try (Graph graph = Graph.capture(stream, call);
                    GraphExec exec = graph.instantiate()) {
                goOn(plain, () -> exec.launch(stream));
            }
        }
    }

    private void goOn(PerftestCase test, Runnable call) {
        long begin = System.nanoTime();
        double spent;
        do {
            if (takesPart(test)) {
                if (test.test().kind() == Kind.SYNCHRONIZATION) {
                    PerftestTimes.repeat(call, CHUNK);
                    stream.synchronize();
                } else {
                    double[] ignored = times.of(test, call, 1, CHUNK);
                }
            }
            spent = agree((double) (System.nanoTime() - begin), ReduceOp.MAX);
        } while (spent < settings.warmupTime().toNanos());
    }

    // ---- check ----

    /** Elements of all PEs that are not what they must be after one more call. */
    private long check(PerftestCase test, long count) {
        long wrong = test.test().kind() == Kind.COLLECTIVE
                ? checkCollective(test.test(), count)
                : checkOneSided(test, count);
        return (long) agree((double) wrong, ReduceOp.SUM);
    }

    private long checkCollective(Perftest test, long count) {
        Operation.Shape shape = shape(test, count);
        RankCall expected = new RankCall(
                Objects.requireNonNull(test.operation()),
                shape,
                settings.type(),
                test.reduces() ? settings.reduction() : null,
                0,
                shmem.myPe(),
                shmem.nPes());
        RankCall.Pair buffers = new RankCall.Pair(view(near, shape.send()), view(far, shape.recv()));
        expected.prepare(buffers);
        meet();
        collective(test, count).run();
        shmem.synchronize(stream);
        meet();
        return expected.wrong(buffers);
    }

    private long checkOneSided(PerftestCase test, long bytes) {
        // What stream_latency's kernel writes is no data.
        PerftestCase moving = test.test() == Perftest.STREAM_LATENCY
                ? PerftestCase.of(Perftest.LATENCY, test.reads(), test.fromHost(), false)
                : test;
        SymmetricArray from = (test.reads() ? far : near).slice(0, bytes);
        SymmetricArray to = (test.reads() ? near : far).slice(0, bytes);
        Pattern pattern = new Pattern(DataType.UINT8, null, shmem.nPes());
        try (Arena arena = Arena.ofConfined()) {
            HostArray data = HostArray.allocate(arena, DataType.UINT8, bytes);
            pattern.fill(data, shmem.myPe(), 0);
            from.copyFrom(data);
            RankCall.poison(to);
            meet();
            if (takesPart(test)) {
                oneSided(moving, bytes).run();
                shmem.quiet(stream);
                shmem.quiet();
                shmem.synchronize(stream);
            }
            meet();
            boolean both = test.test() == Perftest.PUT_SIGNAL_PING_PONG;
            int me = shmem.myPe();
            if (me > 1 || !both && me != (test.reads() ? 0 : 1)) {
                return 0;
            }
            to.copyTo(data);
            return pattern.wrongMoved(data, 1 - me, 0);
        }
    }

    // ---- all PEs ----

    /** Returns when all PEs have called it; nothing of this touches a GPU. */
    private void meet() {
        agreement.meet();
    }

    private double agree(double mine, ReduceOp op) {
        return agreement.of(mine, op);
    }
}
