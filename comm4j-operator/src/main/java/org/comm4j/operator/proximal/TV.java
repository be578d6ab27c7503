// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.Layout;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.math.PointFunction;
import org.comm4j.operator.DerivativeKind;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.VStack;

/**
 * Isotropic total variation σ Σ_j |(D x)_j| of an array of one to four dimensions (PyProximal {@code TV}). D are the
 * differences to the next element along each axis, 0 at the ends.
 *
 * <p>Its map is a fixed number of iterations of the fast gradient projection of Beck and Teboulle (2009) for the dual
 * problem: the error of what is minimised falls with the square of their number. An iteration applies D and its adjoint
 * once each. Values and maps are collective unless x is replicated.
 */
public final class TV extends Proximal {
    private static final Calculation BEGIN = TV::begin;
    private static final Calculation ACCELERATE = TV::accelerate;
    private static final PointFunction CAP = TV::cap;

    // Numbers, each with an imaginary part of 0

    private static final int RADIUS = 0;
    private static final int T = 1;
    private static final int FRESH = 2;
    private static final int OLD = 3;
    private static final int NUMBERS = 4;

    private final double sigma;
    private int iterations = 50;
    private boolean warm;

    private TV(double sigma) {
        this.sigma = sigma;
    }

    /** Returns the function. */
    public static TV of(double sigma) {
        return new TV(Separable.checked("TV: sigma", sigma));
    }

    /** Sets the number of inner iterations; 50 unless set. */
    public TV iterations(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("TV: " + count + " iterations are less than 1");
        }
        iterations = count;
        return this;
    }

    /** Begins inner iterations at the dual vector of the solver's last map instead of zeros. */
    public TV warm() {
        warm = true;
        return this;
    }

    private static LinearOperator differences(Vector x) {
        Layout layout = x.layout();
        int axes = layout.ndim();
        if (x.arrays().size() != 1 || axes < 1 || axes > 4) {
            throw new IllegalArgumentException("TV: " + x + " must be one array of one to four dimensions");
        }
        DataType type = x.type();
        LinearOperator[] all = new LinearOperator[axes];
        for (int axis = 0; axis < axes; axis++) {
            all[axis] = FirstDerivative.of(x.backend(), layout, axis)
                    .kind(DerivativeKind.FORWARD)
                    .dtype(type)
                    .build();
        }
        return VStack.of(all);
    }

    private static double cap(double modulus, double radius, F64Ptr none) {
        return modulus > radius ? radius : modulus;
    }

    private static void begin(F64Ptr numbers, F64Ptr tau, F64Ptr sigma) {
        numbers.set(2 * RADIUS, tau.get(0) * sigma.get(0));
        numbers.set(2 * T, 1);
    }

    private static void accelerate(F64Ptr numbers, F64Ptr tau, F64Ptr sigma) {
        double t = numbers.get(2 * T);
        double next = (1 + Math.sqrt(1 + 4 * t * t)) / 2;
        double theta = (t - 1) / next;
        numbers.set(2 * T, next);
        numbers.set(2 * FRESH, 1 + theta);
        numbers.set(2 * OLD, -theta);
    }

    @Override
    public double value(Vector x) {
        LinearOperator d = differences(x);
        try (Vector slopes = d.times(x)) {
            return L21.of(d.range(), sigma).value(slopes);
        }
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        Vector u = update.vector().like();
        LinearOperator d = differences(u);
        Vector v = u.like();
        Vector q = u.backend().vector(d.range(), u.type());
        Vector r = q.like();
        Vector slope = q.like();
        Steps steps = new Steps(u.backend(), NUMBERS, BEGIN, tau, sigma);
        Runnable accelerate = steps.prepare(ACCELERATE);
        Pointwise back =
                Pointwise.of(Coefficient.ONE, u, Coefficient.MINUS_ONE, v).into(v);
        // The squared norm of D is less than four for each axis.
        Coefficient length = Coefficient.of(0.25 / u.layout().ndim());
        Pointwise climb = Pointwise.of(Coefficient.ONE, r, length, slope)
                .radial(CAP, steps.get(RADIUS), null)
                .group()
                .into(q)
                .second(r, steps.get(FRESH), steps.get(OLD), Coefficient.ZERO);
        boolean keeps = warm;
        int count = iterations;
        Runnable all = update.around(
                u,
                () -> {
                    steps.calculate();
                    if (!keeps) {
                        q.fill(Coefficient.ZERO);
                    }
                    r.assign(q);
                    for (int i = 0; i < count; i++) {
                        d.rmatvec(r, v);
                        back.run();
                        d.matvec(v, slope);
                        accelerate.run();
                        climb.run();
                    }
                    d.rmatvec(q, v);
                    back.run();
                },
                v);
        Step made = new Step(all, u, v, q, r, slope);
        return keeps ? made.keeping(q) : made;
    }
}
