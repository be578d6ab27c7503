// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/** Roots of unity, computed from angles of an eighth of a turn at most, where sine and cosine are most exact. */
final class Twiddles {
    private Twiddles() {}

    /** Returns cosine and sine of −2π k / n in turn, for the exponents k of one butterfly after the other. */
    static double[] of(int radix, int m) {
        int n = radix * m;
        double[] w = new double[2 * m * (radix - 1)];
        int t = 0;
        for (int p = 0; p < m; p++) {
            for (int k = 1; k < radix; k++) {
                w[t++] = cos((long) p * k, n);
                w[t++] = -sin((long) p * k, n);
            }
        }
        return w;
    }

    /** Returns the cosine of 2π k / n. */
    static double cos(long k, long n) {
        long eighths = 8 * Math.floorMod(k, n);
        if (eighths > 4 * n) {
            eighths = 8 * n - eighths;
        }
        boolean negative = eighths > 2 * n;
        if (negative) {
            eighths = 4 * n - eighths;
        }
        double value = eighths > n ? Math.sin(angle(2 * n - eighths, n)) : Math.cos(angle(eighths, n));
        return negative ? -value : value;
    }

    /** Returns the sine of 2π k / n. */
    static double sin(long k, long n) {
        long eighths = 8 * Math.floorMod(k, n);
        boolean negative = eighths > 4 * n;
        if (negative) {
            eighths = 8 * n - eighths;
        }
        if (eighths > 2 * n) {
            eighths = 4 * n - eighths;
        }
        double value = eighths > n ? Math.cos(angle(2 * n - eighths, n)) : Math.sin(angle(eighths, n));
        return negative ? -value : value;
    }

    private static double angle(long eighths, long n) {
        return Math.PI * eighths / (4.0 * n);
    }
}
