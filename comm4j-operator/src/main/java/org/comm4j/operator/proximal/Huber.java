// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.kernel.F64Ptr;

/**
 * Huber's function, Σ |x|² / (2 α) where |x| ≤ α and |x| − α / 2 elsewhere. Its map is that minimiser; PyProximal's
 * {@code Huber} compares |x| instead of the result with α.
 */
public final class Huber extends Separable {
    private static final Form FORM = new Form(true, false, Huber::map, Huber::value);

    private Huber(double alpha) {
        super(FORM, alpha);
    }

    /** Returns the function for an α above 0. */
    public static Huber of(double alpha) {
        if (!(alpha > 0) || Double.isInfinite(alpha)) {
            throw new IllegalArgumentException("Huber: alpha " + alpha + " is not a finite number above 0");
        }
        return new Huber(alpha);
    }

    private static double map(double modulus, double tau, F64Ptr alpha) {
        double a = alpha.get(0);
        return modulus > a + tau ? modulus - tau : modulus * a / (a + tau);
    }

    private static double value(double modulus, double tau, F64Ptr alpha) {
        double a = alpha.get(0);
        return modulus > a ? modulus - a / 2 : modulus * modulus / (2 * a);
    }
}
