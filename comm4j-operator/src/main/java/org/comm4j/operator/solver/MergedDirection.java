// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import org.comm4j.array.Dots;
import org.comm4j.array.Updates;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * The search direction of conjugate gradients with one reduction an iteration (Chronopoulos and Gear 1989): p = z + β p
 * for z = M r, and its image by the same recurrence of the image of z, so that all products are of r and z.
 *
 * <p>The step is α = γ / (δ − β γ / the α before), with γ = rᴴ z and δ = zᴴ A z.
 */
final class MergedDirection implements AutoCloseable {
    private static final int GAMMA = State.OWN;
    private static final int ALPHA = State.OWN + 1;
    private static final int BETA = State.OWN + 2;
    private static final int PRECONDITIONED = State.OWN + 3;

    /** The algorithm's own numbers begin here. */
    static final int OWN = State.OWN + 4;

    // Factors

    private static final int STEP = 0;
    private static final int BACK = 1;
    private static final int FRESH = 2;
    private static final int TURN = 3;

    private final @Nullable LinearOperator m;
    private final State state;
    private final Vector x;
    private final Vector p;
    private final Vector r;
    /** M r; r itself where there is no preconditioner. */
    private final Vector z;

    MergedDirection(Solver options, Vector x, State state) {
        m = options.preconditioner();
        this.state = state;
        this.x = x;
        p = x.like();
        r = x.like();
        z = m == null ? r : x.like();
    }

    Vector p() {
        return p;
    }

    Vector r() {
        return r;
    }

    Vector z() {
        return z;
    }

    /** Computes M r. */
    void precondition() {
        if (m != null) {
            m.matvec(r, z);
        }
    }

    /** Adds the product of r with M r to dot products, where M is. */
    Dots withProduct(Dots dots) {
        return m == null ? dots : dots.and(r, z);
    }

    /**
     * Returns the updates of p, of its image, of x and of a residual, for the image of z.
     *
     * @param ofZ image of z
     * @param ofP image of p
     */
    Updates advance(Vector ofZ, Vector ofP, Vector residual) {
        Coefficient fresh = state.factor(FRESH);
        Coefficient turn = state.factor(TURN);
        return Updates.of(fresh, z, turn, p)
                .and(fresh, ofZ, turn, ofP)
                .and(state.factor(STEP), p, Coefficient.ONE, x)
                .and(state.factor(BACK), ofP, Coefficient.ONE, residual);
    }

    /** Begins with the products of the start. */
    void begin(double gamma, double delta) {
        begin(state, m != null, gamma, delta);
    }

    /** Begins with the products of the start. */
    static void begin(State state, boolean preconditioned, double gamma, double delta) {
        state.set(PRECONDITIONED, preconditioned ? 1 : 0);
        state.set(GAMMA, gamma);
        state.set(BETA, 0);
        state.set(ALPHA, gamma == 0 ? 0 : gamma / delta);
    }

    /** Returns α; 0 once the solver has stopped. */
    static Coefficient step(State state) {
        return state.factor(STEP);
    }

    /** Returns −α. */
    static Coefficient back(State state) {
        return state.factor(BACK);
    }

    /** Returns what a new direction begins with: 1; 0 once the solver has stopped. */
    static Coefficient fresh(State state) {
        return state.factor(FRESH);
    }

    /** Returns β; 1 once the solver has stopped. */
    static Coefficient beta(State state) {
        return state.factor(TURN);
    }

    /** Sets the factors of the next iteration, which a run before this one may have kept from. */
    void setOptions() {
        state.calculate(MergedDirection::go);
    }

    // Parts of calculations

    /** Returns γ, which {@link #withProduct} has added behind {@code count} others; {@code square} without. */
    static double product(F64Ptr state, F64Ptr dots, int count, double square) {
        return state.get(PRECONDITIONED) == 0 ? square : Dots.real(dots, count);
    }

    /** Calculates the next step; returns whether the operator has shown itself to be positive definite. */
    static boolean turn(F64Ptr state, double gamma, double delta) {
        double beta = gamma / state.get(GAMMA);
        double curvature = delta - beta * gamma / state.get(ALPHA);
        if (!(curvature > 0)) {
            // Rounding: the direction begins anew.
            beta = 0;
            curvature = delta;
        }
        state.set(GAMMA, gamma);
        state.set(BETA, beta);
        state.set(ALPHA, gamma / curvature);
        return !(curvature <= 0) || gamma == 0;
    }

    /** Sets the factors of the next iteration. */
    static void go(F64Ptr state) {
        double alpha = state.get(ALPHA);
        state.set(State.factorAt(STEP), alpha);
        state.set(State.factorAt(BACK), -alpha);
        state.set(State.factorAt(FRESH), 1);
        state.set(State.factorAt(TURN), state.get(BETA));
    }

    /** Sets factors that change nothing. */
    static void stay(F64Ptr state) {
        state.set(State.factorAt(STEP), 0);
        state.set(State.factorAt(BACK), 0);
        state.set(State.factorAt(FRESH), 0);
        state.set(State.factorAt(TURN), 1);
    }

    @Override
    public void close() {
        p.close();
        r.close();
        z.close();
    }
}
