// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;

/**
 * A function f with a proximal map: prox_τf(x) minimises f(v) + |v − x|² / (2 τ) over v. Where f is not convex, it is
 * one of the minimisers.
 *
 * <p>A solver describes the map together with the update before and behind it, see {@link #prepare}; {@link #prox} is
 * for single uses. Those of norms and constraints that look at all elements are collective, as their pages say.
 */
public abstract class Proximal {
    /** Makes a function. */
    protected Proximal() {}

    /** Collective unless x is replicated: returns f(x), equal on every rank; ∞ outside a constraint. */
    public abstract double value(Vector x);

    /**
     * Collective where the map looks at all elements: returns what computes it where an update has its function. A run
     * allocates nothing.
     *
     * @param update without a function yet
     * @param tau the factor τ, which may change between runs
     * @throws IllegalArgumentException if the vectors are not of the function's type or layout
     */
    public abstract Step prepare(Pointwise update, Coefficient tau);

    /**
     * Collective where the map looks at all elements: returns what computes that of the conjugate function, x − τ
     * prox_(f/τ)(x / τ).
     *
     * @param update without a function yet
     * @param tau the factor τ, which may change between runs
     */
    public Step prepareDual(Pointwise update, Coefficient tau) {
        noNulls("Proximal.prepareDual", "update", update, "tau", tau);
        return new Moreau(this).prepare(update, tau);
    }

    /** Collective where the map looks at all elements: returns a new vector, prox_τf(x). */
    public final Vector prox(Vector x, double tau) {
        nonNull(x, "Proximal.prox", "x");
        Vector result = x.like();
        try {
            run(prepare(Pointwise.of(x).into(result), checked(tau)));
            return result;
        } catch (RuntimeException e) {
            result.close();
            throw e;
        }
    }

    /**
     * Collective where the map looks at all elements: returns a new vector, the map of the conjugate function with the
     * factor τ (PyProximal {@code proxdual}).
     */
    public final Vector proxdual(Vector x, double tau) {
        nonNull(x, "Proximal.proxdual", "x");
        Vector result = x.like();
        try {
            run(prepareDual(Pointwise.of(x).into(result), checked(tau)));
            return result;
        } catch (RuntimeException e) {
            result.close();
            throw e;
        }
    }

    private static void run(Step step) {
        try (step) {
            step.run();
        }
    }

    private Coefficient checked(double tau) {
        if (!(tau > 0) || Double.isInfinite(tau)) {
            throw new IllegalArgumentException(this + ": tau " + tau + " is not a finite number above 0");
        }
        return Coefficient.of(tau);
    }

    /**
     * Computes the gradient.
     *
     * @return the result
     * @throws UnsupportedOperationException if the function has none
     */
    public Vector grad(Vector x, Vector result) {
        throw new UnsupportedOperationException(this + " has no gradient");
    }

    /**
     * Returns what computes the gradient of what a vector is then. A run allocates nothing where {@link #grad} does
     * not.
     *
     * @throws UnsupportedOperationException if the function has none, at the first run at the latest
     */
    public Step prepareGrad(Vector x, Vector result) {
        noNulls("Proximal.prepareGrad", "x", x, "result", result);
        return new Step(() -> grad(x, result));
    }

    /** Returns x ↦ f(a x + b) for real numbers a other than 0 and b (PyProximal {@code precomposition}). */
    public final Proximal precomposition(double a, double b) {
        return new Precomposition(this, a, b);
    }

    /** Returns x ↦ f(a x + b) for a real number a other than 0 and a vector b (PyProximal {@code precomposition}). */
    public final Proximal precomposition(double a, Vector b) {
        nonNull(b, "Proximal.precomposition", "b");
        return new Precomposition(this, a, b);
    }

    /** Returns x ↦ f(x) + the real part of vᴴ x (PyProximal {@code affine_addition}). */
    public final Proximal plus(Vector v) {
        nonNull(v, "Proximal.plus", "v");
        return new AffineAddition(this, v);
    }

    /**
     * Returns what has the map of this and behind it that of another function (PyProximal {@code chain}): the map of
     * the sum only where that is so, as for a 1-norm and a group norm or a box. Its value is the sum.
     */
    public final Proximal then(Proximal next) {
        nonNull(next, "Proximal.then", "next");
        return new Chain(this, next);
    }

    /** Returns x ↦ σ f(x) for σ above 0 (PyProximal {@code postcomposition}). */
    public final Proximal times(double sigma) {
        return new Precomposition(this, 1, 0, sigma);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName();
    }
}
