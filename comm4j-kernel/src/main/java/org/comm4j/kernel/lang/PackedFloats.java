// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.core.SmallFloats;

/**
 * Rounding once on the CPU: what is between double and the result is rounded to odd, which a later rounding to fewer
 * bits does not notice.
 */
final class PackedFloats {
    /** The bits of a NaN that arithmetic of 16 bits makes on a GPU. */
    private static final short NAN = 0x7fff;

    private PackedFloats() {}

    /** The sum with its last bit set if something was lost. */
    static double sum(double a, double b) {
        double sum = a + b;
        if (!Double.isFinite(sum)) {
            return sum;
        }
        double part = sum - a;
        double lost = (a - (sum - part)) + (b - part);
        return odd(sum, lost);
    }

    private static double odd(double rounded, double lost) {
        long bits = Double.doubleToRawLongBits(rounded);
        if (lost == 0 || (bits & 1) == 1) {
            return rounded;
        }
        return lost > 0 ? Math.nextUp(rounded) : Math.nextDown(rounded);
    }

    private static float toFloat(double value) {
        float rounded = (float) value;
        int bits = Float.floatToRawIntBits(rounded);
        if (rounded == value || Double.isNaN(value) || (bits & 1) == 1) {
            return rounded;
        }
        if (Float.isInfinite(rounded)) {
            return Double.isInfinite(value) ? rounded : Math.copySign(Float.MAX_VALUE, rounded);
        }
        return value > rounded ? Math.nextUp(rounded) : Math.nextDown(rounded);
    }

    static short toHalf(double value) {
        return Double.isNaN(value) ? NAN : Float.floatToFloat16(toFloat(value));
    }

    static short toBfloat16(double value) {
        return Double.isNaN(value) ? NAN : SmallFloats.floatToBfloat16(toFloat(value));
    }
}
