// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

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
     * Returns why a solver ends whose squared norm is {@code square}, after {@code made} iterations; null if it goes
     * on.
     */
    @Nullable
    StopReason reason(double square, double limit, int made) {
        if (!Double.isFinite(square)) {
            return StopReason.DIVERGED;
        }
        if (square <= limit) {
            return StopReason.CONVERGED;
        }
        return made < iterations ? null : StopReason.ITERATIONS;
    }
}
