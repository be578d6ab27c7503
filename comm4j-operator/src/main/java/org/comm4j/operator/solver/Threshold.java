// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import org.comm4j.math.PointFunction;

/** A threshold t of {@link Ista} and {@link Fista}, of the modulus: complex elements keep their argument. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
public enum Threshold {
    /** |x| − t where that is positive, else 0 (PyLops {@code soft}): of the 1-norm. */
    SOFT((modulus, t, _) -> modulus > t ? modulus - t : keep(modulus)),
    /** |x| where it is above sqrt(2 t), else 0 (PyLops {@code hard}): of the number of elements that are not 0. */
    HARD((modulus, t, _) -> modulus > Math.sqrt(2 * t) ? modulus : keep(modulus)),
    /** The threshold of Xu et al. (2012) for the sum of the roots of moduli (PyLops {@code half}). */
    HALF((modulus, t, _) -> half(modulus, t));

    private static final double HALF_EDGE = Math.cbrt(54) / 4;

    private final PointFunction function;

    Threshold(PointFunction function) {
        this.function = function;
    }

    PointFunction function() {
        return function;
    }

    /** Returns 0, or NaN for NaN. */
    private static double keep(double modulus) {
        return modulus * 0;
    }

    private static double half(double modulus, double t) {
        if (!(modulus > HALF_EDGE * Math.pow(t, 2.0 / 3))) {
            return keep(modulus);
        }
        double argument = Math.min(1, t / 8 * Math.pow(modulus / 3, -1.5));
        return 2 * modulus / 3 * (1 + Math.cos(2 * Math.PI / 3 - 2 * Math.acos(argument) / 3));
    }
}
