// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.Arrays;
import org.comm4j.core.Buffer;
import org.comm4j.kernel.lang.I64Ptr;

/**
 * The sum of tiles of terms without rounding, whatever the terms are. They are split into multiples of a unit that fits
 * the largest one, which are added up without rounding, and rests, which are split likewise until all are 0. Loops are
 * such that compilers make vectors of them.
 */
final class ExactTile {
    /** Number of terms. */
    static final int SIZE = ExactLanes.WIDTH;

    private static final int HALF = SIZE / 2;
    private static final int EIGHTH = SIZE / 8;

    /** Bits from a unit to the next smaller one: 10 of 52 are for the number of terms. */
    private static final int BITS = 42;

    private static final int LOWEST = -980;
    private static final int HIGHEST = 1000;

    /** Exponent of the number that splits multiples of the smallest double-precision number. */
    private static final int SMALLEST = -1074 + 52;

    /** Tiles after which digits have little room left for carries. */
    private static final int MOST_TILES = 1 << 18;

    private final double[] terms = new double[SIZE];
    private final double[] sums = new double[HALF];
    private final long[] digits = new long[ExactSums.LENGTH];
    private int tiles;
    /** Terms that {@link #put} has written and that are not added. */
    private int filled;

    /** Returns the terms, for their caller to write. */
    double[] terms() {
        return terms;
    }

    /** Returns the digits of the sum, for their caller to add to. */
    long[] digits() {
        return digits;
    }

    /** Adds a term. */
    void put(double term) {
        terms[filled++] = term;
        if (filled == SIZE) {
            filled = 0;
            add();
        }
    }

    /**
     * Adds the sum to one of {@link ExactSums}, and sets it to 0.
     *
     * @param sum memory of a complex number
     */
    void moveTo(Buffer sum, boolean imaginary) {
        if (filled > 0) {
            Arrays.fill(terms, filled, SIZE, 0);
            filled = 0;
            add();
        }
        I64Ptr to = I64Ptr.of(sum);
        for (int d = 0; d < digits.length; d++) {
            ExactDigits.carry(to, imaginary ? ExactSums.LENGTH : 0, d, digits[d]);
            digits[d] = 0;
        }
        tiles = 0;
    }

    /** Adds the terms to the digits, and spoils them. */
    void add() {
        if (++tiles > MOST_TILES) {
            ExactDigits.carry(digits);
            tiles = 0;
        }
        moduli(terms, sums);
        double bound = sum();
        if (bound == 0) {
            return;
        }
        int exponent = Math.max(LOWEST, Math.getExponent(bound) + 2);
        if (exponent > HIGHEST) {
            for (double term : terms) {
                ExactDigits.add(digits, term);
            }
            return;
        }
        // All sums of multiples of a unit of 2^(exponent − 51) are below 2^(exponent + 1): they have 52 bits.
        int unit = exponent + 1;
        while (true) {
            double splitter = Math.scalb(1.5, unit);
            multiples(terms, splitter, sums);
            fold();
            add(sum());
            if (unit == SMALLEST) {
                return;
            }
            rests(terms, splitter, terms);
            unit = Math.max(SMALLEST, unit - BITS);
            splitter = Math.scalb(1.5, unit);
            multiples(terms, splitter, sums);
            fold();
            add(sum());
            remainders(terms, splitter, sums);
            fold();
            if (sum() == 0) {
                return;
            }
            rests(terms, splitter, terms);
            unit = Math.max(SMALLEST, unit - BITS);
        }
    }

    private void add(double sum) {
        if (sum != 0) {
            ExactDigits.add(digits, sum);
        }
    }

    /** Adds up the first eighth of the sums. */
    private double sum() {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        for (int k = 0; k < EIGHTH; k += 4) {
            a += sums[k];
            b += sums[k + 1];
            c += sums[k + 2];
            d += sums[k + 3];
        }
        return a + b + (c + d);
    }

    private void fold() {
        fold(sums);
    }

    private static void fold(double[] s) {
        for (int k = 0; k < EIGHTH; k++) {
            s[k] = s[k] + s[k + EIGHTH] + (s[k + 2 * EIGHTH] + s[k + 3 * EIGHTH]);
        }
    }

    /** Computes what is not below the largest sum of moduli, in eighths. */
    private static void moduli(double[] v, double[] s) {
        for (int k = 0; k < HALF; k++) {
            s[k] = Math.abs(v[k]) + Math.abs(v[k + HALF]);
        }
        fold(s);
    }

    /** Computes the sums of two multiples each. */
    private static void multiples(double[] v, double splitter, double[] s) {
        for (int k = 0; k < HALF; k++) {
            s[k] = (v[k] + splitter) - splitter + ((v[k + HALF] + splitter) - splitter);
        }
    }

    /** Computes what the multiples leave. */
    private static void rests(double[] v, double splitter, double[] rest) {
        for (int k = 0; k < SIZE; k++) {
            rest[k] = v[k] - ((v[k] + splitter) - splitter);
        }
    }

    /** Computes whether the multiples leave anything: sums of moduli of two each. */
    private static void remainders(double[] v, double splitter, double[] s) {
        for (int k = 0; k < HALF; k++) {
            double first = v[k] - ((v[k] + splitter) - splitter);
            double second = v[k + HALF] - ((v[k + HALF] + splitter) - splitter);
            s[k] = Math.abs(first) + Math.abs(second);
        }
    }
}
