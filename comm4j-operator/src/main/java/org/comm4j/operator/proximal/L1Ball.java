// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.math.PointFunction;

/**
 * The constraint |x|₁ ≤ r (PyProximal {@code L1Ball}): 0 inside, ∞ outside. Its map is the projection, a soft threshold
 * that {@link SimplexThreshold} finds; complex elements keep their argument. Values and maps are collective unless x is
 * replicated.
 */
public final class L1Ball extends Proximal {
    private static final PointFunction SOFT = SimplexThreshold::above;

    private final double radius;

    private L1Ball(double radius) {
        this.radius = radius;
    }

    /** Returns the constraint for a radius of at least 0. */
    public static L1Ball of(double radius) {
        return new L1Ball(Separable.checked("L1Ball: the radius", radius));
    }

    /** Returns the relative error of a sum that is no breach of a constraint. */
    static double rounding(Vector x) {
        return Compute.real(x.type()) == DataType.FLOAT64 ? 1e-12 : 1e-5;
    }

    @Override
    public double value(Vector x) {
        return x.norm(1) <= radius * (1 + rounding(x)) ? 0 : Double.POSITIVE_INFINITY;
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        Vector u = update.vector().like();
        Vector v = u.like();
        SimplexThreshold threshold = new SimplexThreshold(u, true, radius);
        Pointwise shrink = Pointwise.of(u).radial(SOFT, threshold.level(), null).into(v);
        Runnable all = update.around(
                u,
                () -> {
                    threshold.run();
                    shrink.run();
                },
                v);
        return new Step(all, u, v);
    }
}
