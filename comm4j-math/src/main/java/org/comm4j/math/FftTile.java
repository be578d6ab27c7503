// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/**
 * Rows of numbers, one for each element of a line and with a column for each line, and the way of lines into them and
 * back. Numbers pass through a few short arrays: whole runs are copied there, and put in their places from the
 * first-level cache.
 *
 * @param <A> the type of a row
 */
final class FftTile<A> {
    /** Lines that are transposed together: a cache line of each row. */
    static final int TOGETHER = 8;

    /** Numbers of a line that are transposed together. */
    private static final int CHUNK = 64;

    /** Distance of lines that are transposed together: a constant, as eight addresses were too many for registers. */
    static final int STRIDE = 2 * CHUNK + TOGETHER;

    /** Runs shorter than this are read number by number. */
    private static final int SHORT = 12;

    private final RowLoops<A> loops;
    private final A[] re;
    private final A[] im;
    /** Numbers of lines, {@value #STRIDE} real ones apart, or of a run. */
    private final A chunk;

    FftTile(RowLoops<A> loops, A[] re, A[] im, int columns) {
        this.loops = loops;
        this.re = re;
        this.im = im;
        chunk = loops.row(Math.max(TOGETHER * STRIDE, 2 * columns));
    }

    /**
     * Reads numbers of lines {@code line} and on into the columns of rows. Imaginary parts of real numbers are not set
     * to anything.
     *
     * @param order row of each number
     */
    void load(FftLines x, long line, int columns, int numbers, int[] order) {
        for (int q = 0; q < columns; ) {
            q += x.inner() == 1
                    ? loadLines(x, line + q, q, Math.min(TOGETHER, columns - q), numbers, order)
                    : loadRun(x, line + q, q, columns - q, numbers, order);
        }
    }

    /** Reads lines that lie one behind the other. */
    private int loadLines(FftLines x, long line, int q, int lines, int numbers, int[] order) {
        int parts = x.part() == 0 ? 1 : 2;
        for (int k = 0; k < numbers; k += CHUNK) {
            int count = Math.min(CHUNK, numbers - k);
            for (int l = 0; l < lines; l++) {
                loops.read(x, x.start(line + l) + (long) parts * k, parts * count, chunk, l * STRIDE);
            }
            if (lines == TOGETHER) {
                if (parts == 2) {
                    loops.toRows(chunk, re, im, order, k, q, count);
                } else {
                    loops.toRows(chunk, re, order, k, q, count);
                }
                continue;
            }
            for (int l = 0; l < lines; l++) {
                int from = l * STRIDE;
                for (int j = 0; j < count; j++) {
                    loops.set(re[order[k + j]], q + l, loops.get(chunk, from + parts * j));
                    loops.set(im[order[k + j]], q + l, loops.get(chunk, from + parts * j + parts - 1));
                }
            }
        }
        return lines;
    }

    /** Reads lines beside each other, as many as there are. Returns their number. */
    private int loadRun(FftLines x, long line, int q, int most, int numbers, int[] order) {
        int lines = (int) Math.min(x.inner() - line % x.inner(), most);
        long at = x.start(line);
        for (int k = 0; k < numbers; k++, at += x.step()) {
            A r = re[order[k]];
            A i = im[order[k]];
            if (lines < SHORT) {
                long apart = x.complex() ? 2 : 1;
                for (int l = 0; l < lines; l++) {
                    loops.set(r, q + l, x.get(at + apart * l));
                    loops.set(i, q + l, x.get(at + apart * l + x.part()));
                }
            } else if (x.complex()) {
                loops.read(x, at, 2 * lines, chunk, 0);
                loops.apart(chunk, r, i, q, lines);
            } else {
                loops.read(x, at, lines, r, q);
                if (x.part() != 0) {
                    loops.read(x, at + x.part(), lines, i, q);
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
                loops.toLines(chunk, re, im, order, k, q, count);
            } else if (lines == TOGETHER) {
                loops.toLines(chunk, re, order, k, q, count);
            } else {
                for (int l = 0; l < lines; l++) {
                    int to = l * STRIDE;
                    for (int j = 0; j < count; j++) {
                        // Where both parts are one number, the real part is written last.
                        loops.set(chunk, to + parts * j + parts - 1, loops.get(im[order[k + j]], q + l));
                        loops.set(chunk, to + parts * j, loops.get(re[order[k + j]], q + l));
                    }
                }
            }
            for (int l = 0; l < lines; l++) {
                loops.write(chunk, l * STRIDE, y, y.start(line + l) + (long) parts * k, parts * count);
            }
        }
        return lines;
    }

    private int storeRun(FftLines y, long line, int q, int most, int numbers, int[] order) {
        int lines = (int) Math.min(y.inner() - line % y.inner(), most);
        long at = y.start(line);
        for (int k = 0; k < numbers; k++, at += y.step()) {
            A r = re[order[k]];
            A i = im[order[k]];
            if (lines < SHORT) {
                long apart = y.complex() ? 2 : 1;
                for (int l = 0; l < lines; l++) {
                    y.set(at + apart * l + y.part(), loops.get(i, q + l));
                    y.set(at + apart * l, loops.get(r, q + l));
                }
            } else if (y.complex()) {
                loops.together(chunk, r, i, q, lines);
                loops.write(chunk, 0, y, at, 2 * lines);
            } else {
                if (y.part() != 0) {
                    loops.write(i, q, y, at + y.part(), lines);
                }
                loops.write(r, q, y, at, lines);
            }
        }
        return lines;
    }

    /** Reads a whole line into two rows. */
    void loadLine(FftLines x, long line, int numbers, A re, A im) {
        long at = x.start(line);
        if (!x.dense()) {
            for (int k = 0; k < numbers; k++, at += x.step()) {
                loops.set(re, k, x.get(at));
                loops.set(im, k, x.part() == 0 ? 0 : x.get(at + x.part()));
            }
            return;
        }
        for (int k = 0; k < numbers; k += CHUNK) {
            int count = Math.min(CHUNK, numbers - k);
            loops.read(x, at + 2L * k, 2 * count, chunk, 0);
            loops.apart(chunk, re, im, k, count);
        }
    }

    /** Writes a whole line. */
    void storeLine(FftLines y, long line, int numbers, A re, A im) {
        long at = y.start(line);
        if (!y.dense()) {
            for (int k = 0; k < numbers; k++, at += y.step()) {
                y.set(at + y.part(), loops.get(im, k));
                y.set(at, loops.get(re, k));
            }
            return;
        }
        for (int k = 0; k < numbers; k += CHUNK) {
            int count = Math.min(CHUNK, numbers - k);
            loops.together(chunk, re, im, k, count);
            loops.write(chunk, 0, y, at + 2L * k, 2 * count);
        }
    }
}
