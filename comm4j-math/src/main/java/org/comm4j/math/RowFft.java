// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/**
 * A discrete Fourier transform of the columns of rows of numbers, all at once.
 *
 * @param <A> the type of a row
 */
interface RowFft<A> {
    /** Returns the length of the transform. */
    int length();

    /** Returns the number of rows that it needs, at least {@link #length}. */
    int rows();

    /**
     * Transforms columns, with the factor e^(−2πi j k / n) and unscaled. Element k is then in row {@link #row}.
     * Swapping real and imaginary parts before and after gives the inverse, unscaled.
     *
     * @param columns number of columns, from the first one
     */
    void run(A[] re, A[] im, int columns);

    /** Returns the row of element k of the result. */
    int row(int k);
}
