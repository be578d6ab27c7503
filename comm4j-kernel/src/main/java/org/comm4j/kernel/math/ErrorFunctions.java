// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.math;

/**
 * Error functions and the normal distribution, in double-double arithmetic: errors are below one unit in the last place
 * but for the inverse functions, which stay below 3.
 */
public final class ErrorFunctions {
    private static final DoubleDouble TWO_OVER_ROOT_PI = new DoubleDouble(0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56);
    private static final DoubleDouble ROOT_HALF = new DoubleDouble(0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55);
    /** From here on the continued fraction converges fast, and 1 - erf has too few digits. */
    private static final double FAR = 5;
    /** From here on erfc is 0. */
    private static final double ZERO_FROM = 27.3;

    /** Below it 2 exp(x^2) is no double. */
    private static final double OVERFLOW = -26.62873571375149;

    private static final int FRACTIONS = 60;
    private static final double FAR_FRACTIONS = 1e4;
    private static final double TINY = 0x1p-1022;
    private static final int STEPS = 4;

    private ErrorFunctions() {}

    public static double erf(double x) {
        if (Double.isNaN(x)) {
            return x;
        }
        if (Math.abs(x) > FAR + 1) {
            return Math.copySign(1, x);
        }
        if (Math.abs(x) < 1e-10) {
            return TWO_OVER_ROOT_PI.times(x).value();
        }
        return near(DoubleDouble.of(x)).value();
    }

    /** Returns erf by its series of positive terms, 2/sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1)/(2n+1)!!. */
    private static DoubleDouble near(DoubleDouble x) {
        DoubleDouble square = x.times(x);
        DoubleDouble term = x;
        DoubleDouble sum = x;
        for (int n = 1; Math.abs(term.hi()) > 1e-34 * Math.abs(sum.hi()); n++) {
            term = term.times(square).times(2).over(2.0 * n + 1);
            sum = sum.plus(term);
        }
        return sum.times(square.negate().exp()).times(TWO_OVER_ROOT_PI);
    }

    /** Returns exp(x^2) erfc(x) by Laplace's continued fraction; x is {@link #FAR} or more. */
    private static DoubleDouble far(DoubleDouble x) {
        // x + (1/2)/(x + 1/(x + (3/2)/(x + ...
        DoubleDouble fraction = x;
        for (int k = x.hi() > FAR_FRACTIONS ? 3 : FRACTIONS; k > 0; k--) {
            fraction = x.plus(DoubleDouble.of(k / 2.0).over(fraction));
        }
        return TWO_OVER_ROOT_PI.over(fraction).times(0.5);
    }

    private static double erfc(DoubleDouble x) {
        if (x.hi() < FAR) {
            return x.hi() < -FAR - 1 ? 2 : DoubleDouble.ONE.minus(near(x)).value();
        }
        if (x.hi() > ZERO_FROM) {
            return 0;
        }
        DoubleDouble square = x.times(x);
        // Where the result is subnormal it is rounded once.
        int shift = 600;
        DoubleDouble large =
                square.negate().plus(DoubleDouble.LN2.times(shift)).exp().times(far(x));
        return Math.scalb(large.value(), -shift);
    }

    public static double erfc(double x) {
        return Double.isNaN(x) ? x : erfc(DoubleDouble.of(x));
    }

    /** Returns exp(x^2) erfc(x). */
    public static double erfcx(double x) {
        if (Double.isNaN(x) || x == Double.POSITIVE_INFINITY) {
            return Double.isNaN(x) ? x : 0;
        }
        if (x < OVERFLOW) {
            return Double.POSITIVE_INFINITY;
        }
        DoubleDouble argument = DoubleDouble.of(x);
        if (x > 1e150) {
            return TWO_OVER_ROOT_PI.times(0.5).over(x).value();
        }
        if (x >= FAR) {
            return far(argument).value();
        }
        DoubleDouble square = DoubleDouble.product(x, x);
        DoubleDouble complement = x < -FAR - 1 ? DoubleDouble.of(2) : DoubleDouble.ONE.minus(near(argument));
        return square.exp().times(complement).value();
    }

    /** Returns the x of which erf is y. */
    public static double erfinv(double y) {
        if (!(Math.abs(y) < 1)) {
            return Math.abs(y) == 1 ? Math.copySign(Double.POSITIVE_INFINITY, y) : Double.NaN;
        }
        if (Math.abs(y) > 0.5) {
            return Math.copySign(complement(1 - Math.abs(y)), y);
        }
        if (Math.abs(y) < 1e-8) {
            return DoubleDouble.of(y).over(TWO_OVER_ROOT_PI).value();
        }
        // Newton's step has as many digits as erf has; Winitzki's formula begins with three.
        double x = Math.copySign(guess(Math.log1p(-y * y)), y);
        for (int i = 0; i < STEPS; i++) {
            double slope = TWO_OVER_ROOT_PI.hi() * Math.exp(-x * x);
            x -= near(DoubleDouble.of(x)).plus(-y).hi() / slope;
        }
        return x;
    }

    private static double guess(double log) {
        double a = 0.147;
        double middle = 2 / (Math.PI * a) + log / 2;
        return Math.sqrt(Math.sqrt(middle * middle - log / a) - middle);
    }

    /** Returns the x of which erfc is y. */
    public static double erfcinv(double y) {
        if (!(y >= 0 && y <= 2)) {
            return Double.NaN;
        }
        if (y == 0 || y == 2) {
            return y == 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        }
        return y > 1.5 ? -complement(2 - y) : y < 0.5 ? complement(y) : erfinv(1 - y);
    }

    /** Returns the x of which erfc is y, for y up to 1/2. */
    private static double complement(double y) {
        double log = Math.log(y);
        double x = guess(Math.log(y) + Math.log(2 - y));
        for (int i = 0; i < STEPS; i++) {
            // Newton's step for the logarithm of erfc, which neither underflows nor is steep.
            double scaled = erfcx(x);
            double square = x * x;
            double rest = Math.log(scaled) - square - Math.fma(x, x, -square) - log;
            x += rest * scaled / TWO_OVER_ROOT_PI.hi();
        }
        return x;
    }

    /** Returns the normal distribution function: erfc(-x/sqrt(2))/2. */
    public static double normcdf(double x) {
        return Double.isNaN(x) ? x : x < -39 ? 0 : erfc(ROOT_HALF.times(-x)) / 2;
    }

    /** Returns the x of which {@link #normcdf} is y. */
    public static double normcdfinv(double y) {
        if (!(y >= 0 && y <= 1)) {
            return Double.NaN;
        }
        if (y == 0 || y == 1) {
            return y == 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        double root = Math.sqrt(2);
        if (y < 0.25) {
            return -root * (y < TINY ? complement(2 * y) : erfcinv(2 * y));
        }
        return root * erfinv(2 * (y - 0.5));
    }
}
