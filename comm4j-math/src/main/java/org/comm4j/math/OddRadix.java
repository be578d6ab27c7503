// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/**
 * Butterflies of an odd radix r. The sums and differences of operands j and r − j make results k and r − k, which is
 * half of the products: the sums by cosines of 2π j k / r, the differences by sines. Two results are formed together,
 * of four operands in a turn: as many products for each access to memory as a processor can do.
 *
 * @param <A> the type of a row
 */
final class OddRadix<A> {
    private static final int RESULTS = 2;
    private static final int OPERANDS = 4;

    private final RowLoops<A> loops;
    private final int radix;
    private final int half;
    /** Factors of pairs of results, turn by turn; of cosines those of results 0 and 1 come first. */
    private final double[] cosines;

    private final double[] sines;
    private final A zero;

    // Results, whose rows then change places with the operands

    private final A[] cosRe;
    private final A[] cosIm;
    private final A[] sinRe;
    private final A[] sinIm;

    OddRadix(RowLoops<A> loops, int radix, int columns) {
        this.loops = loops;
        this.radix = radix;
        half = (radix - 1) / 2;
        cosines = factors(0);
        sines = factors(1);
        zero = loops.row(columns);
        int rows = half + RESULTS;
        cosRe = loops.rows(rows, columns);
        cosIm = loops.rows(rows, columns);
        sinRe = loops.rows(rows, columns);
        sinIm = loops.rows(rows, columns);
    }

    /** Returns the factors of results from a first one on. Where there is no result or operand, they are 0. */
    private double[] factors(int first) {
        int pairs = Math.ceilDiv(half + 1 - first, RESULTS);
        double[] all = new double[pairs * Math.ceilDiv(half, OPERANDS) * RESULTS * OPERANDS];
        int at = 0;
        for (int k = first; k <= half; k += RESULTS) {
            for (int j = 1; j <= half; j += OPERANDS) {
                for (int i = 0; i < RESULTS * OPERANDS; i++, at++) {
                    int result = k + i / OPERANDS;
                    int operand = j + i % OPERANDS;
                    if (result <= half && operand <= half) {
                        int angle = operand * result;
                        all[at] = first == 0 ? Twiddles.cos(angle, radix) : Twiddles.sin(angle, radix);
                    }
                }
            }
        }
        return all;
    }

    /**
     * Transforms rows {@code a}, {@code a + m} and on, and multiplies results 1 and on by roots of unity.
     *
     * @param t place of the first root in {@code w}; 0 for none
     */
    void transform(A[] re, A[] im, int a, int m, double[] w, int t, int n) {
        int last = a + (radix - 1) * m;
        for (int j = 1; j <= half; j++) {
            loops.butterfly(re[a + j * m], im[a + j * m], re[last + m - j * m], im[last + m - j * m], n);
        }
        cosines(re, a, a + m, m, cosRe, n);
        cosines(im, a, a + m, m, cosIm, n);
        sines(re, last, -m, sinRe, n);
        sines(im, last, -m, sinIm, n);
        swap(re, a, cosRe, 0);
        swap(im, a, cosIm, 0);
        for (int k = 1; k <= half; k++) {
            if (t == 0) {
                loops.turned(cosRe[k], cosIm[k], sinRe[k], sinIm[k], n);
            } else {
                int u = t + 2 * (k - 1);
                int v = t + 2 * (radix - k - 1);
                loops.turned(cosRe[k], cosIm[k], sinRe[k], sinIm[k], w[u], w[u + 1], w[v], w[v + 1], n);
            }
            int b = a + k * m;
            int c = last + m - k * m;
            swap(re, b, cosRe, k);
            swap(im, b, cosIm, k);
            swap(re, c, sinRe, k);
            swap(im, c, sinIm, k);
        }
    }

    /**
     * Transforms real numbers, of rows {@code a}, {@code a + m} and on, and multiplies results 1 and on by roots of
     * unity. Of results k and r − k, which are conjugate, it computes the first one.
     */
    void transformReal(A[] re, A[] im, int a, int m, double[] w, int t, int n) {
        int last = a + (radix - 1) * m;
        // Sums are where the second operand was, and differences, negative ones, where the first one was.
        differences(re, last, -m, a + m, m, n);
        cosines(re, a, last, -m, cosRe, n);
        sines(re, a + m, m, sinRe, n);
        swap(re, a, cosRe, 0);
        loops.clear(im[a], n);
        for (int k = 1; k <= half; k++) {
            int u = t + 2 * (k - 1);
            if (t != 0) {
                loops.multiply(cosRe[k], sinRe[k], w[u], w[u + 1], n);
            }
            swap(re, a + k * m, cosRe, k);
            swap(im, a + k * m, sinRe, k);
        }
    }

    /**
     * Undoes {@link #transformReal}, times r.
     *
     * @param w twice the roots of unity
     * @param t place of the first root in {@code w}
     */
    void invertReal(A[] re, A[] im, int a, int m, double[] w, int t, int n) {
        for (int k = 1; k <= half; k++) {
            int u = t + 2 * (k - 1);
            loops.multiply(re[a + k * m], im[a + k * m], w[u], -w[u + 1], n);
        }
        cosines(re, a, a + m, m, cosRe, n);
        sines(im, a + m, m, sinRe, n);
        swap(re, a, cosRe, 0);
        int last = a + (radix - 1) * m;
        for (int j = 1; j <= half; j++) {
            swap(re, last + m - j * m, cosRe, j);
            swap(re, a + j * m, sinRe, j);
        }
        differences(re, last, -m, a + m, m, n);
    }

    /** Sets a to a + b and b to a − b, for pairs of rows. */
    private void differences(A[] rows, int a, int aStep, int b, int bStep, int n) {
        for (int j = 0; j < half; j += 2) {
            // The last one alone has rows beside it that nobody reads.
            boolean alone = j + 1 == half;
            A c = alone ? cosIm[0] : rows[a + (j + 1) * aStep];
            A d = alone ? sinIm[0] : rows[b + (j + 1) * bStep];
            loops.butterfly(rows[a + j * aStep], c, rows[b + j * bStep], d, n);
        }
    }

    /** Computes results 0 and on of sums of operands in rows {@code first}, {@code first + step} and on. */
    private void cosines(A[] rows, int base, int first, int step, A[] to, int n) {
        sums(cosines, 0, rows[base], rows, first, step, to, n);
    }

    /** Computes results 1 and on of differences of operands. */
    private void sines(A[] rows, int first, int step, A[] to, int n) {
        sums(sines, 1, zero, rows, first, step, to, n);
    }

    private void sums(double[] factors, int from, A base, A[] rows, int first, int step, A[] to, int n) {
        int at = 0;
        for (int k = from; k <= half; k += RESULTS) {
            A y = to[k];
            A z = to[k + 1];
            A p = base;
            A q = base;
            for (int j = 0; j < half; j += OPERANDS, at += RESULTS * OPERANDS) {
                A b = rows[first + j * step];
                A c = rows[first + Math.min(j + 1, half - 1) * step];
                A d = rows[first + Math.min(j + 2, half - 1) * step];
                A e = rows[first + Math.min(j + 3, half - 1) * step];
                loops.sums(y, z, p, q, factors, at, b, c, d, e, n);
                p = y;
                q = z;
            }
        }
    }

    private static <A> void swap(A[] a, int i, A[] b, int j) {
        A row = a[i];
        a[i] = b[j];
        b[j] = row;
    }
}
