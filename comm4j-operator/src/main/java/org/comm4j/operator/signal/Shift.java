// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.operator.LinearOperator;

/**
 * A shift by any distance, a fraction of a sample too, by the phases of the spectrum (PyLops {@code Shift}). The signal
 * is periodic: what leaves one end comes in at the other one.
 */
public final class Shift extends Chain {
    private Shift(LinearOperator chain) {
        super(chain);
    }

    /**
     * Returns the shift of all lines by one distance.
     *
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     * @param shift in the unit of the sampling
     * @param sampling distance of samples
     * @param period length of the transform in samples: at least that of the axis to keep the signal whole
     */
    public static Shift of(
            Backend backend, Layout layout, DataType type, int axis, double shift, double sampling, long period) {
        return of(backend, layout, type, axis, new double[] {shift}, sampling, period);
    }

    /**
     * Returns the shift of each line by a distance of its own.
     *
     * @param shifts of the lines, in row-major order of the other axes
     */
    public static Shift of(
            Backend backend, Layout layout, DataType type, int axis, double[] shifts, double sampling, long period) {
        noNulls("Shift.of", "backend", backend, "layout", layout, "type", type, "shifts", shifts);
        int along = layout.axis(axis);
        long lines = layout.length(along) == 0 ? 0 : layout.size() / layout.length(along);
        if (shifts.length != 1 && shifts.length != lines) {
            throw new IllegalArgumentException(
                    "Shift: " + shifts.length + " shifts for the " + lines + " lines of " + layout);
        }
        if (!(sampling > 0) || Arrays.stream(shifts).anyMatch(shift -> !Double.isFinite(shift))) {
            throw new IllegalArgumentException(
                    "Shift: the sampling " + sampling + " is not positive, or a shift is not a number");
        }
        FFTND.Builder builder =
                FFT.of(backend, layout, along).dtype(type).sampling(sampling).pad(period);
        FFTND transform = (type.isComplex() ? builder : builder.real()).build();
        double[] frequencies = transform.frequencies(along);
        double[] own = shifts.clone();
        long[] shape = layout.shape();
        return new Shift(Spectra.multiplied(transform, (index, factors, at) -> {
            double shift = own.length == 1 ? own[0] : own[line(index, shape, along)];
            double phase = -2 * Math.PI * frequencies[(int) index[along]] * shift;
            factors.setComplex(at, Math.cos(phase), Math.sin(phase));
        }));
    }

    private static int line(long[] index, long[] shape, int axis) {
        long line = 0;
        for (int a = 0; a < index.length; a++) {
            line = a == axis ? line : line * shape[a] + index[a];
        }
        return (int) line;
    }
}
