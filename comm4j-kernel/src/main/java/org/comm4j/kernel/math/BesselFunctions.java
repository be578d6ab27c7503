// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.math;

/**
 * Bessel functions of integer order: power series in double-double arithmetic for small arguments, Hankel's asymptotic
 * expansions (Abramowitz and Stegun, 9.2 and 9.7) for large ones, recurrences for orders from 2 on.
 */
public final class BesselFunctions {
    private static final DoubleDouble EULER = new DoubleDouble(0x1.2788cfc6fb619p-1, -0x1.6cb90701fbfabp-58);
    private static final DoubleDouble TWO_OVER_PI = new DoubleDouble(0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55);
    /** From here on the asymptotic expansions have all digits of a double. */
    private static final double LARGE = 25;

    private static final double LARGE_MODIFIED = 50;
    private static final double MODIFIED_OVERFLOW = 720;
    private static final double SMALLEST_TERM = 1e-36;
    private static final int MOST_TERMS = 60;
    private static final double BIG = 0x1p500;

    private BesselFunctions() {}

    /** Returns the series sum of sign^k (x/2)^(2k+n) / (k! (k+n)!), n is 0 or 1. */
    private static DoubleDouble series(int n, double x, int sign) {
        DoubleDouble quarter = DoubleDouble.product(x, x).times(0.25 * sign);
        DoubleDouble term = n == 0 ? DoubleDouble.ONE : DoubleDouble.of(x / 2);
        DoubleDouble sum = term;
        for (int k = 1; term.hi() != 0 && (k < x || Math.abs(term.hi()) > SMALLEST_TERM * Math.abs(sum.hi())); k++) {
            term = term.times(quarter).over((double) k * (k + n));
            sum = sum.plus(term);
        }
        return sum;
    }

    /** Returns J of order 0 or 1 (or Y, if {@code second}) of an argument from {@link #LARGE} on. */
    private static double asymptotic(int n, double x, boolean second) {
        double even = 1;
        double odd = 0;
        double term = 1;
        double last = Double.MAX_VALUE;
        for (int k = 1; k < MOST_TERMS; k++) {
            double twice = 2.0 * k - 1;
            term *= (4.0 * n * n - twice * twice) / (8.0 * k * x);
            if (Math.abs(term) >= last || Math.abs(term) < SMALLEST_TERM) {
                break;
            }
            last = Math.abs(term);
            double signed = (k & 2) == 0 ? term : -term;
            if ((k & 1) == 0) {
                even += signed;
            } else {
                odd += signed;
            }
        }
        double sine = Math.sin(x);
        double cosine = Math.cos(x);
        // Cosine and sine of x - pi/4 (order 0) or x - 3 pi/4 (order 1), times the root of 2.
        double cos = n == 0 ? sine + cosine : sine - cosine;
        double sin = n == 0 ? sine - cosine : -sine - cosine;
        double scale = 1 / (Math.sqrt(Math.PI) * Math.sqrt(x));
        return scale * (second ? even * sin + odd * cos : even * cos - odd * sin);
    }

    public static double j0(double x) {
        double large = Math.abs(x);
        if (!(large < Double.POSITIVE_INFINITY)) {
            return Double.isNaN(x) ? x : 0;
        }
        return large < LARGE ? series(0, large, -1).value() : asymptotic(0, large, false);
    }

    public static double j1(double x) {
        double large = Math.abs(x);
        if (!(large < Double.POSITIVE_INFINITY)) {
            return Double.isNaN(x) ? x : Math.copySign(0, x);
        }
        double value = large < LARGE ? series(1, large, -1).value() : asymptotic(1, large, false);
        return x < 0 ? -value : value;
    }

    public static double y0(double x) {
        if (!(x > 0)) {
            return x == 0 ? Double.NEGATIVE_INFINITY : Double.NaN;
        }
        if (x == Double.POSITIVE_INFINITY) {
            return 0;
        }
        return x < LARGE ? second(0, x).value() : asymptotic(0, x, true);
    }

    public static double y1(double x) {
        if (!(x > 0)) {
            return x == 0 ? Double.NEGATIVE_INFINITY : Double.NaN;
        }
        if (x == Double.POSITIVE_INFINITY) {
            return 0;
        }
        if (x < 1e-300) {
            return TWO_OVER_PI.negate().over(x).value();
        }
        return x < LARGE ? second(1, x).value() : asymptotic(1, x, true);
    }

    /** Returns Y of order 0 or 1 by its series (Abramowitz and Stegun 9.1.11 and 9.1.13). */
    private static DoubleDouble second(int n, double x) {
        DoubleDouble half = DoubleDouble.of(x < 1e-300 ? Double.MIN_NORMAL * 4 : x / 2);
        DoubleDouble log = half.log();
        if (x < 1e-300) {
            log = DoubleDouble.of(Math.log(x) - DoubleDouble.LN2.hi());
        }
        DoubleDouble quarter = DoubleDouble.product(x, x).times(-0.25);
        DoubleDouble term = n == 0 ? DoubleDouble.ONE : DoubleDouble.of(x / 2);
        // The digamma function of k + 1 and of k + n + 1, without Euler's constant.
        DoubleDouble first = DoubleDouble.ZERO;
        DoubleDouble other = DoubleDouble.of(n);
        DoubleDouble sum = term.times(first.plus(other));
        for (int k = 1; term.hi() != 0 && (k < x || Math.abs(term.hi()) > SMALLEST_TERM); k++) {
            term = term.times(quarter).over((double) k * (k + n));
            first = first.plus(DoubleDouble.ONE.over(k));
            other = other.plus(DoubleDouble.ONE.over(k + n));
            sum = sum.plus(term.times(first.plus(other)));
        }
        DoubleDouble result = log.plus(EULER).times(2).times(series(n, x, -1)).minus(sum);
        if (n == 1) {
            result = result.minus(DoubleDouble.of(2).over(x));
        }
        return result.times(TWO_OVER_PI).times(0.5);
    }

    /** Returns J of order n; of a negative order NaN, as CUDA does. */
    public static double jn(int n, double x) {
        if (n < 0 || Double.isNaN(x)) {
            return Double.NaN;
        }
        if (n < 2) {
            return n == 0 ? j0(x) : j1(x);
        }
        double large = Math.abs(x);
        if (large == 0 || large == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double value = large > n ? forward(n, large, j0(large), j1(large)) : backward(n, large);
        return x < 0 && (n & 1) != 0 ? -value : value;
    }

    private static double forward(int n, double x, double first, double second) {
        double before = first;
        double now = second;
        for (int k = 1; k < n && !Double.isInfinite(now); k++) {
            double next = 2.0 * k / x * now - before;
            before = now;
            now = next;
        }
        return now;
    }

    /**
     * Returns J by Miller's recurrence, from an order where it is nearly 0 down, scaled by the sum that has to be 1.
     */
    private static double backward(int n, double x) {
        int start = 2 * ((n + 30 + (int) Math.sqrt(60.0 * n)) / 2);
        double above = 0;
        double now = 1e-300;
        double sum = 0;
        double result = 0;
        for (int k = start; k > 0; k--) {
            double below = 2.0 * k / x * now - above;
            above = now;
            now = below;
            if (Math.abs(now) > BIG) {
                now /= BIG;
                above /= BIG;
                sum /= BIG;
                result /= BIG;
            }
            if (k - 1 == n) {
                result = now;
            }
            if ((k & 1) != 0) {
                sum += k == 1 ? now : 2 * now;
            }
        }
        return result / sum;
    }

    /** Returns Y of order n; of a negative order NaN, as CUDA does. */
    public static double yn(int n, double x) {
        if (n < 0 || Double.isNaN(x) || x < 0) {
            return Double.NaN;
        }
        if (n < 2) {
            return n == 0 ? y0(x) : y1(x);
        }
        if (x == 0) {
            return Double.NEGATIVE_INFINITY;
        }
        return x == Double.POSITIVE_INFINITY ? 0 : forward(n, x, y0(x), y1(x));
    }

    /** Returns the modified function I of order 0. */
    public static double i0(double x) {
        return modified(0, Math.abs(x));
    }

    /** Returns the modified function I of order 1. */
    public static double i1(double x) {
        double value = modified(1, Math.abs(x));
        return x < 0 ? -value : value;
    }

    private static double modified(int n, double x) {
        if (Double.isNaN(x) || x > MODIFIED_OVERFLOW) {
            return Double.isNaN(x) ? x : Double.POSITIVE_INFINITY;
        }
        if (x < LARGE_MODIFIED) {
            return series(n, x, 1).value();
        }
        DoubleDouble term = DoubleDouble.ONE;
        DoubleDouble sum = term;
        for (int k = 1; k < MOST_TERMS && Math.abs(term.hi()) > SMALLEST_TERM; k++) {
            double twice = 2.0 * k - 1;
            term = term.times(twice * twice - 4.0 * n * n).over(8.0 * k * x);
            sum = sum.plus(term);
        }
        // The factors are halves of the exponent, since the whole of it overflows before the result does.
        DoubleDouble half = DoubleDouble.of(x / 2).exp();
        DoubleDouble root = DoubleDouble.PI.times(2 * x).sqrt();
        return half.times(sum).over(root).value() * half.value();
    }
}
