// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/**
 * Loops of the fast Fourier transform over rows of numbers, with one number for each line that is transformed.
 *
 * <p>The compiler makes vectors of loops with arrays without offsets, and of about 60 operations at most, those of
 * addresses among them: a butterfly of radix 4 with its three roots of unity is beyond, and takes two loops. It matches
 * operations by the places of their operands. In a complex product each part of a number is therefore the first factor
 * of one of the fused operations, and the second one of the product in the other; else vectors have two elements.
 *
 * @param <A> the type of a row: {@code double[]} or {@code float[]}
 */
interface RowLoops<A> {
    /** Fewest columns of a loop. Of loops that ran over fewer when it compiled them, the compiler makes no vectors. */
    int LEAST = 16;

    /** Sets a to a + b, and b to a − b. */
    void butterfly(A ar, A ai, A br, A bi, int n);

    /** Sets a to a + b, and b to (a − b) w. */
    void butterfly(A ar, A ai, A br, A bi, double wr, double wi, int n);

    /** Sets a to a − i b, and b to a + i b. */
    void turned(A ar, A ai, A br, A bi, int n);

    /** Sets a to (a − i b) u, and b to (a + i b) v. */
    void turned(A ar, A ai, A br, A bi, double ur, double ui, double vr, double vi, int n);

    /** Transforms three numbers, and multiplies elements 1 and 2 by u and v. */
    void three(A ar, A ai, A br, A bi, A cr, A ci, double ur, double ui, double vr, double vi, int n);

    /** Transforms four numbers. */
    void four(A ar, A ai, A br, A bi, A cr, A ci, A dr, A di, int n);

    /**
     * Of the real or imaginary parts of five numbers: sets a to the sum, b and c to the parts of elements 1 and 2 of
     * the transform that cosines make, e and d to those that sines make.
     */
    void five(A a, A b, A c, A d, A e, int n);

    /** Sets y to p, and z to q, plus factors {@code at} and on times b, c, d and e. */
    void sums(A y, A z, A p, A q, double[] factors, int at, A b, A c, A d, A e, int n);

    /** Multiplies real parts by f, and imaginary parts by g. */
    void scale(A re, A im, double f, double g, int n);

    /** Sets y to y w. */
    void multiply(A yr, A yi, double wr, double wi, int n);

    /** Sets a to a u, b to b v, and c to c w. */
    void multiply(
            A ar,
            A ai,
            A br,
            A bi,
            A cr,
            A ci,
            double ur,
            double ui,
            double vr,
            double vi,
            double wr,
            double wi,
            int n);

    /**
     * Turns elements k and h − k of the transform of pairs of real numbers into those of the transform of the numbers.
     *
     * @param wr cosine of 2π k / n, for n = 2 h numbers
     * @param wi sine of −2π k / n
     * @param f factor of the results
     */
    void split(A ar, A ai, A br, A bi, double wr, double wi, double f, int n);

    /**
     * Undoes {@link #split}, times 2.
     *
     * @param f factor of the results
     */
    void join(A ar, A ai, A br, A bi, double wr, double wi, double f, int n);

    /** Sets y to the conjugate of b. */
    void conjugate(A yr, A yi, A br, A bi, int n);

    /**
     * Sets element 0 of the transform of pairs of real numbers to those of frequency 0 and of the Nyquist frequency.
     */
    void ends(A ar, A ai, A br, A bi, int n);

    /** Undoes {@link #ends}, times 2. */
    void joinEnds(A ar, A ai, A br, A bi, int n);

    /** Returns new rows of zeros. */
    A[] rows(int count, int columns);

    /** Returns a new row of zeros. */
    A row(int columns);

    /** Sets the first columns of a row to 0. */
    void clear(A row, int columns);

    /** Returns a number of a row. */
    double get(A row, int column);

    /** Sets a number of a row. */
    void set(A row, int column, double value);

    /** Reads real numbers that lie one behind the other into a row, from column {@code at} on. */
    void read(FftLines lines, long index, int count, A to, int at);

    /** Writes the columns of a row from {@code at} on to places one behind the other. */
    void write(A from, int at, FftLines lines, long index, int count);

    /**
     * Puts complex numbers of eight lines into columns {@code q} and on of rows {@code order[k]} and on.
     *
     * @param lines one behind the other, {@value FftTile#STRIDE} real numbers apart
     */
    void toRows(A lines, A[] re, A[] im, int[] order, int k, int q, int count);

    /** Undoes {@link #toRows(Object, Object[], Object[], int[], int, int, int)}. */
    void toLines(A lines, A[] re, A[] im, int[] order, int k, int q, int count);

    /** Puts real numbers of eight lines into columns {@code q} and on of rows {@code order[k]} and on. */
    void toRows(A lines, A[] rows, int[] order, int k, int q, int count);

    /** Undoes {@link #toRows(Object, Object[], int[], int, int, int)}. */
    void toLines(A lines, A[] rows, int[] order, int k, int q, int count);

    /** Puts complex numbers of a row into columns {@code q} and on of two rows. */
    void apart(A numbers, A re, A im, int q, int count);

    /** Puts columns {@code q} and on of two rows into a row of complex numbers. */
    void together(A numbers, A re, A im, int q, int count);
}
