// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static java.util.Objects.requireNonNull;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * The options of an iterative solver and its runs; {@link Cg}, {@link Cgls} and {@link Lsqr} make them. Every rank sets
 * the same options.
 *
 * <p>{@link #solve} does everything. {@link #setup} is for programs that make the iterations one by one.
 */
public final class Solver {
    /** What is called after every {@code interval}-th iteration. */
    private record Callback(int interval, Consumer<Iteration> action) {}

    private final String name;
    private final LinearOperator operator;
    private final @Nullable Vector data;
    private final DataType type;
    private final Algorithm.Factory algorithm;
    private final StopRule stop;
    private final List<Callback> callbacks = new ArrayList<>();
    private double damp;
    private @Nullable LinearOperator preconditioner;
    private @Nullable Vector start;
    private @Nullable Progress progress;
    private @Nullable Path checkpoint;
    private int interval;
    private @Nullable Path restart;
    private @Nullable Iteration last;
    private int ahead;

    Solver(String name, LinearOperator operator, Vector data, Algorithm.Factory algorithm) {
        if (data.backend() != operator.backend() || !data.layout().equals(operator.range())) {
            throw new IllegalArgumentException(
                    name + ": " + data + " must have the layout and backend of the range of " + operator);
        }
        this(name, operator, data, data.type(), algorithm);
    }

    /** Makes a solver of a problem that is not about data of an operator. */
    Solver(String name, LinearOperator operator, DataType type, Algorithm.Factory algorithm) {
        this(name, operator, null, type, algorithm);
    }

    private Solver(
            String name, LinearOperator operator, @Nullable Vector data, DataType type, Algorithm.Factory algorithm) {
        this.name = name;
        this.operator = operator;
        this.data = data;
        this.type = type;
        this.algorithm = algorithm;
        stop = new StopRule(name);
    }

    // Options

    /** Sets the damping factor, whose meaning the solver's own page tells; 0 unless set. */
    public Solver damp(double damp) {
        if (!Double.isFinite(damp)) {
            throw new IllegalArgumentException(name + ": the damping factor " + damp + " is not a finite number");
        }
        this.damp = damp;
        return this;
    }

    /**
     * Sets an operator M that makes iterations fewer: Hermitian, positive definite, from the model to itself. For
     * {@link Cg} it resembles A⁻¹, for {@link Cgls} (AᴴA + damp² I)⁻¹. The solution is the same.
     *
     * @throws IllegalArgumentException if its layouts are not the model's, or for {@link Lsqr}
     */
    public Solver preconditioner(LinearOperator m) {
        nonNull(m, "Solver.preconditioner", "m");
        if (!m.domain().equals(operator.domain()) || !m.range().equals(operator.domain())) {
            throw new IllegalArgumentException(
                    name + ": the preconditioner " + m + " must map the domain of " + operator + " to itself");
        }
        if (!algorithm.insteadOfPreconditioner().isEmpty()) {
            throw new IllegalArgumentException(
                    name + " takes no preconditioner of this kind; " + algorithm.insteadOfPreconditioner());
        }
        preconditioner = m;
        return this;
    }

    /** Sets the largest number of iterations; 10 unless set. */
    public Solver iterations(int iterations) {
        stop.iterations(iterations);
        return this;
    }

    /**
     * Stops at a relative norm; 0 unless set, which never stops it. For {@link Cg} |r| ≤ tolerance |y| with r = y − A
     * x, for least squares |Aᴴ r − damp² x| ≤ tolerance |Aᴴ y|.
     */
    public Solver tolerance(double tolerance) {
        stop.tolerance(tolerance);
        return this;
    }

    /**
     * Stops when the square of the norm that {@link #tolerance} is about is at most {@code value}: PyLops' {@code tol}.
     */
    public Solver stopBelow(double value) {
        stop.stopBelow(value);
        return this;
    }

    /** Begins with a model instead of zeros; it is not changed. */
    public Solver start(Vector model) {
        nonNull(model, "Solver.start", "model");
        if (!model.layout().equals(operator.domain()) || model.type() != type) {
            throw new IllegalArgumentException(
                    name + ": " + model + " must have the layout of the domain of " + operator + " and type " + type);
        }
        start = model;
        return this;
    }

    /**
     * Calls {@code action} on every rank after each iteration. It may look at the model and take part in collectives,
     * but not change it.
     */
    public Solver callback(Consumer<Iteration> action) {
        return callback(1, action);
    }

    /**
     * Calls {@code action} on every rank after every {@code interval}-th iteration, to write the model for instance.
     *
     * @throws IllegalArgumentException if {@code interval} is less than 1
     */
    public Solver callback(int interval, Consumer<Iteration> action) {
        nonNull(action, "Solver.callback", "action");
        if (interval < 1) {
            throw new IllegalArgumentException(name + ": a callback every " + interval + " iterations is not possible");
        }
        callbacks.add(new Callback(interval, action));
        return this;
    }

    /** Shows the iteration, the residual's norm and the time left on the standard error output of rank 0. */
    public Solver progress() {
        return progress(System.err);
    }

    Solver progress(PrintStream out) {
        progress = new Progress(name, out);
        return this;
    }

    /**
     * Writes a checkpoint after every {@code interval} iterations, each of which replaces the one before it. The file
     * system is shared by the ranks.
     *
     * @throws IllegalArgumentException if {@code interval} is less than 1
     */
    public Solver checkpoint(Path file, int interval) {
        nonNull(file, "Solver.checkpoint", "file");
        if (interval < 1) {
            throw new IllegalArgumentException(
                    name + ": a checkpoint every " + interval + " iterations is not possible");
        }
        checkpoint = file;
        this.interval = interval;
        return this;
    }

    /**
     * Continues from a checkpoint instead of the start. With the same problem, options and ranks each further number is
     * equal to the bit to that of the run that wrote it.
     */
    public Solver restart(Path file) {
        nonNull(file, "Solver.restart", "file");
        restart = file;
        return this;
    }

    // Runs

    /** Collective: solves the problem and returns the model, which is the caller's to close. */
    public Vector solve() {
        Iteration run = setup();
        try (run) {
            run.finish();
            return run.x();
        } catch (Throwable e) {
            run.x().close();
            throw e;
        }
    }

    /**
     * Collective: computes the start and returns the run, before its first iteration.
     *
     * @throws IllegalArgumentException on every rank, if a checkpoint cannot be read or is one of another problem
     */
    public Iteration setup() {
        Vector x = operator.backend().vector(operator.domain(), type);
        try {
            State state = new State(operator.backend().compute());
            Iteration run = new Iteration(this, x, algorithm.of(this, x, state), state);
            last = run;
            return run;
        } catch (Throwable e) {
            x.close();
            throw e;
        }
    }

    /**
     * Returns the outcome of the last run.
     *
     * @throws IllegalStateException if nothing has been solved
     */
    public SolverResult result() {
        Iteration run = last;
        if (run == null) {
            throw new IllegalStateException(name + ": nothing has been solved");
        }
        return run.result();
    }

    // For the package

    String name() {
        return name;
    }

    LinearOperator operator() {
        return operator;
    }

    Vector data() {
        return requireNonNull(data);
    }

    /** Returns a number that tells the data of two problems apart. */
    double dataNorm() {
        return data == null ? 0 : data.norm();
    }

    DataType type() {
        return type;
    }

    double dampFactor() {
        return damp;
    }

    @Nullable
    LinearOperator preconditioner() {
        return preconditioner;
    }

    @Nullable
    Vector startModel() {
        return start;
    }

    StopRule stop() {
        return stop;
    }

    @Nullable
    Path restartFile() {
        return restart;
    }

    /** Returns how many iterations the host puts in at once; 0 for what the backend makes best. */
    int ahead() {
        return ahead;
    }

    /** Puts in so many iterations at once, for tests of a processor, whose iterations are made one by one. */
    Solver ahead(int count) {
        ahead = count;
        return this;
    }

    /** Returns the number of the next iteration after {@code number} that somebody looks at. */
    int nextSeen(int number) {
        int next = stop.iterations();
        if (checkpoint != null) {
            next = Math.min(next, number - number % interval + interval);
        }
        for (Callback callback : callbacks) {
            next = Math.min(next, number - number % callback.interval + callback.interval);
        }
        return next;
    }

    /** Does what was asked for after an iteration, or after those up to {@link #nextSeen}. */
    void made(Iteration run) {
        for (int i = 0; i < callbacks.size(); i++) {
            if (run.number() % callbacks.get(i).interval == 0) {
                callbacks.get(i).action.accept(run);
            }
        }
        if (checkpoint != null && run.number() % interval == 0) {
            run.checkpoint(checkpoint);
        }
        if (progress != null && operator.backend().rank() == 0) {
            progress.show(run, stop.iterations());
        }
    }
}
