// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.I64Ptr;

/**
 * Arithmetic of a number of {@link ExactSums}, in kernels and on processors: digit d counts units of 2^(32 d − 1074),
 * and may have carries and a sign of its own until the number is rounded.
 */
final class ExactDigits {
    /** Digits, for the range of double precision and sums of 2⁶⁴ numbers. */
    static final int DIGITS = 68;

    /** Where NaNs and the two infinities are counted. */
    static final int NANS = DIGITS;

    static final int POSITIVE = DIGITS + 1;
    static final int NEGATIVE = DIGITS + 2;

    private static final long MASK = 0xffffffffL;
    private static final long MANTISSA = (1L << 52) - 1;
    private static final long INFINITY = 0x7ffL << 52;

    private ExactDigits() {}

    /**
     * Adds a double-precision number.
     *
     * @param at index of digit 0
     * @param stride from a digit to the next one
     */
    static void add(I64Ptr digits, int at, @Constant int stride, double value) {
        long bits = Double.doubleToRawLongBits(value);
        int exponent = (int) (bits >>> 52) & 0x7ff;
        long mantissa = bits & MANTISSA;
        if (exponent == 0x7ff) {
            int kind = mantissa != 0 ? NANS : bits > 0 ? POSITIVE : NEGATIVE;
            digits.atomicAdd(at + (long) kind * stride, 1);
            return;
        }
        long whole = exponent == 0 ? mantissa : mantissa | 1L << 52;
        add(digits, at, stride, bits < 0 ? -whole : whole, exponent == 0 ? 0 : exponent - 1);
    }

    /** Adds value 2^(position − 1074). */
    static void add(I64Ptr digits, int at, @Constant int stride, long value, int position) {
        long magnitude = Math.abs(value);
        long low = (magnitude & MASK) << (position & 31);
        long high = (magnitude >>> 32) << (position & 31);
        long sign = value < 0 ? -1 : 1;
        long first = at + (long) (position >>> 5) * stride;
        digits.atomicAdd(first, sign * (low & MASK));
        digits.atomicAdd(first + stride, sign * ((low >>> 32) + (high & MASK)));
        digits.atomicAdd(first + 2L * stride, sign * (high >>> 32));
    }

    /** Adds a double-precision number to digits of one thread. */
    static void add(long[] digits, double value) {
        long bits = Double.doubleToRawLongBits(value);
        int exponent = (int) (bits >>> 52) & 0x7ff;
        long mantissa = bits & MANTISSA;
        if (exponent == 0x7ff) {
            digits[mantissa != 0 ? NANS : bits > 0 ? POSITIVE : NEGATIVE]++;
            return;
        }
        long whole = exponent == 0 ? mantissa : mantissa | 1L << 52;
        add(digits, bits < 0 ? -whole : whole, exponent == 0 ? 0 : exponent - 1);
    }

    /** Adds value 2^(position − 1074) to digits of one thread. */
    static void add(long[] digits, long value, int position) {
        long magnitude = Math.abs(value);
        long low = (magnitude & MASK) << (position & 31);
        long high = (magnitude >>> 32) << (position & 31);
        long sign = value < 0 ? -1 : 1;
        int first = position >>> 5;
        digits[first] += sign * (low & MASK);
        digits[first + 1] += sign * ((low >>> 32) + (high & MASK));
        digits[first + 2] += sign * (high >>> 32);
    }

    /** Adds a digit to another number of which this is a digit, with what is above 32 bits at the next one. */
    static void carry(I64Ptr to, long at, int digit, long value) {
        if (value == 0) {
            return;
        }
        if (digit < DIGITS - 1) {
            to.atomicAdd(at + digit, value & MASK);
            to.atomicAdd(at + digit + 1, value >> 32);
        } else {
            to.atomicAdd(at + digit, value);
        }
    }

    /** Makes room in the digits of a sum: what does not fit into one goes to the next. */
    static void carry(long[] digits) {
        for (int d = 0; d < DIGITS - 1; d++) {
            digits[d + 1] += digits[d] >> 32;
            digits[d] &= MASK;
        }
    }

    /** Returns the double-precision number that is nearest, ties to even, and spoils the digits. */
    static double rounded(I64Ptr digits, long at) {
        boolean positive = digits.get(at + POSITIVE) != 0;
        boolean negative = digits.get(at + NEGATIVE) != 0;
        if (digits.get(at + NANS) != 0 || positive && negative) {
            return Double.NaN;
        }
        if (positive || negative) {
            return positive ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        }
        int first = DIGITS;
        int last = -1;
        for (int d = 0; d < DIGITS; d++) {
            boolean used = digits.get(at + d) != 0;
            first = used ? Math.min(first, d) : first;
            last = used ? d : last;
        }
        // Most sums have few digits that are not 0; a carry of −1 is the sign of a negative number.
        long carry = 0;
        int end = first;
        while (end <= last || end < DIGITS && carry != 0 && carry != -1) {
            long value = digits.get(at + end) + carry;
            digits.set(at + end, value & MASK);
            carry = value >> 32;
            end++;
        }
        double sign = 1;
        if (carry < 0) {
            sign = -1;
            carry = 1;
            for (int d = first; d < end; d++) {
                long value = (~digits.get(at + d) & MASK) + carry;
                digits.set(at + d, value & MASK);
                carry = value >>> 32;
            }
        }
        int top = end - 1;
        while (top >= first && digits.get(at + top) == 0) {
            top--;
        }
        return top < first ? 0 : sign * magnitude(digits, at, first, top);
    }

    private static double magnitude(I64Ptr digits, long at, int first, int top) {
        int highest = 32 * top - 1;
        for (long rest = digits.get(at + top); rest != 0; rest >>>= 1) {
            highest++;
        }
        int lowest = Math.max(0, highest - 52);
        int digit = lowest >>> 5;
        int shift = lowest & 31;
        long mantissa = digits.get(at + digit) >>> shift | digits.get(at + digit + 1) << (32 - shift);
        if (shift > 0) {
            mantissa |= digits.get(at + digit + 2) << (64 - shift);
        }
        if (lowest > 0) {
            int below = lowest - 1;
            long last = digits.get(at + (below >>> 5));
            long half = last >>> (below & 31) & 1;
            long rest = last & (1L << (below & 31)) - 1;
            for (int d = first; d < below >>> 5; d++) {
                rest |= digits.get(at + d);
            }
            if (half != 0 && (rest != 0 || (mantissa & 1) != 0)) {
                mantissa++;
            }
        }
        // A mantissa with its highest bit adds one to the exponent.
        long bits = ((long) lowest << 52) + mantissa;
        return lowest > 2045 || bits >= INFINITY ? Double.POSITIVE_INFINITY : Double.longBitsToDouble(bits);
    }
}
