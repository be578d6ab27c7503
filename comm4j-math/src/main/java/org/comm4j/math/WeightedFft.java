// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;

/** A real transform whose elements that stand for two are multiplied by a factor, in another pass. */
final class WeightedFft implements Fft {
    private final Compute compute;
    private final Fft fft;
    private final AxisShape shape;
    private final AxisMatrix weights;
    private final AxisMatrix inverse;
    private final Buffer spectrum;

    private WeightedFft(Compute compute, Fft fft, DataType type, AxisShape shape, double pairs) {
        this.compute = compute;
        this.fft = fft;
        this.shape = shape;
        int length = fft.length();
        weights = weights(length, pairs);
        inverse = weights(length, 1 / pairs);
        DataType complex = Compute.promote(type, DataType.COMPLEX64);
        spectrum = compute.buffer(complex, shape.outer() * (length / 2 + 1) * shape.inner());
    }

    /** Returns the transform itself, where there is nothing to weigh. */
    static Fft of(Compute compute, Fft fft, DataType type, AxisShape shape, double pairs) {
        return pairs == 1 || type.isComplex() ? fft : new WeightedFft(compute, fft, type, shape, pairs);
    }

    private static AxisMatrix weights(int length, double pairs) {
        int bins = length / 2 + 1;
        AxisMatrix.Builder matrix = AxisMatrix.of(bins);
        for (int k = 0; k < bins; k++) {
            boolean alone = k == 0 || 2 * k == length;
            matrix.element(k, alone ? 1 : pairs).endRow();
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
