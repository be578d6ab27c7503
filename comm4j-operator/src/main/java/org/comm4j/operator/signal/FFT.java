// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;

/** The Fourier transform along one axis (PyLops {@code FFT}). */
@SuppressWarnings("AbbreviationAsWordInName") // PyLops' name
public final class FFT {
    private FFT() {}

    /**
     * Returns a builder of the transform.
     *
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     */
    public static FFTND.Builder of(Backend backend, Layout layout, int axis) {
        noNulls("FFT.of", "backend", backend, "layout", layout);
        return new FFTND.Builder("FFT", backend, layout, axis);
    }
}
