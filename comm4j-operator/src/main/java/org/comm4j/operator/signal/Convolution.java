// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.math.Fft;
import org.comm4j.operator.Convolve1D;
import org.comm4j.operator.LinearOperator;

/**
 * The convolution with a filter along any axes, zero outside of the array, directly or by Fourier transforms, whichever
 * is estimated to be faster: PyLops {@code Convolve1D}, {@code Convolve2D} and {@code ConvolveND} in one.
 *
 * <p>The direct way is {@link Convolve1D}, of several axes a sum of them over the rows of the filter. The other one is
 * {@link ConvolveND}. Every rank chooses alike, as the estimate looks at shapes only.
 */
public final class Convolution extends Chain {
    /** Ways to compute a convolution. */
    public enum Method {
        /** A sum over the filter's samples. */
        DIRECT,
        /** A product of spectra. */
        FOURIER
    }

    // Costs of an element in units of one sample of a filter, from the times of 2²⁰ numbers of FLOAT64 on one core of
    // an
    // EPYC with AVX-512, which did other work, too. Directly and by transforms, in ms: 137 and 78 for 129 samples along
    // the first axis of 2000, 50 and 82 of 250; 137 and 202 for 257 samples along the last axis of 2000.

    /** What a direct pass takes besides its samples: memory. */
    private static final double PASS = 25;

    /** Both transforms, for each bit of their length, along an axis with others behind it. */
    private static final double TRANSFORM = 9;

    /** The same along the last axis, where lines are turned first. */
    private static final double LAST = 28;

    private final Method method;

    private Convolution(LinearOperator chain, Method method) {
        super(chain);
        this.method = method;
    }

    /**
     * Returns the convolution, by the method that is estimated to be faster.
     *
     * @param filter real samples in row-major order
     * @param shape of the filter: a length for each of the axes
     * @param origin index of the sample of the filter that is its origin, along each of the axes
     * @param axes any axes, divided among the ranks or not; negative ones count from the end
     * @throws IllegalArgumentException if the sizes do not fit, or if the origin is outside of the filter
     */
    public static Convolution of(
            Backend backend, Layout layout, DataType type, double[] filter, int[] shape, int[] origin, int... axes) {
        noNulls("Convolution.of", "backend", backend, "layout", layout, "type", type, "filter", filter);
        noNulls("Convolution.of", "shape", shape, "origin", origin, "axes", axes);
        ConvolveND.check(filter, shape, origin, axes);
        Method method = direct(shape) <= fourier(layout, shape, axes) ? Method.DIRECT : Method.FOURIER;
        return of(method, backend, layout, type, filter, shape, origin, axes);
    }

    /** Returns {@link #of(Backend, Layout, DataType, double[], int[], int[], int...)} by a given method. */
    public static Convolution of(
            Method method,
            Backend backend,
            Layout layout,
            DataType type,
            double[] filter,
            int[] shape,
            int[] origin,
            int... axes) {
        noNulls("Convolution.of", "method", method, "backend", backend, "layout", layout, "type", type);
        noNulls("Convolution.of", "filter", filter, "shape", shape, "origin", origin, "axes", axes);
        ConvolveND.check(filter, shape, origin, axes);
        LinearOperator chain = method == Method.FOURIER
                ? ConvolveND.of(backend, layout, type, filter, shape, origin, axes)
                : direct(backend, layout, type, filter, shape, origin, axes);
        return new Convolution(chain, method);
    }

    /** Returns the method. */
    public Method method() {
        return method;
    }

    // Costs

    private static double direct(int... shape) {
        double rows = 1;
        for (int i = 0; i < shape.length - 1; i++) {
            rows *= shape[i];
        }
        double shifts = shape.length - 1.0;
        return rows * (PASS + shape[shape.length - 1] + (rows > 1 ? PASS * (1 + shifts) : 0));
    }

    private static double fourier(Layout layout, int[] shape, int... axes) {
        double padded = 1;
        double cost = 2 * PASS;
        for (int i = 0; i < axes.length; i++) {
            double length = layout.length(axes[i]);
            double fast = Fft.fastLength(Math.toIntExact(layout.length(axes[i]) + shape[i] - 1));
            padded *= fast / Math.max(1, length);
            boolean last = layout.axis(axes[i]) == layout.ndim() - 1;
            cost += (last ? LAST : TRANSFORM) * Math.log(fast) / Math.log(2);
        }
        return padded * cost;
    }

    // The direct way

    private static LinearOperator direct(
            Backend backend, Layout layout, DataType type, double[] filter, int[] shape, int[] origin, int... axes) {
        int last = shape.length - 1;
        int length = shape[last];
        LinearOperator sum = null;
        for (int row = 0; row < filter.length / length; row++) {
            double[] samples = Arrays.copyOfRange(filter, row * length, (row + 1) * length);
            boolean zero = Arrays.stream(samples).allMatch(sample -> sample == 0);
            if (zero && (sum != null || row < filter.length / length - 1)) {
                continue;
            }
            LinearOperator term = Convolve1D.of(backend, layout, type, axes[last], samples, origin[last]);
            int rest = row;
            for (int i = last - 1; i >= 0; i--) {
                int distance = rest % shape[i] - origin[i];
                rest /= shape[i];
                if (distance != 0) {
                    term = shift(backend, layout, type, axes[i], distance).times(term);
                }
            }
            sum = sum == null ? term : sum.plus(term);
        }
        if (sum == null) {
            throw new AssertionError("a filter without rows");
        }
        return sum;
    }

    /** Returns y[i] = x[i − distance] along an axis. */
    private static LinearOperator shift(Backend backend, Layout layout, DataType type, int axis, int distance) {
        double[] one = new double[Math.abs(distance) + 1];
        one[Math.max(0, distance)] = 1;
        return Convolve1D.of(backend, layout, type, axis, one, Math.max(0, -distance));
    }
}
