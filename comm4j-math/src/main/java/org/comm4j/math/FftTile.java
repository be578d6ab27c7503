// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.Arrays;

/**
 * Rows of numbers, one for each element of a line and with a column for each line, and the way of lines into them and
 * back. Numbers pass through a few short arrays: whole runs are copied there, and put in their places from the
 * first-level cache.
 */
final class FftTile {
    /** Lines that are transposed together: a cache line of each row. */
    private static final int TOGETHER = 8;

    /** Numbers of a line that are transposed together. */
    private static final int CHUNK = 64;

    /** Runs shorter than this are read number by number. */
    private static final int SHORT = 12;

    private final double[][] re;
    private final double[][] im;
    private final double[][] chunks;
    private final float[] narrow;

    FftTile(double[][] re, double[][] im, int columns) {
        this.re = re;
        this.im = im;
        int most = 2 * Math.max(CHUNK, columns);
        chunks = new double[TOGETHER][most];
        narrow = new float[most];
    }

    /** Reads numbers of lines {@code line} and on into the columns of rows. */
    void load(FftLines x, long line, int columns, int numbers) {
        for (int q = 0; q < columns; ) {
            q += x.inner() == 1
                    ? loadLines(x, line + q, q, Math.min(TOGETHER, columns - q), numbers)
                    : loadRun(x, line + q, q, columns - q, numbers);
        }
        if (x.part() == 0) {
            for (int k = 0; k < numbers; k++) {
                Arrays.fill(im[k], 0, columns, 0);
            }
        }
    }

    /** Reads lines that lie one behind the other. */
    private int loadLines(FftLines x, long line, int q, int lines, int numbers) {
        int parts = x.part() == 0 ? 1 : 2;
        for (int k = 0; k < numbers; k += CHUNK) {
            int count = Math.min(CHUNK, numbers - k);
            for (int l = 0; l < lines; l++) {
                x.read(x.start(line + l) + (long) parts * k, parts * count, chunks[l], 0, narrow);
            }
            if (lines == TOGETHER && parts == 2) {
                toRows(chunks, re, im, k, q, count);
                continue;
            }
            for (int l = 0; l < lines; l++) {
                double[] from = chunks[l];
                for (int j = 0; j < count; j++) {
                    re[k + j][q + l] = from[parts * j];
                    im[k + j][q + l] = from[parts * j + parts - 1];
                }
            }
        }
        return lines;
    }

    private static void toRows(double[][] chunks, double[][] re, double[][] im, int k, int q, int count) {
        double[] a = chunks[0];
        double[] b = chunks[1];
        double[] c = chunks[2];
        double[] d = chunks[3];
        double[] e = chunks[4];
        double[] f = chunks[5];
        double[] g = chunks[6];
        double[] h = chunks[7];
        for (int j = 0; j < count; j++) {
            double[] r = re[k + j];
            r[q] = a[2 * j];
            r[q + 1] = b[2 * j];
            r[q + 2] = c[2 * j];
            r[q + 3] = d[2 * j];
            r[q + 4] = e[2 * j];
            r[q + 5] = f[2 * j];
            r[q + 6] = g[2 * j];
            r[q + 7] = h[2 * j];
            double[] i = im[k + j];
            i[q] = a[2 * j + 1];
            i[q + 1] = b[2 * j + 1];
            i[q + 2] = c[2 * j + 1];
            i[q + 3] = d[2 * j + 1];
            i[q + 4] = e[2 * j + 1];
            i[q + 5] = f[2 * j + 1];
            i[q + 6] = g[2 * j + 1];
            i[q + 7] = h[2 * j + 1];
        }
    }

    /** Reads lines beside each other, as many as there are. Returns their number. */
    private int loadRun(FftLines x, long line, int q, int most, int numbers) {
        int lines = (int) Math.min(x.inner() - line % x.inner(), most);
        long at = x.start(line);
        double[] chunk = chunks[0];
        for (int k = 0; k < numbers; k++, at += x.step()) {
            double[] r = re[k];
            double[] i = im[k];
            if (lines < SHORT) {
                long apart = x.complex() ? 2 : 1;
                for (int l = 0; l < lines; l++) {
                    r[q + l] = x.get(at + apart * l);
                    i[q + l] = x.get(at + apart * l + x.part());
                }
            } else if (x.complex()) {
                x.read(at, 2 * lines, chunk, 0, narrow);
                for (int l = 0; l < lines; l++) {
                    r[q + l] = chunk[2 * l];
                    i[q + l] = chunk[2 * l + 1];
                }
            } else {
                x.read(at, lines, r, q, narrow);
                if (x.part() != 0) {
                    x.read(at + x.part(), lines, i, q, narrow);
                }
            }
        }
        return lines;
    }

    /**
     * Writes columns of rows to lines {@code line} and on.
     *
     * @param order row of each number
     */
    void store(FftLines y, long line, int columns, int numbers, int[] order) {
        for (int q = 0; q < columns; ) {
            q += y.inner() == 1
                    ? storeLines(y, line + q, q, Math.min(TOGETHER, columns - q), numbers, order)
                    : storeRun(y, line + q, q, columns - q, numbers, order);
        }
    }

    private int storeLines(FftLines y, long line, int q, int lines, int numbers, int[] order) {
        int parts = y.part() == 0 ? 1 : 2;
        for (int k = 0; k < numbers; k += CHUNK) {
            int count = Math.min(CHUNK, numbers - k);
            if (lines == TOGETHER && parts == 2) {
                toLines(chunks, re, im, order, k, q, count);
            } else {
                for (int l = 0; l < lines; l++) {
                    double[] to = chunks[l];
                    for (int j = 0; j < count; j++) {
                        // Where both parts are one number, the real part is written last.
                        to[parts * j + parts - 1] = im[order[k + j]][q + l];
                        to[parts * j] = re[order[k + j]][q + l];
                    }
                }
            }
            for (int l = 0; l < lines; l++) {
                y.write(chunks[l], 0, y.start(line + l) + (long) parts * k, parts * count, narrow);
            }
        }
        return lines;
    }

    private static void toLines(double[][] chunks, double[][] re, double[][] im, int[] order, int k, int q, int count) {
        double[] a = chunks[0];
        double[] b = chunks[1];
        double[] c = chunks[2];
        double[] d = chunks[3];
        double[] e = chunks[4];
        double[] f = chunks[5];
        double[] g = chunks[6];
        double[] h = chunks[7];
        for (int j = 0; j < count; j++) {
            double[] r = re[order[k + j]];
            double[] i = im[order[k + j]];
            a[2 * j] = r[q];
            b[2 * j] = r[q + 1];
            c[2 * j] = r[q + 2];
            d[2 * j] = r[q + 3];
            e[2 * j] = r[q + 4];
            f[2 * j] = r[q + 5];
            g[2 * j] = r[q + 6];
            h[2 * j] = r[q + 7];
            a[2 * j + 1] = i[q];
            b[2 * j + 1] = i[q + 1];
            c[2 * j + 1] = i[q + 2];
            d[2 * j + 1] = i[q + 3];
            e[2 * j + 1] = i[q + 4];
            f[2 * j + 1] = i[q + 5];
            g[2 * j + 1] = i[q + 6];
            h[2 * j + 1] = i[q + 7];
        }
    }

    private int storeRun(FftLines y, long line, int q, int most, int numbers, int[] order) {
        int lines = (int) Math.min(y.inner() - line % y.inner(), most);
        long at = y.start(line);
        double[] chunk = chunks[0];
        for (int k = 0; k < numbers; k++, at += y.step()) {
            double[] r = re[order[k]];
            double[] i = im[order[k]];
            if (lines < SHORT) {
                long apart = y.complex() ? 2 : 1;
                for (int l = 0; l < lines; l++) {
                    y.set(at + apart * l + y.part(), i[q + l]);
                    y.set(at + apart * l, r[q + l]);
                }
            } else if (y.complex()) {
                for (int l = 0; l < lines; l++) {
                    chunk[2 * l] = r[q + l];
                    chunk[2 * l + 1] = i[q + l];
                }
                y.write(chunk, 0, at, 2 * lines, narrow);
            } else {
                if (y.part() != 0) {
                    y.write(i, q, at + y.part(), lines, narrow);
                }
                y.write(r, q, at, lines, narrow);
            }
        }
        return lines;
    }

    /** Reads a whole line into two arrays. */
    void loadLine(FftLines x, long line, int numbers, double[] re, double[] im) {
        long at = x.start(line);
        if (!x.dense()) {
            for (int k = 0; k < numbers; k++, at += x.step()) {
                re[k] = x.get(at);
                im[k] = x.part() == 0 ? 0 : x.get(at + x.part());
            }
            return;
        }
        double[] chunk = chunks[0];
        for (int k = 0; k < numbers; k += CHUNK) {
            int count = Math.min(CHUNK, numbers - k);
            x.read(at + 2L * k, 2 * count, chunk, 0, narrow);
            for (int j = 0; j < count; j++) {
                re[k + j] = chunk[2 * j];
                im[k + j] = chunk[2 * j + 1];
            }
        }
    }

    /** Writes a whole line. */
    void storeLine(FftLines y, long line, int numbers, double[] re, double[] im) {
        long at = y.start(line);
        if (!y.dense()) {
            for (int k = 0; k < numbers; k++, at += y.step()) {
                y.set(at + y.part(), im[k]);
                y.set(at, re[k]);
            }
            return;
        }
        double[] chunk = chunks[0];
        for (int k = 0; k < numbers; k += CHUNK) {
            int count = Math.min(CHUNK, numbers - k);
            for (int j = 0; j < count; j++) {
                chunk[2 * j] = re[k + j];
                chunk[2 * j + 1] = im[k + j];
            }
            y.write(chunk, 0, at + 2L * k, 2 * count, narrow);
        }
    }
}
