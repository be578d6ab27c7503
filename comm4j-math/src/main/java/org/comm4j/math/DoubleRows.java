// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.Arrays;

/** Loops over rows of numbers in double precision. */
final class DoubleRows implements RowLoops<double[]> {
    static final DoubleRows LOOPS = new DoubleRows();

    private static final double HALF = 0.5;
    private static final double SIN_3 = 0.8660254037844386;
    private static final double COS_5 = 0.30901699437494745;
    private static final double COS_5_2 = -0.8090169943749475;
    private static final double SIN_5 = 0.9510565162951535;
    private static final double SIN_5_2 = 0.5877852522924731;

    private static final int STRIDE = FftTile.STRIDE;

    private DoubleRows() {}

    @Override
    public void butterfly(double[] ar, double[] ai, double[] br, double[] bi, int n) {
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

    @Override
    public void butterfly(double[] ar, double[] ai, double[] br, double[] bi, double wr, double wi, int n) {
        for (int q = 0; q < n; q++) {
            double dr = ar[q] - br[q];
            double di = ai[q] - bi[q];
            ar[q] += br[q];
            ai[q] += bi[q];
            br[q] = Math.fma(dr, wr, -wi * di);
            bi[q] = Math.fma(di, wr, wi * dr);
        }
    }

    @Override
    public void turned(double[] ar, double[] ai, double[] br, double[] bi, int n) {
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

    @Override
    public void turned(
            double[] ar, double[] ai, double[] br, double[] bi, double ur, double ui, double vr, double vi, int n) {
        for (int q = 0; q < n; q++) {
            double pr = ar[q] + bi[q];
            double pi = ai[q] - br[q];
            double mr = ar[q] - bi[q];
            double mi = ai[q] + br[q];
            ar[q] = Math.fma(pr, ur, -ui * pi);
            ai[q] = Math.fma(pi, ur, ui * pr);
            br[q] = Math.fma(mr, vr, -vi * mi);
            bi[q] = Math.fma(mi, vr, vi * mr);
        }
    }

    @Override
    public void three(
            double[] ar,
            double[] ai,
            double[] br,
            double[] bi,
            double[] cr,
            double[] ci,
            double ur,
            double ui,
            double vr,
            double vi,
            int n) {
        for (int q = 0; q < n; q++) {
            double sr = br[q] + cr[q];
            double si = bi[q] + ci[q];
            double dr = br[q] - cr[q];
            double di = bi[q] - ci[q];
            double mr = Math.fma(-HALF, sr, ar[q]);
            double mi = Math.fma(-HALF, si, ai[q]);
            ar[q] += sr;
            ai[q] += si;
            double pr = Math.fma(SIN_3, di, mr);
            double pi = Math.fma(-SIN_3, dr, mi);
            double tr = Math.fma(-SIN_3, di, mr);
            double ti = Math.fma(SIN_3, dr, mi);
            br[q] = Math.fma(pr, ur, -ui * pi);
            bi[q] = Math.fma(pi, ur, ui * pr);
            cr[q] = Math.fma(tr, vr, -vi * ti);
            ci[q] = Math.fma(ti, vr, vi * tr);
        }
    }

    @Override
    public void four(
            double[] ar,
            double[] ai,
            double[] br,
            double[] bi,
            double[] cr,
            double[] ci,
            double[] dr,
            double[] di,
            int n) {
        for (int q = 0; q < n; q++) {
            double er = ar[q] + cr[q];
            double ei = ai[q] + ci[q];
            double fr = ar[q] - cr[q];
            double fi = ai[q] - ci[q];
            double gr = br[q] + dr[q];
            double gi = bi[q] + di[q];
            double hr = br[q] - dr[q];
            double hi = bi[q] - di[q];
            ar[q] = er + gr;
            ai[q] = ei + gi;
            br[q] = fr + hi;
            bi[q] = fi - hr;
            cr[q] = er - gr;
            ci[q] = ei - gi;
            dr[q] = fr - hi;
            di[q] = fi + hr;
        }
    }

    @Override
    public void five(double[] a, double[] b, double[] c, double[] d, double[] e, int n) {
        for (int q = 0; q < n; q++) {
            double x = a[q];
            double s = b[q] + e[q];
            double t = c[q] + d[q];
            double u = b[q] - e[q];
            double v = c[q] - d[q];
            a[q] = x + s + t;
            b[q] = Math.fma(COS_5_2, t, Math.fma(COS_5, s, x));
            c[q] = Math.fma(COS_5, t, Math.fma(COS_5_2, s, x));
            d[q] = Math.fma(SIN_5_2, u, -SIN_5 * v);
            e[q] = Math.fma(SIN_5, u, SIN_5_2 * v);
        }
    }

    @Override
    public void sums(
            double[] y,
            double[] z,
            double[] p,
            double[] q,
            double[] factors,
            int at,
            double[] b,
            double[] c,
            double[] d,
            double[] e,
            int n) {
        double yb = factors[at];
        double yc = factors[at + 1];
        double yd = factors[at + 2];
        double ye = factors[at + 3];
        double zb = factors[at + 4];
        double zc = factors[at + 5];
        double zd = factors[at + 6];
        double ze = factors[at + 7];
        for (int i = 0; i < n; i++) {
            double r = b[i];
            double s = c[i];
            double t = d[i];
            double u = e[i];
            y[i] = Math.fma(ye, u, Math.fma(yd, t, Math.fma(yc, s, Math.fma(yb, r, p[i]))));
            z[i] = Math.fma(ze, u, Math.fma(zd, t, Math.fma(zc, s, Math.fma(zb, r, q[i]))));
        }
    }

    @Override
    public void scale(double[] re, double[] im, double f, double g, int n) {
        double ofRe = f;
        double ofIm = g;
        for (int q = 0; q < n; q++) {
            re[q] *= ofRe;
            im[q] *= ofIm;
        }
    }

    @Override
    public void multiply(double[] yr, double[] yi, double wr, double wi, int n) {
        for (int q = 0; q < n; q++) {
            double r = yr[q];
            double i = yi[q];
            yr[q] = Math.fma(r, wr, -wi * i);
            yi[q] = Math.fma(i, wr, wi * r);
        }
    }

    @Override
    public void multiply(
            double[] ar,
            double[] ai,
            double[] br,
            double[] bi,
            double[] cr,
            double[] ci,
            double ur,
            double ui,
            double vr,
            double vi,
            double wr,
            double wi,
            int n) {
        for (int q = 0; q < n; q++) {
            double pr = ar[q];
            double pi = ai[q];
            double sr = br[q];
            double si = bi[q];
            double tr = cr[q];
            double ti = ci[q];
            ar[q] = Math.fma(pr, ur, -ui * pi);
            ai[q] = Math.fma(pi, ur, ui * pr);
            br[q] = Math.fma(sr, vr, -vi * si);
            bi[q] = Math.fma(si, vr, vi * sr);
            cr[q] = Math.fma(tr, wr, -wi * ti);
            ci[q] = Math.fma(ti, wr, wi * tr);
        }
    }

    @Override
    public void split(double[] ar, double[] ai, double[] br, double[] bi, double wr, double wi, double f, int n) {
        for (int q = 0; q < n; q++) {
            double g = HALF * f;
            double er = g * (ar[q] + br[q]);
            double ei = g * (ai[q] - bi[q]);
            double or = g * (ai[q] + bi[q]);
            double oi = g * (br[q] - ar[q]);
            double tr = Math.fma(or, wr, -wi * oi);
            double ti = Math.fma(oi, wr, wi * or);
            ar[q] = er + tr;
            ai[q] = ei + ti;
            br[q] = er - tr;
            bi[q] = ti - ei;
        }
    }

    @Override
    public void join(double[] ar, double[] ai, double[] br, double[] bi, double wr, double wi, double f, int n) {
        for (int q = 0; q < n; q++) {
            double er = f * (ar[q] + br[q]);
            double ei = f * (ai[q] - bi[q]);
            double tr = f * (ar[q] - br[q]);
            double ti = f * (ai[q] + bi[q]);
            double or = Math.fma(tr, wr, wi * ti);
            double oi = Math.fma(ti, wr, -wi * tr);
            ar[q] = er - oi;
            ai[q] = ei + or;
            br[q] = er + oi;
            bi[q] = or - ei;
        }
    }

    @Override
    public void conjugate(double[] yr, double[] yi, double[] br, double[] bi, int n) {
        for (int q = 0; q < n; q++) {
            yr[q] = br[q];
            yi[q] = -bi[q];
        }
    }

    @Override
    public void ends(double[] ar, double[] ai, double[] br, double[] bi, int n) {
        for (int q = 0; q < n; q++) {
            br[q] = ar[q] - ai[q];
            ar[q] += ai[q];
            ai[q] = 0;
            bi[q] = 0;
        }
    }

    @Override
    public void joinEnds(double[] ar, double[] ai, double[] br, double[] bi, int n) {
        for (int q = 0; q < n; q++) {
            double first = ar[q];
            ar[q] = first + br[q];
            ai[q] = first - br[q];
        }
    }

    @Override
    public double[][] rows(int count, int columns) {
        return new double[count][columns];
    }

    @Override
    public double[] row(int columns) {
        return new double[columns];
    }

    @Override
    public void clear(double[] row, int columns) {
        Arrays.fill(row, 0, columns, 0);
    }

    @Override
    public double get(double[] row, int column) {
        return row[column];
    }

    @Override
    public void set(double[] row, int column, double value) {
        row[column] = value;
    }

    @Override
    public void read(FftLines lines, long index, int count, double[] to, int at) {
        lines.read(index, count, to, at);
    }

    @Override
    public void write(double[] from, int at, FftLines lines, long index, int count) {
        lines.write(from, at, index, count);
    }

    @Override
    public void toRows(double[] lines, double[][] re, double[][] im, int[] order, int k, int q, int count) {
        for (int j = 0; j < count; j++) {
            double[] r = re[order[k + j]];
            r[q] = lines[2 * j];
            r[q + 1] = lines[2 * j + STRIDE];
            r[q + 2] = lines[2 * j + 2 * STRIDE];
            r[q + 3] = lines[2 * j + 3 * STRIDE];
            r[q + 4] = lines[2 * j + 4 * STRIDE];
            r[q + 5] = lines[2 * j + 5 * STRIDE];
            r[q + 6] = lines[2 * j + 6 * STRIDE];
            r[q + 7] = lines[2 * j + 7 * STRIDE];
            double[] i = im[order[k + j]];
            i[q] = lines[2 * j + 1];
            i[q + 1] = lines[2 * j + 1 + STRIDE];
            i[q + 2] = lines[2 * j + 1 + 2 * STRIDE];
            i[q + 3] = lines[2 * j + 1 + 3 * STRIDE];
            i[q + 4] = lines[2 * j + 1 + 4 * STRIDE];
            i[q + 5] = lines[2 * j + 1 + 5 * STRIDE];
            i[q + 6] = lines[2 * j + 1 + 6 * STRIDE];
            i[q + 7] = lines[2 * j + 1 + 7 * STRIDE];
        }
    }

    @Override
    public void toLines(double[] lines, double[][] re, double[][] im, int[] order, int k, int q, int count) {
        for (int j = 0; j < count; j++) {
            double[] r = re[order[k + j]];
            lines[2 * j] = r[q];
            lines[2 * j + STRIDE] = r[q + 1];
            lines[2 * j + 2 * STRIDE] = r[q + 2];
            lines[2 * j + 3 * STRIDE] = r[q + 3];
            lines[2 * j + 4 * STRIDE] = r[q + 4];
            lines[2 * j + 5 * STRIDE] = r[q + 5];
            lines[2 * j + 6 * STRIDE] = r[q + 6];
            lines[2 * j + 7 * STRIDE] = r[q + 7];
            double[] i = im[order[k + j]];
            lines[2 * j + 1] = i[q];
            lines[2 * j + 1 + STRIDE] = i[q + 1];
            lines[2 * j + 1 + 2 * STRIDE] = i[q + 2];
            lines[2 * j + 1 + 3 * STRIDE] = i[q + 3];
            lines[2 * j + 1 + 4 * STRIDE] = i[q + 4];
            lines[2 * j + 1 + 5 * STRIDE] = i[q + 5];
            lines[2 * j + 1 + 6 * STRIDE] = i[q + 6];
            lines[2 * j + 1 + 7 * STRIDE] = i[q + 7];
        }
    }

    @Override
    public void toRows(double[] lines, double[][] rows, int[] order, int k, int q, int count) {
        for (int j = 0; j < count; j++) {
            double[] row = rows[order[k + j]];
            row[q] = lines[j];
            row[q + 1] = lines[j + STRIDE];
            row[q + 2] = lines[j + 2 * STRIDE];
            row[q + 3] = lines[j + 3 * STRIDE];
            row[q + 4] = lines[j + 4 * STRIDE];
            row[q + 5] = lines[j + 5 * STRIDE];
            row[q + 6] = lines[j + 6 * STRIDE];
            row[q + 7] = lines[j + 7 * STRIDE];
        }
    }

    @Override
    public void toLines(double[] lines, double[][] rows, int[] order, int k, int q, int count) {
        for (int j = 0; j < count; j++) {
            double[] row = rows[order[k + j]];
            lines[j] = row[q];
            lines[j + STRIDE] = row[q + 1];
            lines[j + 2 * STRIDE] = row[q + 2];
            lines[j + 3 * STRIDE] = row[q + 3];
            lines[j + 4 * STRIDE] = row[q + 4];
            lines[j + 5 * STRIDE] = row[q + 5];
            lines[j + 6 * STRIDE] = row[q + 6];
            lines[j + 7 * STRIDE] = row[q + 7];
        }
    }

    @Override
    public void apart(double[] numbers, double[] re, double[] im, int q, int count) {
        for (int j = 0; j < count; j++) {
            re[q + j] = numbers[2 * j];
            im[q + j] = numbers[2 * j + 1];
        }
    }

    @Override
    public void together(double[] numbers, double[] re, double[] im, int q, int count) {
        for (int j = 0; j < count; j++) {
            numbers[2 * j] = re[q + j];
            numbers[2 * j + 1] = im[q + j];
        }
    }
}
