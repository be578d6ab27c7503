// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.Arrays;

/**
 * A transform of any length n: since 2 j k = j² + k² − (k − j)², it is a convolution with a chirp, which transforms of
 * a smooth length compute (Bluestein, 1970). That length is three quarters where only half of the elements are given,
 * or only half of the results wanted, as with real numbers.
 */
final class BluesteinFft implements RowFft<double[]> {
    private static final DoubleRows LOOPS = DoubleRows.LOOPS;

    private final int length;
    private final int given;
    private final int wanted;
    private final SmoothFft<double[]> inner;
    /** Cosine and sine of −π k² / n in turn. */
    private final double[] chirp;
    /** The transform of the conjugate chirp over the length of the convolution. */
    private final double[] kernelRe;

    private final double[] kernelIm;
    /** Where rows are put into order. */
    private final double[][] sortedRe;

    private final double[][] sortedIm;

    /**
     * Makes a transform.
     *
     * @param given elements that are not 0, from the first one on
     * @param wanted elements of the result that are computed, from the first one on
     */
    BluesteinFft(int length, int given, int wanted, int columns) {
        this.length = length;
        this.given = given;
        this.wanted = wanted;
        inner = new SmoothFft<>(LOOPS, rows(given, wanted), columns);
        chirp = chirp(length);
        int m = inner.length();
        kernelRe = new double[m];
        kernelIm = new double[m];
        for (int k = 1 - given; k < wanted; k++) {
            int at = Math.floorMod(k, m);
            kernelRe[at] = chirp[2 * Math.abs(k)] / m;
            kernelIm[at] = -chirp[2 * Math.abs(k) + 1] / m;
        }
        new LongFft(m).run(kernelRe, kernelIm);
        sortedRe = new double[m][];
        sortedIm = new double[m][];
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

    /** Returns the length of the convolution of a transform. */
    static int rows(int given, int wanted) {
        return smooth(Math.addExact(given, wanted - 1));
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
        for (int k = 0; k < given; k++) {
            LOOPS.multiply(re[k], im[k], chirp[2 * k], chirp[2 * k + 1], columns);
        }
        for (int k = given; k < m; k++) {
            Arrays.fill(re[k], 0, columns, 0);
            Arrays.fill(im[k], 0, columns, 0);
        }
        inner.run(re, im, columns);
        // The products go back into the order of the elements, for the inverse transform.
        for (int k = 0; k < m; k++) {
            int row = inner.row(k);
            LOOPS.multiply(re[row], im[row], kernelRe[k], kernelIm[k], columns);
            sortedRe[k] = re[row];
            sortedIm[k] = im[row];
        }
        System.arraycopy(sortedRe, 0, re, 0, m);
        System.arraycopy(sortedIm, 0, im, 0, m);
        inner.run(im, re, columns);
        for (int k = 0; k < wanted; k++) {
            int row = inner.row(k);
            LOOPS.multiply(re[row], im[row], chirp[2 * k], chirp[2 * k + 1], columns);
        }
    }
}
