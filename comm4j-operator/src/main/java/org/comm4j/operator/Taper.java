// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.Arrays;

/** The weights by which overlapping windows fade into each other (PyLops {@code tapertype}). */
public enum Taper {
    /** No weights: where windows overlap, the data are sums. */
    NONE(0),
    /** Half a period of a cosine, from 0 to 1 (PyLops {@code hanning} and {@code cosine}, which are the same). */
    HANNING(1),
    /** The square of {@link #HANNING} (PyLops {@code cosinesquare}). */
    COSINE_SQUARE(2),
    /** The square root of {@link #HANNING} (PyLops {@code cosinesqrt}): its squares add up to 1. */
    COSINE_SQRT(0.5);

    private final double exponent;

    Taper(double exponent) {
        this.exponent = exponent;
    }

    /**
     * Returns the weights of a window.
     *
     * @param length of the window
     * @param overlap elements at each end that fade, half of the window at most; 1 is as none
     */
    double[] weights(int length, int overlap) {
        double[] weights = new double[length];
        Arrays.fill(weights, 1);
        for (int k = 0; this != NONE && overlap > 1 && k < overlap; k++) {
            double fade = Math.pow(0.5 - 0.5 * Math.cos(Math.PI * k / (overlap - 1)), exponent);
            weights[k] = fade;
            weights[length - 1 - k] = fade;
        }
        return weights;
    }
}
