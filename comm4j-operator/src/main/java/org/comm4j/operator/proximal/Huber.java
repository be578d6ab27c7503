// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Coefficient;
import org.comm4j.math.PointFunction;

/**
 * Huber's function, Σ |x|² / (2 α) where |x| ≤ α and |x| − α / 2 elsewhere. Its map is that minimiser; PyProximal's
 * {@code Huber} compares |x| instead of the result with α, which {@link #plain} does.
 */
public final class Huber extends Separable {
    private static final Form FORM = new Form(true, false, Huber::map, Huber::value);

    private static final Form PLAIN = new Form(true, false, Huber::plainMap, Huber::value);
    private static final PointFunction SLOPE = Huber::slope;

    private final double alpha;

    private Huber(Form form, double alpha) {
        super(form, alpha);
        this.alpha = alpha;
    }

    /** Returns the function for an α above 0. */
    public static Huber of(double alpha) {
        return new Huber(FORM, positive(alpha));
    }

    /** Returns the function with a map that takes the soft threshold where |x| is above α. */
    public static Huber plain(double alpha) {
        return new Huber(PLAIN, positive(alpha));
    }

    private static double positive(double alpha) {
        if (!(alpha > 0) || Double.isInfinite(alpha)) {
            throw new IllegalArgumentException("Huber: alpha " + alpha + " is not a finite number above 0");
        }
        return alpha;
    }

    private static double map(double modulus, double tau, F64Ptr alpha) {
        double a = alpha.get(0);
        return modulus > a + tau ? modulus - tau : modulus * a / (a + tau);
    }

    private static double plainMap(double modulus, double tau, F64Ptr alpha) {
        double a = alpha.get(0);
        return modulus <= a ? modulus * a / (a + tau) : modulus > tau ? modulus - tau : 0 * modulus;
    }

    private static double slope(double modulus, double alpha, F64Ptr none) {
        return modulus > alpha ? 1 : modulus / alpha;
    }

    @Override
    public Vector grad(Vector x, Vector result) {
        try (Step step = prepareGrad(x, result)) {
            step.run();
        }
        return result;
    }

    @Override
    public Step prepareGrad(Vector x, Vector result) {
        return new Step(
                Pointwise.of(x).radial(SLOPE, Coefficient.of(alpha), null).into(result));
    }

    private static double value(double modulus, double tau, F64Ptr alpha) {
        double a = alpha.get(0);
        return modulus > a ? modulus - a / 2 : modulus * modulus / (2 * a);
    }
}
