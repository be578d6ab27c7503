// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.I64Ptr;

/**
 * Sums of {@link ExactSums} in host memory, tile by tile. Mostly the terms of a tile are multiples of 2⁻⁹⁷ of the
 * largest one: they become pairs of integers in one loop, with units that fitted the tile before. If they are not, they
 * are split into multiples of a unit that fits, which are added up without rounding, and rests, which are split
 * likewise until all are 0. Loops are such that compilers make vectors of them.
 */
final class ExactLoops {
    private static final int TILE = 1024;
    private static final int HALF = TILE / 2;
    private static final int EIGHTH = TILE / 8;

    /** Bits from a unit to the next smaller one: 10 of 52 are for the number of terms. */
    private static final int BITS = 42;

    private static final int LOWEST = -980;
    private static final int HIGHEST = 1000;

    /** Exponent of the number that splits multiples of the smallest double-precision number. */
    private static final int SMALLEST = -1074 + 52;

    /** Tiles after which digits have little room left for carries. */
    private static final int MOST_TILES = 1 << 18;

    /** Bits of the larger integers of a tile like the one before; up to 52 are taken. */
    private static final int USUAL = 45;

    private static final long MOST = 1L << 52;

    private final float[] narrow = new float[TILE];
    private final double[] ones = new double[TILE];
    /** Zeros, and NaN where a term was no number. */
    private final double[] zeros = new double[TILE];

    private final double[] x = new double[TILE];
    private final double[] y = new double[TILE];
    private final double[] terms = new double[TILE];
    private final double[] sums = new double[HALF];
    private final long[] digits = new long[ExactSums.LENGTH];
    private final I64Ptr pointer = I64Ptr.of(digits);

    /** Exponent of the factor that makes integers of terms. */
    private int power;

    private boolean finite = true;

    ExactLoops() {
        Arrays.fill(ones, 1);
    }

    /** Adds a term of a sweep to its sum. */
    void accumulate(Sweep.Term term) {
        Buffer memory = requireNonNull(term.exact());
        if (!term.add()) {
            ((HostArray) memory).fill(0);
        }
        boolean complex = term.y().type().isComplex();
        boolean two = term.kind() == Sweep.Kind.EXACT_DOT || term.kind() == Sweep.Kind.EXACT_VDOT;
        accumulate(term, false, memory);
        if (complex && two) {
            accumulate(term, true, memory);
        }
    }

    private void accumulate(Sweep.Term term, boolean imaginary, Buffer memory) {
        finite = true;
        if (!accumulate(term, imaginary, memory, true)) {
            // Infinities: NaNs are told from them one by one.
            Arrays.fill(digits, 0);
            boolean _ = accumulate(term, imaginary, memory, false);
        }
        Arrays.fill(zeros, 0);
    }

    private boolean accumulate(Sweep.Term term, boolean imaginary, Buffer memory, boolean fast) {
        I64Ptr to = I64Ptr.of(memory);
        long at = imaginary ? ExactSums.LENGTH : 0;
        long n = Operands.parts(term.y());
        int tiles = 0;
        for (long i = 0; i < n; i += TILE) {
            tile(term, imaginary, i, (int) Math.min(TILE, n - i), fast);
            if (fast && !finite) {
                return false;
            }
            if (!fast && ++tiles == MOST_TILES) {
                carry(to, at);
                tiles = 0;
            }
        }
        if (fast && hasNan()) {
            digits[ExactDigits.NANS]++;
        }
        carry(to, at);
        return true;
    }

    private boolean hasNan() {
        double sum = 0;
        for (double zero : zeros) {
            sum += zero;
        }
        return Double.isNaN(sum);
    }

    private void carry(I64Ptr to, long at) {
        for (int d = 0; d < digits.length; d++) {
            ExactDigits.carry(to, at, d, digits[d]);
        }
        Arrays.fill(digits, 0);
    }

    /** Adds a tile to the digits. */
    private void tile(Sweep.Term term, boolean imaginary, long i, int count, boolean fast) {
        load(term.x(), i, x, count);
        double[] other = x;
        if (term.x().address() != term.y().address()) {
            load(term.y(), i, y, count);
            other = y;
        }
        boolean complex = term.y().type().isComplex();
        double[] first = x;
        double sign = term.kind() == Sweep.Kind.EXACT_DOT ? -1 : 1;
        if (term.kind() == Sweep.Kind.EXACT_SQUARES) {
            scale(x, term.a().real());
        } else if (term.kind() == Sweep.Kind.EXACT_MODULI) {
            moduli(x, complex, terms);
            first = terms;
            other = ones;
        } else if (imaginary) {
            cross(x, other, sign, terms);
            first = terms;
            other = ones;
        } else if (complex && sign < 0) {
            multiply(x, other, terms);
            negateOdd(terms);
            first = terms;
            other = ones;
        }
        if (!fast || !integers(first, other)) {
            multiply(first, other, terms);
            split();
        }
    }

    private void load(Buffer from, long i, double[] to, int count) {
        MemorySegment segment = ((HostArray) from).segment();
        if (Operands.wide(from)) {
            MemorySegment.copy(segment, JAVA_DOUBLE, i * Double.BYTES, to, 0, count);
        } else {
            MemorySegment.copy(segment, JAVA_FLOAT, i * Float.BYTES, narrow, 0, count);
            widen(narrow, to);
        }
        if (count < TILE) {
            Arrays.fill(to, count, TILE, 0);
        }
    }

    private static void widen(float[] from, double[] to) {
        for (int k = 0; k < TILE; k++) {
            to[k] = from[k];
        }
    }

    private static void scale(double[] x, double factor) {
        for (int k = 0; k < TILE; k++) {
            x[k] *= factor;
        }
    }

    private static void multiply(double[] x, double[] y, double[] z) {
        for (int k = 0; k < TILE; k++) {
            z[k] = x[k] * y[k];
        }
    }

    private static void negateOdd(double[] z) {
        for (int k = 1; k < TILE; k += 2) {
            z[k] = -z[k];
        }
    }

    private static void cross(double[] x, double[] y, double sign, double[] z) {
        for (int k = 0; k < TILE; k += 2) {
            z[k] = x[k] * y[k + 1];
            z[k + 1] = -sign * (x[k + 1] * y[k]);
        }
    }

    private static void moduli(double[] x, boolean complex, double[] z) {
        for (int k = 0; k < TILE; k++) {
            z[k] = !complex ? Math.abs(x[k]) : k % 2 == 0 ? ExactKernels.modulus(x[k], x[k + 1]) : 0;
        }
    }

    // A tile

    /** Adds the products to the digits if they are pairs of integers with the known units. */
    private boolean integers(double[] u, double[] v) {
        double factor = Math.scalb(1.0, power);
        double unit = Math.scalb(1.0, -power);
        double small = Math.scalb(1.0, power + 52);
        double smallUnit = Math.scalb(1.0, -power - 52);
        double[] nans = zeros;
        long highs = 0;
        long lows = 0;
        long range = 0;
        long left = 0;
        for (int k = 0; k < TILE; k++) {
            double product = u[k] * v[k];
            nans[k] += product * 0.0;
            long high = (long) (product * factor);
            highs += high;
            range |= high + MOST;
            double rest = product - (double) high * unit;
            long low = (long) (rest * small);
            lows += low;
            // Any number but 0 becomes an integer other than 0.
            left |= (long) ((rest - (double) low * smallUnit) * 0x1p1000 * 0x1p200);
        }
        if (left != 0 || range < 0 || range >= 2 * MOST) {
            return false;
        }
        ExactDigits.add(digits, highs, 1074 - power);
        ExactDigits.add(digits, lows, 1074 - 52 - power);
        return true;
    }

    /** Adds the terms to the digits. */
    private void split() {
        moduli(terms, sums);
        double bound = sum();
        if (bound == 0) {
            return;
        }
        int exponent = Math.max(LOWEST, Math.getExponent(bound) + 2);
        if (exponent > HIGHEST) {
            finite &= Double.isFinite(bound);
            for (double term : terms) {
                ExactDigits.add(digits, term);
            }
            return;
        }
        power = Math.clamp(USUAL - exponent + 2, -900, 900);
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
        for (int k = 0; k < TILE; k++) {
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

    // Rounding

    /** Rounds the sums of a term of a sweep. */
    void round(Sweep.Term term) {
        I64Ptr from = I64Ptr.of(requireNonNull(term.exact()));
        HostArray results = (HostArray) term.y();
        int count = (int) results.count();
        for (int k = 0; k < count; k++) {
            for (int d = 0; d < digits.length; d++) {
                for (int level = 0; level < term.levels(); level++) {
                    digits[d] += from.get((long) (level * count + k) * ExactSums.LENGTH + d);
                }
            }
            results.setDouble(k, ExactDigits.rounded(pointer, 0));
            Arrays.fill(digits, 0);
        }
    }
}
