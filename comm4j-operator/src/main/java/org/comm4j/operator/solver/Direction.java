// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import org.comm4j.array.Dots;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Scalar;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/** The search direction of conjugate gradients: p = M r + β p for the gradient r and a preconditioner M. */
final class Direction implements AutoCloseable {
    /** The state's product of r with M r; |r|² without a preconditioner. */
    static final int PRODUCT = State.OWN;

    /** Whether there is a preconditioner. */
    private static final int PRECONDITIONED = State.OWN + 1;

    /** The algorithm's own numbers begin here. */
    static final int OWN = State.OWN + 2;

    // Factors

    private static final int STEP = 0;
    private static final int BACK = 1;
    private static final int FRESH = 2;
    private static final int BETA = 3;

    private final @Nullable LinearOperator m;
    private final Vector p;
    private final Vector r;
    /** M r; r itself where there is no preconditioner. */
    private final Vector z;

    private final Scalar step;
    private final Scalar back;
    private final Scalar fresh;
    private final Scalar beta;

    Direction(Solver options, Vector x, State state) {
        m = options.preconditioner();
        p = x.like();
        r = x.like();
        z = m == null ? r : x.like();
        step = state.factor(STEP);
        back = state.factor(BACK);
        fresh = state.factor(FRESH);
        beta = state.factor(BETA);
    }

    Vector p() {
        return p;
    }

    Vector r() {
        return r;
    }

    /** Returns the length of the step along p; 0 once the solver has stopped. */
    Scalar step() {
        return step;
    }

    /** Returns the negative length. */
    Scalar back() {
        return back;
    }

    /** Adds the product of r with M r to dot products, where M is. */
    Dots withProduct(Dots dots) {
        return m == null ? dots : dots.and(r, z);
    }

    /** Computes M r. */
    void precondition() {
        if (m != null) {
            m.matvec(r, z);
        }
    }

    /** Begins with M r. */
    void begin(State state, double product) {
        p.assign(z);
        state.set(PRODUCT, product);
        state.set(PRECONDITIONED, m == null ? 0 : 1);
    }

    /** Turns p as {@link #turn(F64Ptr, double)} has calculated. */
    void turn() {
        p.axpby(fresh, z, beta);
    }

    // Parts of calculations

    /** Returns the product that {@link #withProduct} has added behind {@code count} others; {@code square} without. */
    static double product(F64Ptr state, F64Ptr dots, int count, double square) {
        return state.get(PRECONDITIONED) == 0 ? square : Dots.real(dots, count);
    }

    /** Sets the length of the step along p. */
    static void step(F64Ptr state, double length) {
        state.set(State.factorAt(STEP), length);
        state.set(State.factorAt(BACK), -length);
    }

    /** Sets what turns p. */
    static void turn(F64Ptr state, double product) {
        state.set(State.factorAt(FRESH), 1);
        state.set(State.factorAt(BETA), product / state.get(PRODUCT));
        state.set(PRODUCT, product);
    }

    /** Keeps p as it is. */
    static void keep(F64Ptr state) {
        state.set(State.factorAt(FRESH), 0);
        state.set(State.factorAt(BETA), 1);
    }

    @Override
    public void close() {
        p.close();
        r.close();
        z.close();
    }
}
