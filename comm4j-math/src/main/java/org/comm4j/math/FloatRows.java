// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.Arrays;

/** Loops over rows of numbers in single precision. */
final class FloatRows implements RowLoops<float[]> {
    static final FloatRows LOOPS = new FloatRows();

    private static final float HALF = 0.5f;
    private static final float SIN_3 = 0.8660254f;
    private static final float COS_5 = 0.309017f;
    private static final float COS_5_2 = -0.809017f;
    private static final float SIN_5 = 0.95105654f;
    private static final float SIN_5_2 = 0.58778524f;

    private static final int STRIDE = FftTile.STRIDE;

    private FloatRows() {}

    @Override
    public void butterfly(float[] ar, float[] ai, float[] br, float[] bi, int n) {
        for (int q = 0; q < n; q++) {
            float ur = ar[q];
            float ui = ai[q];
            float vr = br[q];
            float vi = bi[q];
            ar[q] = ur + vr;
            ai[q] = ui + vi;
            br[q] = ur - vr;
            bi[q] = ui - vi;
        }
    }

    @Override
    public void butterfly(float[] ar, float[] ai, float[] br, float[] bi, double wr, double wi, int n) {
        float wrF = (float) wr;
        float wiF = (float) wi;
        for (int q = 0; q < n; q++) {
            float dr = ar[q] - br[q];
            float di = ai[q] - bi[q];
            ar[q] += br[q];
            ai[q] += bi[q];
            br[q] = Math.fma(dr, wrF, -wiF * di);
            bi[q] = Math.fma(di, wrF, wiF * dr);
        }
    }

    @Override
    public void turned(float[] ar, float[] ai, float[] br, float[] bi, int n) {
        for (int q = 0; q < n; q++) {
            float ur = ar[q];
            float ui = ai[q];
            float vr = br[q];
            float vi = bi[q];
            ar[q] = ur + vi;
            ai[q] = ui - vr;
            br[q] = ur - vi;
            bi[q] = ui + vr;
        }
    }

    @Override
    public void turned(
            float[] ar, float[] ai, float[] br, float[] bi, double ur, double ui, double vr, double vi, int n) {
        float urF = (float) ur;
        float uiF = (float) ui;
        float vrF = (float) vr;
        float viF = (float) vi;
        for (int q = 0; q < n; q++) {
            float pr = ar[q] + bi[q];
            float pi = ai[q] - br[q];
            float mr = ar[q] - bi[q];
            float mi = ai[q] + br[q];
            ar[q] = Math.fma(pr, urF, -uiF * pi);
            ai[q] = Math.fma(pi, urF, uiF * pr);
            br[q] = Math.fma(mr, vrF, -viF * mi);
            bi[q] = Math.fma(mi, vrF, viF * mr);
        }
    }

    @Override
    public void three(
            float[] ar,
            float[] ai,
            float[] br,
            float[] bi,
            float[] cr,
            float[] ci,
            double ur,
            double ui,
            double vr,
            double vi,
            int n) {
        float urF = (float) ur;
        float uiF = (float) ui;
        float vrF = (float) vr;
        float viF = (float) vi;
        for (int q = 0; q < n; q++) {
            float sr = br[q] + cr[q];
            float si = bi[q] + ci[q];
            float dr = br[q] - cr[q];
            float di = bi[q] - ci[q];
            float mr = Math.fma(-HALF, sr, ar[q]);
            float mi = Math.fma(-HALF, si, ai[q]);
            ar[q] += sr;
            ai[q] += si;
            float pr = Math.fma(SIN_3, di, mr);
            float pi = Math.fma(-SIN_3, dr, mi);
            float tr = Math.fma(-SIN_3, di, mr);
            float ti = Math.fma(SIN_3, dr, mi);
            br[q] = Math.fma(pr, urF, -uiF * pi);
            bi[q] = Math.fma(pi, urF, uiF * pr);
            cr[q] = Math.fma(tr, vrF, -viF * ti);
            ci[q] = Math.fma(ti, vrF, viF * tr);
        }
    }

    @Override
    public void four(
            float[] ar, float[] ai, float[] br, float[] bi, float[] cr, float[] ci, float[] dr, float[] di, int n) {
        for (int q = 0; q < n; q++) {
            float er = ar[q] + cr[q];
            float ei = ai[q] + ci[q];
            float fr = ar[q] - cr[q];
            float fi = ai[q] - ci[q];
            float gr = br[q] + dr[q];
            float gi = bi[q] + di[q];
            float hr = br[q] - dr[q];
            float hi = bi[q] - di[q];
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
    public void five(float[] a, float[] b, float[] c, float[] d, float[] e, int n) {
        for (int q = 0; q < n; q++) {
            float x = a[q];
            float s = b[q] + e[q];
            float t = c[q] + d[q];
            float u = b[q] - e[q];
            float v = c[q] - d[q];
            a[q] = x + s + t;
            b[q] = Math.fma(COS_5_2, t, Math.fma(COS_5, s, x));
            c[q] = Math.fma(COS_5, t, Math.fma(COS_5_2, s, x));
            d[q] = Math.fma(SIN_5_2, u, -SIN_5 * v);
            e[q] = Math.fma(SIN_5, u, SIN_5_2 * v);
        }
    }

    @Override
    public void sums(
            float[] y,
            float[] z,
            float[] p,
            float[] q,
            double[] factors,
            int at,
            float[] b,
            float[] c,
            float[] d,
            float[] e,
            int n) {
        float yb = (float) factors[at];
        float yc = (float) factors[at + 1];
        float yd = (float) factors[at + 2];
        float ye = (float) factors[at + 3];
        float zb = (float) factors[at + 4];
        float zc = (float) factors[at + 5];
        float zd = (float) factors[at + 6];
        float ze = (float) factors[at + 7];
        for (int i = 0; i < n; i++) {
            float r = b[i];
            float s = c[i];
            float t = d[i];
            float u = e[i];
            y[i] = Math.fma(ye, u, Math.fma(yd, t, Math.fma(yc, s, Math.fma(yb, r, p[i]))));
            z[i] = Math.fma(ze, u, Math.fma(zd, t, Math.fma(zc, s, Math.fma(zb, r, q[i]))));
        }
    }

    @Override
    public void scale(float[] re, float[] im, double f, double g, int n) {
        float ofRe = (float) f;
        float ofIm = (float) g;
        for (int q = 0; q < n; q++) {
            re[q] *= ofRe;
            im[q] *= ofIm;
        }
    }

    @Override
    public void multiply(float[] yr, float[] yi, double wr, double wi, int n) {
        float wrF = (float) wr;
        float wiF = (float) wi;
        for (int q = 0; q < n; q++) {
            float r = yr[q];
            float i = yi[q];
            yr[q] = Math.fma(r, wrF, -wiF * i);
            yi[q] = Math.fma(i, wrF, wiF * r);
        }
    }

    @Override
    public void multiply(
            float[] ar,
            float[] ai,
            float[] br,
            float[] bi,
            float[] cr,
            float[] ci,
            double ur,
            double ui,
            double vr,
            double vi,
            double wr,
            double wi,
            int n) {
        float urF = (float) ur;
        float uiF = (float) ui;
        float vrF = (float) vr;
        float viF = (float) vi;
        float wrF = (float) wr;
        float wiF = (float) wi;
        for (int q = 0; q < n; q++) {
            float pr = ar[q];
            float pi = ai[q];
            float sr = br[q];
            float si = bi[q];
            float tr = cr[q];
            float ti = ci[q];
            ar[q] = Math.fma(pr, urF, -uiF * pi);
            ai[q] = Math.fma(pi, urF, uiF * pr);
            br[q] = Math.fma(sr, vrF, -viF * si);
            bi[q] = Math.fma(si, vrF, viF * sr);
            cr[q] = Math.fma(tr, wrF, -wiF * ti);
            ci[q] = Math.fma(ti, wrF, wiF * tr);
        }
    }

    @Override
    public void split(float[] ar, float[] ai, float[] br, float[] bi, double wr, double wi, double f, int n) {
        float wrF = (float) wr;
        float wiF = (float) wi;
        float fF = (float) f;
        for (int q = 0; q < n; q++) {
            float g = HALF * fF;
            float er = g * (ar[q] + br[q]);
            float ei = g * (ai[q] - bi[q]);
            float or = g * (ai[q] + bi[q]);
            float oi = g * (br[q] - ar[q]);
            float tr = Math.fma(or, wrF, -wiF * oi);
            float ti = Math.fma(oi, wrF, wiF * or);
            ar[q] = er + tr;
            ai[q] = ei + ti;
            br[q] = er - tr;
            bi[q] = ti - ei;
        }
    }

    @Override
    public void join(float[] ar, float[] ai, float[] br, float[] bi, double wr, double wi, double f, int n) {
        float wrF = (float) wr;
        float wiF = (float) wi;
        float fF = (float) f;
        for (int q = 0; q < n; q++) {
            float er = fF * (ar[q] + br[q]);
            float ei = fF * (ai[q] - bi[q]);
            float tr = fF * (ar[q] - br[q]);
            float ti = fF * (ai[q] + bi[q]);
            float or = Math.fma(tr, wrF, wiF * ti);
            float oi = Math.fma(ti, wrF, -wiF * tr);
            ar[q] = er - oi;
            ai[q] = ei + or;
            br[q] = er + oi;
            bi[q] = or - ei;
        }
    }

    @Override
    public void conjugate(float[] yr, float[] yi, float[] br, float[] bi, int n) {
        for (int q = 0; q < n; q++) {
            yr[q] = br[q];
            yi[q] = -bi[q];
        }
    }

    @Override
    public void ends(float[] ar, float[] ai, float[] br, float[] bi, int n) {
        for (int q = 0; q < n; q++) {
            br[q] = ar[q] - ai[q];
            ar[q] += ai[q];
            ai[q] = 0;
            bi[q] = 0;
        }
    }

    @Override
    public void joinEnds(float[] ar, float[] ai, float[] br, float[] bi, int n) {
        for (int q = 0; q < n; q++) {
            float first = ar[q];
            ar[q] = first + br[q];
            ai[q] = first - br[q];
        }
    }

    @Override
    public float[][] rows(int count, int columns) {
        return new float[count][columns];
    }

    @Override
    public float[] row(int columns) {
        return new float[columns];
    }

    @Override
    public void clear(float[] row, int columns) {
        Arrays.fill(row, 0, columns, 0);
    }

    @Override
    public double get(float[] row, int column) {
        return row[column];
    }

    @Override
    public void set(float[] row, int column, double value) {
        row[column] = (float) value;
    }

    @Override
    public void read(FftLines lines, long index, int count, float[] to, int at) {
        lines.read(index, count, to, at);
    }

    @Override
    public void write(float[] from, int at, FftLines lines, long index, int count) {
        lines.write(from, at, index, count);
    }

    @Override
    public void toRows(float[] lines, float[][] re, float[][] im, int[] order, int k, int q, int count) {
        for (int j = 0; j < count; j++) {
            float[] r = re[order[k + j]];
            r[q] = lines[2 * j];
            r[q + 1] = lines[2 * j + STRIDE];
            r[q + 2] = lines[2 * j + 2 * STRIDE];
            r[q + 3] = lines[2 * j + 3 * STRIDE];
            r[q + 4] = lines[2 * j + 4 * STRIDE];
            r[q + 5] = lines[2 * j + 5 * STRIDE];
            r[q + 6] = lines[2 * j + 6 * STRIDE];
            r[q + 7] = lines[2 * j + 7 * STRIDE];
            float[] i = im[order[k + j]];
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
    public void toLines(float[] lines, float[][] re, float[][] im, int[] order, int k, int q, int count) {
        for (int j = 0; j < count; j++) {
            float[] r = re[order[k + j]];
            lines[2 * j] = r[q];
            lines[2 * j + STRIDE] = r[q + 1];
            lines[2 * j + 2 * STRIDE] = r[q + 2];
            lines[2 * j + 3 * STRIDE] = r[q + 3];
            lines[2 * j + 4 * STRIDE] = r[q + 4];
            lines[2 * j + 5 * STRIDE] = r[q + 5];
            lines[2 * j + 6 * STRIDE] = r[q + 6];
            lines[2 * j + 7 * STRIDE] = r[q + 7];
            float[] i = im[order[k + j]];
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
    public void toRows(float[] lines, float[][] rows, int[] order, int k, int q, int count) {
        for (int j = 0; j < count; j++) {
            float[] row = rows[order[k + j]];
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
    public void toLines(float[] lines, float[][] rows, int[] order, int k, int q, int count) {
        for (int j = 0; j < count; j++) {
            float[] row = rows[order[k + j]];
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
    public void apart(float[] numbers, float[] re, float[] im, int q, int count) {
        for (int j = 0; j < count; j++) {
            re[q + j] = numbers[2 * j];
            im[q + j] = numbers[2 * j + 1];
        }
    }

    @Override
    public void together(float[] numbers, float[] re, float[] im, int q, int count) {
        for (int j = 0; j < count; j++) {
            numbers[2 * j] = re[q + j];
            numbers[2 * j + 1] = im[q + j];
        }
    }
}
