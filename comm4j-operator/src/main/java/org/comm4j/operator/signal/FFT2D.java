// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;

/** The Fourier transform along two axes (PyLops {@code FFT2D}). */
@SuppressWarnings("AbbreviationAsWordInName") // PyLops' name
public final class FFT2D {
    private FFT2D() {}

    /**
     * Returns a builder of the transform.
     *
     * @param first any axis, divided among the ranks or not; negative ones count from the end
     * @param second another axis: the one of half the length if the elements are real
     */
    public static FFTND.Builder of(Backend backend, Layout layout, int first, int second) {
        noNulls("FFT2D.of", "backend", backend, "layout", layout);
        return new FFTND.Builder("FFT2D", backend, layout, first, second);
    }
}
