// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Vector;
import org.comm4j.operator.Eigenpair;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * Power iteration (PyLops {@code power_iteration}): an eigenvalue of the largest modulus of A, or of AᴴA, whose root is
 * the norm |A|. An iteration makes one reduction besides those of the operator.
 */
public final class PowerIteration {
    private final LinearOperator operator;
    private int iterations = 10;
    private double tolerance = 1e-5;
    private long seed;
    private @Nullable Vector start;

    private PowerIteration(LinearOperator operator) {
        this.operator = operator;
    }

    /** Returns the iteration for A. */
    public static PowerIteration of(LinearOperator a) {
        nonNull(a, "PowerIteration.of", "a");
        return new PowerIteration(a);
    }

    /** Returns the iteration for AᴴA, which applies A and Aᴴ one after the other; A may change the layout. */
    public static PowerIteration ofNormal(LinearOperator a) {
        nonNull(a, "PowerIteration.ofNormal", "a");
        return new PowerIteration(a.H().times(a));
    }

    /** Sets the largest number of iterations; 10 unless set. */
    public PowerIteration iterations(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("PowerIteration: " + count + " iterations are less than 1");
        }
        iterations = count;
        return this;
    }

    /** Sets the relative change of the eigenvalue below which the iteration ends; 10⁻⁵ unless set. */
    public PowerIteration tolerance(double fraction) {
        if (!(fraction >= 0) || Double.isInfinite(fraction)) {
            throw new IllegalArgumentException(
                    "PowerIteration: the tolerance " + fraction + " is not a finite number of at least 0");
        }
        tolerance = fraction;
        return this;
    }

    /**
     * Draws the first vector by each element's place in the whole one, so that it is equal on any number of ranks; with
     * the seed 0 unless set.
     */
    public PowerIteration seed(long number) {
        seed = number;
        start = null;
        return this;
    }

    /** Begins with a vector, which is not changed, instead of random numbers. */
    public PowerIteration start(Vector vector) {
        nonNull(vector, "PowerIteration.start", "vector");
        start = vector;
        return this;
    }

    /**
     * Collective: returns the eigenvalue and its vector.
     *
     * @throws IllegalStateException if the operator does not map its domain to itself
     * @throws IllegalArgumentException if the start is not of the domain, or has the norm 0
     */
    public Eigenpair solve() {
        Vector from = start;
        return from == null ? operator.eigs(iterations, tolerance, seed) : operator.eigs(iterations, tolerance, from);
    }
}
