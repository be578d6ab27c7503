// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import org.comm4j.kernel.lang.F64Ptr;

/** Limits at which a solver stops. */
final class StopRule {
    // Reasons, as numbers of a state.

    static final int CONVERGED = 1;
    static final int ITERATIONS = 2;
    static final int NOT_FINITE = 3;
    static final int GREW = 4;
    static final int INDEFINITE = 5;
    static final int SMALL_RESIDUAL = 6;
    static final int SMALL_GRADIENT = 7;
    static final int CONDITION = 8;
    static final int ROUNDING = 9;
    static final int LONG_STEP = 10;
    static final int RESIDUAL_GREW = 11;
    static final int SMALL_COST = 12;

    /**
     * The end of a run.
     *
     * @param reason of the end
     * @param words that continue "after 3 iterations"
     */
    record End(StopReason reason, String words) {}

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

    /** Sets the limits of a state that knows its reference and beginning. */
    void limit(State state, double growth) {
        double reference = state.get(State.REFERENCE);
        state.set(State.MOST, iterations);
        state.set(State.LIMIT, Math.max(stopBelow, isRelative() ? reference * tolerance * tolerance : 0));
        state.set(State.LARGEST, growth * state.get(State.BEGINNING));
    }

    /** Returns why a solver stops, 0 if it goes on: part of a calculation. */
    static int reason(F64Ptr state) {
        double square = state.get(State.SQUARE);
        double objective = state.get(State.OBJECTIVE);
        int own = (int) state.get(State.OWN_REASON);
        if (!Double.isFinite(square) || !Double.isFinite(objective)) {
            return NOT_FINITE;
        }
        if (objective > state.get(State.LARGEST)) {
            return GREW;
        }
        if (square <= state.get(State.LIMIT)) {
            return CONVERGED;
        }
        return own != 0 ? own : state.get(State.MADE) < state.get(State.MOST) ? 0 : ITERATIONS;
    }

    /** Returns the end that a state has come to. */
    static End end(State state) {
        double objective = state.get(State.OBJECTIVE);
        double detail = state.get(State.DETAIL);
        return switch ((int) state.get(State.REASON)) {
            case CONVERGED -> new End(StopReason.CONVERGED, "");
            case NOT_FINITE ->
                new End(
                        StopReason.DIVERGED,
                        ": the norm is " + objective
                                + "; look for such numbers in the data, the start and the operator");
            case GREW ->
                new End(
                        StopReason.DIVERGED,
                        ": the norm grew from " + state.get(State.BEGINNING) + " to " + objective
                                + "; the operator's dottest shows whether its adjoint is right");
            case INDEFINITE ->
                new End(
                        StopReason.DIVERGED,
                        ": pᴴ A p is " + detail + " for a direction p, so that the operator is not positive definite");
            case SMALL_RESIDUAL -> new End(StopReason.CONVERGED, ": y − A x is as small as atol and btol ask for");
            case SMALL_GRADIENT -> new End(StopReason.CONVERGED, ": the gradient is as small as atol asks for");
            case CONDITION ->
                new End(
                        StopReason.CONDITION,
                        ": the condition number is about %.1e, above the limit; damping lowers it".formatted(detail));
            case ROUNDING -> new End(StopReason.CONVERGED, ": as far as rounding allows");
            case LONG_STEP ->
                new End(
                        StopReason.DIVERGED,
                        ": the cost grew from " + state.get(State.BEGINNING) + " to " + objective
                                + "; the step must be below " + detail + ", or the adjoint is wrong");
            case RESIDUAL_GREW ->
                new End(StopReason.DIVERGED, ": |y − A x| grew; a smaller eps or step keeps it from that");
            case SMALL_COST -> new End(StopReason.CONVERGED, ": the cost is as small as rtol or rtol1 ask for");
            default -> new End(StopReason.ITERATIONS, "");
        };
    }
}
