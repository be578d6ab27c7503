// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.Arrays;

/**
 * A transform of any length n: since 2 j k = j² + k² − (k − j)², it is a convolution with a chirp, which transforms of
 * a smooth length compute (Bluestein, 1970).
 */
final class BluesteinFft implements RowFft<double[]> {
    private static final DoubleRows LOOPS = DoubleRows.LOOPS;

    private final int length;
    private final SmoothFft<double[]> inner;
    /** Cosine and sine of −π k² / n in turn. */
    private final double[] chirp;
    /** The transform of the conjugate chirp over the length of the convolution, in the order of its rows. */
    private final double[][] kernel;
    /** Where rows are put into order. */
    private final double[][] sortedRe;

    private final double[][] sortedIm;

    BluesteinFft(int length, int columns) {
        this.length = length;
        inner = new SmoothFft<>(LOOPS, smooth(2 * length - 1), columns);
        chirp = chirp(length);
        int m = inner.length();
        double[][] re = new double[m][1];
        double[][] im = new double[m][1];
        for (int k = 0; k < length; k++) {
            re[k][0] = chirp[2 * k] / m;
            im[k][0] = -chirp[2 * k + 1] / m;
            re[(m - k) % m][0] = re[k][0];
            im[(m - k) % m][0] = im[k][0];
        }
        new SmoothFft<>(LOOPS, m, 1).run(re, im, 1);
        sortedRe = new double[m][];
        sortedIm = new double[m][];
        kernel = new double[m][];
        for (int row = 0; row < m; row++) {
            kernel[row] = new double[] {re[row][0], im[row][0]};
        }
    }

    /** Returns cosine and sine of −π k² / n in turn, from exact integers. */
    static double[] chirp(int length) {
        double[] chirp = new double[2 * length];
        for (int k = 0; k < length; k++) {
            long square = (long) k * k % (2L * length);
            chirp[2 * k] = Twiddles.cos(square, 2L * length);
            chirp[2 * k + 1] = -Twiddles.sin(square, 2L * length);
        }
        return chirp;
    }

    /** Returns the least number of at least {@code least} without prime factors above 5. */
    static int smooth(int least) {
        long best = Integer.highestOneBit(least) == least ? least : 2L * Integer.highestOneBit(least);
        for (long fives = 1; fives < best; fives *= 5) {
            for (long threes = fives; threes < best; threes *= 3) {
                long candidate = threes;
                while (candidate < least) {
                    candidate *= 2;
                }
                best = Math.min(best, candidate);
            }
        }
        return Math.toIntExact(best);
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int rows() {
        return inner.length();
    }

    @Override
    public int row(int k) {
        return inner.row(k);
    }

    @Override
    public void run(double[][] re, double[][] im, int columns) {
        int m = inner.length();
        for (int k = 0; k < length; k++) {
            LOOPS.multiply(re[k], im[k], chirp[2 * k], chirp[2 * k + 1], columns);
        }
        for (int k = length; k < m; k++) {
            Arrays.fill(re[k], 0, columns, 0);
            Arrays.fill(im[k], 0, columns, 0);
        }
        inner.run(re, im, columns);
        // The products go back into the order of the elements, for the inverse transform.
        for (int k = 0; k < m; k++) {
            int row = inner.row(k);
            LOOPS.multiply(re[row], im[row], kernel[row][0], kernel[row][1], columns);
            sortedRe[k] = re[row];
            sortedIm[k] = im[row];
        }
        System.arraycopy(sortedRe, 0, re, 0, m);
        System.arraycopy(sortedIm, 0, im, 0, m);
        inner.run(im, re, columns);
        for (int k = 0; k < length; k++) {
            int row = inner.row(k);
            LOOPS.multiply(re[row], im[row], chirp[2 * k], chirp[2 * k + 1], columns);
        }
    }
}
