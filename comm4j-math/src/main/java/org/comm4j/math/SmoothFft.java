// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.Arrays;

/**
 * A transform of a length without prime factors above 13: decimation in frequency in place, one block after the other,
 * so that small blocks stay in the cache. Rows are not brought into order; {@link #row} says where each is.
 *
 * @param <A> the type of a row
 */
final class SmoothFft<A> implements RowFft<A> {
    private static final int[] RADICES = {4, 2, 3, 5, 7, 11, 13};

    private final int length;
    private final int[] factors;
    private final double[][] twiddles;
    private final int[] order;
    /** Rows for the results of a butterfly of an odd radix, which then change places with its operands. */
    private final A[] re;

    private final A[] im;
    private final RowLoops<A> loops;

    SmoothFft(RowLoops<A> loops, int length, int columns) {
        this.loops = loops;
        this.length = length;
        factors = factors(length);
        twiddles = new double[factors.length][];
        int rest = length;
        int spare = 0;
        for (int d = 0; d < factors.length; d++) {
            rest /= factors[d];
            twiddles[d] = Twiddles.of(factors[d], rest);
            spare = factors[d] > 5 ? Math.max(spare, factors[d] - 1) : spare;
        }
        re = loops.rows(spare, columns);
        im = loops.rows(spare, columns);
        order = new int[length];
        order(0, 0, 0, 1, length);
    }

    static boolean isSmooth(int length) {
        int rest = length;
        for (int radix : RADICES) {
            while (rest % radix == 0) {
                rest /= radix;
            }
        }
        return rest == 1;
    }

    private static int[] factors(int length) {
        int[] all = new int[32];
        int count = 0;
        int rest = length;
        for (int radix : RADICES) {
            while (rest % radix == 0) {
                all[count++] = radix;
                rest /= radix;
            }
        }
        return Arrays.copyOf(all, count);
    }

    private void order(int depth, int at, int k, int stride, int rest) {
        if (depth == factors.length) {
            order[k] = at;
            return;
        }
        int m = rest / factors[depth];
        for (int j = 0; j < factors[depth]; j++) {
            order(depth + 1, at + j * m, k + j * stride, stride * factors[depth], m);
        }
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int rows() {
        return length;
    }

    @Override
    public int row(int k) {
        return order[k];
    }

    @Override
    public void run(A[] re, A[] im, int columns) {
        block(0, 0, length, re, im, columns);
    }

    private void block(int depth, int at, int rest, A[] re, A[] im, int columns) {
        if (depth == factors.length) {
            return;
        }
        int radix = factors[depth];
        int m = rest / radix;
        double[] w = twiddles[depth];
        for (int p = 0; p < m; p++) {
            switch (radix) {
                case 2 -> two(re, im, at + p, m, w, 2 * p, columns);
                case 3 -> three(re, im, at + p, m, w, 4 * p, columns);
                case 4 -> four(re, im, at + p, m, w, 6 * p, columns);
                case 5 -> five(re, im, at + p, m, w, 8 * p, columns);
                default -> odd(radix, re, im, at + p, m, w, 2 * (radix - 1) * p, columns);
            }
        }
        for (int j = 0; j < radix; j++) {
            block(depth + 1, at + j * m, m, re, im, columns);
        }
    }

    private void two(A[] re, A[] im, int a, int m, double[] w, int t, int n) {
        int b = a + m;
        if (t == 0) {
            loops.butterfly(re[a], im[a], re[b], im[b], n);
        } else {
            loops.butterfly(re[a], im[a], re[b], im[b], w[t], w[t + 1], n);
        }
    }

    private void three(A[] re, A[] im, int a, int m, double[] w, int t, int n) {
        int b = a + m;
        int c = b + m;
        loops.three(re[a], im[a], re[b], im[b], re[c], im[c], w[t], w[t + 1], w[t + 2], w[t + 3], n);
    }

    private void four(A[] re, A[] im, int a, int m, double[] w, int t, int n) {
        int b = a + m;
        int c = b + m;
        int d = c + m;
        loops.four(re[a], im[a], re[b], im[b], re[c], im[c], re[d], im[d], n);
        if (t != 0) {
            loops.multiply(
                    re[b], im[b], re[c], im[c], re[d], im[d], w[t], w[t + 1], w[t + 2], w[t + 3], w[t + 4], w[t + 5],
                    n);
        }
    }

    private void five(A[] re, A[] im, int a, int m, double[] w, int t, int n) {
        int b = a + m;
        int c = b + m;
        int d = c + m;
        int e = d + m;
        loops.butterflies(re[b], im[b], re[e], im[e], re[c], im[c], re[d], im[d], n);
        loops.fiveCosines(re[a], im[a], re[b], im[b], re[c], im[c], n);
        loops.fiveSines(re[e], im[e], re[d], im[d], n);
        loops.turned(re[b], im[b], re[e], im[e], w[t], w[t + 1], w[t + 6], w[t + 7], n);
        loops.turned(re[c], im[c], re[d], im[d], w[t + 2], w[t + 3], w[t + 4], w[t + 5], n);
    }

    /** The sums and differences of operands j and r − j give results k and r − k: half of the products. */
    private void odd(int radix, A[] re, A[] im, int a, int m, double[] w, int t, int n) {
        int half = (radix - 1) / 2;
        for (int j = 1; j <= half; j++) {
            int b = a + j * m;
            int c = a + (radix - j) * m;
            loops.butterfly(re[b], im[b], re[c], im[c], n);
        }
        for (int k = 1; k <= half; k++) {
            A cr = this.re[k - 1];
            A ci = this.im[k - 1];
            A sr = this.re[radix - k - 1];
            A si = this.im[radix - k - 1];
            cosines(radix, k, re, im, a, m, cr, ci, n);
            sines(radix, k, re, im, a, m, sr, si, n);
            if (t == 0) {
                loops.turned(cr, ci, sr, si, n);
            } else {
                int u = t + 2 * (k - 1);
                int v = t + 2 * (radix - k - 1);
                loops.turned(cr, ci, sr, si, w[u], w[u + 1], w[v], w[v + 1], n);
            }
        }
        int j = 1;
        for (; j < half; j += 2) {
            int b = a + j * m;
            loops.add(re[a], im[a], re[b], im[b], re[b + m], im[b + m], n);
        }
        if (j == half) {
            loops.add(re[a], im[a], re[a + j * m], im[a + j * m], n);
        }
        for (int k = 1; k < radix; k++) {
            swap(re, a + k * m, this.re, k - 1);
            swap(im, a + k * m, this.im, k - 1);
        }
    }

    /** Computes the sum of operand 0 and of cos(2π j k / r) times the sums of operands j and r − j. */
    private void cosines(int radix, int k, A[] re, A[] im, int a, int m, A yr, A yi, int n) {
        double[] cos = COSINES[radix];
        int half = (radix - 1) / 2;
        A fromR = re[a];
        A fromI = im[a];
        int j = 1;
        for (; j < half; j += 2) {
            int b = a + j * m;
            int c = b + m;
            double f = cos[j * k % radix];
            double g = cos[(j + 1) * k % radix];
            loops.sum(yr, yi, fromR, fromI, f, re[b], im[b], g, re[c], im[c], n);
            fromR = yr;
            fromI = yi;
        }
        if (j == half) {
            int b = a + j * m;
            loops.sum(yr, yi, fromR, fromI, cos[j * k % radix], re[b], im[b], n);
        }
    }

    /** Computes the sum of sin(2π j k / r) times the differences of operands j and r − j. */
    private void sines(int radix, int k, A[] re, A[] im, int a, int m, A yr, A yi, int n) {
        double[] sin = SINES[radix];
        int half = (radix - 1) / 2;
        int b = a + (radix - 1) * m;
        if (half == 1) {
            loops.scale(yr, yi, sin[k], re[b], im[b], n);
            return;
        }
        int c = b - m;
        loops.scale(yr, yi, sin[k], re[b], im[b], sin[2 * k % radix], re[c], im[c], n);
        int j = 3;
        for (; j < half; j += 2) {
            b = a + (radix - j) * m;
            c = b - m;
            double f = sin[j * k % radix];
            double g = sin[(j + 1) * k % radix];
            loops.sum(yr, yi, yr, yi, f, re[b], im[b], g, re[c], im[c], n);
        }
        if (j == half) {
            b = a + (radix - j) * m;
            loops.sum(yr, yi, yr, yi, sin[j * k % radix], re[b], im[b], n);
        }
    }

    private static <A> void swap(A[] a, int i, A[] b, int j) {
        A row = a[i];
        a[i] = b[j];
        b[j] = row;
    }

    private static final double[][] COSINES = new double[14][];
    private static final double[][] SINES = new double[14][];

    static {
        for (int radix : RADICES) {
            COSINES[radix] = new double[radix];
            SINES[radix] = new double[radix];
            for (int k = 0; k < radix; k++) {
                COSINES[radix][k] = Twiddles.cos(k, radix);
                SINES[radix][k] = Twiddles.sin(k, radix);
            }
        }
    }
}
