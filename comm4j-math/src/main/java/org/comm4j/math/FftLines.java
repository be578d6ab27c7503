// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * Lines of an array in host memory, and their way into rows of numbers and back: four lines at a time, which keeps the
 * cache lines of both sides in use.
 *
 * @param length elements of a line
 * @param inner lines beside each other, element by element
 * @param part distance of the two parts of a number, in real numbers: 1 in complex arrays
 * @param step distance of neighbouring numbers of a line, in real numbers
 */
record FftLines(MemorySegment memory, boolean wide, boolean complex, long length, long inner, long part, long step) {

    /** Returns the complex numbers of an array, or the real ones in pairs of neighbours on a line. */
    static FftLines of(HostArray array, long length, long inner) {
        boolean wide = Compute.real(array.type()) == DataType.FLOAT64;
        boolean complex = array.type().isComplex();
        return new FftLines(array.segment(), wide, complex, length, inner, complex ? 1 : inner, 2 * inner);
    }

    /** Returns real numbers one by one: the imaginary parts are 0. */
    FftLines single() {
        return new FftLines(memory, wide, complex, length, inner, 0, inner);
    }

    private long start(long line) {
        return (line / inner * length * inner + line % inner) * (complex ? 2 : 1);
    }

    /** Reads numbers of lines {@code line} and on into the columns of rows. */
    void load(long line, int columns, int numbers, double[][] re, double[][] im) {
        int q = 0;
        for (; q + 3 < columns; q += 4) {
            long a = start(line + q);
            long b = start(line + q + 1);
            long c = start(line + q + 2);
            long d = start(line + q + 3);
            if (wide) {
                load64(a, b, c, d, q, numbers, re, im);
            } else {
                load32(a, b, c, d, q, numbers, re, im);
            }
        }
        for (; q < columns; q++) {
            long at = start(line + q);
            for (int k = 0; k < numbers; k++, at += step) {
                re[k][q] = get(at);
                im[k][q] = get(at + part);
            }
        }
        if (part == 0) {
            for (int k = 0; k < numbers; k++) {
                Arrays.fill(im[k], 0, columns, 0);
            }
        }
    }

    private void load64(long a, long b, long c, long d, int q, int numbers, double[][] re, double[][] im) {
        for (int k = 0; k < numbers; k++) {
            double[] r = re[k];
            double[] i = im[k];
            long at = k * step;
            r[q] = memory.getAtIndex(JAVA_DOUBLE, a + at);
            i[q] = memory.getAtIndex(JAVA_DOUBLE, a + at + part);
            r[q + 1] = memory.getAtIndex(JAVA_DOUBLE, b + at);
            i[q + 1] = memory.getAtIndex(JAVA_DOUBLE, b + at + part);
            r[q + 2] = memory.getAtIndex(JAVA_DOUBLE, c + at);
            i[q + 2] = memory.getAtIndex(JAVA_DOUBLE, c + at + part);
            r[q + 3] = memory.getAtIndex(JAVA_DOUBLE, d + at);
            i[q + 3] = memory.getAtIndex(JAVA_DOUBLE, d + at + part);
        }
    }

    private void load32(long a, long b, long c, long d, int q, int numbers, double[][] re, double[][] im) {
        for (int k = 0; k < numbers; k++) {
            double[] r = re[k];
            double[] i = im[k];
            long at = k * step;
            r[q] = memory.getAtIndex(JAVA_FLOAT, a + at);
            i[q] = memory.getAtIndex(JAVA_FLOAT, a + at + part);
            r[q + 1] = memory.getAtIndex(JAVA_FLOAT, b + at);
            i[q + 1] = memory.getAtIndex(JAVA_FLOAT, b + at + part);
            r[q + 2] = memory.getAtIndex(JAVA_FLOAT, c + at);
            i[q + 2] = memory.getAtIndex(JAVA_FLOAT, c + at + part);
            r[q + 3] = memory.getAtIndex(JAVA_FLOAT, d + at);
            i[q + 3] = memory.getAtIndex(JAVA_FLOAT, d + at + part);
        }
    }

    /**
     * Writes columns of rows to lines {@code line} and on.
     *
     * @param order row of each number
     */
    void store(long line, int columns, int numbers, int[] order, double[][] re, double[][] im) {
        int q = 0;
        for (; q + 3 < columns; q += 4) {
            long a = start(line + q);
            long b = start(line + q + 1);
            long c = start(line + q + 2);
            long d = start(line + q + 3);
            if (wide) {
                store64(a, b, c, d, q, numbers, order, re, im);
            } else {
                store32(a, b, c, d, q, numbers, order, re, im);
            }
        }
        for (; q < columns; q++) {
            long at = start(line + q);
            for (int k = 0; k < numbers; k++, at += step) {
                // Where both parts are one number, the real part is written last.
                set(at + part, im[order[k]][q]);
                set(at, re[order[k]][q]);
            }
        }
    }

    private void store64(
            long a, long b, long c, long d, int q, int numbers, int[] order, double[][] re, double[][] im) {
        for (int k = 0; k < numbers; k++) {
            double[] r = re[order[k]];
            double[] i = im[order[k]];
            long at = k * step;
            memory.setAtIndex(JAVA_DOUBLE, a + at + part, i[q]);
            memory.setAtIndex(JAVA_DOUBLE, a + at, r[q]);
            memory.setAtIndex(JAVA_DOUBLE, b + at + part, i[q + 1]);
            memory.setAtIndex(JAVA_DOUBLE, b + at, r[q + 1]);
            memory.setAtIndex(JAVA_DOUBLE, c + at + part, i[q + 2]);
            memory.setAtIndex(JAVA_DOUBLE, c + at, r[q + 2]);
            memory.setAtIndex(JAVA_DOUBLE, d + at + part, i[q + 3]);
            memory.setAtIndex(JAVA_DOUBLE, d + at, r[q + 3]);
        }
    }

    private void store32(
            long a, long b, long c, long d, int q, int numbers, int[] order, double[][] re, double[][] im) {
        for (int k = 0; k < numbers; k++) {
            double[] r = re[order[k]];
            double[] i = im[order[k]];
            long at = k * step;
            memory.setAtIndex(JAVA_FLOAT, a + at + part, (float) i[q]);
            memory.setAtIndex(JAVA_FLOAT, a + at, (float) r[q]);
            memory.setAtIndex(JAVA_FLOAT, b + at + part, (float) i[q + 1]);
            memory.setAtIndex(JAVA_FLOAT, b + at, (float) r[q + 1]);
            memory.setAtIndex(JAVA_FLOAT, c + at + part, (float) i[q + 2]);
            memory.setAtIndex(JAVA_FLOAT, c + at, (float) r[q + 2]);
            memory.setAtIndex(JAVA_FLOAT, d + at + part, (float) i[q + 3]);
            memory.setAtIndex(JAVA_FLOAT, d + at, (float) r[q + 3]);
        }
    }

    /** Reads a whole line. */
    void load(long line, int numbers, double[] re, double[] im) {
        long at = start(line);
        for (int k = 0; k < numbers; k++, at += step) {
            re[k] = get(at);
            im[k] = part == 0 ? 0 : get(at + part);
        }
    }

    /** Writes a whole line. */
    void store(long line, int numbers, double[] re, double[] im) {
        long at = start(line);
        for (int k = 0; k < numbers; k++, at += step) {
            set(at + part, im[k]);
            set(at, re[k]);
        }
    }

    private double get(long index) {
        return wide ? memory.getAtIndex(JAVA_DOUBLE, index) : memory.getAtIndex(JAVA_FLOAT, index);
    }

    private void set(long index, double value) {
        if (wide) {
            memory.setAtIndex(JAVA_DOUBLE, index, value);
        } else {
            memory.setAtIndex(JAVA_FLOAT, index, (float) value);
        }
    }
}
