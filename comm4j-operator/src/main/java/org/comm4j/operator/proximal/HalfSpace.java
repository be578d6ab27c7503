// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Dots;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Scalars;

/**
 * The constraint wᴴ x ≤ b, of the real part where elements are complex (PyProximal {@code HalfSpace}): 0 inside, ∞
 * outside. Its map is the projection x − max(wᴴ x − b, 0) w / |w|². Values and maps are collective unless x is
 * replicated.
 */
public final class HalfSpace extends Proximal {
    private static final Calculation BACK = HalfSpace::back;

    private final Vector w;
    private final double bound;
    private final double norm;

    private HalfSpace(Vector w, double bound, double norm) {
        this.w = w;
        this.bound = bound;
        this.norm = norm;
    }

    /**
     * Collective unless w is replicated: returns the constraint.
     *
     * @throws IllegalArgumentException if w is 0 or not finite, or the bound is not finite
     */
    public static HalfSpace of(Vector w, double bound) {
        nonNull(w, "HalfSpace.of", "w");
        double norm = w.norm();
        if (!(norm > 0) || !Double.isFinite(norm + bound)) {
            throw new IllegalArgumentException(
                    "HalfSpace: |w| = " + norm + " must be finite and above 0, and the bound " + bound + " finite");
        }
        return new HalfSpace(w, bound, norm);
    }

    private static void back(F64Ptr numbers, F64Ptr product, F64Ptr parameters) {
        double excess = Dots.real(product, 0) - parameters.get(0);
        double square = parameters.get(1) * parameters.get(1);
        numbers.set(0, excess > 0 ? -excess / square : 0 * excess);
    }

    @Override
    public double value(Vector x) {
        double excess = w.vdot(x).real() - bound;
        double rounding = L1Ball.rounding(x) * (Math.abs(bound) + norm * x.norm());
        return excess <= rounding ? 0 : Double.POSITIVE_INFINITY;
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        Vector u = update.vector().like();
        Vector v = u.like();
        Dots product = Dots.of(w, u);
        Buffer parameters = Steps.memory(u.backend().compute(), bound, norm);
        Scalars numbers = u.backend().compute().scalars(1);
        Runnable look = product.reducing(BACK, numbers.buffer(), product.numbers(), parameters);
        Pointwise back = Pointwise.of(Coefficient.ONE, u, numbers.get(0), w).into(v);
        Runnable all = update.around(
                u,
                () -> {
                    look.run();
                    back.run();
                },
                v);
        return new Step(all, u, v);
    }
}
