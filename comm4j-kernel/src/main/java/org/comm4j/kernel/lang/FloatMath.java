// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.math.ErrorFunctions;
import org.comm4j.kernel.math.GammaFunctions;
import org.comm4j.kernel.math.Powers;
import org.comm4j.kernel.math.Rounding;
import org.comm4j.kernel.math.Trigonometry;

/**
 * CUDA's mathematical functions in single precision, under their names in C without the last {@code f}. On a GPU they
 * are libdevice's. Errors are in units in the last place (ulp) and those of the CUDA C++ Programming Guide. On the CPU
 * the bodies here run, whose errors are within the same bounds, so results differ in the last bits between the two.
 *
 * <p>In a kernel {@code FloatMath.exp(x)} costs as much as {@code expf} in CUDA C++, whichever {@link Kernel.Math} the
 * kernel has; {@code (float) Math.exp(x)} is the slower function of {@code double} if it is {@link Kernel.Math#EXACT}.
 * With {@link Kernel.Math#FAST} those that have short forms, such as {@code __expf}, are these.
 */
@KernelLibrary
public final class FloatMath {
    private FloatMath() {}

    /** Returns the arc cosine. The error is up to 2 ulp. In C it is {@code acosf}. */
    @DeviceFunction(value = "__nv_acosf", pure = true)
    public static float acos(float x) {
        return (float) Math.acos(x);
    }

    /** Returns the inverse hyperbolic cosine, NaN below 1. The error is up to 4 ulp. In C it is {@code acoshf}. */
    @DeviceFunction(value = "__nv_acoshf", pure = true)
    public static float acosh(float x) {
        return (float) Powers.acosh(x);
    }

    /** Returns the arc sine. The error is up to 2 ulp. In C it is {@code asinf}. */
    @DeviceFunction(value = "__nv_asinf", pure = true)
    public static float asin(float x) {
        return (float) Math.asin(x);
    }

    /** Returns the inverse hyperbolic sine. The error is up to 3 ulp. In C it is {@code asinhf}. */
    @DeviceFunction(value = "__nv_asinhf", pure = true)
    public static float asinh(float x) {
        return (float) Powers.asinh(x);
    }

    /** Returns the arc tangent. The error is up to 2 ulp. In C it is {@code atanf}. */
    @DeviceFunction(value = "__nv_atanf", pure = true)
    public static float atan(float x) {
        return (float) Math.atan(x);
    }

    /** Returns the angle of the point (x, y). The error is up to 3 ulp. In C it is {@code atan2f}. */
    @DeviceFunction(value = "__nv_atan2f", pure = true)
    public static float atan2(float y, float x) {
        return (float) Math.atan2(y, x);
    }

    /** Returns the inverse hyperbolic tangent. The error is up to 3 ulp. In C it is {@code atanhf}. */
    @DeviceFunction(value = "__nv_atanhf", pure = true)
    public static float atanh(float x) {
        return (float) Powers.atanh(x);
    }

    /** Returns the cube root. The error is up to 1 ulp. In C it is {@code cbrtf}. */
    @DeviceFunction(value = "__nv_cbrtf", pure = true)
    public static float cbrt(float x) {
        return (float) Math.cbrt(x);
    }

    /** Returns the least whole number that is not below x. In C it is {@code ceilf}. */
    @DeviceFunction(value = "__nv_ceilf", pure = true)
    public static float ceil(float x) {
        return (float) Math.ceil(x);
    }

    /** Returns the magnitude of x with the sign of y. In C it is {@code copysignf}. */
    @DeviceFunction(value = "__nv_copysignf", pure = true)
    public static float copysign(float x, float y) {
        return Float.intBitsToFloat(
                Float.floatToRawIntBits(x) & Integer.MAX_VALUE | Float.floatToRawIntBits(y) & Integer.MIN_VALUE);
    }

    /** Returns the cosine. The error is up to 2 ulp. In C it is {@code cosf}. */
    @DeviceFunction(value = "__nv_cosf", pure = true)
    public static float cos(float x) {
        return (float) Math.cos(x);
    }

    /** Returns the hyperbolic cosine. The error is up to 2 ulp. In C it is {@code coshf}. */
    @DeviceFunction(value = "__nv_coshf", pure = true)
    public static float cosh(float x) {
        return (float) Math.cosh(x);
    }

    /** Returns cos(pi x). The error is up to 1 ulp. In C it is {@code cospif}. */
    @DeviceFunction(value = "__nv_cospif", pure = true)
    public static float cospi(float x) {
        return (float) Trigonometry.cospi(x);
    }

    /** Returns the error function. The error is up to 2 ulp. In C it is {@code erff}. */
    @DeviceFunction(value = "__nv_erff", pure = true)
    public static float erf(float x) {
        return (float) ErrorFunctions.erf(x);
    }

    /** Returns the complementary error function, 1 - erf(x). The error is up to 4 ulp. In C it is {@code erfcf}. */
    @DeviceFunction(value = "__nv_erfcf", pure = true)
    public static float erfc(float x) {
        return (float) ErrorFunctions.erfc(x);
    }

    /**
     * Returns the x of which erfc is the argument, which is between 0 and 2. The error is up to 4 ulp. In C it is
     * {@code erfcinvf}.
     */
    @DeviceFunction(value = "__nv_erfcinvf", pure = true)
    public static float erfcinv(float x) {
        return (float) ErrorFunctions.erfcinv(x);
    }

    /**
     * Returns the scaled complementary error function, exp(x<sup>2</sup>) erfc(x). The error is up to 4 ulp. In C it is
     * {@code erfcxf}.
     */
    @DeviceFunction(value = "__nv_erfcxf", pure = true)
    public static float erfcx(float x) {
        return (float) ErrorFunctions.erfcx(x);
    }

    /**
     * Returns the x of which erf is the argument, which is between -1 and 1. The error is up to 2 ulp. In C it is
     * {@code erfinvf}.
     */
    @DeviceFunction(value = "__nv_erfinvf", pure = true)
    public static float erfinv(float x) {
        return (float) ErrorFunctions.erfinv(x);
    }

    /** Returns e to the power of x. The error is up to 2 ulp. In C it is {@code expf}. */
    @DeviceFunction(value = "__nv_expf", pure = true)
    public static float exp(float x) {
        return (float) Math.exp(x);
    }

    /** Returns 10 to the power of x. The error is up to 2 ulp. In C it is {@code exp10f}. */
    @DeviceFunction(value = "__nv_exp10f", pure = true)
    public static float exp10(float x) {
        return (float) Powers.exp10(x);
    }

    /** Returns 2 to the power of x. The error is up to 2 ulp. In C it is {@code exp2f}. */
    @DeviceFunction(value = "__nv_exp2f", pure = true)
    public static float exp2(float x) {
        return (float) Powers.exp2(x);
    }

    /** Returns e<sup>x</sup> - 1. The error is up to 1 ulp. In C it is {@code expm1f}. */
    @DeviceFunction(value = "__nv_expm1f", pure = true)
    public static float expm1(float x) {
        return (float) Math.expm1(x);
    }

    /** Returns the magnitude. In C it is {@code fabsf}. */
    @DeviceFunction(value = "__nv_fabsf", pure = true)
    public static float fabs(float x) {
        return Math.abs(x);
    }

    /** Returns x - y if that is above 0, else 0. In C it is {@code fdimf}. */
    @DeviceFunction(value = "__nv_fdimf", pure = true)
    public static float fdim(float x, float y) {
        return x <= y ? 0 : x - y;
    }

    /** Returns the greatest whole number that is not above x. In C it is {@code floorf}. */
    @DeviceFunction(value = "__nv_floorf", pure = true)
    public static float floor(float x) {
        return (float) Math.floor(x);
    }

    /** Returns x y + z, rounded once. In C it is {@code fmaf}. */
    @DeviceFunction(value = "__nv_fmaf", pure = true)
    public static float fma(float x, float y, float z) {
        return Math.fma(x, y, z);
    }

    /** Returns the larger one; if one is NaN, the other. In C it is {@code fmaxf}. */
    @DeviceFunction(value = "__nv_fmaxf", pure = true)
    public static float fmax(float x, float y) {
        return Float.isNaN(x) ? y : Float.isNaN(y) ? x : Math.max(x, y);
    }

    /** Returns the smaller one; if one is NaN, the other. In C it is {@code fminf}. */
    @DeviceFunction(value = "__nv_fminf", pure = true)
    public static float fmin(float x, float y) {
        return Float.isNaN(x) ? y : Float.isNaN(y) ? x : Math.min(x, y);
    }

    /** Returns the rest of the division of x by y, with the sign of x. In C it is {@code fmodf}. */
    @DeviceFunction(value = "__nv_fmodf", pure = true)
    public static float fmod(float x, float y) {
        return x % y;
    }

    /** Returns the root of x<sup>2</sup> + y<sup>2</sup>. The error is up to 3 ulp. In C it is {@code hypotf}. */
    @DeviceFunction(value = "__nv_hypotf", pure = true)
    public static float hypot(float x, float y) {
        return (float) Math.hypot(x, y);
    }

    /** Returns x times 2 to the power of the exponent. In C it is {@code ldexpf}. */
    @DeviceFunction(value = "__nv_ldexpf", pure = true)
    public static float ldexp(float x, int exponent) {
        return Math.scalb(x, exponent);
    }

    /**
     * Returns the logarithm of the magnitude of the gamma function. The error is up to 6 ulp, but more between -10.001
     * and -2.264. In C it is {@code lgammaf}.
     */
    @DeviceFunction(value = "__nv_lgammaf", pure = true)
    public static float lgamma(float x) {
        return (float) GammaFunctions.lgamma(x);
    }

    /** Returns the natural logarithm. The error is up to 1 ulp. In C it is {@code logf}. */
    @DeviceFunction(value = "__nv_logf", pure = true)
    public static float log(float x) {
        return (float) Math.log(x);
    }

    /** Returns the logarithm to the base of 10. The error is up to 2 ulp. In C it is {@code log10f}. */
    @DeviceFunction(value = "__nv_log10f", pure = true)
    public static float log10(float x) {
        return (float) Math.log10(x);
    }

    /** Returns the natural logarithm of 1 + x. The error is up to 1 ulp. In C it is {@code log1pf}. */
    @DeviceFunction(value = "__nv_log1pf", pure = true)
    public static float log1p(float x) {
        return (float) Math.log1p(x);
    }

    /** Returns the logarithm to the base of 2. The error is up to 1 ulp. In C it is {@code log2f}. */
    @DeviceFunction(value = "__nv_log2f", pure = true)
    public static float log2(float x) {
        return (float) Powers.log2(x);
    }

    /** Returns the nearest whole number, of two the even one. In C it is {@code nearbyintf}. */
    @DeviceFunction(value = "__nv_nearbyintf", pure = true)
    public static float nearbyint(float x) {
        return (float) Math.rint(x);
    }

    /** Returns the number next to x towards y. In C it is {@code nextafterf}. */
    @DeviceFunction(value = "__nv_nextafterf", pure = true)
    public static float nextafter(float x, float y) {
        return y == x ? y : Math.nextAfter(x, y);
    }

    /** Returns the Euclidean norm. The error is up to 3 ulp. In C it is {@code norm3df}. */
    @DeviceFunction(value = "__nv_norm3df", pure = true)
    public static float norm3d(float a, float b, float c) {
        return (float) Powers.norm(a, b, c);
    }

    /** Returns the Euclidean norm. The error is up to 3 ulp. In C it is {@code norm4df}. */
    @DeviceFunction(value = "__nv_norm4df", pure = true)
    public static float norm4d(float a, float b, float c, float d) {
        return (float) Powers.norm(a, b, c, d);
    }

    /** Returns the normal distribution function. The error is up to 5 ulp. In C it is {@code normcdff}. */
    @DeviceFunction(value = "__nv_normcdff", pure = true)
    public static float normcdf(float x) {
        return (float) ErrorFunctions.normcdf(x);
    }

    /**
     * Returns the x of which normcdf is the argument, which is between 0 and 1. The error is up to 5 ulp. In C it is
     * {@code normcdfinvf}.
     */
    @DeviceFunction(value = "__nv_normcdfinvf", pure = true)
    public static float normcdfinv(float x) {
        return (float) ErrorFunctions.normcdfinv(x);
    }

    /**
     * Returns x to the power of y, as C has it: 1 to the power of NaN is 1. The error is up to 4 ulp. In C it is {@code
     * powf}.
     */
    @DeviceFunction(value = "__nv_powf", pure = true)
    public static float pow(float x, float y) {
        return (float) Rounding.pow(x, y);
    }

    /** Returns x to the power of y. In C it is {@code powif}. */
    @DeviceFunction(value = "__nv_powif", pure = true)
    public static float powi(float x, int y) {
        return (float) Rounding.pow(x, y);
    }

    /** Returns 1 / cbrt(x). The error is up to 1 ulp. In C it is {@code rcbrtf}. */
    @DeviceFunction(value = "__nv_rcbrtf", pure = true)
    public static float rcbrt(float x) {
        return (float) Powers.rcbrt(x);
    }

    /** Returns x - n y, n the whole number next to x / y. In C it is {@code remainderf}. */
    @DeviceFunction(value = "__nv_remainderf", pure = true)
    public static float remainder(float x, float y) {
        return (float) Math.IEEEremainder(x, y);
    }

    /** Returns 1 / hypot(x, y). The error is up to 2 ulp. In C it is {@code rhypotf}. */
    @DeviceFunction(value = "__nv_rhypotf", pure = true)
    public static float rhypot(float x, float y) {
        return (float) Powers.rnorm(x, y);
    }

    /** Returns the nearest whole number, of two the even one. In C it is {@code rintf}. */
    @DeviceFunction(value = "__nv_rintf", pure = true)
    public static float rint(float x) {
        return (float) Math.rint(x);
    }

    /** Returns 1 / norm3d(a, b, c). The error is up to 2 ulp. In C it is {@code rnorm3df}. */
    @DeviceFunction(value = "__nv_rnorm3df", pure = true)
    public static float rnorm3d(float a, float b, float c) {
        return (float) Powers.rnorm(a, b, c);
    }

    /** Returns 1 / norm4d(a, b, c, d). The error is up to 2 ulp. In C it is {@code rnorm4df}. */
    @DeviceFunction(value = "__nv_rnorm4df", pure = true)
    public static float rnorm4d(float a, float b, float c, float d) {
        return (float) Powers.rnorm(a, b, c, d);
    }

    /** Returns the nearest whole number, of two the one away from 0 (not the even one). In C it is {@code roundf}. */
    @DeviceFunction(value = "__nv_roundf", pure = true)
    public static float round(float x) {
        return (float) Rounding.round(x);
    }

    /** Returns 1 / sqrt(x). The error is up to 2 ulp. In C it is {@code rsqrtf}. */
    @DeviceFunction(value = "__nv_rsqrtf", pure = true)
    public static float rsqrt(float x) {
        return (float) Powers.rsqrt(x);
    }

    /** Returns x times 2 to the power of the exponent. In C it is {@code scalbnf}. */
    @DeviceFunction(value = "__nv_scalbnf", pure = true)
    public static float scalbn(float x, int exponent) {
        return Math.scalb(x, exponent);
    }

    /** Returns the sine. The error is up to 2 ulp. In C it is {@code sinf}. */
    @DeviceFunction(value = "__nv_sinf", pure = true)
    public static float sin(float x) {
        return (float) Math.sin(x);
    }

    /** Returns the hyperbolic sine. The error is up to 3 ulp. In C it is {@code sinhf}. */
    @DeviceFunction(value = "__nv_sinhf", pure = true)
    public static float sinh(float x) {
        return (float) Math.sinh(x);
    }

    /** Returns sin(pi x). The error is up to 1 ulp. In C it is {@code sinpif}. */
    @DeviceFunction(value = "__nv_sinpif", pure = true)
    public static float sinpi(float x) {
        return (float) Trigonometry.sinpi(x);
    }

    /** Returns the square root. In C it is {@code sqrtf}. */
    @DeviceFunction(value = "__nv_sqrtf", pure = true)
    public static float sqrt(float x) {
        return (float) Math.sqrt(x);
    }

    /** Returns the tangent. The error is up to 4 ulp. In C it is {@code tanf}. */
    @DeviceFunction(value = "__nv_tanf", pure = true)
    public static float tan(float x) {
        return (float) Math.tan(x);
    }

    /** Returns the hyperbolic tangent. The error is up to 2 ulp. In C it is {@code tanhf}. */
    @DeviceFunction(value = "__nv_tanhf", pure = true)
    public static float tanh(float x) {
        return (float) Math.tanh(x);
    }

    /** Returns the gamma function. The error is up to 5 ulp. In C it is {@code tgammaf}. */
    @DeviceFunction(value = "__nv_tgammaf", pure = true)
    public static float tgamma(float x) {
        return (float) GammaFunctions.tgamma(x);
    }

    /** Returns the whole number next to x towards 0. In C it is {@code truncf}. */
    @DeviceFunction(value = "__nv_truncf", pure = true)
    public static float trunc(float x) {
        return (float) (x < 0 ? Math.ceil(x) : Math.floor(x));
    }

    /** Returns the exponent of two of the magnitude, as a number. In C it is {@code logbf}. */
    @DeviceFunction(value = "__nv_logbf", pure = true)
    public static float logb(float x) {
        return (float) Rounding.logb(x);
    }

    /**
     * Returns the exponent of two of the magnitude; of 0 and NaN {@code Integer.MIN_VALUE}, of infinity {@code
     * Integer.MAX_VALUE}. In C it is {@code ilogbf}.
     */
    @DeviceFunction(value = "__nv_ilogbf", pure = true)
    public static int ilogb(float x) {
        return Rounding.ilogb(x);
    }

    /** Returns {@link #rint} as a long; of NaN and numbers beyond it is undefined. In C it is {@code llrintf}. */
    @DeviceFunction(value = "__nv_llrintf", pure = true)
    public static long llrint(float x) {
        return (long) Math.rint(x);
    }

    /** Returns {@link #round} as a long; of NaN and numbers beyond it is undefined. In C it is {@code llroundf}. */
    @DeviceFunction(value = "__nv_llroundf", pure = true)
    public static long llround(float x) {
        return (long) Rounding.round(x);
    }

    /** Returns true if the sign is minus, also of zero and NaN. In C it is {@code signbit}. */
    public static boolean signbit(float x) {
        return Float.floatToRawIntBits(x) < 0;
    }

    /** Returns the Euclidean norm of n numbers. In C it is {@code normf}, for which CUDA states no bound. */
    @DeviceFunction(value = "__nv_normf")
    public static float norm(int n, F32Ptr numbers) {
        return (float) Powers.norm(numbers(n, numbers));
    }

    /** Returns 1 / {@link #norm(int, F32Ptr)}. In C it is {@code rnormf}, for which CUDA states no bound. */
    @DeviceFunction(value = "__nv_rnormf")
    public static float rnorm(int n, F32Ptr numbers) {
        return (float) Powers.rnorm(numbers(n, numbers));
    }

    private static double[] numbers(int n, F32Ptr numbers) {
        double[] all = new double[n];
        for (int i = 0; i < n; i++) {
            all[i] = numbers.get(i);
        }
        return all;
    }

    /** Sine and cosine of one angle. */
    public record SinCos(float sin, float cos) {}

    /** Number as {@code fraction * 2^exponent}; the fraction's magnitude is from 0.5 to below 1, or it is 0. */
    public record Fraction(float fraction, int exponent) {}

    /** Number as the sum of a fraction and a whole number, both with its sign. */
    public record Parts(float fraction, float whole) {}

    /** Remainder of a division, and of its quotient the sign and the low three bits. */
    public record Quotient(float remainder, int quotient) {}

    /** Returns sine and cosine, each with an error of up to 2 ulp. In C it is {@code sincosf}. */
    @DeviceFunction(value = "__nv_sincosf")
    public static SinCos sincos(float x) {
        return new SinCos(sin(x), cos(x));
    }

    /** Returns sin(pi x) and cos(pi x), with errors as {@link #sinpi} has. In C it is {@code sincospif}. */
    @DeviceFunction(value = "__nv_sincospif")
    public static SinCos sincospi(float x) {
        return new SinCos(sinpi(x), cospi(x));
    }

    /** Returns fraction and exponent; of infinity and NaN the exponent is 0. In C it is {@code frexpf}. */
    @DeviceFunction(value = "__nv_frexpf")
    public static Fraction frexp(float x) {
        int exponent = x == 0 || !Float.isFinite(x) ? 0 : Rounding.ilogb(x) + 1;
        // In two steps: 2^-exponent may be no number.
        return new Fraction(Math.scalb(Math.scalb(x, -exponent / 2), -exponent - -exponent / 2), exponent);
    }

    /** Returns the fraction and the whole number that are x. In C it is {@code modff}. */
    @DeviceFunction(value = "__nv_modff")
    public static Parts modf(float x) {
        float whole = trunc(x);
        return new Parts(copysign(Float.isInfinite(x) ? 0 : x - whole, x), whole);
    }

    /** Returns {@link #remainder} and the low bits of the quotient. In C it is {@code remquof}. */
    @DeviceFunction(value = "__nv_remquof")
    public static Quotient remquo(float x, float y) {
        return new Quotient(remainder(x, y), Rounding.quotient(x, y));
    }
}
