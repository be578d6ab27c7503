// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.CpuCompute;
import org.comm4j.math.Fft;
import org.comm4j.operator.LinearOperator;

/**
 * The convolution with a filter along any axes by Fourier transforms, zero outside of the array (PyLops {@code
 * ConvolveND}, {@code Convolve2D}, and {@code Convolve1D} with the method {@code fft}): for filters that are too long
 * for {@link org.comm4j.operator.Convolve1D}.
 */
public final class ConvolveND extends Chain {
    private ConvolveND(LinearOperator chain) {
        super(chain);
    }

    /**
     * Returns the convolution.
     *
     * @param filter real samples in row-major order
     * @param shape of the filter: a length for each of the axes
     * @param origin index of the sample of the filter that is its origin, along each of the axes
     * @param axes any axes, divided among the ranks or not; negative ones count from the end
     * @throws IllegalArgumentException if the sizes do not fit, or if the origin is outside of the filter
     */
    public static ConvolveND of(
            Backend backend, Layout layout, DataType type, double[] filter, int[] shape, int[] origin, int... axes) {
        noNulls("ConvolveND.of", "backend", backend, "layout", layout, "type", type, "filter", filter);
        noNulls("ConvolveND.of", "shape", shape, "origin", origin, "axes", axes);
        check(filter, shape, origin, axes);
        long[] lengths = new long[axes.length];
        for (int i = 0; i < axes.length; i++) {
            long least = layout.length(axes[i]) + shape[i] - 1;
            lengths[i] = Fft.fastLength(Math.toIntExact(least));
        }
        FFTND.Builder builder = FFTND.of(backend, layout, axes).dtype(type).pad(lengths);
        FFTND transform = (type.isComplex() ? builder : builder.real()).build();
        HostArray spectrum = spectrum(filter, shape, origin, lengths);
        int[] along = Arrays.stream(axes).map(layout::axis).toArray();
        return new ConvolveND(Spectra.multiplied(transform, (index, factors, at) -> {
            long from = 0;
            for (int i = 0; i < along.length; i++) {
                from = from * lengths[i] + index[along[i]];
            }
            factors.setComplex(at, spectrum.getReal(from), spectrum.getImaginary(from));
        }));
    }

    static void check(double[] filter, int[] shape, int[] origin, int... axes) {
        boolean fits = shape.length == axes.length && origin.length == axes.length;
        long size = 1;
        for (int i = 0; fits && i < shape.length; i++) {
            size *= shape[i];
            fits = origin[i] >= 0 && origin[i] < shape[i];
        }
        if (!fits || size != filter.length) {
            throw new IllegalArgumentException("ConvolveND: a filter of " + filter.length + " samples with the shape "
                    + Arrays.toString(shape) + " and the origin " + Arrays.toString(origin) + " for " + axes.length
                    + " axes");
        }
    }

    /** Returns the transform of the filter, whose origin is at the first element of its period. */
    private static HostArray spectrum(double[] filter, int[] shape, int[] origin, long... lengths) {
        long size = Arrays.stream(lengths).reduce(1, Math::multiplyExact);
        HostArray spectrum = HostArray.allocate(DataType.COMPLEX128, size);
        for (int k = 0; k < filter.length; k++) {
            long at = 0;
            long inner = filter.length;
            int rest = k;
            for (int i = 0; i < shape.length; i++) {
                inner /= shape[i];
                long index = rest / inner;
                rest %= (int) inner;
                at = at * lengths[i] + Math.floorMod(index - origin[i], lengths[i]);
            }
            spectrum.setComplex(at, filter[k], 0);
        }
        try (CpuCompute processor = new CpuCompute()) {
            long outer = 1;
            for (long length : lengths) {
                try (Fft fft = processor.fft(DataType.COMPLEX128, outer, (int) length, size / outer / length)) {
                    fft.forward(spectrum, spectrum);
                }
                outer *= length;
            }
        }
        return spectrum;
    }
}
