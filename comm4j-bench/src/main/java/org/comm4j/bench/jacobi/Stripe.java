// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.util.Arrays;

/**
 * Up to {@value #MAX_COLUMNS} neighbouring columns of a slab, all rows, in one array with rows {@value #PITCH} floats
 * apart, and the loop that relaxes them in place.
 *
 * <p>The new row r is written over the old row r−1, which nobody needs any more: rows drift upwards by one place an
 * iteration. This halves the memory, saves a third of the memory traffic (no second array is read into the cache just
 * to be overwritten), and it lets several iterations follow each other down the same array, each two rows behind the
 * one before.
 */
final class Stripe {

    /** Room for columns of the neighbouring stripes at either side: the most iterations that one sweep can do. */
    static final int EDGE = 16;

    static final int MAX_COLUMNS = 1024;

    /**
     * Floats from a row to the next. A compile-time constant, for only then can the compiler see that the row it writes
     * is none of the rows it reads. Not a multiple of 1024, so that the same column of successive rows falls into
     * different cache sets.
     */
    static final int PITCH = MAX_COLUMNS + 2 * EDGE;

    final int firstColumn;
    final int columns;

    /** The place (row of {@link #cells}) of slab row 0. */
    int origin;

    final float[] cells;

    // The same array again. JIT compilers merge two loads of one element, and would merge those of an element's left,
    // centre and right readers, which sit in different vector lanes; the loop then cannot become vector code. Through
    // separate fields it cannot know and does not merge.
    private final float[] left;
    private final float[] centre;
    private final float[] right;

    // The outer `depth` columns at both sides, row by row, halo rows included, for the neighbouring stripes to copy.
    // They could read them from `cells`, but would fetch a cache line for each row. The stripe to the right is swept
    // later than this one and needs the columns from before this sweep: of the right edge there are two, one from
    // before and one being made.
    private final int depth;
    private final float[] leftEdge;
    private float[] rightEdge;
    private float[] rightEdgeBefore;

    /**
     * @param places rows of the array
     * @param rows rows of the slab, or 0 for a stripe without neighbours, whose edges nobody needs
     * @param depth halo rows of the slab at either side
     */
    Stripe(int firstColumn, int columns, int places, int rows, int depth) {
        this.firstColumn = firstColumn;
        this.columns = columns;
        this.depth = depth;
        int edge = rows == 0 ? 0 : (rows + 2 * depth) * depth;
        leftEdge = new float[edge];
        rightEdge = new float[edge];
        rightEdgeBefore = new float[edge];
        cells = new float[places * PITCH];
        left = cells;
        centre = cells;
        right = cells;
    }

    /** The index of the stripe's first column in slab row {@code row} as it lies now. */
    int index(int row) {
        return (origin + row) * PITCH + EDGE;
    }

    /**
     * Some rows of one iteration, from top to bottom: the row in place {@code p + 1} becomes the mean of its four
     * neighbours and moves to place {@code p}. Adds the square of each element's change to {@code squares}.
     *
     * @param begin the first place to write
     * @param end after the last place to write
     * @param from the first column, counted from the start of the row
     * @param to after the last column
     * @param squares column i's sum is at i − from
     */
    void relax(int begin, int end, int from, int to, double[] squares) {
        for (int place = begin; place < end; place++) {
            int row = place * PITCH;
            // The columns beside those computed move along with their row: fixed ones at the rim of the grid, elsewhere
            // ones that nobody reads again.
            cells[row + from - 1] = cells[row + PITCH + from - 1];
            cells[row + to] = cells[row + PITCH + to];
            relax(cells, left, centre, right, row + from, to - from, squares);
        }
    }

    private static void relax(
            float[] cells, float[] left, float[] centre, float[] right, int begin, int count, double[] squares) {
        for (int i = begin; i < begin + count; i++) {
            float mean = 0.25f * (right[i + PITCH + 1] + left[i + PITCH - 1] + cells[i + 2 * PITCH] + cells[i]);
            float change = mean - centre[i + PITCH];
            cells[i] = mean;
            squares[i - begin] += change * change;
        }
    }

    /**
     * To be called when a sweep of this stripe begins, with the rows in {@link #cells} and the edges of all halo rows
     * in place.
     */
    void turnEdges() {
        float[] edge = rightEdgeBefore;
        rightEdgeBefore = rightEdge;
        rightEdge = edge;
    }

    /** Keeps both edges of slab row {@code row}, whose first column is at {@code index}. */
    void keepEdges(int row, int index) {
        int at = (row + depth) * depth;
        System.arraycopy(cells, index, leftEdge, at, depth);
        System.arraycopy(cells, index + columns - depth, rightEdge, at, depth);
    }

    /**
     * Puts the last {@code count} columns of a stripe that was swept just before beside this one's slab row {@code
     * row}, as they were before its sweep.
     */
    void takeLeft(Stripe from, int row, int count) {
        int end = (row + depth + 1) * depth;
        System.arraycopy(from.rightEdgeBefore, end - count, cells, index(row) - count, count);
    }

    /** Puts the first {@code count} columns of a stripe that is swept next beside this one's slab row {@code row}. */
    void takeRight(Stripe from, int row, int count) {
        System.arraycopy(from.leftEdge, (row + depth) * depth, cells, index(row) + columns, count);
    }

    /** Moves slab rows 0 to {@code rows}−1 so that row 0 comes to lie in place {@code newOrigin}. */
    void move(int rows, int newOrigin) {
        System.arraycopy(cells, origin * PITCH, cells, newOrigin * PITCH, rows * PITCH);
        origin = newOrigin;
    }

    /**
     * Adds up what {@link #relax} gathered, and clears it. Four sums, since one addition has to wait for the one
     * before.
     */
    static double drain(double[] squares, int from, int to) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = from;
        for (; i + 3 < to; i += 4) {
            a += squares[i];
            b += squares[i + 1];
            c += squares[i + 2];
            d += squares[i + 3];
        }
        for (; i < to; i++) {
            a += squares[i];
        }
        Arrays.fill(squares, 0);
        return (a + b) + (c + d);
    }
}
