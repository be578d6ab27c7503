// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.math;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Arithmetic with directed rounding, and C's functions about whole numbers and exponents. */
public final class Rounding {
    /** Direction of rounding, by the letters of CUDA's intrinsics. */
    public enum Mode {
        /** To the nearest number. */
        RN,
        /** Towards 0. */
        RZ,
        /** Up. */
        RU,
        /** Down. */
        RD
    }

    private static final int QUOTIENT_BITS = 7;

    private Rounding() {}

    /** Returns the nearest whole number, of two the one away from 0. */
    public static double round(double x) {
        double magnitude = Math.floor(Math.abs(x));
        return Math.copySign(Math.abs(x) - magnitude >= 0.5 ? magnitude + 1 : magnitude, x);
    }

    /** Returns the exponent of two as a number; of 0 minus infinity. */
    public static double logb(double x) {
        return x == 0
                ? Double.NEGATIVE_INFINITY
                : Double.isInfinite(x) ? Double.POSITIVE_INFINITY : Double.isNaN(x) ? x : ilogb(x);
    }

    /** Returns the exponent of two, as C's {@code ilogb} does. */
    public static int ilogb(double x) {
        if (x == 0 || Double.isNaN(x)) {
            return Integer.MIN_VALUE;
        }
        if (Double.isInfinite(x)) {
            return Integer.MAX_VALUE;
        }
        int exponent = Math.getExponent(x);
        return exponent >= Double.MIN_EXPONENT ? exponent : Math.getExponent(Math.scalb(x, 60)) - 60;
    }

    /** Returns a power with C's special values: 1 to any power, and -1 to infinite ones, is 1. */
    public static double pow(double x, double y) {
        return x == 1 || x == -1 && Double.isInfinite(y) ? 1 : Math.pow(x, y);
    }

    /** Returns sign and low three bits of the quotient that {@link Math#IEEEremainder} rounds. */
    public static int quotient(double x, double y) {
        if (!Double.isFinite(x) || Double.isNaN(y) || Double.isInfinite(y) || y == 0) {
            return 0;
        }
        BigDecimal exact = new BigDecimal(x).subtract(new BigDecimal(Math.IEEEremainder(x, y)));
        BigInteger whole = exact.divide(new BigDecimal(y)).toBigInteger();
        int low = whole.abs().intValue() & QUOTIENT_BITS;
        return whole.signum() < 0 ? -low : low;
    }

    /** Returns a sum, rounded to a double. */
    public static double add(double a, double b, Mode mode) {
        double nearest = a + b;
        if (mode == Mode.RN || !Double.isFinite(a) || !Double.isFinite(b)) {
            return nearest;
        }
        if (nearest == 0) {
            return mode == Mode.RD && !(isPlusZero(a) && isPlusZero(b)) ? -0.0 : nearest;
        }
        return direct(new BigDecimal(a).add(new BigDecimal(b)), nearest, mode);
    }

    /** Returns a product, rounded to a double. */
    public static double multiply(double a, double b, Mode mode) {
        double nearest = a * b;
        if (mode == Mode.RN || !Double.isFinite(a) || !Double.isFinite(b) || a == 0 || b == 0) {
            return nearest;
        }
        return direct(new BigDecimal(a).multiply(new BigDecimal(b)), nearest, mode);
    }

    /** Returns a product and sum, rounded once to a double. */
    public static double fma(double a, double b, double c, Mode mode) {
        double nearest = Math.fma(a, b, c);
        if (mode == Mode.RN || !Double.isFinite(a) || !Double.isFinite(b) || !Double.isFinite(c)) {
            return nearest;
        }
        BigDecimal exact = new BigDecimal(a).multiply(new BigDecimal(b)).add(new BigDecimal(c));
        if (exact.signum() == 0) {
            return mode == Mode.RD && !(isPlusZero(a * b) && isPlusZero(c)) ? -0.0 : nearest;
        }
        return direct(exact, nearest, mode);
    }

    /** Returns a quotient, rounded to a double. */
    public static double divide(double a, double b, Mode mode) {
        double nearest = a / b;
        if (mode == Mode.RN || !Double.isFinite(a) || !Double.isFinite(b) || a == 0 || b == 0) {
            return nearest;
        }
        int sign = Double.isInfinite(nearest)
                ? nearest > 0 ? 1 : -1
                : new BigDecimal(nearest).multiply(new BigDecimal(b)).compareTo(new BigDecimal(a)) * (b < 0 ? -1 : 1);
        return direct(sign, nearest, a < 0 != b < 0, mode);
    }

    /** Returns a root, rounded to a double. */
    public static double sqrt(double x, Mode mode) {
        double nearest = Math.sqrt(x);
        if (mode == Mode.RN || !(x > 0 && x < Double.POSITIVE_INFINITY)) {
            return nearest;
        }
        BigDecimal root = new BigDecimal(nearest);
        return direct(root.multiply(root).compareTo(new BigDecimal(x)), nearest, false, mode);
    }

    private static boolean isPlusZero(double x) {
        return Double.doubleToRawLongBits(x) == 0;
    }

    private static double direct(BigDecimal exact, double nearest, Mode mode) {
        int sign = Double.isInfinite(nearest) ? nearest > 0 ? 1 : -1 : new BigDecimal(nearest).compareTo(exact);
        return direct(sign, nearest, exact.signum() < 0, mode);
    }

    /** Returns the neighbour that the mode asks for, of a number that is above (1) or below (-1) the exact one. */
    private static double direct(int above, double nearest, boolean negative, Mode mode) {
        boolean down = mode == Mode.RD || mode == Mode.RZ && !negative;
        double found = down ? above > 0 ? Math.nextDown(nearest) : nearest : above < 0 ? Math.nextUp(nearest) : nearest;
        return found == 0 && negative ? -0.0 : found;
    }

    /**
     * Rounds a double that was rounded towards 0, with its last bit set if that was not exact, to a float.
     *
     * @param toZero the result of an operation in mode {@link Mode#RZ}
     * @param exact whether it was exact
     */
    private static float narrow(double toZero, boolean exact, Mode mode) {
        if (!Double.isFinite(toZero)) {
            return (float) toZero;
        }
        double sticky = exact ? toZero : Double.longBitsToDouble(Double.doubleToRawLongBits(toZero) | 1);
        float nearest = (float) sticky;
        if (mode == Mode.RN || nearest == sticky) {
            return nearest;
        }
        boolean down = mode == Mode.RD || mode == Mode.RZ && sticky > 0;
        float found = down
                ? nearest > sticky ? Math.nextDown(nearest) : nearest
                : nearest < sticky ? Math.nextUp(nearest) : nearest;
        return found == 0 && sticky < 0 ? -0f : found;
    }

    /** Returns a sum of floats, rounded to a float. */
    public static float addFloats(float a, float b, Mode mode) {
        double sum = add(a, b, Mode.RZ);
        if (sum == 0) {
            return (float) add(a, b, mode);
        }
        return narrow(sum, sum == add(a, b, Mode.RU) && sum == add(a, b, Mode.RD), mode);
    }

    /** Returns a product of floats, rounded to a float. */
    public static float multiplyFloats(float a, float b, Mode mode) {
        return narrow((double) a * b, true, mode);
    }

    /** Returns a product and sum of floats, rounded once to a float. */
    public static float fmaFloats(float a, float b, float c, Mode mode) {
        double sum = fma(a, b, c, Mode.RZ);
        if (sum == 0) {
            return (float) fma(a, b, c, mode);
        }
        return narrow(sum, sum == fma(a, b, c, Mode.RU) && sum == fma(a, b, c, Mode.RD), mode);
    }

    /** Returns a quotient of floats, rounded to a float. */
    public static float divideFloats(float a, float b, Mode mode) {
        double quotient = divide(a, b, Mode.RZ);
        return narrow(quotient, Math.fma(quotient, b, -a) == 0 || quotient == 0, mode);
    }

    /** Returns the root of a float, rounded to a float. */
    public static float sqrtFloat(float x, Mode mode) {
        double root = sqrt(x, Mode.RZ);
        return narrow(root, Math.fma(root, root, -x) == 0, mode);
    }
}
