// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/**
 * Discrete Fourier transforms by their definition, in numbers of twice the precision of double: sums of two doubles
 * (Dekker, 1971), and roots of unity from their power series.
 */
final class QuadDft {
    private static final double PI_HIGH = Math.PI;
    private static final double PI_LOW = 1.2246467991473532e-16;

    /** Cosine and sine of 2π k / n, each as a sum of two doubles. */
    private final double[][] roots;

    private final int length;

    QuadDft(int length) {
        this.length = length;
        roots = new double[length][];
        for (int k = 0; k < length; k++) {
            roots[k] = root(k, length);
        }
    }

    /** Returns Σⱼ x[j] e^(sign 2πi j k / n), rounded to two doubles. */
    double[] element(double[] re, double[] im, int k, int sign) {
        double[] sumRe = new double[2];
        double[] sumIm = new double[2];
        for (int j = 0; j < length; j++) {
            double[] w = roots[(int) ((long) j * k % length)];
            addProduct(sumRe, re[j], w[0], w[1]);
            addProduct(sumRe, -sign * im[j], w[2], w[3]);
            addProduct(sumIm, sign * re[j], w[2], w[3]);
            addProduct(sumIm, im[j], w[0], w[1]);
        }
        return new double[] {sumRe[0], sumIm[0]};
    }

    private static void addProduct(double[] sum, double a, double high, double low) {
        double product = a * high;
        add(sum, product, Math.fma(a, high, -product) + a * low);
    }

    private static void add(double[] sum, double high, double low) {
        double s = sum[0] + high;
        double back = s - sum[0];
        double error = (sum[0] - (s - back)) + (high - back) + sum[1] + low;
        sum[0] = s + error;
        sum[1] = error - (sum[0] - s);
    }

    private static double[] times(double[] a, double[] b) {
        double product = a[0] * b[0];
        double error = Math.fma(a[0], b[0], -product) + a[0] * b[1] + a[1] * b[0];
        double high = product + error;
        return new double[] {high, error - (high - product)};
    }

    private static double[] divided(double[] a, double by) {
        double q = a[0] / by;
        double rest = Math.fma(-q, by, a[0]) + a[1];
        double low = rest / by;
        return new double[] {q + low, low - (q + low - q)};
    }

    /** Returns cosine and sine of 2π k / n from those of an angle of at most π / 4, which the series gives. */
    private static double[] root(long k, long n) {
        long eighths = 8 * k; // of 8 n in a turn
        int quarter = (int) ((eighths + n) / (2 * n));
        long rest = eighths - 2 * n * quarter; // from −n to n
        double[] angle = divided(times(new double[] {PI_HIGH, PI_LOW}, new double[] {rest, 0}), 4.0 * n);
        double[] square = times(angle, angle);
        double[] cos = {1, 0};
        double[] sin = angle.clone();
        double[] even = {1, 0};
        double[] odd = angle;
        for (int i = 1; i < 20; i++) {
            even = divided(times(even, square), -(2.0 * i - 1) * (2.0 * i));
            odd = divided(times(odd, square), -(2.0 * i) * (2.0 * i + 1));
            add(cos, even[0], even[1]);
            add(sin, odd[0], odd[1]);
        }
        return switch (quarter % 4) {
            case 0 -> new double[] {cos[0], cos[1], sin[0], sin[1]};
            case 1 -> new double[] {-sin[0], -sin[1], cos[0], cos[1]};
            case 2 -> new double[] {-cos[0], -cos[1], -sin[0], -sin[1]};
            default -> new double[] {sin[0], sin[1], -cos[0], -cos[1]};
        };
    }
}
