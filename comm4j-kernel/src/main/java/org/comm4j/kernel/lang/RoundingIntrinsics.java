// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.math.Rounding;
import org.comm4j.kernel.math.Rounding.Mode;

/**
 * CUDA's arithmetic with the rounding in its name: {@code _rn} to the nearest, {@code _rz} towards 0, {@code _ru} up,
 * {@code _rd} down. Results are the same to the bit on the CPU and, but with {@link Kernel.Math#FAST}, on a GPU. Sums
 * and products are never fused with others.
 */
@KernelLibrary
@SuppressWarnings("MemberName") // CUDA's names
public final class RoundingIntrinsics {
    private RoundingIntrinsics() {}

    /** Returns a + b, rounded to the nearest, never fused. */
    @DeviceFunction(value = "__nv_fadd_rn", pure = true)
    public static float __fadd_rn(float a, float b) {
        return Rounding.addFloats(a, b, Mode.RN);
    }

    /** Returns a + b, rounded towards 0, never fused. */
    @DeviceFunction(value = "__nv_fadd_rz", pure = true)
    public static float __fadd_rz(float a, float b) {
        return Rounding.addFloats(a, b, Mode.RZ);
    }

    /** Returns a + b, rounded up, never fused. */
    @DeviceFunction(value = "__nv_fadd_ru", pure = true)
    public static float __fadd_ru(float a, float b) {
        return Rounding.addFloats(a, b, Mode.RU);
    }

    /** Returns a + b, rounded down, never fused. */
    @DeviceFunction(value = "__nv_fadd_rd", pure = true)
    public static float __fadd_rd(float a, float b) {
        return Rounding.addFloats(a, b, Mode.RD);
    }

    /** Returns a - b, rounded to the nearest, never fused. */
    @DeviceFunction(value = "__nv_fsub_rn", pure = true)
    public static float __fsub_rn(float a, float b) {
        return Rounding.addFloats(a, -b, Mode.RN);
    }

    /** Returns a - b, rounded towards 0, never fused. */
    @DeviceFunction(value = "__nv_fsub_rz", pure = true)
    public static float __fsub_rz(float a, float b) {
        return Rounding.addFloats(a, -b, Mode.RZ);
    }

    /** Returns a - b, rounded up, never fused. */
    @DeviceFunction(value = "__nv_fsub_ru", pure = true)
    public static float __fsub_ru(float a, float b) {
        return Rounding.addFloats(a, -b, Mode.RU);
    }

    /** Returns a - b, rounded down, never fused. */
    @DeviceFunction(value = "__nv_fsub_rd", pure = true)
    public static float __fsub_rd(float a, float b) {
        return Rounding.addFloats(a, -b, Mode.RD);
    }

    /** Returns a b, rounded to the nearest, never fused. */
    @DeviceFunction(value = "__nv_fmul_rn", pure = true)
    public static float __fmul_rn(float a, float b) {
        return Rounding.multiplyFloats(a, b, Mode.RN);
    }

    /** Returns a b, rounded towards 0, never fused. */
    @DeviceFunction(value = "__nv_fmul_rz", pure = true)
    public static float __fmul_rz(float a, float b) {
        return Rounding.multiplyFloats(a, b, Mode.RZ);
    }

    /** Returns a b, rounded up, never fused. */
    @DeviceFunction(value = "__nv_fmul_ru", pure = true)
    public static float __fmul_ru(float a, float b) {
        return Rounding.multiplyFloats(a, b, Mode.RU);
    }

    /** Returns a b, rounded down, never fused. */
    @DeviceFunction(value = "__nv_fmul_rd", pure = true)
    public static float __fmul_rd(float a, float b) {
        return Rounding.multiplyFloats(a, b, Mode.RD);
    }

    /** Returns a / b, rounded to the nearest. */
    @DeviceFunction(value = "__nv_fdiv_rn", pure = true)
    public static float __fdiv_rn(float a, float b) {
        return Rounding.divideFloats(a, b, Mode.RN);
    }

    /** Returns a / b, rounded towards 0. */
    @DeviceFunction(value = "__nv_fdiv_rz", pure = true)
    public static float __fdiv_rz(float a, float b) {
        return Rounding.divideFloats(a, b, Mode.RZ);
    }

    /** Returns a / b, rounded up. */
    @DeviceFunction(value = "__nv_fdiv_ru", pure = true)
    public static float __fdiv_ru(float a, float b) {
        return Rounding.divideFloats(a, b, Mode.RU);
    }

    /** Returns a / b, rounded down. */
    @DeviceFunction(value = "__nv_fdiv_rd", pure = true)
    public static float __fdiv_rd(float a, float b) {
        return Rounding.divideFloats(a, b, Mode.RD);
    }

    /** Returns 1 / x, rounded to the nearest. */
    @DeviceFunction(value = "__nv_frcp_rn", pure = true)
    public static float __frcp_rn(float x) {
        return Rounding.divideFloats(1, x, Mode.RN);
    }

    /** Returns 1 / x, rounded towards 0. */
    @DeviceFunction(value = "__nv_frcp_rz", pure = true)
    public static float __frcp_rz(float x) {
        return Rounding.divideFloats(1, x, Mode.RZ);
    }

    /** Returns 1 / x, rounded up. */
    @DeviceFunction(value = "__nv_frcp_ru", pure = true)
    public static float __frcp_ru(float x) {
        return Rounding.divideFloats(1, x, Mode.RU);
    }

    /** Returns 1 / x, rounded down. */
    @DeviceFunction(value = "__nv_frcp_rd", pure = true)
    public static float __frcp_rd(float x) {
        return Rounding.divideFloats(1, x, Mode.RD);
    }

    /** Returns the square root, rounded to the nearest. */
    @DeviceFunction(value = "__nv_fsqrt_rn", pure = true)
    public static float __fsqrt_rn(float x) {
        return Rounding.sqrtFloat(x, Mode.RN);
    }

    /** Returns the square root, rounded towards 0. */
    @DeviceFunction(value = "__nv_fsqrt_rz", pure = true)
    public static float __fsqrt_rz(float x) {
        return Rounding.sqrtFloat(x, Mode.RZ);
    }

    /** Returns the square root, rounded up. */
    @DeviceFunction(value = "__nv_fsqrt_ru", pure = true)
    public static float __fsqrt_ru(float x) {
        return Rounding.sqrtFloat(x, Mode.RU);
    }

    /** Returns the square root, rounded down. */
    @DeviceFunction(value = "__nv_fsqrt_rd", pure = true)
    public static float __fsqrt_rd(float x) {
        return Rounding.sqrtFloat(x, Mode.RD);
    }

    /** Returns a b + c, rounded once, to the nearest. */
    @DeviceFunction(value = "__nv_fmaf_rn", pure = true)
    public static float __fmaf_rn(float a, float b, float c) {
        return Rounding.fmaFloats(a, b, c, Mode.RN);
    }

    /** Returns a b + c, rounded once, towards 0. */
    @DeviceFunction(value = "__nv_fmaf_rz", pure = true)
    public static float __fmaf_rz(float a, float b, float c) {
        return Rounding.fmaFloats(a, b, c, Mode.RZ);
    }

    /** Returns a b + c, rounded once, up. */
    @DeviceFunction(value = "__nv_fmaf_ru", pure = true)
    public static float __fmaf_ru(float a, float b, float c) {
        return Rounding.fmaFloats(a, b, c, Mode.RU);
    }

    /** Returns a b + c, rounded once, down. */
    @DeviceFunction(value = "__nv_fmaf_rd", pure = true)
    public static float __fmaf_rd(float a, float b, float c) {
        return Rounding.fmaFloats(a, b, c, Mode.RD);
    }

    /** Returns a + b, rounded to the nearest, never fused. */
    @DeviceFunction(value = "__nv_dadd_rn", pure = true)
    public static double __dadd_rn(double a, double b) {
        return Rounding.add(a, b, Mode.RN);
    }

    /** Returns a + b, rounded towards 0, never fused. */
    @DeviceFunction(value = "__nv_dadd_rz", pure = true)
    public static double __dadd_rz(double a, double b) {
        return Rounding.add(a, b, Mode.RZ);
    }

    /** Returns a + b, rounded up, never fused. */
    @DeviceFunction(value = "__nv_dadd_ru", pure = true)
    public static double __dadd_ru(double a, double b) {
        return Rounding.add(a, b, Mode.RU);
    }

    /** Returns a + b, rounded down, never fused. */
    @DeviceFunction(value = "__nv_dadd_rd", pure = true)
    public static double __dadd_rd(double a, double b) {
        return Rounding.add(a, b, Mode.RD);
    }

    /** Returns a - b, rounded to the nearest, never fused. */
    @DeviceFunction(value = "__nv_dsub_rn", pure = true)
    public static double __dsub_rn(double a, double b) {
        return Rounding.add(a, -b, Mode.RN);
    }

    /** Returns a - b, rounded towards 0, never fused. */
    @DeviceFunction(value = "__nv_dsub_rz", pure = true)
    public static double __dsub_rz(double a, double b) {
        return Rounding.add(a, -b, Mode.RZ);
    }

    /** Returns a - b, rounded up, never fused. */
    @DeviceFunction(value = "__nv_dsub_ru", pure = true)
    public static double __dsub_ru(double a, double b) {
        return Rounding.add(a, -b, Mode.RU);
    }

    /** Returns a - b, rounded down, never fused. */
    @DeviceFunction(value = "__nv_dsub_rd", pure = true)
    public static double __dsub_rd(double a, double b) {
        return Rounding.add(a, -b, Mode.RD);
    }

    /** Returns a b, rounded to the nearest, never fused. */
    @DeviceFunction(value = "__nv_dmul_rn", pure = true)
    public static double __dmul_rn(double a, double b) {
        return Rounding.multiply(a, b, Mode.RN);
    }

    /** Returns a b, rounded towards 0, never fused. */
    @DeviceFunction(value = "__nv_dmul_rz", pure = true)
    public static double __dmul_rz(double a, double b) {
        return Rounding.multiply(a, b, Mode.RZ);
    }

    /** Returns a b, rounded up, never fused. */
    @DeviceFunction(value = "__nv_dmul_ru", pure = true)
    public static double __dmul_ru(double a, double b) {
        return Rounding.multiply(a, b, Mode.RU);
    }

    /** Returns a b, rounded down, never fused. */
    @DeviceFunction(value = "__nv_dmul_rd", pure = true)
    public static double __dmul_rd(double a, double b) {
        return Rounding.multiply(a, b, Mode.RD);
    }

    /** Returns a / b, rounded to the nearest. */
    @DeviceFunction(value = "__nv_ddiv_rn", pure = true)
    public static double __ddiv_rn(double a, double b) {
        return Rounding.divide(a, b, Mode.RN);
    }

    /** Returns a / b, rounded towards 0. */
    @DeviceFunction(value = "__nv_ddiv_rz", pure = true)
    public static double __ddiv_rz(double a, double b) {
        return Rounding.divide(a, b, Mode.RZ);
    }

    /** Returns a / b, rounded up. */
    @DeviceFunction(value = "__nv_ddiv_ru", pure = true)
    public static double __ddiv_ru(double a, double b) {
        return Rounding.divide(a, b, Mode.RU);
    }

    /** Returns a / b, rounded down. */
    @DeviceFunction(value = "__nv_ddiv_rd", pure = true)
    public static double __ddiv_rd(double a, double b) {
        return Rounding.divide(a, b, Mode.RD);
    }

    /** Returns 1 / x, rounded to the nearest. */
    @DeviceFunction(value = "__nv_drcp_rn", pure = true)
    public static double __drcp_rn(double x) {
        return Rounding.divide(1, x, Mode.RN);
    }

    /** Returns 1 / x, rounded towards 0. */
    @DeviceFunction(value = "__nv_drcp_rz", pure = true)
    public static double __drcp_rz(double x) {
        return Rounding.divide(1, x, Mode.RZ);
    }

    /** Returns 1 / x, rounded up. */
    @DeviceFunction(value = "__nv_drcp_ru", pure = true)
    public static double __drcp_ru(double x) {
        return Rounding.divide(1, x, Mode.RU);
    }

    /** Returns 1 / x, rounded down. */
    @DeviceFunction(value = "__nv_drcp_rd", pure = true)
    public static double __drcp_rd(double x) {
        return Rounding.divide(1, x, Mode.RD);
    }

    /** Returns the square root, rounded to the nearest. */
    @DeviceFunction(value = "__nv_dsqrt_rn", pure = true)
    public static double __dsqrt_rn(double x) {
        return Rounding.sqrt(x, Mode.RN);
    }

    /** Returns the square root, rounded towards 0. */
    @DeviceFunction(value = "__nv_dsqrt_rz", pure = true)
    public static double __dsqrt_rz(double x) {
        return Rounding.sqrt(x, Mode.RZ);
    }

    /** Returns the square root, rounded up. */
    @DeviceFunction(value = "__nv_dsqrt_ru", pure = true)
    public static double __dsqrt_ru(double x) {
        return Rounding.sqrt(x, Mode.RU);
    }

    /** Returns the square root, rounded down. */
    @DeviceFunction(value = "__nv_dsqrt_rd", pure = true)
    public static double __dsqrt_rd(double x) {
        return Rounding.sqrt(x, Mode.RD);
    }

    /** Returns a b + c, rounded once, to the nearest. */
    @DeviceFunction(value = "__nv_fma_rn", pure = true)
    public static double __fma_rn(double a, double b, double c) {
        return Rounding.fma(a, b, c, Mode.RN);
    }

    /** Returns a b + c, rounded once, towards 0. */
    @DeviceFunction(value = "__nv_fma_rz", pure = true)
    public static double __fma_rz(double a, double b, double c) {
        return Rounding.fma(a, b, c, Mode.RZ);
    }

    /** Returns a b + c, rounded once, up. */
    @DeviceFunction(value = "__nv_fma_ru", pure = true)
    public static double __fma_ru(double a, double b, double c) {
        return Rounding.fma(a, b, c, Mode.RU);
    }

    /** Returns a b + c, rounded once, down. */
    @DeviceFunction(value = "__nv_fma_rd", pure = true)
    public static double __fma_rd(double a, double b, double c) {
        return Rounding.fma(a, b, c, Mode.RD);
    }
}
