// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.nio.file.Path;
import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.Vector;
import org.comm4j.math.Compute;
import org.comm4j.math.Recording;
import org.comm4j.operator.solver.StopRule.End;
import org.jspecify.annotations.Nullable;

/**
 * A run of a {@link Solver}, between two of its iterations.
 *
 * <p>{@code try (Iteration run = solver.setup()) { while (run.step()) … }} makes them one by one; a callback gets the
 * run after each. Every rank calls the same methods in the same order.
 *
 * <p>On a GPU an iteration is recorded once as a graph. Between callbacks the host puts in many at a time and looks at
 * a copy of the numbers while the next ones run: those after the last one change nothing.
 */
public final class Iteration implements AutoCloseable {
    /** Time of the iterations that are put in at once: many times that of looking at their numbers. */
    private static final double AHEAD_NANOS = 500_000;

    /** Iterations that are put in at once, at most: the state keeps the costs of as many. */
    private static final int MOST_AHEAD = State.LATEST / 2;

    private final Solver options;
    private final Backend backend;
    private final Vector x;
    private final Algorithm algorithm;
    private final State state;
    private final double[] costs;
    private final int first;
    private @Nullable Recording recording;
    private boolean refused;
    private int number;
    /** Iterations that were put in, those before a checkpoint included. */
    private int started;

    private boolean busy;

    Iteration(Solver options, Vector x, Algorithm algorithm, State state) {
        this.options = options;
        this.x = x;
        this.algorithm = algorithm;
        this.state = state;
        backend = options.operator().backend();
        Path restart = options.restartFile();
        Vector start = options.startModel();
        try {
            double[] before = {};
            if (restart != null) {
                Checkpoint saved = Checkpoint.read(restart, options, x, algorithm);
                state.restore(saved.numbers());
                before = saved.costs();
            } else {
                if (start != null) {
                    x.assign(start);
                }
                algorithm.begin();
                before = new double[] {state.get(algorithm.history())};
            }
            number = (int) state.get(State.MADE);
            costs = Arrays.copyOf(before, Math.max(options.stop().iterations(), number) + 1);
            algorithm.setOptions();
            options.stop().limit(state, algorithm.growth());
            state.upload();
        } catch (Throwable e) {
            close();
            throw e;
        }
        first = number;
        started = number;
    }

    /** Returns the number of iterations that were made, those before a checkpoint included. */
    public int number() {
        return number;
    }

    int first() {
        return first;
    }

    /**
     * Returns the model, which the next iteration changes. It stays open after the run and is the caller's to close.
     */
    public Vector x() {
        return x;
    }

    /** Returns |y − A x|. */
    public double residualNorm() {
        return state.get(State.COST);
    }

    String measure() {
        return algorithm.measure();
    }

    /** Returns whether no iteration follows. */
    public boolean isStopped() {
        return state.get(State.REASON) != 0;
    }

    /**
     * Collective: makes an iteration, unless the solver has stopped.
     *
     * @return whether it made one
     * @throws IllegalStateException in a callback
     */
    public boolean step() {
        if (busy) {
            throw new IllegalStateException(options.name() + ": a callback cannot make iterations");
        }
        if (isStopped()) {
            return false;
        }
        int before = number;
        put(1);
        state.take(0);
        look(0);
        if (number == before) {
            return false;
        }
        tell();
        return true;
    }

    /** Collective: makes iterations until the solver stops. */
    void finish() {
        if (options.ahead() == 0 && !backend.compute().isAsynchronous()) {
            while (step()) {
                // The host has the numbers at once.
            }
            return;
        }
        // The first one compiles what it needs, the second one is recorded.
        if (!step() || isStopped()) {
            return;
        }
        boolean recorded = step();
        long begin = System.nanoTime();
        if (!recorded || !step()) {
            return;
        }
        int count = together(System.nanoTime() - begin);
        while (!isStopped()) {
            int end = options.nextSeen(number);
            if (end == number + 1) {
                step();
            } else {
                makeUpTo(end, count);
                tell();
            }
        }
    }

    /** Returns how many iterations are put in at once; the same number on every rank. */
    private int together(long nanos) {
        if (options.ahead() > 0) {
            return Math.min(options.ahead(), MOST_AHEAD);
        }
        long longest = nanos;
        if (backend.size() > 1) {
            longest = Arrays.stream(backend.exchange(nanos)).max().orElse(nanos);
        }
        return (int) Math.clamp(AHEAD_NANOS / longest, 1, MOST_AHEAD);
    }

    /** Puts in iterations up to a number, and looks at those before the last ones meanwhile. */
    private void makeUpTo(int end, int count) {
        int made = number;
        int snapshot = 0;
        boolean pending = false;
        while (made < end && !isStopped()) {
            int next = Math.min(count, end - made);
            put(next);
            state.take(snapshot);
            made += next;
            snapshot = 1 - snapshot;
            if (pending) {
                look(snapshot);
            }
            pending = true;
        }
        if (pending) {
            look(1 - snapshot);
        }
    }

    /** Returns whether the iterations to come are recorded. */
    boolean isRecorded() {
        return recording != null;
    }

    /** Starts iterations, without waiting for them. */
    void put(int count) {
        for (int i = 0; i < count; i++) {
            if (algorithm.renewal() > 0 && ++started % algorithm.renewal() == 0) {
                algorithm.renew();
                continue;
            }
            if (recording == null && !refused && number > first && algorithm.isRecordable()) {
                record();
            }
            if (recording == null) {
                algorithm.iterate();
            } else {
                recording.run();
            }
        }
    }

    /** Records an iteration; one was made before, and has compiled and allocated what it needs. */
    private void record() {
        Compute compute = backend.compute();
        try {
            recording = compute.record(algorithm::iterate);
        } catch (RuntimeException e) {
            refused = true;
            System.getLogger("org.comm4j.operator")
                    .log(
                            System.Logger.Level.INFO,
                            options.name() + " on rank " + backend.rank() + ": an iteration with " + options.operator()
                                    + " cannot be recorded as a graph and is started step by step",
                            e);
        }
    }

    /** Learns what the iterations before a copy of the numbers have reached. */
    private void look(int snapshot) {
        int before = number;
        state.look(snapshot);
        number = (int) state.get(State.MADE);
        for (int i = before + 1; i <= number; i++) {
            costs[i] = state.get(State.COSTS + i % State.LATEST);
        }
    }

    private void tell() {
        busy = true;
        try {
            options.made(this);
        } finally {
            busy = false;
        }
    }

    /**
     * Collective: writes what a later run needs to continue from here, see {@link Solver#restart}. The file appears
     * when it is complete.
     *
     * @throws IllegalArgumentException on every rank, if a rank cannot write
     */
    public void checkpoint(Path file) {
        nonNull(file, "Iteration.checkpoint", "file");
        new Checkpoint(state.numbers(), Arrays.copyOf(costs, number + 1)).write(file, options, x, algorithm);
    }

    /** Returns the outcome so far. */
    public SolverResult result() {
        End now = StopRule.end(state);
        String how = switch (now.reason()) {
            case CONVERGED -> "converged";
            case ITERATIONS, CONDITION -> "stopped";
            case DIVERGED -> "diverged";
        };
        double residual = residualNorm();
        return new SolverResult(
                now.reason(),
                number,
                residual,
                state.get(State.OBJECTIVE),
                Arrays.copyOf(costs, number + 1),
                "%s after %d iterations%s, %s %.3g".formatted(how, number, now.words(), measure(), residual));
    }

    /** Frees the solver's vectors, but not the model. */
    @Override
    public void close() {
        if (recording != null) {
            recording.close();
            recording = null;
        }
        algorithm.close();
        state.close();
    }
}
