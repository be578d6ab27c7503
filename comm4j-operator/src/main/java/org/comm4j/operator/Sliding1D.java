// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Layout;

/**
 * Sliding windows along a line, to each of which an operator is applied, and whose results overlap and are added with
 * weights (PyLops {@code Sliding1D}).
 */
public final class Sliding1D {
    private Sliding1D() {}

    /**
     * Returns the operator from windows to data. Its domain has the number of windows before the shape of the
     * operator's domain, and windows of divided data are divided among the ranks along its first axis.
     *
     * <p>Windows begin every {@code window − overlap} elements; elements behind the last whole one are zeros.
     *
     * @param each operator of a window, with replicated or local vectors
     * @param data layout of the range
     * @param window length of a window
     * @param overlap of neighbouring windows, shorter than a window; with a taper half of it at most
     * @throws IllegalArgumentException if the sizes do not fit
     */
    public static LinearOperator of(LinearOperator each, Layout data, int window, int overlap, Taper taper) {
        noNulls("Sliding1D.of", "each", each, "data", data, "taper", taper);
        return Windows.of("Sliding1D", each, data, taper, 1, new int[] {window}, new int[] {overlap});
    }
}
