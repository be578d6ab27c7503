// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.Arrays;

/**
 * Sums of products of double-precision numbers, side by side, of which each is exact while all products are multiples
 * of a unit of 2⁻⁹⁸ of a bound of the sums. Two additions of large numbers (as Demmel and Nguyen 2015 do) split a
 * product into multiples of two units. The sums of the moduli tell afterwards whether the units fitted, and those of
 * what is left whether to add that, too. Loops are such that compilers make vectors of them: arrays without offsets, of sizes that do not make them
 * fall into the same places of a cache.
 */
final class ExactLanes {
    /** Number of sums. */
    static final int WIDTH = 288;

    /** Most products of a sum, so that those of the smaller unit have 53 bits. */
    static final int MOST = 128;

    private static final int LOWEST = -850;
    private static final int HIGHEST = 900;
    /** Bits of the sums of multiples of the larger unit, with room for the next sums. */
    private static final int BITS = 52;
    /** Bits from the larger unit to the smaller one. */
    private static final int STEP = 46;

    /** Share of the largest possible sums below which the next ones get other units. */
    private static final double SMALL = 0x1p-6;

    private final double[] moduli = new double[WIDTH];
    private final double[] high = new double[WIDTH];
    private final double[] low = new double[WIDTH];
    private final double[] rests = new double[WIDTH];

    /** Exponent of the larger unit. */
    private int unit;

    /** What splits multiples of the larger unit from a product; {@code second} of the smaller one from what is left. */
    private double first;

    private double second;

    /** Whether the terms are squares. */
    private boolean positive;

    /** What the sums have. */
    enum Outcome {
        ALL,
        /** All but {@link #rests}. */
        MULTIPLES,
        NOTHING
    }

    /** Sets all sums to 0. */
    void clear() {
        first = Math.scalb(1.5, unit + 52);
        second = Math.scalb(first, -STEP);
        Arrays.fill(moduli, 0);
        Arrays.fill(high, 0);
        Arrays.fill(low, 0);
        Arrays.fill(rests, 0);
    }

    /** Adds a product to each sum; of one array, squares to each sum from {@link #clear} on. */
    @SuppressWarnings("ReferenceEquality") // this very array
    void add(double[] u, double[] v) {
        positive = u == v;
        if (positive) {
            addSquares(u, first, second, high, low, rests);
        } else {
            add(u, v, first, second, moduli, high, low, rests);
        }
    }

    private static void add(
            double[] u,
            double[] v,
            double first,
            double second,
            double[] moduli,
            double[] high,
            double[] low,
            double[] rests) {
        for (int k = 0; k < WIDTH; k++) {
            double product = u[k] * v[k];
            moduli[k] += Math.abs(product);
            double multiple = (product + first) - first;
            high[k] += multiple;
            double rest = product - multiple;
            double next = (rest + second) - second;
            low[k] += next;
            rests[k] += Math.abs(rest - next);
        }
    }

    private static void addSquares(
            double[] u, double first, double second, double[] high, double[] low, double[] rests) {
        for (int k = 0; k < WIDTH; k++) {
            double product = u[k] * u[k];
            double multiple = (product + first) - first;
            high[k] += multiple;
            double rest = product - multiple;
            double next = (rest + second) - second;
            low[k] += next;
            rests[k] += Math.abs(rest - next);
        }
    }

    /** Computes what is left of products. */
    void rests(double[] u, double[] v, double[] left) {
        rests(u, v, first, second, left);
    }

    private static void rests(double[] u, double[] v, double first, double second, double[] left) {
        for (int k = 0; k < WIDTH; k++) {
            double product = u[k] * v[k];
            double rest = product - ((product + first) - first);
            left[k] = rest - ((rest + second) - second);
        }
    }

    /** Adds the sums to digits, unless they are not exact. */
    Outcome addTo(long[] digits) {
        double left = 0;
        for (double rest : rests) {
            left += rest;
        }
        double largest = largest();
        double most = Math.scalb(1.0, unit + BITS - 1);
        // All products are less than the sums, and the sums of multiples have 53 bits.
        if (!(largest < most)) {
            return Outcome.NOTHING;
        }
        ExactDigits.add(digits, integers(high, Math.scalb(1.0, -unit)), 1074 + unit);
        ExactDigits.add(digits, integers(low, Math.scalb(1.0, STEP - unit)), 1074 + unit - STEP);
        if (largest < most * SMALL) {
            boolean _ = fit(largest);
        }
        return left == 0 ? Outcome.ALL : Outcome.MULTIPLES;
    }

    /** Chooses the units of the next sums, which fit sums like those there are, and returns whether they are others. */
    boolean fit() {
        return fit(largest());
    }

    private boolean fit(double largest) {
        int before = unit;
        // Sums may grow to four times these at least.
        int exponent = Math.getExponent(largest) + 3;
        if (largest > 0 && exponent > LOWEST && exponent < HIGHEST) {
            unit = exponent + 1 - BITS;
        }
        return unit != before;
    }

    /** Returns the largest sum of moduli, or NaN where there is one. */
    private double largest() {
        double largest = 0;
        // Sums of squares are those of their moduli, up to half a unit each.
        for (double sum : positive ? high : moduli) {
            largest = Math.max(largest, sum);
        }
        return largest;
    }

    private static long integers(double[] multiples, double factor) {
        long sum = 0;
        for (int k = 0; k < WIDTH; k++) {
            sum += (long) (multiples[k] * factor);
        }
        return sum;
    }
}
