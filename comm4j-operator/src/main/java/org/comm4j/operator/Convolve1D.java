// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.math.Band;
import org.jspecify.annotations.Nullable;

/**
 * The convolution with a compact filter along an axis (PyLops {@code Convolve1D}), computed directly; the array is zero
 * outside. Along the divided axis each direction exchanges ghost rows with the neighbours once.
 */
public final class Convolve1D extends BandOperator {
    private Convolve1D(Backend backend, Layout layout, DataType type, @Nullable Band[] bands) {
        super(backend, layout, type, bands);
    }

    /**
     * Returns the convolution.
     *
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     * @param filter the filter's samples
     * @param offset sample of the filter that is its origin
     */
    public static Convolve1D of(Backend backend, Layout layout, DataType type, int axis, double[] filter, int offset) {
        noNulls("Convolve1D.of", "backend", backend, "layout", layout, "type", type, "filter", filter);
        if (filter.length == 0 || offset < 0 || offset >= filter.length) {
            throw new IllegalArgumentException(
                    "Convolve1D: the offset " + offset + " is none of the filter's " + filter.length + " samples");
        }
        @Nullable Band[] bands = new Band[layout.ndim()];
        bands[layout.axis(axis)] = band(layout.length(axis), filter, offset);
        return new Convolve1D(backend, layout, type, bands);
    }

    static Band band(long length, double[] filter, int offset) {
        int width = Math.max(offset, filter.length - 1 - offset);
        double[] row = new double[2 * width + 1];
        for (int k = 0; k < filter.length; k++) {
            row[width + offset - k] = filter[k];
        }
        return Band.of(length, width, width, i -> row);
    }
}
