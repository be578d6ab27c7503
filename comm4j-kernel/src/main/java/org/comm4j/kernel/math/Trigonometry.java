// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.math;

/** Sine and cosine of multiples of pi; the multiple is reduced without error. */
public final class Trigonometry {
    private static final DoubleDouble HALF_PI = DoubleDouble.PI.times(0.5);

    private Trigonometry() {}

    /** Returns sin(pi x). */
    public static double sinpi(double x) {
        if (!(Math.abs(x) < Double.POSITIVE_INFINITY)) {
            return Double.NaN;
        }
        if (x == Math.rint(x)) {
            return Math.copySign(0, x);
        }
        double rest = Math.IEEEremainder(x, 2);
        return quarter(2 * rest, false);
    }

    /** Returns cos(pi x). */
    public static double cospi(double x) {
        if (!(Math.abs(x) < Double.POSITIVE_INFINITY)) {
            return Double.NaN;
        }
        double rest = Math.abs(Math.IEEEremainder(x, 2));
        return rest == 0.5 ? 0 : quarter(2 * rest, true);
    }

    /** Returns sine or cosine of pi/2 times a number between -2 and 2. */
    private static double quarter(double x, boolean cosine) {
        double count = Math.rint(x);
        DoubleDouble angle = HALF_PI.times(x - count);
        double sine = Math.fma(angle.lo(), Math.cos(angle.hi()), Math.sin(angle.hi()));
        double cos = Math.fma(-angle.lo(), Math.sin(angle.hi()), Math.cos(angle.hi()));
        return switch ((int) count + (cosine ? 1 : 0) & 3) {
            case 0 -> sine;
            case 1 -> cos;
            case 2 -> -sine;
            default -> -cos;
        };
    }
}
