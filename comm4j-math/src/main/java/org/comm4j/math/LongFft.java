// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A transform of one long line: as a matrix of n = n₁ n₂ numbers whose columns, and then rows, are transformed many at
 * once, with roots of unity between (Bailey, 1990). Other lengths are convolutions, as in {@link BluesteinFft}.
 */
final class LongFft {
    /** Columns of a tile: long loops, and rows that fit in the cache. */
    private static final int TILE = 32;

    private final int length;
    private final @Nullable Convolution convolution;
    private final RowFft<double[]> first;
    private final RowFft<double[]> second;
    private final double[][] re;
    private final double[][] im;
    private final double[] workRe;
    private final double[] workIm;
    /** Roots of unity of exponents below {@code fine.length / 2}, and of its multiples: a product gives any other. */
    private final double[] fine;

    private final double[] coarse;

    LongFft(int length) {
        this.length = length;
        if (SmoothFft.isSmooth(length)) {
            convolution = null;
            int rows = nearSquareRoot(length);
            first = new SmoothFft<>(DoubleRows.LOOPS, rows, TILE);
            second = new SmoothFft<>(DoubleRows.LOOPS, length / rows, TILE);
        } else {
            convolution = new Convolution(length);
            first = new SmoothFft<>(DoubleRows.LOOPS, 1, 1);
            second = first;
        }
        int most = Math.max(first.rows(), second.rows());
        re = new double[most][TILE];
        im = new double[most][TILE];
        boolean direct = convolution == null;
        workRe = new double[direct ? length : 0];
        workIm = new double[direct ? length : 0];
        int step = direct ? (int) Math.ceil(Math.sqrt(length)) : 1;
        fine = new double[2 * step];
        coarse = new double[2 * (length / step + 1)];
        if (direct) {
            roots(fine, 1);
            roots(coarse, step);
        }
    }

    private void roots(double[] roots, int step) {
        for (int k = 0; k < roots.length / 2; k++) {
            roots[2 * k] = Twiddles.cos((long) k * step, length);
            roots[2 * k + 1] = -Twiddles.sin((long) k * step, length);
        }
    }

    private static int nearSquareRoot(int length) {
        int rows = (int) Math.sqrt(length);
        while (length % rows != 0) {
            rows--;
        }
        return rows;
    }

    /** Transforms a line in place, its elements in their order. */
    void run(double[] xr, double[] xi) {
        if (convolution != null) {
            convolution.run(xr, xi);
            return;
        }
        int n1 = first.length();
        int n2 = second.length();
        for (int c = 0; c < n2; c += TILE) {
            int columns = Math.min(TILE, n2 - c);
            for (int j = 0; j < n1; j++) {
                System.arraycopy(xr, j * n2 + c, re[j], 0, columns);
                System.arraycopy(xi, j * n2 + c, im[j], 0, columns);
            }
            first.run(re, im, Math.max(columns, RowLoops.LEAST));
            for (int k = 0; k < n1; k++) {
                turn(k, c, columns, re[first.row(k)], im[first.row(k)]);
            }
        }
        for (int k1 = 0; k1 < n1; k1 += TILE) {
            int columns = Math.min(TILE, n1 - k1);
            for (int q = 0; q < columns; q++) {
                int from = (k1 + q) * n2;
                for (int j = 0; j < n2; j++) {
                    re[j][q] = workRe[from + j];
                    im[j][q] = workIm[from + j];
                }
            }
            second.run(re, im, Math.max(columns, RowLoops.LEAST));
            for (int k2 = 0; k2 < n2; k2++) {
                System.arraycopy(re[second.row(k2)], 0, xr, k2 * n1 + k1, columns);
                System.arraycopy(im[second.row(k2)], 0, xi, k2 * n1 + k1, columns);
            }
        }
    }

    /** Multiplies columns c and on of row k by w^(k c), and puts them where the second transforms find them. */
    private void turn(int k, int c, int columns, double[] rowRe, double[] rowIm) {
        int to = k * second.length() + c;
        int step = fine.length / 2;
        for (int q = 0; q < columns; q++) {
            int exponent = (int) ((long) k * (c + q) % length);
            int high = 2 * (exponent / step);
            int low = 2 * (exponent % step);
            double wr = coarse[high] * fine[low] - coarse[high + 1] * fine[low + 1];
            double wi = coarse[high] * fine[low + 1] + coarse[high + 1] * fine[low];
            workRe[to + q] = rowRe[q] * wr - rowIm[q] * wi;
            workIm[to + q] = rowRe[q] * wi + rowIm[q] * wr;
        }
    }

    /** A transform of any length as a convolution with a chirp. */
    private static final class Convolution {
        private final int length;
        private final LongFft inner;
        private final double[] chirp;
        private final double[] kernelRe;
        private final double[] kernelIm;
        private final double[] re;
        private final double[] im;

        Convolution(int length) {
            this.length = length;
            int m = BluesteinFft.smooth(Math.addExact(length, length - 1));
            inner = new LongFft(m);
            chirp = BluesteinFft.chirp(length);
            kernelRe = new double[m];
            kernelIm = new double[m];
            for (int k = 0; k < length; k++) {
                kernelRe[k] = chirp[2 * k] / m;
                kernelIm[k] = -chirp[2 * k + 1] / m;
                kernelRe[(m - k) % m] = kernelRe[k];
                kernelIm[(m - k) % m] = kernelIm[k];
            }
            inner.run(kernelRe, kernelIm);
            re = new double[m];
            im = new double[m];
        }

        void run(double[] xr, double[] xi) {
            for (int k = 0; k < length; k++) {
                re[k] = xr[k] * chirp[2 * k] - xi[k] * chirp[2 * k + 1];
                im[k] = xr[k] * chirp[2 * k + 1] + xi[k] * chirp[2 * k];
            }
            Arrays.fill(re, length, re.length, 0);
            Arrays.fill(im, length, im.length, 0);
            inner.run(re, im);
            for (int k = 0; k < re.length; k++) {
                double r = re[k] * kernelRe[k] - im[k] * kernelIm[k];
                im[k] = re[k] * kernelIm[k] + im[k] * kernelRe[k];
                re[k] = r;
            }
            inner.run(im, re);
            for (int k = 0; k < length; k++) {
                xr[k] = re[k] * chirp[2 * k] - im[k] * chirp[2 * k + 1];
                xi[k] = re[k] * chirp[2 * k + 1] + im[k] * chirp[2 * k];
            }
        }
    }
}
