// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.math.BigDecimal;

/**
 * What IEEE 754 says of arithmetic in 16 bits: the exact number, rounded once to the nearest, of two equally near ones
 * to that with the even last bit.
 *
 * @param toFloat of bits
 * @param infinity its bits
 */
record SmallFloatOracle(ToFloat toFloat, int infinity) {
    interface ToFloat {
        float of(short bits);
    }

    /** What arithmetic on a GPU makes of what is no number. */
    static final short NAN = 0x7fff;

    static final SmallFloatOracle HALF = new SmallFloatOracle(Float::float16ToFloat, 0x7c00);
    static final SmallFloatOracle BFLOAT16 = new SmallFloatOracle(bits -> Float.intBitsToFloat(bits << 16), 0x7f80);

    float value(short bits) {
        return toFloat.of(bits);
    }

    short fma(short a, short b, short c) {
        double x = value(a);
        double y = value(b);
        double z = value(c);
        double near = Math.fma(x, y, z);
        if (!Double.isFinite(x) || !Double.isFinite(y) || !Double.isFinite(z)) {
            return special(near);
        }
        BigDecimal exact = new BigDecimal(x).multiply(new BigDecimal(y)).add(new BigDecimal(z));
        return round(exact, Math.copySign(1, near) < 0);
    }

    short add(short a, short b) {
        return sum(value(a), value(b));
    }

    short subtract(short a, short b) {
        return sum(value(a), -value(b));
    }

    private short sum(double x, double y) {
        return Double.isFinite(x) && Double.isFinite(y)
                ? round(new BigDecimal(x).add(new BigDecimal(y)), Math.copySign(1, x + y) < 0)
                : special(x + y);
    }

    short multiply(short a, short b) {
        double x = value(a);
        double y = value(b);
        return Double.isFinite(x) && Double.isFinite(y)
                ? round(new BigDecimal(x).multiply(new BigDecimal(y)), Math.copySign(1, x * y) < 0)
                : special(x * y);
    }

    /** The number if one is none; +0 is above -0. */
    short min(short a, short b) {
        return Float.isNaN(value(a))
                ? Float.isNaN(value(b)) ? NAN : b
                : Float.isNaN(value(b)) || Float.compare(value(a), value(b)) <= 0 ? a : b;
    }

    /** The number if one is none; +0 is above -0. */
    short max(short a, short b) {
        return Float.isNaN(value(a))
                ? Float.isNaN(value(b)) ? NAN : b
                : Float.isNaN(value(b)) || Float.compare(value(a), value(b)) >= 0 ? a : b;
    }

    short of(float value) {
        return Float.isFinite(value) ? round(new BigDecimal(value), Math.copySign(1, value) < 0) : special(value);
    }

    boolean isNaN(short bits) {
        return (bits & 0x7fff) > infinity;
    }

    private short special(double result) {
        return Double.isNaN(result) ? NAN : (short) (result < 0 ? infinity | 0x8000 : infinity);
    }

    /**
     * Bits of positive numbers are in the order of the numbers; what would come after the largest stands where infinity
     * does.
     */
    private short round(BigDecimal exact, boolean negative) {
        BigDecimal size = exact.abs();
        int below = 0;
        int above = infinity;
        while (above - below > 1) {
            int middle = (below + above) >>> 1;
            if (magnitude(middle).compareTo(size) <= 0) {
                below = middle;
            } else {
                above = middle;
            }
        }
        BigDecimal twice = size.add(size);
        int order = twice.compareTo(magnitude(below).add(magnitude(above)));
        int rounded = order < 0 || order == 0 && (below & 1) == 0 ? below : above;
        return (short) (negative ? rounded | 0x8000 : rounded);
    }

    private BigDecimal magnitude(int bits) {
        if (bits < infinity) {
            return new BigDecimal(value((short) bits));
        }
        BigDecimal largest = magnitude(infinity - 1);
        return largest.add(largest).subtract(magnitude(infinity - 2));
    }
}
