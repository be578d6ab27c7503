// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;

/**
 * The running mean (PyLops {@code Smoothing1D}, {@code Smoothing2D} and {@code SmoothingND}), one axis after the other;
 * the array is zero outside. Along the divided axis each direction exchanges ghost rows with the neighbours once.
 */
public final class Smoothing {
    private Smoothing() {}

    /**
     * Returns the mean along one axis.
     *
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     * @param length number of elements, centred; an even one is made odd by adding 1
     */
    public static LinearOperator along(Backend backend, Layout layout, DataType type, int axis, int length) {
        noNulls("Smoothing.along", "backend", backend, "layout", layout, "type", type);
        if (length < 1) {
            throw new IllegalArgumentException("Smoothing: " + length + " elements have no mean");
        }
        double[] filter = new double[length | 1];
        Arrays.fill(filter, 1.0 / filter.length);
        return Convolve1D.of(backend, layout, type, axis, filter, filter.length / 2);
    }

    /**
     * Returns the mean along all axes.
     *
     * @param lengths for each axis the number of elements, 1 for none
     */
    public static LinearOperator of(Backend backend, Layout layout, DataType type, int... lengths) {
        noNulls("Smoothing.of", "backend", backend, "layout", layout, "type", type, "lengths", lengths);
        if (lengths.length != layout.ndim()) {
            throw new IllegalArgumentException(
                    "Smoothing: " + lengths.length + " lengths for the axes of " + layout + "; 1 leaves an axis alone");
        }
        LinearOperator product = null;
        for (int axis = 0; axis < lengths.length; axis++) {
            if (lengths[axis] != 1) {
                LinearOperator mean = along(backend, layout, type, axis, lengths[axis]);
                product = product == null ? mean : mean.times(product);
            }
        }
        return product == null ? Identity.of(backend, layout, type) : product;
    }
}
