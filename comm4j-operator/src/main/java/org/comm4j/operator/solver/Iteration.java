// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import java.nio.file.Path;
import java.util.Arrays;
import org.comm4j.array.Vector;
import org.comm4j.operator.solver.Algorithm.End;
import org.jspecify.annotations.Nullable;

/**
 * A run of a {@link Solver}, between two of its iterations.
 *
 * <p>{@code try (Iteration run = solver.setup()) { while (run.step()) … }} makes them one by one; a callback gets the
 * run after each. Every rank calls the same methods in the same order.
 */
public final class Iteration implements AutoCloseable {
    private final Solver options;
    private final Vector x;
    private final Algorithm algorithm;
    private final double[] costs;
    private final double limit;
    private final double reference;
    private final double beginning;
    private final int first;
    private int number;
    private boolean busy;
    private @Nullable End end;

    Iteration(Solver options, Vector x, Algorithm algorithm) {
        this.options = options;
        this.x = x;
        this.algorithm = algorithm;
        Path restart = options.restartFile();
        Vector start = options.startModel();
        try {
            if (restart != null) {
                Checkpoint saved = Checkpoint.read(restart, options, x, algorithm);
                number = saved.iteration();
                costs = Arrays.copyOf(saved.costs(), Math.max(options.stop().iterations(), number) + 1);
                reference = saved.reference();
                beginning = saved.beginning();
            } else {
                if (start != null) {
                    x.assign(start);
                }
                algorithm.begin();
                costs = new double[options.stop().iterations() + 1];
                costs[0] = algorithm.residualNorm();
                reference = algorithm.reference();
                beginning = algorithm.objective();
            }
        } catch (Throwable e) {
            algorithm.close();
            throw e;
        }
        first = number;
        limit = options.stop().limit(reference);
        end = options.stop().end(algorithm, limit, number, beginning);
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
        return costs[number];
    }

    /** Returns whether no iteration follows. */
    public boolean isStopped() {
        return end != null;
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
        if (end != null) {
            return false;
        }
        if (!algorithm.step()) {
            end = algorithm.end();
            return false;
        }
        number++;
        costs[number] = algorithm.residualNorm();
        end = options.stop().end(algorithm, limit, number, beginning);
        busy = true;
        try {
            options.made(this);
        } finally {
            busy = false;
        }
        return true;
    }

    /**
     * Collective: writes what a later run needs to continue from here, see {@link Solver#restart}. The file appears
     * when it is complete.
     *
     * @throws IllegalArgumentException on every rank, if a rank cannot write
     */
    public void checkpoint(Path file) {
        new Checkpoint(number, reference, beginning, algorithm.numbers(), Arrays.copyOf(costs, number + 1))
                .write(file, options, x, algorithm);
    }

    /** Returns the outcome so far. */
    public SolverResult result() {
        End now = end;
        StopReason reason = now == null ? StopReason.ITERATIONS : now.reason();
        String how = switch (reason) {
            case CONVERGED -> "converged";
            case ITERATIONS, CONDITION -> "stopped";
            case DIVERGED -> "diverged";
        };
        double residual = costs[number];
        return new SolverResult(
                reason,
                number,
                residual,
                algorithm.objective(),
                Arrays.copyOf(costs, number + 1),
                "%s after %d iterations%s, |r| %.3g".formatted(how, number, now == null ? "" : now.words(), residual));
    }

    /** Frees the solver's vectors, but not the model. */
    @Override
    public void close() {
        algorithm.close();
    }
}
