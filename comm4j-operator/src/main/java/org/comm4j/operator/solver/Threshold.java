// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.PointFunction;

/** A threshold t of {@link Ista} and {@link Fista}, of the modulus: complex elements keep their argument. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
public enum Threshold {
    /** |x| − t where that is positive, else 0 (PyLops {@code soft}): of the 1-norm. */
    SOFT(Threshold::soft, Threshold::soft),
    /** |x| where it is above sqrt(2 t), else 0 (PyLops {@code hard}): of the number of elements that are not 0. */
    HARD((modulus, t, _) -> above(modulus, Math.sqrt(2 * t)), (modulus, edge, _) -> above(modulus, edge)),
    /** The threshold of Xu et al. (2012) for the sum of the roots of moduli (PyLops {@code half}). */
    HALF((modulus, t, _) -> half(modulus, t), (modulus, edge, _) -> halfAbove(modulus, edge));

    private static final double HALF_EDGE = Math.cbrt(54) / 4;

    private final PointFunction function;
    private final PointFunction ofEdge;

    Threshold(PointFunction function, PointFunction ofEdge) {
        this.function = function;
        this.ofEdge = ofEdge;
    }

    /** Returns the function with the threshold as its second argument. */
    PointFunction function() {
        return function;
    }

    /** Returns the function whose second argument is the largest modulus that becomes 0. */
    PointFunction ofEdge() {
        return ofEdge;
    }

    private static double soft(double modulus, double t, F64Ptr none) {
        return modulus > t ? modulus - t : keep(modulus);
    }

    private static double above(double modulus, double edge) {
        return modulus > edge ? modulus : keep(modulus);
    }

    /** Returns 0, or NaN for NaN. */
    private static double keep(double modulus) {
        return modulus * 0;
    }

    private static double halfAbove(double modulus, double edge) {
        return half(modulus, Math.pow(edge / HALF_EDGE, 1.5));
    }

    private static double half(double modulus, double t) {
        if (!(modulus > HALF_EDGE * Math.pow(t, 2.0 / 3))) {
            return keep(modulus);
        }
        double argument = Math.min(1, t / 8 * Math.pow(modulus / 3, -1.5));
        return 2 * modulus / 3 * (1 + Math.cos(2 * Math.PI / 3 - 2 * Math.acos(argument) / 3));
    }
}
