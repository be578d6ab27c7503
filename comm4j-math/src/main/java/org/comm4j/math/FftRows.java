// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/**
 * Loops of the fast Fourier transform over rows of numbers, with one number for each line that is transformed.
 *
 * <p>Each loop has four results at most, and arrays without offsets: the compiler vectorises no others. A butterfly of
 * radix 4 in one loop took twice the time of the four loops here.
 */
final class FftRows {
    private FftRows() {}

    /** Sets a to a + b, and b to a − b. */
    static void butterfly(double[] ar, double[] ai, double[] br, double[] bi, int n) {
        for (int q = 0; q < n; q++) {
            double ur = ar[q];
            double ui = ai[q];
            double vr = br[q];
            double vi = bi[q];
            ar[q] = ur + vr;
            ai[q] = ui + vi;
            br[q] = ur - vr;
            bi[q] = ui - vi;
        }
    }

    /** Sets a to a + b, and b to (a − b) w. */
    static void butterfly(double[] ar, double[] ai, double[] br, double[] bi, double wr, double wi, int n) {
        for (int q = 0; q < n; q++) {
            double dr = ar[q] - br[q];
            double di = ai[q] - bi[q];
            ar[q] += br[q];
            ai[q] += bi[q];
            br[q] = dr * wr - di * wi;
            bi[q] = dr * wi + di * wr;
        }
    }

    /** Sets a to a − i b, and b to a + i b. */
    static void turned(double[] ar, double[] ai, double[] br, double[] bi, int n) {
        for (int q = 0; q < n; q++) {
            double ur = ar[q];
            double ui = ai[q];
            double vr = br[q];
            double vi = bi[q];
            ar[q] = ur + vi;
            ai[q] = ui - vr;
            br[q] = ur - vi;
            bi[q] = ui + vr;
        }
    }

    /** Sets a to (a − i b) u, and b to (a + i b) v. */
    static void turned(
            double[] ar, double[] ai, double[] br, double[] bi, double ur, double ui, double vr, double vi, int n) {
        for (int q = 0; q < n; q++) {
            double pr = ar[q] + bi[q];
            double pi = ai[q] - br[q];
            double mr = ar[q] - bi[q];
            double mi = ai[q] + br[q];
            ar[q] = pr * ur - pi * ui;
            ai[q] = pr * ui + pi * ur;
            br[q] = mr * vr - mi * vi;
            bi[q] = mr * vi + mi * vr;
        }
    }

    /** Sets y to y + b. */
    static void add(double[] yr, double[] yi, double[] br, double[] bi, int n) {
        for (int q = 0; q < n; q++) {
            yr[q] += br[q];
            yi[q] += bi[q];
        }
    }

    /** Sets y to y + b + c. */
    static void add(double[] yr, double[] yi, double[] br, double[] bi, double[] cr, double[] ci, int n) {
        for (int q = 0; q < n; q++) {
            yr[q] += br[q] + cr[q];
            yi[q] += bi[q] + ci[q];
        }
    }

    /** Sets y to a + f b. */
    static void sum(double[] yr, double[] yi, double[] ar, double[] ai, double f, double[] br, double[] bi, int n) {
        for (int q = 0; q < n; q++) {
            yr[q] = ar[q] + f * br[q];
            yi[q] = ai[q] + f * bi[q];
        }
    }

    /** Sets y to a + f b + g c. */
    static void sum(
            double[] yr,
            double[] yi,
            double[] ar,
            double[] ai,
            double f,
            double[] br,
            double[] bi,
            double g,
            double[] cr,
            double[] ci,
            int n) {
        for (int q = 0; q < n; q++) {
            yr[q] = ar[q] + f * br[q] + g * cr[q];
            yi[q] = ai[q] + f * bi[q] + g * ci[q];
        }
    }

    /** Sets y to f b. */
    static void scale(double[] yr, double[] yi, double f, double[] br, double[] bi, int n) {
        for (int q = 0; q < n; q++) {
            yr[q] = f * br[q];
            yi[q] = f * bi[q];
        }
    }

    /** Sets y to f b + g c. */
    static void scale(
            double[] yr, double[] yi, double f, double[] br, double[] bi, double g, double[] cr, double[] ci, int n) {
        for (int q = 0; q < n; q++) {
            yr[q] = f * br[q] + g * cr[q];
            yi[q] = f * bi[q] + g * ci[q];
        }
    }

    /** Sets y to y w. */
    static void multiply(double[] yr, double[] yi, double wr, double wi, int n) {
        for (int q = 0; q < n; q++) {
            double r = yr[q];
            double i = yi[q];
            yr[q] = r * wr - i * wi;
            yi[q] = r * wi + i * wr;
        }
    }

    /**
     * Turns elements k and h − k of the transform of pairs of real numbers into those of the transform of the numbers.
     *
     * @param wr cosine of 2π k / n, for n = 2 h numbers
     * @param wi sine of −2π k / n
     */
    static void split(double[] ar, double[] ai, double[] br, double[] bi, double wr, double wi, int n) {
        for (int q = 0; q < n; q++) {
            double er = 0.5 * (ar[q] + br[q]);
            double ei = 0.5 * (ai[q] - bi[q]);
            double or = 0.5 * (ai[q] + bi[q]);
            double oi = 0.5 * (br[q] - ar[q]);
            double tr = or * wr - oi * wi;
            double ti = or * wi + oi * wr;
            ar[q] = er + tr;
            ai[q] = ei + ti;
            br[q] = er - tr;
            bi[q] = ti - ei;
        }
    }

    /** Undoes {@link #split}, times 2. */
    static void join(double[] ar, double[] ai, double[] br, double[] bi, double wr, double wi, int n) {
        for (int q = 0; q < n; q++) {
            double er = ar[q] + br[q];
            double ei = ai[q] - bi[q];
            double tr = ar[q] - br[q];
            double ti = ai[q] + bi[q];
            double or = tr * wr + ti * wi;
            double oi = ti * wr - tr * wi;
            ar[q] = er - oi;
            ai[q] = ei + or;
            br[q] = er + oi;
            bi[q] = or - ei;
        }
    }
}
