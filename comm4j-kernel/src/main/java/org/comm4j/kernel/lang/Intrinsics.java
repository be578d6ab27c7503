// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.math.Powers;

/**
 * CUDA's intrinsic functions under their names: short forms of mathematical functions, whose errors are those of the
 * CUDA C++ Programming Guide, and operations on bits. On the CPU the short forms are as exact as the long ones. {@link
 * RoundingIntrinsics} has the arithmetic with a rounding in its name.
 */
@KernelLibrary
@SuppressWarnings("MemberName") // CUDA's names
public final class Intrinsics {
    private Intrinsics() {}

    /** Returns cos(x); the absolute error is up to 2^-21.19 between -pi and pi, and more beyond. */
    @DeviceFunction(value = "__nv_fast_cosf", pure = true)
    public static float __cosf(float x) {
        return (float) Math.cos(x);
    }

    /** Returns sin(x); the absolute error is up to 2^-21.41 between -pi and pi, and more beyond. */
    @DeviceFunction(value = "__nv_fast_sinf", pure = true)
    public static float __sinf(float x) {
        return (float) Math.sin(x);
    }

    /** Returns __sinf(x) / __cosf(x). */
    @DeviceFunction(value = "__nv_fast_tanf", pure = true)
    public static float __tanf(float x) {
        return (float) Math.tan(x);
    }

    /** Returns tanh(x); the relative error is up to 2^-11. It needs libdevice of CUDA 12.8 or later. */
    @DeviceFunction(value = "__nv_fast_tanhf", pure = true)
    public static float __tanhf(float x) {
        return (float) Math.tanh(x);
    }

    /** Returns e to the power of x; the error is up to 2 + floor(abs(1.173 x)) ulp. */
    @DeviceFunction(value = "__nv_fast_expf", pure = true)
    public static float __expf(float x) {
        return (float) Math.exp(x);
    }

    /** Returns 10 to the power of x; the error is up to 2 + floor(abs(2.97 x)) ulp. */
    @DeviceFunction(value = "__nv_fast_exp10f", pure = true)
    public static float __exp10f(float x) {
        return (float) Powers.exp10(x);
    }

    /** Returns the natural logarithm; the absolute error is up to 2^-21.41 from 0.5 to 2, else 3 ulp. */
    @DeviceFunction(value = "__nv_fast_logf", pure = true)
    public static float __logf(float x) {
        return (float) Math.log(x);
    }

    /** Returns the logarithm to the base of 2; the absolute error is up to 2^-22 from 0.5 to 2, else 2 ulp. */
    @DeviceFunction(value = "__nv_fast_log2f", pure = true)
    public static float __log2f(float x) {
        return (float) Powers.log2(x);
    }

    /** Returns the logarithm to the base of 10; the absolute error is up to 2^-24 from 0.5 to 2, else 3 ulp. */
    @DeviceFunction(value = "__nv_fast_log10f", pure = true)
    public static float __log10f(float x) {
        return (float) Math.log10(x);
    }

    /** Returns exp2(y __log2f(x)), with the error that this has. */
    @DeviceFunction(value = "__nv_fast_powf", pure = true)
    public static float __powf(float x, float y) {
        return (float) Math.pow(x, y);
    }

    /** Returns x / y with an error of up to 2 ulp; if y is above 2^126 it is 0, or NaN for an infinite x. */
    @DeviceFunction(value = "__nv_fast_fdividef", pure = true)
    public static float __fdividef(float x, float y) {
        if (Math.abs(y) > 0x1p126f && Math.abs(y) < Float.POSITIVE_INFINITY) {
            return x / Float.POSITIVE_INFINITY;
        }
        return x / y;
    }

    /** Returns x brought between 0 and 1; of NaN it is 0. */
    @DeviceFunction(value = "__nv_saturatef", pure = true)
    public static float __saturatef(float x) {
        return x > 0 ? Math.min(x, 1) : 0;
    }

    /** Returns 1 / sqrt(x), rounded to the nearest. */
    @DeviceFunction(value = "__nv_frsqrt_rn", pure = true)
    public static float __frsqrt_rn(float x) {
        return (float) Powers.rsqrt(x);
    }

    /** Returns __sinf(x) and __cosf(x). */
    @DeviceFunction("__nv_fast_sincosf")
    public static FloatMath.SinCos __sincosf(float x) {
        return new FloatMath.SinCos(__sinf(x), __cosf(x));
    }

    /** Returns the bits in reverse order. */
    @DeviceFunction(value = "__nv_brev", pure = true)
    public static int __brev(int x) {
        return Integer.reverse(x);
    }

    /** Returns the bits in reverse order. */
    @DeviceFunction(value = "__nv_brevll", pure = true)
    public static long __brevll(long x) {
        return Long.reverse(x);
    }

    /** Returns four of the bytes of y and x, each by three bits in a selector of four bits. */
    @DeviceFunction(value = "__nv_byte_perm", pure = true)
    public static int __byte_perm(int x, int y, int selector) {
        long bytes = (long) y << Integer.SIZE | x & 0xffffffffL;
        int result = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            int chosen = selector >>> 4 * i & 7;
            result |= (int) (bytes >>> Byte.SIZE * chosen & 0xff) << Byte.SIZE * i;
        }
        return result;
    }

    /** Returns the number of leading zeros, 32 of 0. */
    @DeviceFunction(value = "__nv_clz", pure = true)
    public static int __clz(int x) {
        return Integer.numberOfLeadingZeros(x);
    }

    /** Returns the number of leading zeros, 64 of 0. */
    @DeviceFunction(value = "__nv_clzll", pure = true)
    public static int __clzll(long x) {
        return Long.numberOfLeadingZeros(x);
    }

    /** Returns the number of the lowest bit that is set, counted from 1; of 0 it is 0. */
    @DeviceFunction(value = "__nv_ffs", pure = true)
    public static int __ffs(int x) {
        return x == 0 ? 0 : Integer.numberOfTrailingZeros(x) + 1;
    }

    /** Returns the number of the lowest bit that is set, counted from 1; of 0 it is 0. */
    @DeviceFunction(value = "__nv_ffsll", pure = true)
    public static int __ffsll(long x) {
        return x == 0 ? 0 : Long.numberOfTrailingZeros(x) + 1;
    }

    /** Returns the number of bits that are set. */
    @DeviceFunction(value = "__nv_popc", pure = true)
    public static int __popc(int x) {
        return Integer.bitCount(x);
    }

    /** Returns the number of bits that are set. */
    @DeviceFunction(value = "__nv_popcll", pure = true)
    public static int __popcll(long x) {
        return Long.bitCount(x);
    }

    /** Returns (x + y) / 2 rounded down, without overflow. */
    @DeviceFunction(value = "__nv_hadd", pure = true)
    public static int __hadd(int x, int y) {
        return (int) ((long) x + y >> 1);
    }

    /** Returns (x + y) / 2 rounded up, without overflow. */
    @DeviceFunction(value = "__nv_rhadd", pure = true)
    public static int __rhadd(int x, int y) {
        return (int) ((long) x + y + 1 >> 1);
    }

    /** Returns (x + y) / 2 of unsigned numbers, rounded down, without overflow. */
    @DeviceFunction(value = "__nv_uhadd", pure = true)
    public static int __uhadd(int x, int y) {
        return (int) (Integer.toUnsignedLong(x) + Integer.toUnsignedLong(y) >> 1);
    }

    /** Returns (x + y) / 2 of unsigned numbers, rounded up, without overflow. */
    @DeviceFunction(value = "__nv_urhadd", pure = true)
    public static int __urhadd(int x, int y) {
        return (int) (Integer.toUnsignedLong(x) + Integer.toUnsignedLong(y) + 1 >> 1);
    }

    /** Returns the product of the low 24 bits as signed numbers, of which the low 32 bits. */
    @DeviceFunction(value = "__nv_mul24", pure = true)
    public static int __mul24(int x, int y) {
        return (x << 8 >> 8) * (y << 8 >> 8);
    }

    /** Returns the product of the low 24 bits as unsigned numbers, of which the low 32 bits. */
    @DeviceFunction(value = "__nv_umul24", pure = true)
    public static int __umul24(int x, int y) {
        return (x & 0xffffff) * (y & 0xffffff);
    }

    /** Returns the high 32 bits of the product. */
    @DeviceFunction(value = "__nv_mulhi", pure = true)
    public static int __mulhi(int x, int y) {
        return (int) ((long) x * y >> Integer.SIZE);
    }

    /** Returns the high 32 bits of the product of unsigned numbers. */
    @DeviceFunction(value = "__nv_umulhi", pure = true)
    public static int __umulhi(int x, int y) {
        return (int) (Integer.toUnsignedLong(x) * Integer.toUnsignedLong(y) >>> Integer.SIZE);
    }

    /** Returns the high 64 bits of the product. */
    @DeviceFunction(value = "__nv_mul64hi", pure = true)
    public static long __mul64hi(long x, long y) {
        return Math.multiplyHigh(x, y);
    }

    /** Returns the high 64 bits of the product of unsigned numbers. */
    @DeviceFunction(value = "__nv_umul64hi", pure = true)
    public static long __umul64hi(long x, long y) {
        return Math.unsignedMultiplyHigh(x, y);
    }

    /** Returns abs(x - y) + z. */
    @DeviceFunction(value = "__nv_sad", pure = true)
    public static int __sad(int x, int y, int z) {
        return (int) Math.abs((long) x - y) + z;
    }

    /** Returns abs(x - y) + z of unsigned numbers. */
    @DeviceFunction(value = "__nv_usad", pure = true)
    public static int __usad(int x, int y, int z) {
        return (int) Math.abs(Integer.toUnsignedLong(x) - Integer.toUnsignedLong(y)) + z;
    }

    /** Returns the high 32 bits of high and low, shifted to the left by the low five bits of the distance. */
    public static int __funnelshift_l(int low, int high, int distance) {
        return (int) (((long) high << Integer.SIZE | low & 0xffffffffL) << (distance & 31) >>> Integer.SIZE);
    }

    /** Returns the low 32 bits of high and low, shifted to the right by the low five bits of the distance. */
    public static int __funnelshift_r(int low, int high, int distance) {
        return (int) (((long) high << Integer.SIZE | low & 0xffffffffL) >>> (distance & 31));
    }

    /** Returns the bits of a float. */
    public static int __float_as_int(float x) {
        return Float.floatToRawIntBits(x);
    }

    /** Returns the float of these bits. */
    public static float __int_as_float(int x) {
        return Float.intBitsToFloat(x);
    }

    /** Returns the bits of a double. */
    public static long __double_as_longlong(double x) {
        return Double.doubleToRawLongBits(x);
    }

    /** Returns the double of these bits. */
    public static double __longlong_as_double(long x) {
        return Double.longBitsToDouble(x);
    }

    /** Returns the high 32 bits of a double. */
    public static int __double2hiint(double x) {
        return (int) (Double.doubleToRawLongBits(x) >> Integer.SIZE);
    }

    /** Returns the low 32 bits of a double. */
    public static int __double2loint(double x) {
        return (int) Double.doubleToRawLongBits(x);
    }

    /** Returns the double whose bits are these two halves. */
    public static double __hiloint2double(int high, int low) {
        return Double.longBitsToDouble((long) high << Integer.SIZE | low & 0xffffffffL);
    }
}
