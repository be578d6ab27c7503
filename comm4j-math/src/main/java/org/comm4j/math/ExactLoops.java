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
 * Sums of {@link ExactSums} in host memory, tile by tile. The terms of a tile are split into multiples of a unit, which
 * are added up without rounding, and rests, which are split likewise until all are 0. Loops are short so that compilers
 * make vectors of them.
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

    private final double[] x = new double[TILE];
    private final double[] y = new double[TILE];
    private final double[] terms = new double[TILE];
    private final double[] sums = new double[HALF];
    private final long[] digits = new long[ExactSums.LENGTH];
    private final I64Ptr pointer = I64Ptr.of(digits);

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
        I64Ptr to = I64Ptr.of(memory);
        long at = imaginary ? ExactSums.LENGTH : 0;
        long n = Operands.parts(term.y());
        int tiles = 0;
        for (long i = 0; i < n; i += TILE) {
            int count = (int) Math.min(TILE, n - i);
            terms(term, imaginary, i, count);
            if (count < TILE) {
                Arrays.fill(terms, count, TILE, 0);
            }
            split();
            if (++tiles == MOST_TILES) {
                carry(to, at);
                tiles = 0;
            }
        }
        carry(to, at);
    }

    private void carry(I64Ptr to, long at) {
        for (int d = 0; d < digits.length; d++) {
            ExactDigits.carry(to, at, d, digits[d]);
        }
        Arrays.fill(digits, 0);
    }

    /** Computes the terms of a tile. */
    private void terms(Sweep.Term term, boolean imaginary, long i, int count) {
        load(term.x(), i, x, count);
        double[] other = x;
        if (term.x().address() != term.y().address()) {
            load(term.y(), i, y, count);
            other = y;
        }
        boolean complex = term.y().type().isComplex();
        switch (term.kind()) {
            case EXACT_SQUARES -> {
                scale(x, term.a().real(), count);
                multiply(x, x, terms, count);
            }
            case EXACT_MODULI -> moduli(x, complex, terms, count);
            default -> {
                double sign = term.kind() == Sweep.Kind.EXACT_DOT ? -1 : 1;
                if (imaginary) {
                    cross(x, other, sign, terms, count);
                } else {
                    multiply(x, other, terms, count);
                    if (complex && sign < 0) {
                        negateOdd(terms, count);
                    }
                }
            }
        }
    }

    private static void load(Buffer from, long i, double[] to, int count) {
        MemorySegment segment = ((HostArray) from).segment();
        if (Operands.wide(from)) {
            MemorySegment.copy(segment, JAVA_DOUBLE, i * Double.BYTES, to, 0, count);
        } else {
            MemorySegment part = segment.asSlice(i * Float.BYTES, (long) count * Float.BYTES);
            for (int k = 0; k < count; k++) {
                to[k] = part.getAtIndex(JAVA_FLOAT, k);
            }
        }
    }

    private static void scale(double[] x, double factor, int count) {
        for (int k = 0; k < count; k++) {
            x[k] *= factor;
        }
    }

    private static void multiply(double[] x, double[] y, double[] z, int count) {
        for (int k = 0; k < count; k++) {
            z[k] = x[k] * y[k];
        }
    }

    private static void negateOdd(double[] z, int count) {
        for (int k = 1; k < count; k += 2) {
            z[k] = -z[k];
        }
    }

    private static void cross(double[] x, double[] y, double sign, double[] z, int count) {
        for (int k = 0; k < count; k += 2) {
            z[k] = x[k] * y[k + 1];
            z[k + 1] = -sign * (x[k + 1] * y[k]);
        }
    }

    private static void moduli(double[] x, boolean complex, double[] z, int count) {
        for (int k = 0; k < count; k++) {
            z[k] = !complex ? Math.abs(x[k]) : k % 2 == 0 ? ExactKernels.modulus(x[k], x[k + 1]) : 0;
        }
    }

    // A tile

    /** Adds the terms to the digits. */
    private void split() {
        moduli(terms, sums);
        double bound = sum();
        if (bound == 0) {
            return;
        }
        int exponent = Math.max(LOWEST, Math.getExponent(bound) + 2);
        if (exponent > HIGHEST) {
            for (double term : terms) {
                ExactDigits.add(pointer, 0, 1, term);
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
            ExactDigits.add(pointer, 0, 1, sum);
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
