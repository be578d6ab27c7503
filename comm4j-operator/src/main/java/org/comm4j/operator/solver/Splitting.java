// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Vector;
import org.comm4j.operator.Identity;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * The options that solvers of sums of functions with proximal maps share; {@link #iterations} and {@link #solver} lead
 * to those of all solvers. Of these, {@code tolerance} stops when the change |x − the x before| is at most that
 * fraction of |x|, and the history of costs is that of this fraction. A run ends as diverged where a number is not
 * finite, or where |x| has become 10⁸ times as large as it was at first.
 *
 * @param <S> the solver's own options
 */
public abstract sealed class Splitting<S extends Splitting<S>>
        permits AdaptivePrimalDual,
                Admm,
                AdmmL2,
                ConsensusAdmm,
                Irls,
                LinearizedAdmm,
                PrimalDual,
                ProximalGradient,
                ProximalPoint,
                SplitBregman {
    private final String name;
    private final LinearOperator operator;
    private @Nullable Vector start;

    Splitting(String name, LinearOperator operator) {
        this.name = name;
        this.operator = operator;
    }

    /** Makes the options of a solver without an operator, of models like the one that it begins with. */
    Splitting(String name, Vector start) {
        this(name, Identity.of(start.backend(), start.layout(), start.type()));
        this.start = start;
    }

    abstract S self();

    abstract Algorithm algorithm(Solver options, Vector x, State state);

    String name() {
        return name;
    }

    LinearOperator operator() {
        return operator;
    }

    /** Begins with a model instead of zeros; it is not changed, and its type is that of the solution. */
    public S start(Vector model) {
        nonNull(model, "Splitting.start", "model");
        start = model;
        return self();
    }

    double positive(String what, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + ": " + what + " " + value + " is not a finite number above 0");
        }
        return value;
    }

    int atLeastOne(String what, int count) {
        if (count < 1) {
            throw new IllegalArgumentException(name + ": " + count + " " + what + " are less than 1");
        }
        return count;
    }

    double notNegative(String what, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    name + ": " + what + " " + value + " is not a finite number of at least 0");
        }
        return value;
    }

    /** Logs a warning on rank 0. */
    void warn(String words) {
        if (operator.backend().rank() == 0) {
            System.getLogger("org.comm4j.operator").log(System.Logger.Level.WARNING, name + ": " + words);
        }
    }

    /** Returns a solver with the options so far and those that all solvers have. */
    public Solver solver() {
        Vector from = start;
        Solver solver = new Solver(name, operator, from == null ? operator.domainType() : from.type(), this::checked);
        return from == null ? solver : solver.start(from);
    }

    private Algorithm checked(Solver options, Vector x, State state) {
        if (options.dampFactor() != 0 || options.preconditioner() != null) {
            throw new IllegalArgumentException(name + " has neither damping nor a preconditioner");
        }
        return algorithm(options, x, state);
    }

    /** Sets the largest number of iterations and returns {@link #solver}. */
    public Solver iterations(int iterations) {
        return solver().iterations(iterations);
    }
}
