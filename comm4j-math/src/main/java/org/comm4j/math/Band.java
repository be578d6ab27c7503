// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Arrays;
import java.util.function.LongFunction;

/**
 * A square band matrix that is applied along one axis of an array: the same coefficients in all rows but a few at both
 * ends. Derivatives, averages and integrals of finite length are such matrices, and so are their adjoints.
 */
public final class Band {
    private final long length;
    private final int width;
    private final double[][] first;
    private final double[] interior;
    private final double[][] last;

    private Band(long length, int width, double[][] first, double[] interior, double[][] last) {
        this.length = length;
        this.width = width;
        this.first = first;
        this.interior = interior;
        this.last = last;
    }

    /**
     * Makes a band matrix.
     *
     * @param length number of rows and columns
     * @param width number of diagonals on each side of the main one
     * @param ends number of rows at each end that may differ from those between them
     * @param row returns the coefficients of a row, 2 width + 1 of them; those outside of the matrix do not count
     */
    public static Band of(long length, int width, int ends, LongFunction<double[]> row) {
        nonNull(row, "Band.of", "row");
        int top = (int) Math.min(ends, length);
        int bottom = (int) Math.min(ends, length - top);
        double[][] first = new double[top][];
        double[][] last = new double[bottom][];
        for (int i = 0; i < top; i++) {
            first[i] = inside(row.apply(i), i, length, width);
        }
        for (int i = 0; i < bottom; i++) {
            long at = length - bottom + i;
            last[i] = inside(row.apply(at), at, length, width);
        }
        double[] interior = top + bottom < length ? row.apply(top).clone() : new double[2 * width + 1];
        return new Band(length, width, first, interior, last);
    }

    private static double[] inside(double[] row, long at, long length, int width) {
        double[] inside = row.clone();
        for (int k = -width; k <= width; k++) {
            if (at + k < 0 || at + k >= length) {
                inside[width + k] = 0;
            }
        }
        return inside;
    }

    /** Returns the number of rows and columns. */
    public long length() {
        return length;
    }

    /** Returns the number of diagonals on each side of the main one: the rows that a part needs of its neighbours. */
    public int width() {
        return width;
    }

    /** Returns the coefficients of a row, from column i − width to i + width; not to be changed. */
    public double[] row(long i) {
        return i < first.length
                ? first[(int) i]
                : i >= length - last.length ? last[(int) (i - length + last.length)] : interior;
    }

    /** Returns the row from which on rows are those of the interior, where they are not cut off. */
    long plainFrom() {
        int i = first.length;
        while (i > 0 && Arrays.equals(first[i - 1], inside(interior, i - 1L, length, width))) {
            i--;
        }
        return i;
    }

    /** Returns the row behind the last one of these. */
    long plainTo() {
        int i = last.length;
        while (i > 0 && Arrays.equals(last[last.length - i], inside(interior, length - i, length, width))) {
            i--;
        }
        return length - i;
    }

    /** Returns the coefficients of the rows between both ends; not to be changed. */
    double[] interior() {
        return interior;
    }

    /** Returns the number of rows at the beginning that have coefficients of their own. */
    int top() {
        return first.length;
    }

    /** Returns the number of rows at the end that have coefficients of their own. */
    int bottom() {
        return last.length;
    }

    /** Returns the first row from {@code i} on whose coefficients may differ from those of {@code i}. */
    public long end(long i) {
        return i < first.length || i >= length - last.length ? i + 1 : length - last.length;
    }

    /** Returns the transposed matrix. */
    public Band transposed() {
        int ends = Math.max(first.length, last.length) + width;
        return of(length, width, ends, j -> {
            double[] row = new double[2 * width + 1];
            for (int k = -width; k <= width; k++) {
                if (j + k >= 0 && j + k < length) {
                    row[width + k] = row(j + k)[width - k];
                }
            }
            return row;
        });
    }

    /** Returns this matrix times a number. */
    public Band times(double factor) {
        return of(length, width, Math.max(first.length, last.length), i -> {
            double[] row = row(i).clone();
            for (int k = 0; k < row.length; k++) {
                row[k] *= factor;
            }
            return row;
        });
    }
}
