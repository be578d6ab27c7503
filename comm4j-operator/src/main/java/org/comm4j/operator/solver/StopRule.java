// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import org.comm4j.operator.solver.Algorithm.End;
import org.jspecify.annotations.Nullable;

/** Limits at which a solver stops. */
final class StopRule {
    private final String solver;
    private int iterations = 10;
    private double tolerance;
    private double stopBelow;

    StopRule(String solver) {
        this.solver = solver;
    }

    void iterations(int iterations) {
        if (iterations < 1) {
            throw new IllegalArgumentException(solver + ": " + iterations + " iterations are less than 1");
        }
        this.iterations = iterations;
    }

    void tolerance(double tolerance) {
        this.tolerance = checked("tolerance", tolerance);
    }

    void stopBelow(double value) {
        stopBelow = checked("limit", value);
    }

    private double checked(String what, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    solver + ": the " + what + " " + value + " is not a finite number of at least 0");
        }
        return value;
    }

    int iterations() {
        return iterations;
    }

    /** Returns whether the tolerance is relative to a norm, which has to be known then. */
    boolean isRelative() {
        return tolerance > 0;
    }

    /**
     * Returns the squared norm below which the solver stops, where {@code reference} is the square that 1 stands for.
     */
    double limit(double reference) {
        return Math.max(stopBelow, isRelative() ? reference * tolerance * tolerance : 0);
    }

    /**
     * Returns why a solver ends after {@code made} iterations; null if it goes on.
     *
     * @param limit of the squared norm, as {@link #limit} returned it
     * @param first what was to be minimised at the start
     */
    @Nullable
    End end(Algorithm algorithm, double limit, int made, double first) {
        double square = algorithm.square();
        double objective = algorithm.objective();
        if (!Double.isFinite(square) || !Double.isFinite(objective)) {
            return new End(
                    StopReason.DIVERGED,
                    ": the norm is " + objective + "; look for such numbers in the data, the start and the operator");
        }
        if (objective > algorithm.growth() * first) {
            return new End(
                    StopReason.DIVERGED,
                    ": the norm grew from " + first + " to " + objective
                            + "; the operator's dottest shows whether its adjoint is right");
        }
        if (square <= limit) {
            return new End(StopReason.CONVERGED, "");
        }
        End own = algorithm.end();
        return own != null ? own : made < iterations ? null : new End(StopReason.ITERATIONS, "");
    }
}
