// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.math.ErrorFunctions;
import org.comm4j.kernel.math.GammaFunctions;
import org.comm4j.kernel.math.Powers;
import org.comm4j.kernel.math.Rounding;
import org.comm4j.kernel.math.Trigonometry;

/**
 * CUDA's mathematical functions in double precision, under their names in C. On a GPU they are libdevice's.
 * Errors are in units in the last place (ulp) and those of the CUDA C++ Programming Guide. On the CPU the bodies here
 * run, whose errors are within the same bounds, so results differ in the last bits between the two.
 *
 * <p>Those that {@link Math} has, too, are the same functions there, but for {@link #pow}, {@link #fmax}, {@link #fmin}
 * and {@link #round}.
 */
@KernelLibrary
public final class DoubleMath {
    private DoubleMath() {}

    /** Returns the arc cosine. The error is up to 2 ulp. In C it is {@code acos}. */
    @DeviceFunction(value = "__nv_acos", pure = true)
    public static double acos(double x) {
        return Math.acos(x);
    }

    /** Returns the inverse hyperbolic cosine, NaN below 1. The error is up to 3 ulp. In C it is {@code acosh}. */
    @DeviceFunction(value = "__nv_acosh", pure = true)
    public static double acosh(double x) {
        return Powers.acosh(x);
    }

    /** Returns the arc sine. The error is up to 2 ulp. In C it is {@code asin}. */
    @DeviceFunction(value = "__nv_asin", pure = true)
    public static double asin(double x) {
        return Math.asin(x);
    }

    /** Returns the inverse hyperbolic sine. The error is up to 3 ulp. In C it is {@code asinh}. */
    @DeviceFunction(value = "__nv_asinh", pure = true)
    public static double asinh(double x) {
        return Powers.asinh(x);
    }

    /** Returns the arc tangent. The error is up to 2 ulp. In C it is {@code atan}. */
    @DeviceFunction(value = "__nv_atan", pure = true)
    public static double atan(double x) {
        return Math.atan(x);
    }

    /** Returns the angle of the point (x, y). The error is up to 2 ulp. In C it is {@code atan2}. */
    @DeviceFunction(value = "__nv_atan2", pure = true)
    public static double atan2(double y, double x) {
        return Math.atan2(y, x);
    }

    /** Returns the inverse hyperbolic tangent. The error is up to 2 ulp. In C it is {@code atanh}. */
    @DeviceFunction(value = "__nv_atanh", pure = true)
    public static double atanh(double x) {
        return Powers.atanh(x);
    }

    /** Returns the cube root. The error is up to 1 ulp. In C it is {@code cbrt}. */
    @DeviceFunction(value = "__nv_cbrt", pure = true)
    public static double cbrt(double x) {
        return Math.cbrt(x);
    }

    /** Returns the least whole number that is not below x. In C it is {@code ceil}. */
    @DeviceFunction(value = "__nv_ceil", pure = true)
    public static double ceil(double x) {
        return Math.ceil(x);
    }

    /** Returns the magnitude of x with the sign of y. In C it is {@code copysign}. */
    @DeviceFunction(value = "__nv_copysign", pure = true)
    public static double copysign(double x, double y) {
        return Double.longBitsToDouble(
                Double.doubleToRawLongBits(x) & Long.MAX_VALUE | Double.doubleToRawLongBits(y) & Long.MIN_VALUE);
    }

    /** Returns the cosine. The error is up to 2 ulp. In C it is {@code cos}. */
    @DeviceFunction(value = "__nv_cos", pure = true)
    public static double cos(double x) {
        return Math.cos(x);
    }

    /** Returns the hyperbolic cosine. The error is up to 1 ulp. In C it is {@code cosh}. */
    @DeviceFunction(value = "__nv_cosh", pure = true)
    public static double cosh(double x) {
        return Math.cosh(x);
    }

    /** Returns cos(pi x). The error is up to 2 ulp. In C it is {@code cospi}. */
    @DeviceFunction(value = "__nv_cospi", pure = true)
    public static double cospi(double x) {
        return Trigonometry.cospi(x);
    }

    /** Returns the error function. The error is up to 2 ulp. In C it is {@code erf}. */
    @DeviceFunction(value = "__nv_erf", pure = true)
    public static double erf(double x) {
        return ErrorFunctions.erf(x);
    }

    /** Returns the complementary error function, 1 - erf(x). The error is up to 5 ulp. In C it is {@code erfc}. */
    @DeviceFunction(value = "__nv_erfc", pure = true)
    public static double erfc(double x) {
        return ErrorFunctions.erfc(x);
    }

    /**
     * Returns the x of which erfc is the argument, which is between 0 and 2. The error is up to 6 ulp. In C it is
     * {@code erfcinv}.
     */
    @DeviceFunction(value = "__nv_erfcinv", pure = true)
    public static double erfcinv(double x) {
        return ErrorFunctions.erfcinv(x);
    }

    /**
     * Returns the scaled complementary error function, exp(x<sup>2</sup>) erfc(x). The error is up to 4 ulp. In C it is
     * {@code erfcx}.
     */
    @DeviceFunction(value = "__nv_erfcx", pure = true)
    public static double erfcx(double x) {
        return ErrorFunctions.erfcx(x);
    }

    /**
     * Returns the x of which erf is the argument, which is between -1 and 1. The error is up to 5 ulp. In C it is
     * {@code erfinv}.
     */
    @DeviceFunction(value = "__nv_erfinv", pure = true)
    public static double erfinv(double x) {
        return ErrorFunctions.erfinv(x);
    }

    /** Returns e to the power of x. The error is up to 1 ulp. In C it is {@code exp}. */
    @DeviceFunction(value = "__nv_exp", pure = true)
    public static double exp(double x) {
        return Math.exp(x);
    }

    /** Returns 10 to the power of x. The error is up to 1 ulp. In C it is {@code exp10}. */
    @DeviceFunction(value = "__nv_exp10", pure = true)
    public static double exp10(double x) {
        return Powers.exp10(x);
    }

    /** Returns 2 to the power of x. The error is up to 1 ulp. In C it is {@code exp2}. */
    @DeviceFunction(value = "__nv_exp2", pure = true)
    public static double exp2(double x) {
        return Powers.exp2(x);
    }

    /** Returns e<sup>x</sup> - 1. The error is up to 1 ulp. In C it is {@code expm1}. */
    @DeviceFunction(value = "__nv_expm1", pure = true)
    public static double expm1(double x) {
        return Math.expm1(x);
    }

    /** Returns the magnitude. In C it is {@code fabs}. */
    @DeviceFunction(value = "__nv_fabs", pure = true)
    public static double fabs(double x) {
        return Math.abs(x);
    }

    /** Returns x - y if that is above 0, else 0. In C it is {@code fdim}. */
    @DeviceFunction(value = "__nv_fdim", pure = true)
    public static double fdim(double x, double y) {
        return x <= y ? 0 : x - y;
    }

    /** Returns the greatest whole number that is not above x. In C it is {@code floor}. */
    @DeviceFunction(value = "__nv_floor", pure = true)
    public static double floor(double x) {
        return Math.floor(x);
    }

    /** Returns x y + z, rounded once. In C it is {@code fma}. */
    @DeviceFunction(value = "__nv_fma", pure = true)
    public static double fma(double x, double y, double z) {
        return Math.fma(x, y, z);
    }

    /** Returns the larger one; if one is NaN, the other. In C it is {@code fmax}. */
    @DeviceFunction(value = "__nv_fmax", pure = true)
    public static double fmax(double x, double y) {
        return Double.isNaN(x) ? y : Double.isNaN(y) ? x : Math.max(x, y);
    }

    /** Returns the smaller one; if one is NaN, the other. In C it is {@code fmin}. */
    @DeviceFunction(value = "__nv_fmin", pure = true)
    public static double fmin(double x, double y) {
        return Double.isNaN(x) ? y : Double.isNaN(y) ? x : Math.min(x, y);
    }

    /** Returns the rest of the division of x by y, with the sign of x. In C it is {@code fmod}. */
    @DeviceFunction(value = "__nv_fmod", pure = true)
    public static double fmod(double x, double y) {
        return x % y;
    }

    /** Returns the root of x<sup>2</sup> + y<sup>2</sup>. The error is up to 2 ulp. In C it is {@code hypot}. */
    @DeviceFunction(value = "__nv_hypot", pure = true)
    public static double hypot(double x, double y) {
        return Math.hypot(x, y);
    }

    /** Returns x times 2 to the power of the exponent. In C it is {@code ldexp}. */
    @DeviceFunction(value = "__nv_ldexp", pure = true)
    public static double ldexp(double x, int exponent) {
        return Math.scalb(x, exponent);
    }

    /**
     * Returns the logarithm of the magnitude of the gamma function. The error is up to 4 ulp, but more between -23.0001
     * and -2.2637. In C it is {@code lgamma}.
     */
    @DeviceFunction(value = "__nv_lgamma", pure = true)
    public static double lgamma(double x) {
        return GammaFunctions.lgamma(x);
    }

    /** Returns the natural logarithm. The error is up to 1 ulp. In C it is {@code log}. */
    @DeviceFunction(value = "__nv_log", pure = true)
    public static double log(double x) {
        return Math.log(x);
    }

    /** Returns the logarithm to the base of 10. The error is up to 1 ulp. In C it is {@code log10}. */
    @DeviceFunction(value = "__nv_log10", pure = true)
    public static double log10(double x) {
        return Math.log10(x);
    }

    /** Returns the natural logarithm of 1 + x. The error is up to 1 ulp. In C it is {@code log1p}. */
    @DeviceFunction(value = "__nv_log1p", pure = true)
    public static double log1p(double x) {
        return Math.log1p(x);
    }

    /** Returns the logarithm to the base of 2. The error is up to 1 ulp. In C it is {@code log2}. */
    @DeviceFunction(value = "__nv_log2", pure = true)
    public static double log2(double x) {
        return Powers.log2(x);
    }

    /** Returns the nearest whole number, of two the even one. In C it is {@code nearbyint}. */
    @DeviceFunction(value = "__nv_nearbyint", pure = true)
    public static double nearbyint(double x) {
        return Math.rint(x);
    }

    /** Returns the number next to x towards y. In C it is {@code nextafter}. */
    @DeviceFunction(value = "__nv_nextafter", pure = true)
    public static double nextafter(double x, double y) {
        return y == x ? y : Math.nextAfter(x, y);
    }

    /** Returns the Euclidean norm. The error is up to 2 ulp. In C it is {@code norm3d}. */
    @DeviceFunction(value = "__nv_norm3d", pure = true)
    public static double norm3d(double a, double b, double c) {
        return Powers.norm(a, b, c);
    }

    /** Returns the Euclidean norm. The error is up to 2 ulp. In C it is {@code norm4d}. */
    @DeviceFunction(value = "__nv_norm4d", pure = true)
    public static double norm4d(double a, double b, double c, double d) {
        return Powers.norm(a, b, c, d);
    }

    /** Returns the normal distribution function. The error is up to 5 ulp. In C it is {@code normcdf}. */
    @DeviceFunction(value = "__nv_normcdf", pure = true)
    public static double normcdf(double x) {
        return ErrorFunctions.normcdf(x);
    }

    /**
     * Returns the x of which normcdf is the argument, which is between 0 and 1. The error is up to 8 ulp. In C it is
     * {@code normcdfinv}.
     */
    @DeviceFunction(value = "__nv_normcdfinv", pure = true)
    public static double normcdfinv(double x) {
        return ErrorFunctions.normcdfinv(x);
    }

    /**
     * Returns x to the power of y, as C has it: 1 to the power of NaN is 1. The error is up to 2 ulp. In C it is {@code
     * pow}.
     */
    @DeviceFunction(value = "__nv_pow", pure = true)
    public static double pow(double x, double y) {
        return Rounding.pow(x, y);
    }

    /** Returns x to the power of y. In C it is {@code powi}. */
    @DeviceFunction(value = "__nv_powi", pure = true)
    public static double powi(double x, int y) {
        return Rounding.pow(x, y);
    }

    /** Returns 1 / cbrt(x). The error is up to 1 ulp. In C it is {@code rcbrt}. */
    @DeviceFunction(value = "__nv_rcbrt", pure = true)
    public static double rcbrt(double x) {
        return Powers.rcbrt(x);
    }

    /** Returns x - n y, n the whole number next to x / y. In C it is {@code remainder}. */
    @DeviceFunction(value = "__nv_remainder", pure = true)
    public static double remainder(double x, double y) {
        return Math.IEEEremainder(x, y);
    }

    /** Returns 1 / hypot(x, y). The error is up to 1 ulp. In C it is {@code rhypot}. */
    @DeviceFunction(value = "__nv_rhypot", pure = true)
    public static double rhypot(double x, double y) {
        return Powers.rnorm(x, y);
    }

    /** Returns the nearest whole number, of two the even one. In C it is {@code rint}. */
    @DeviceFunction(value = "__nv_rint", pure = true)
    public static double rint(double x) {
        return Math.rint(x);
    }

    /** Returns 1 / norm3d(a, b, c). The error is up to 1 ulp. In C it is {@code rnorm3d}. */
    @DeviceFunction(value = "__nv_rnorm3d", pure = true)
    public static double rnorm3d(double a, double b, double c) {
        return Powers.rnorm(a, b, c);
    }

    /** Returns 1 / norm4d(a, b, c, d). The error is up to 1 ulp. In C it is {@code rnorm4d}. */
    @DeviceFunction(value = "__nv_rnorm4d", pure = true)
    public static double rnorm4d(double a, double b, double c, double d) {
        return Powers.rnorm(a, b, c, d);
    }

    /** Returns the nearest whole number, of two the one away from 0 (not the even one). In C it is {@code round}. */
    @DeviceFunction(value = "__nv_round", pure = true)
    public static double round(double x) {
        return Rounding.round(x);
    }

    /** Returns 1 / sqrt(x). The error is up to 1 ulp. In C it is {@code rsqrt}. */
    @DeviceFunction(value = "__nv_rsqrt", pure = true)
    public static double rsqrt(double x) {
        return Powers.rsqrt(x);
    }

    /** Returns x times 2 to the power of the exponent. In C it is {@code scalbn}. */
    @DeviceFunction(value = "__nv_scalbn", pure = true)
    public static double scalbn(double x, int exponent) {
        return Math.scalb(x, exponent);
    }

    /** Returns the sine. The error is up to 2 ulp. In C it is {@code sin}. */
    @DeviceFunction(value = "__nv_sin", pure = true)
    public static double sin(double x) {
        return Math.sin(x);
    }

    /** Returns the hyperbolic sine. The error is up to 2 ulp. In C it is {@code sinh}. */
    @DeviceFunction(value = "__nv_sinh", pure = true)
    public static double sinh(double x) {
        return Math.sinh(x);
    }

    /** Returns sin(pi x). The error is up to 2 ulp. In C it is {@code sinpi}. */
    @DeviceFunction(value = "__nv_sinpi", pure = true)
    public static double sinpi(double x) {
        return Trigonometry.sinpi(x);
    }

    /** Returns the square root. In C it is {@code sqrt}. */
    @DeviceFunction(value = "__nv_sqrt", pure = true)
    public static double sqrt(double x) {
        return Math.sqrt(x);
    }

    /** Returns the tangent. The error is up to 2 ulp. In C it is {@code tan}. */
    @DeviceFunction(value = "__nv_tan", pure = true)
    public static double tan(double x) {
        return Math.tan(x);
    }

    /** Returns the hyperbolic tangent. The error is up to 1 ulp. In C it is {@code tanh}. */
    @DeviceFunction(value = "__nv_tanh", pure = true)
    public static double tanh(double x) {
        return Math.tanh(x);
    }

    /** Returns the gamma function. The error is up to 10 ulp. In C it is {@code tgamma}. */
    @DeviceFunction(value = "__nv_tgamma", pure = true)
    public static double tgamma(double x) {
        return GammaFunctions.tgamma(x);
    }

    /** Returns the whole number next to x towards 0. In C it is {@code trunc}. */
    @DeviceFunction(value = "__nv_trunc", pure = true)
    public static double trunc(double x) {
        return x < 0 ? Math.ceil(x) : Math.floor(x);
    }

    /** Returns the exponent of two of the magnitude, as a number. In C it is {@code logb}. */
    @DeviceFunction(value = "__nv_logb", pure = true)
    public static double logb(double x) {
        return Rounding.logb(x);
    }

    /**
     * Returns the exponent of two of the magnitude; of 0 and NaN {@code Integer.MIN_VALUE}, of infinity {@code
     * Integer.MAX_VALUE}. In C it is {@code ilogb}.
     */
    @DeviceFunction(value = "__nv_ilogb", pure = true)
    public static int ilogb(double x) {
        return Rounding.ilogb(x);
    }

    /** Returns {@link #rint} as a long; of NaN and numbers beyond it is undefined. In C it is {@code llrint}. */
    @DeviceFunction(value = "__nv_llrint", pure = true)
    public static long llrint(double x) {
        return (long) Math.rint(x);
    }

    /** Returns {@link #round} as a long; of NaN and numbers beyond it is undefined. In C it is {@code llround}. */
    @DeviceFunction(value = "__nv_llround", pure = true)
    public static long llround(double x) {
        return (long) Rounding.round(x);
    }

    /** Returns true if the sign is minus, also of zero and NaN. In C it is {@code signbit}. */
    public static boolean signbit(double x) {
        return Double.doubleToRawLongBits(x) < 0;
    }

    /** Returns the Euclidean norm of n numbers. In C it is {@code norm}, for which CUDA states no bound. */
    @DeviceFunction(value = "__nv_norm")
    public static double norm(int n, F64Ptr numbers) {
        return Powers.norm(numbers(n, numbers));
    }

    /** Returns 1 / {@link #norm(int, F64Ptr)}. In C it is {@code rnorm}, for which CUDA states no bound. */
    @DeviceFunction(value = "__nv_rnorm")
    public static double rnorm(int n, F64Ptr numbers) {
        return Powers.rnorm(numbers(n, numbers));
    }

    private static double[] numbers(int n, F64Ptr numbers) {
        double[] all = new double[n];
        for (int i = 0; i < n; i++) {
            all[i] = numbers.get(i);
        }
        return all;
    }

    /** Sine and cosine of one angle. */
    public record SinCos(double sin, double cos) {}

    /** Number as {@code fraction * 2^exponent}; the fraction's magnitude is from 0.5 to below 1, or it is 0. */
    public record Fraction(double fraction, int exponent) {}

    /** Number as the sum of a fraction and a whole number, both with its sign. */
    public record Parts(double fraction, double whole) {}

    /** Remainder of a division, and of its quotient the sign and the low three bits. */
    public record Quotient(double remainder, int quotient) {}

    /** Returns sine and cosine, each with an error of up to 2 ulp. In C it is {@code sincos}. */
    @DeviceFunction(value = "__nv_sincos")
    public static SinCos sincos(double x) {
        return new SinCos(sin(x), cos(x));
    }

    /** Returns sin(pi x) and cos(pi x), with errors as {@link #sinpi} has. In C it is {@code sincospi}. */
    @DeviceFunction(value = "__nv_sincospi")
    public static SinCos sincospi(double x) {
        return new SinCos(sinpi(x), cospi(x));
    }

    /** Returns fraction and exponent; of infinity and NaN the exponent is 0. In C it is {@code frexp}. */
    @DeviceFunction(value = "__nv_frexp")
    public static Fraction frexp(double x) {
        int exponent = x == 0 || !Double.isFinite(x) ? 0 : Rounding.ilogb(x) + 1;
        // In two steps: 2^-exponent may be no number.
        return new Fraction(Math.scalb(Math.scalb(x, -exponent / 2), -exponent - -exponent / 2), exponent);
    }

    /** Returns the fraction and the whole number that are x. In C it is {@code modf}. */
    @DeviceFunction(value = "__nv_modf")
    public static Parts modf(double x) {
        double whole = trunc(x);
        return new Parts(copysign(Double.isInfinite(x) ? 0 : x - whole, x), whole);
    }

    /** Returns {@link #remainder} and the low bits of the quotient. In C it is {@code remquo}. */
    @DeviceFunction(value = "__nv_remquo")
    public static Quotient remquo(double x, double y) {
        return new Quotient(remainder(x, y), Rounding.quotient(x, y));
    }
}
