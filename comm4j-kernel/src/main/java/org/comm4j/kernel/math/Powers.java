// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.math;

/** Powers, logarithms, roots and norms that the JDK does not have, in double-double arithmetic. */
public final class Powers {
    private static final double MOST_EXPONENT = 1100;
    private static final int FAR = 700;
    private static final double SUBNORMAL = 0x1p-1022;
    private static final int HALF = 512;
    private static final int UP = 60;

    private Powers() {}

    /** Returns 2 to the power of x. */
    public static double exp2(double x) {
        return power(x, DoubleDouble.LN2);
    }

    /** Returns 10 to the power of x. */
    public static double exp10(double x) {
        return power(x, DoubleDouble.LN10);
    }

    private static double power(double x, DoubleDouble log) {
        if (!(Math.abs(x) < MOST_EXPONENT)) {
            return Double.isNaN(x) ? x : x > 0 ? Double.POSITIVE_INFINITY : 0;
        }
        if (Math.abs(x) < 1e-20) {
            return 1 + x;
        }
        DoubleDouble exponent = log.times(x);
        int shift = (int) Math.rint(exponent.hi() / DoubleDouble.LN2.hi());
        double part = exponent.minus(DoubleDouble.LN2.times(shift)).exp().value();
        return Math.scalb(part, shift);
    }

    /** Returns the logarithm to the base of 2. */
    public static double log2(double x) {
        if (!(x > 0 && x < Double.POSITIVE_INFINITY)) {
            return x == 0 ? Double.NEGATIVE_INFINITY : x > 0 ? x : Double.NaN;
        }
        DoubleDouble log = x < SUBNORMAL
                ? DoubleDouble.of(Math.scalb(x, UP)).log().minus(DoubleDouble.LN2.times(UP))
                : DoubleDouble.of(x).log();
        return log.over(DoubleDouble.LN2).value();
    }

    public static double asinh(double x) {
        double large = Math.abs(x);
        if (!(large < 1e8)) {
            return Math.copySign(Math.log(large) + DoubleDouble.LN2.hi(), x);
        }
        if (large < 1e-5) {
            return x * (1 - large * large / 6);
        }
        DoubleDouble square = DoubleDouble.product(large, large);
        return Math.copySign(square.plus(1).sqrt().plus(large).log().value(), x);
    }

    /** Returns the inverse of cosh; NaN below 1. */
    public static double acosh(double x) {
        if (!(x > 1)) {
            return x == 1 ? 0 : Double.NaN;
        }
        if (x > 1e8) {
            return Math.log(x) + DoubleDouble.LN2.hi();
        }
        DoubleDouble square = DoubleDouble.sum(x, -1).times(DoubleDouble.sum(x, 1));
        return square.sqrt().plus(x).log().value();
    }

    /** Returns the inverse of tanh; NaN beyond -1 and 1. */
    public static double atanh(double x) {
        double large = Math.abs(x);
        if (!(large < 1)) {
            return large == 1 ? Math.copySign(Double.POSITIVE_INFINITY, x) : Double.NaN;
        }
        if (large < 1e-5) {
            return x * (1 + large * large / 3);
        }
        DoubleDouble ratio = DoubleDouble.sum(1, large).over(DoubleDouble.sum(1, -large));
        return Math.copySign(ratio.log().value() / 2, x);
    }

    /** Returns 1 / sqrt(x). */
    public static double rsqrt(double x) {
        if (!(x > 0 && x < Double.POSITIVE_INFINITY)) {
            return x == 0 ? 1 / x : x > 0 ? 0 : Double.NaN;
        }
        int even = Math.getExponent(x) & ~1;
        double part = Math.scalb(x, -even);
        return Math.scalb(DoubleDouble.ONE.over(DoubleDouble.of(part).sqrt()).value(), -even / 2);
    }

    /** Returns 1 / cbrt(x). */
    public static double rcbrt(double x) {
        double root = Math.cbrt(x);
        if (root == 0 || Double.isNaN(root) || Double.isInfinite(root)) {
            return 1 / root;
        }
        // Newton's step: the root of 53 bits and what the cube of it lacks.
        DoubleDouble square = DoubleDouble.product(root, root);
        double rest = DoubleDouble.of(x).minus(square.times(root)).hi() / (3 * root * root);
        return DoubleDouble.ONE
                .over(DoubleDouble.sum(root, Double.isFinite(rest) ? rest : 0))
                .value();
    }

    /** Returns the Euclidean norm, without overflow on the way; infinity counts more than NaN. */
    public static double norm(double... x) {
        int[] exponent = new int[1];
        DoubleDouble root = norm(x, exponent);
        return Math.scalb(root.value(), exponent[0]);
    }

    /** Returns 1 / {@link #norm}. */
    public static double rnorm(double... x) {
        int[] exponent = new int[1];
        DoubleDouble root = norm(x, exponent);
        if (root.hi() == 0 || !Double.isFinite(root.hi())) {
            return 1 / root.hi();
        }
        return Math.scalb(DoubleDouble.ONE.over(root).value(), -exponent[0]);
    }

    private static DoubleDouble norm(double[] x, int[] exponent) {
        double largest = 0;
        boolean nan = false;
        for (double each : x) {
            nan |= Double.isNaN(each);
            largest = Math.max(largest, Double.isNaN(each) ? 0 : Math.abs(each));
        }
        if (largest == Double.POSITIVE_INFINITY || nan || largest == 0) {
            return DoubleDouble.of(largest == Double.POSITIVE_INFINITY ? largest : nan ? Double.NaN : 0);
        }
        int shift = Math.max(Math.getExponent(largest), -FAR - HALF);
        exponent[0] = shift;
        DoubleDouble sum = DoubleDouble.ZERO;
        for (double each : x) {
            double part = Math.scalb(Math.scalb(each, -shift / 2), -shift + shift / 2);
            sum = sum.plus(DoubleDouble.product(part, part));
        }
        return sum.sqrt();
    }
}
