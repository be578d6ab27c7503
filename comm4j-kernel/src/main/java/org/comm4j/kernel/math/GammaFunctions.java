// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.math;

/**
 * Gamma function and its logarithm, in double-double arithmetic: Stirling's series after a shift by the recurrence.
 * Errors are below one unit in the last place, but near zeros of the logarithm at negative arguments.
 */
public final class GammaFunctions {
    private static final DoubleDouble HALF_LOG_2_PI = new DoubleDouble(0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55);
    private static final DoubleDouble EULER = new DoubleDouble(0x1.2788cfc6fb619p-1, -0x1.6cb90701fbfabp-58);
    /** Riemann's zeta function of 2, 3 and 4. */
    private static final double[] ZETA = {0x1.a51a6625307d3p+0, 0x1.33ba004f00621p+0, 0x1.151322ac7d848p+0};
    /** Numerators and denominators of B(2k) / (2k (2k - 1)). */
    private static final double[][] STIRLING = {
        {1, 12},
        {-1, 360},
        {1, 1260},
        {-1, 1680},
        {1, 1188},
        {-691, 360360},
        {1, 156},
        {-3617, 122400},
        {43867, 244188},
        {-174611, 125400},
        {77683, 5796},
        {-236364091, 1506960}
    };
    /** From here on Stirling's series has all digits. */
    private static final double LARGE = 20;

    private static final double OVERFLOW = 171.625;
    private static final double UNDERFLOW = -185;
    private static final double NEAR = 1e-7;
    private static final double EVEN = 0x1p53;

    private GammaFunctions() {}

    /** Returns the logarithm of the gamma function of a number that is {@link #LARGE} or more. */
    private static DoubleDouble stirling(DoubleDouble x) {
        DoubleDouble inverse = DoubleDouble.ONE.over(x);
        DoubleDouble square = inverse.times(inverse);
        DoubleDouble sum = DoubleDouble.ZERO;
        for (int k = STIRLING.length - 1; k >= 0; k--) {
            sum = sum.times(square).plus(DoubleDouble.of(STIRLING[k][0]).over(STIRLING[k][1]));
        }
        return x.plus(-0.5).times(x.log()).minus(x).plus(HALF_LOG_2_PI).plus(sum.times(inverse));
    }

    /** Returns x (x + 1) (x + 2) ... until a factor is {@link #LARGE} or more, which is not among them. */
    private static DoubleDouble rising(double x, double[] end) {
        DoubleDouble product = DoubleDouble.ONE;
        DoubleDouble factor = DoubleDouble.of(x);
        int exponent = 0;
        while (factor.hi() < LARGE) {
            product = product.times(factor);
            int large = Math.getExponent(product.hi());
            product = product.scale(-large);
            exponent += large;
            factor = factor.plus(1);
        }
        end[0] = factor.hi();
        end[1] = factor.lo();
        end[2] = exponent;
        return product;
    }

    public static double tgamma(double x) {
        if (Double.isNaN(x) || x == Double.POSITIVE_INFINITY) {
            return x;
        }
        if (x == 0) {
            return 1 / x;
        }
        if (x == Math.rint(x) && x < 0) {
            return Double.NaN;
        }
        if (x > OVERFLOW) {
            return Double.POSITIVE_INFINITY;
        }
        if (x < UNDERFLOW) {
            return Math.floor(x) % 2 == 0 ? 0.0 : -0.0;
        }
        if (Math.abs(x) < 1e-200) {
            return 1 / x;
        }
        double[] end = new double[3];
        DoubleDouble product = rising(x, end);
        DoubleDouble log = stirling(new DoubleDouble(end[0], end[1]));
        // Scaled, so that only the last step rounds, overflows or becomes subnormal.
        int shift = (int) Math.rint(log.hi() / DoubleDouble.LN2.hi());
        double part =
                log.minus(DoubleDouble.LN2.times(shift)).exp().over(product).value();
        int exponent = shift - (int) end[2];
        return Math.scalb(Math.scalb(part, exponent / 2), exponent - exponent / 2);
    }

    /** Returns the logarithm of the magnitude of the gamma function. */
    public static double lgamma(double x) {
        if (Double.isNaN(x) || Double.isInfinite(x)) {
            return Double.isNaN(x) ? x : Double.POSITIVE_INFINITY;
        }
        if (x <= 0 && x == Math.rint(x)) {
            return Double.POSITIVE_INFINITY;
        }
        double above = x - 1;
        if (Math.abs(above) < NEAR) {
            return EULER.negate().times(above).value()
                    + above * above * (ZETA[0] / 2 - above * (ZETA[1] / 3 - above * ZETA[2] / 4));
        }
        above = x - 2;
        if (Math.abs(above) < NEAR) {
            return DoubleDouble.ONE.minus(EULER).times(above).value()
                    + above * above * ((ZETA[0] - 1) / 2 - above * ((ZETA[1] - 1) / 3 - above * (ZETA[2] - 1) / 4));
        }
        if (Math.abs(x) < 1e-200) {
            return -Math.log(Math.abs(x));
        }
        if (x < UNDERFLOW) {
            // |gamma(x) gamma(-x)| = pi / |x sin(pi x)|
            double sine = Math.abs(Trigonometry.sinpi(x));
            return x < -EVEN
                    ? Double.POSITIVE_INFINITY
                    : -stirling(DoubleDouble.of(-x)).value() + Math.log(Math.PI / (-x * sine));
        }
        if (x > 1e300) {
            double log = Math.log(x) - 1;
            return x > Double.MAX_VALUE / log ? Double.POSITIVE_INFINITY : x * log;
        }
        double[] end = new double[3];
        DoubleDouble product = rising(x, end);
        DoubleDouble log = (product.hi() < 0 ? product.negate() : product).log().plus(DoubleDouble.LN2.times(end[2]));
        return stirling(new DoubleDouble(end[0], end[1])).minus(log).value();
    }
}
