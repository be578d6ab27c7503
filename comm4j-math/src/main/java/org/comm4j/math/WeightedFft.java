// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;

/** A transform whose results are multiplied by a factor, and those that stand for two by another one, in a pass. */
final class WeightedFft implements Fft {
    private final Compute compute;
    private final Fft fft;
    private final AxisShape shape;
    private final AxisMatrix weights;
    private final AxisMatrix inverse;
    private final Buffer spectrum;

    private WeightedFft(Compute compute, Fft fft, DataType type, AxisShape shape, double factor, double pairs) {
        this.compute = compute;
        this.fft = fft;
        this.shape = shape;
        int length = fft.length();
        weights = weights(length, factor, pairs);
        inverse = weights(length, factor, 1 / pairs);
        DataType complex = Compute.promote(type, DataType.COMPLEX64);
        spectrum = compute.buffer(complex, shape.outer() * (length / 2 + 1) * shape.inner());
    }

    /** Returns the transform itself where there is nothing to multiply by. */
    static Fft of(Compute compute, Fft fft, DataType type, AxisShape shape, double factor, double pairs) {
        if (type.isComplex()) {
            return factor == 1 ? fft : new Scaled(compute, fft, Coefficient.of(factor));
        }
        return factor == 1 && pairs == 1 ? fft : new WeightedFft(compute, fft, type, shape, factor, pairs);
    }

    /** A complex transform, whose results are multiplied where they are. */
    private record Scaled(Compute compute, Fft fft, Coefficient factor) implements Fft {
        @Override
        public int length() {
            return fft.length();
        }

        @Override
        public void forward(Buffer x, Buffer y) {
            fft.forward(x, y);
            compute.axpby(Coefficient.ZERO, y, factor, y);
        }

        @Override
        public void inverse(Buffer x, Buffer y) {
            fft.inverse(x, y);
            compute.axpby(Coefficient.ZERO, y, factor, y);
        }

        @Override
        public void close() {
            fft.close();
        }
    }

    private static AxisMatrix weights(int length, double factor, double pairs) {
        int bins = length / 2 + 1;
        AxisMatrix.Builder matrix = AxisMatrix.of(bins);
        for (int k = 0; k < bins; k++) {
            boolean alone = k == 0 || 2 * k == length;
            matrix.element(k, alone ? factor : factor * pairs).endRow();
        }
        return matrix.build();
    }

    @Override
    public int length() {
        return fft.length();
    }

    @Override
    public void forward(Buffer x, Buffer y) {
        fft.forward(x, spectrum);
        compute.multiply(weights, shape.outer(), shape.inner(), spectrum, y);
    }

    @Override
    public void inverse(Buffer x, Buffer y) {
        compute.multiply(inverse, shape.outer(), shape.inner(), x, spectrum);
        fft.inverse(spectrum, y);
    }

    @Override
    public void close() {
        fft.close();
    }
}
