// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.kernel.lang.F64Ptr;

/** The constraint lower ≤ x ≤ upper of real elements (PyProximal {@code Box}): 0 inside, ∞ outside. */
public final class Box extends Separable {
    private static final Form FORM = new Form(false, false, Box::map, Box::value);

    private Box(double lower, double upper) {
        super(FORM, lower, upper);
    }

    /**
     * Returns the constraint; bounds may be infinite.
     *
     * @throws IllegalArgumentException if there is nothing between the bounds
     */
    public static Box of(double lower, double upper) {
        if (!(lower <= upper)) {
            throw new IllegalArgumentException("Box: nothing is between " + lower + " and " + upper);
        }
        return new Box(lower, upper);
    }

    private static double map(double x, double tau, F64Ptr bounds) {
        double lower = bounds.get(0);
        double upper = bounds.get(1);
        return x < lower ? lower : x > upper ? upper : x;
    }

    private static double value(double x, double rounding, F64Ptr bounds) {
        double lower = bounds.get(0);
        double upper = bounds.get(1);
        boolean inside = x >= lower || x >= lower - rounding * Math.abs(lower);
        return inside && (x <= upper || x <= upper + rounding * Math.abs(upper)) ? 0 : Double.POSITIVE_INFINITY;
    }
}
