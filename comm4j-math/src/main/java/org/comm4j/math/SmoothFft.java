// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A transform of a length without prime factors above {@value #LARGEST}: decimation in frequency in place, one block
 * after the other, so that small blocks stay in the cache. Rows are not brought into order; {@link #row} says where
 * each is.
 *
 * @param <A> the type of a row
 */
final class SmoothFft<A> implements RowFft<A> {
    /** Rows of larger butterflies leave the caches. Lengths with larger primes are convolutions. */
    private static final int LARGEST = 61;

    /** The largest radix with loops of its own. */
    private static final int SPECIAL = 5;

    private final int length;
    private final int[] factors;
    private final double[][] twiddles;
    private final int[] order;
    private final RowLoops<A> loops;
    /** Butterflies of the last factors, which have no loops of their own. */
    private final List<OddRadix<A>> odd = new ArrayList<>();

    SmoothFft(RowLoops<A> loops, int length, int columns) {
        this.loops = loops;
        this.length = length;
        factors = factors(length);
        twiddles = new double[factors.length][];
        int rest = length;
        for (int d = 0; d < factors.length; d++) {
            rest /= factors[d];
            twiddles[d] = Twiddles.of(factors[d], rest);
            if (factors[d] > SPECIAL) {
                boolean known = !odd.isEmpty() && factors[d] == factors[d - 1];
                odd.add(known ? odd.getLast() : new OddRadix<>(loops, factors[d], columns));
            }
        }
        order = new int[length];
        order(0, 0, 0, 1, length);
    }

    /** Returns whether a length has no prime factor that is too large. */
    static boolean isSmooth(int length) {
        return last(length) <= LARGEST;
    }

    /** Returns whether a length has only radices with loops of their own. */
    static boolean isLight(int length) {
        return last(length) <= SPECIAL;
    }

    private static int last(int length) {
        int[] factors = factors(length);
        return factors.length == 0 ? 1 : factors[factors.length - 1];
    }

    /**
     * Returns factors of a length: primes in ascending order, the rest at last, but fours behind 5. Roots of unity cost
     * radix 4 a loop of its own, and the last factor has none.
     */
    static int[] factors(int length) {
        int[] all = new int[32];
        int count = 0;
        int rest = length;
        int fours = 0;
        while (rest % 4 == 0) {
            fours++;
            rest /= 4;
        }
        for (int prime = 2; prime <= LARGEST; prime++) {
            while (rest % prime == 0) {
                all[count++] = prime;
                rest /= prime;
            }
            if (prime == SPECIAL) {
                Arrays.fill(all, count, count + fours, 4);
                count += fours;
            }
        }
        if (rest > 1) {
            all[count++] = rest;
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
        run(re, im, 0, columns);
    }

    /** Transforms rows {@code at} and on. */
    void run(A[] re, A[] im, int at, int columns) {
        block(0, at, length, re, im, columns);
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
                default ->
                    odd.get(depth - factors.length + odd.size())
                            .transform(re, im, at + p, m, w, 2 * (radix - 1) * p, columns);
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
        loops.five(re[a], re[b], re[c], re[d], re[e], n);
        loops.five(im[a], im[b], im[c], im[d], im[e], n);
        loops.turned(re[b], im[b], re[e], im[e], w[t], w[t + 1], w[t + 6], w[t + 7], n);
        loops.turned(re[c], im[c], re[d], im[d], w[t + 2], w[t + 3], w[t + 4], w[t + 5], n);
    }
}
