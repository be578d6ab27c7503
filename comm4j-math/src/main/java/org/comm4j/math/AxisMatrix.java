// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.Arrays;

/**
 * A sparse matrix that is applied along one axis of an array, in compressed rows: permutations, selections and sums of
 * slices are such matrices, and so are their adjoints.
 */
public final class AxisMatrix {
    /** The description of a matrix, row by row. */
    public static final class Builder {
        private final long columnCount;
        private long[] starts = new long[17];
        private int rows;
        private long[] columns = new long[16];
        private double[] values = new double[16];
        private int used;

        private Builder(long columnCount) {
            this.columnCount = columnCount;
        }

        /**
         * Adds an element to the row that is being described.
         *
         * @throws IndexOutOfBoundsException if there is no such column
         */
        public Builder element(long column, double value) {
            if (column < 0 || column >= columnCount) {
                throw new IndexOutOfBoundsException(
                        "column " + column + " of row " + rows + " is none of " + columnCount);
            }
            if (used == columns.length) {
                columns = Arrays.copyOf(columns, 2 * used);
                values = Arrays.copyOf(values, 2 * used);
            }
            columns[used] = column;
            values[used++] = value;
            return this;
        }

        /** Ends the row that is being described. */
        public Builder endRow() {
            rows++;
            if (rows == starts.length) {
                starts = Arrays.copyOf(starts, 2 * rows);
            }
            starts[rows] = used;
            return this;
        }

        /** Returns the matrix. */
        public AxisMatrix build() {
            return new AxisMatrix(
                    columnCount,
                    Arrays.copyOf(starts, rows + 1),
                    Arrays.copyOf(columns, used),
                    Arrays.copyOf(values, used));
        }
    }

    private final long columnCount;
    private final long[] starts;
    private final long[] columns;
    private final double[] values;

    private AxisMatrix(long columnCount, long[] starts, long[] columns, double[] values) {
        this.columnCount = columnCount;
        this.starts = starts;
        this.columns = columns;
        this.values = values;
    }

    /** Returns a builder of a matrix with this many columns and no rows yet. */
    public static Builder of(long columnCount) {
        return new Builder(columnCount);
    }

    /** Returns the number of rows. */
    public int rowCount() {
        return starts.length - 1;
    }

    /** Returns the number of columns. */
    public long columnCount() {
        return columnCount;
    }

    /** Returns the number of the first element of a row; of the row behind the last one that of all elements. */
    public int start(int row) {
        return (int) starts[row];
    }

    /** Returns the column of an element. */
    public long column(int element) {
        return columns[element];
    }

    /** Returns the value of an element. */
    public double value(int element) {
        return values[element];
    }

    /** Returns the transposed matrix. */
    public AxisMatrix transposed() {
        int count = (int) columnCount;
        long[] next = new long[count + 1];
        for (long column : columns) {
            next[(int) column + 1]++;
        }
        for (int c = 0; c < count; c++) {
            next[c + 1] += next[c];
        }
        long[] begin = next.clone();
        long[] rows = new long[columns.length];
        double[] transposed = new double[columns.length];
        for (int row = 0; row < rowCount(); row++) {
            for (int e = start(row); e < start(row + 1); e++) {
                int to = (int) next[(int) columns[e]]++;
                rows[to] = row;
                transposed[to] = values[e];
            }
        }
        return new AxisMatrix(rowCount(), begin, rows, transposed);
    }

    /**
     * Returns some rows, with the columns renumbered.
     *
     * @param first the first row
     * @param count number of rows
     * @param kept the columns that become 0, 1, …, in ascending order: all that the rows have
     */
    public AxisMatrix part(long first, long count, long... kept) {
        Builder part = of(kept.length);
        for (long row = first; row < first + count; row++) {
            for (int e = start((int) row); e < start((int) row + 1); e++) {
                part.element(Arrays.binarySearch(kept, columns[e]), values[e]);
            }
            part.endRow();
        }
        return part.build();
    }

    /** Returns the columns in which some rows have elements, in ascending order. */
    public long[] columns(long first, long count) {
        return Arrays.stream(columns, start((int) first), start((int) (first + count)))
                .sorted()
                .distinct()
                .toArray();
    }
}
