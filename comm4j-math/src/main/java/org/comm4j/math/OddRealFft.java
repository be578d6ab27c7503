// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.Arrays;

/**
 * Transforms of real numbers, of an odd length n = r m with a prime r: butterflies of radix r make r sequences of m
 * numbers, of which the first one and half of the others are transformed. The others' results are conjugate to theirs.
 * Rows are not brought into order.
 *
 * @param <A> the type of a row
 */
final class OddRealFft<A> {
    private final int length;
    private final int radix;
    private final RowLoops<A> loops;
    private final OddRadix<A> first;
    private final SmoothFft<A> others;
    private final double[] roots;
    private final double[] twice;

    OddRealFft(RowLoops<A> loops, int length, int columns) {
        this.loops = loops;
        this.length = length;
        int[] factors = SmoothFft.factors(length);
        radix = factors[factors.length - 1];
        int m = length / radix;
        first = new OddRadix<>(loops, radix, columns);
        others = new SmoothFft<>(loops, m, columns);
        roots = Twiddles.of(radix, m);
        twice = Arrays.stream(roots).map(root -> 2 * root).toArray();
    }

    /** Returns the row of a real number. */
    int row(int j) {
        int m = others.length();
        return j - j % m + others.row(j % m);
    }

    /** Returns whether an element of the transform is there as its conjugate. */
    boolean isConjugate(int k) {
        return k % radix > radix / 2;
    }

    /** Returns the row of an element of the result of {@link #run}, or its conjugate. */
    int resultRow(int k) {
        int there = isConjugate(k) ? length - k : k;
        return there % radix * others.length() + others.row(there / radix);
    }

    /** Returns the row of an element that is given to {@link #invert}, or its conjugate. */
    int givenRow(int k) {
        int there = isConjugate(k) ? length - k : k;
        return there % radix * others.length() + there / radix;
    }

    /** Transforms the real numbers that are in the rows {@code re}, in their order. */
    void run(A[] re, A[] im, int columns) {
        int m = others.length();
        for (int p = 0; p < m; p++) {
            first.transformReal(re, im, p, m, roots, 2 * (radix - 1) * p, columns);
        }
        for (int k = 0; k <= radix / 2; k++) {
            others.run(re, im, k * m, columns);
        }
    }

    /** Computes the real numbers, n times as large, of elements of a transform. */
    void invert(A[] re, A[] im, int columns) {
        int m = others.length();
        loops.clear(im[0], columns);
        for (int q = 1; 2 * q < m; q++) {
            loops.conjugate(re[m - q], im[m - q], re[q], im[q], columns);
        }
        for (int k = 0; k <= radix / 2; k++) {
            others.run(im, re, k * m, columns);
        }
        for (int p = 0; p < m; p++) {
            first.invertReal(re, im, others.row(p), m, twice, 2 * (radix - 1) * p, columns);
        }
    }
}
