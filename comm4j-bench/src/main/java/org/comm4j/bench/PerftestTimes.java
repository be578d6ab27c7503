// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import org.comm4j.cuda.Device;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.cuda.Stream;
import org.comm4j.nvshmem.Nvshmem;

/** The clocks of NVSHMEM's host perftests: for each the warm-up, the waits and the events of its C++ program. */
final class PerftestTimes implements AutoCloseable {
    // What the programs of these have always.
    private static final int BARRIER_ALL_ITERATIONS = 1000;
    private static final int BARRIER_ALL_WARMUP = 10;
    private static final int SYNC_ALL_ITERATIONS = 128;
    private static final int SYNC_ALL_WARMUP = 16;

    private final Nvshmem shmem;
    private final Stream stream;
    private final PerftestSettings settings;
    private final Event start;
    private final Event stop;

    PerftestTimes(Nvshmem shmem, Device device, Stream stream, PerftestSettings settings) {
        this.shmem = shmem;
        this.stream = stream;
        this.settings = settings;
        this.start = device.newTimingEvent();
        this.stop = device.newTimingEvent();
    }

    /** Returns microseconds of a call: of each one, or the mean of all. */
    double[] of(PerftestCase test, Runnable call, int warmup, int iterations) {
        if (test.graph()) {
            return new double[] {recorded(test.test(), call, warmup + iterations)};
        }
        return switch (test.test()) {
            case BW -> new double[] {unordered(test.fromHost(), call, warmup, iterations)};
            case LATENCY ->
                new double[] {test.fromHost() ? fromHost(call, warmup, iterations) : inOrder(call, warmup, iterations)};
            // Its program warms nothing up.
            case STREAM_LATENCY -> new double[] {inOrder(call, 0, iterations)};
            case PUT_SIGNAL, PUT_SIGNAL_PING_PONG -> new double[] {inOrder(call, warmup, iterations)};
            default -> oneByOne(test.test(), call, warmup, iterations);
        };
    }

    static void repeat(Runnable call, int times) {
        for (int i = 0; i < times; i++) {
            call.run();
        }
    }

    private double between(int iterations) {
        stop.synchronize();
        return stop.millisSince(start) * 1e3 / iterations;
    }

    private double unordered(boolean fromHost, Runnable call, int warmup, int iterations) {
        if (fromHost) {
            repeat(call, warmup);
            shmem.quiet();
            long begin = System.nanoTime();
            repeat(call, iterations);
            shmem.quiet();
            return (System.nanoTime() - begin) / 1e3 / iterations;
        }
        repeat(call, warmup);
        shmem.quiet(stream);
        stream.synchronize();
        stream.record(start);
        repeat(call, iterations);
        shmem.quiet(stream);
        stream.synchronize();
        stream.record(stop);
        return between(iterations);
    }

    private double fromHost(Runnable call, int warmup, int iterations) {
        repeat(call, warmup);
        long begin = System.nanoTime();
        repeat(call, iterations);
        shmem.quiet();
        return (System.nanoTime() - begin) / 1e3 / iterations;
    }

    private double inOrder(Runnable call, int warmup, int iterations) {
        repeat(call, warmup);
        stream.record(start);
        repeat(call, iterations);
        stream.record(stop);
        return between(iterations);
    }

    private double[] oneByOne(Perftest test, Runnable call, int warmup, int iterations) {
        shmem.barrierAll(stream);
        repeat(call, warmup);
        if (!test.reduces()) {
            // As the programs do it.
            stream.synchronize();
            shmem.barrierAll(stream);
        }
        double[] micros = new double[iterations];
        for (int i = 0; i < iterations; i++) {
            stream.record(start);
            call.run();
            stream.record(stop);
            stream.synchronize();
            micros[i] = stop.millisSince(start) * 1e3;
        }
        return micros;
    }

    private double recorded(Perftest test, Runnable call, int calls) {
        // Some collectives cannot be recorded before they have been called.
        call.run();
        shmem.barrierAll(stream);
        stream.synchronize();
        try (Graph graph = Graph.capture(stream, () -> repeat(call, calls));
                GraphExec exec = graph.instantiate()) {
            shmem.barrierAll(stream);
            stream.synchronize();
            exec.launch(stream);
            if (test.reduces()) {
                // As its program does: the barrier is under way when the graph follows.
                stream.synchronize();
                shmem.barrierAll(stream);
            } else {
                shmem.barrierAll(stream);
                stream.synchronize();
            }
            stream.record(start);
            exec.launch(stream);
            stream.record(stop);
            if (test.reduces()) {
                shmem.barrierAll(stream);
            }
            stream.synchronize();
            return between(calls);
        }
    }

    /** Returns the mean of calls that synchronise PEs, in microseconds. */
    double[] synchronizations(Perftest test, Runnable call) {
        boolean all = test == Perftest.BARRIER_ALL;
        int iterations =
                all ? BARRIER_ALL_ITERATIONS : test == Perftest.SYNC_ALL ? SYNC_ALL_ITERATIONS : settings.iterations();
        repeat(call, all ? BARRIER_ALL_WARMUP : test == Perftest.SYNC_ALL ? SYNC_ALL_WARMUP : settings.warmup());
        if (all || test == Perftest.BARRIER) {
            stream.synchronize();
            shmem.barrierAll();
        }
        stream.record(start);
        repeat(call, iterations);
        stream.record(stop);
        return new double[] {between(iterations)};
    }

    @Override
    public void close() {
        start.close();
        stop.close();
    }
}
