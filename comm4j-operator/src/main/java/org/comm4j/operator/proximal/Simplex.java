// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.Dots;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Coefficient;
import org.comm4j.math.PointFunction;

/**
 * The constraint that real elements are at least 0 and their sum is r (PyProximal {@code Simplex}): 0 there, ∞
 * elsewhere. Its map is the projection max(x − θ, 0), whose θ {@link SimplexThreshold} finds. Values and maps are
 * collective unless x is replicated.
 */
public final class Simplex extends Proximal {
    private static final PointFunction ABOVE = SimplexThreshold::above;
    private static final PointFunction NEGATIVE = Simplex::negative;

    private final double radius;

    private Simplex(double radius) {
        this.radius = radius;
    }

    /** Returns the constraint for a sum above 0. */
    public static Simplex of(double radius) {
        if (!(radius > 0) || Double.isInfinite(radius)) {
            throw new IllegalArgumentException("Simplex: the sum " + radius + " is not a finite number above 0");
        }
        return new Simplex(radius);
    }

    private static double negative(double value, double none, F64Ptr parameters) {
        return value < 0 ? -value : 0 * value;
    }

    private static void check(Vector x) {
        if (x.type().isComplex() || x.layout().size() == 0) {
            throw new IllegalArgumentException(
                    "Simplex is defined for real vectors of at least one element, not for " + x);
        }
    }

    @Override
    public double value(Vector x) {
        check(x);
        Dots sums = Dots.given(x.backend()).andGiven();
        Pointwise.of(x)
                .real(PointFunction.IDENTITY, Coefficient.ONE, null)
                .sums(PointFunction.IDENTITY, sums, 0)
                .run();
        Pointwise.of(x)
                .real(NEGATIVE, Coefficient.ONE, null)
                .sums(PointFunction.IDENTITY, sums, 1)
                .run();
        sums.reduce();
        boolean inside = sums.real(1) == 0 && Math.abs(sums.real(0) - radius) <= radius * Math.sqrt(L1Ball.rounding(x));
        return inside ? 0 : Double.POSITIVE_INFINITY;
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        check(update.vector());
        Vector u = update.vector().like();
        Vector v = u.like();
        SimplexThreshold threshold = new SimplexThreshold(u, false, radius);
        Pointwise shift = Pointwise.of(u).real(ABOVE, threshold.level(), null).into(v);
        Runnable all = update.around(
                u,
                () -> {
                    threshold.run();
                    shift.run();
                },
                v);
        return new Step(all, u, v);
    }
}
