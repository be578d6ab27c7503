// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;

/**
 * Sums of real and complex numbers without rounding, as long fixed-point numbers (Kulisch's superaccumulators). What is
 * added in another order, or on several ranks and then by an allReduce of {@link #buffer}, is the same to the bit.
 *
 * <p>The terms are double-precision numbers: products are rounded once each, as in a plain dot product. The sum is
 * rounded once when {@link Sweep#round} takes it. A number is {@link #LENGTH} integers of 64 bits, of which each stands
 * for 32 bits; the last ones count NaNs and infinities.
 */
public final class ExactSums {
    /** Integers of a real number. */
    public static final int LENGTH = 72;

    private final Buffer buffer;
    private final int count;

    ExactSums(Buffer buffer) {
        this.buffer = buffer;
        count = (int) (buffer.count() / (2L * LENGTH));
    }

    /** Returns the number of complex sums. */
    public int count() {
        return count;
    }

    /**
     * Returns the memory of all sums: {@code INT64}, those of a real part and of an imaginary part in turn. The sum of
     * the integers of several ranks, one by one, stands for the sum of their numbers.
     */
    public Buffer buffer() {
        return buffer;
    }

    /** Returns the memory of a sum. */
    Buffer at(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("there are " + count + " exact sums, none at " + index);
        }
        return buffer.slice(2L * LENGTH * index, 2L * LENGTH);
    }
}
