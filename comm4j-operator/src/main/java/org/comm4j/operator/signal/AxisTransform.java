// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisMatrix;
import org.comm4j.math.AxisShape;
import org.comm4j.math.Compute;
import org.comm4j.math.Fft;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * Fourier transforms along an axis that every rank has whole, unscaled. Real elements become those up to the Nyquist
 * frequency; √2 times the ones that stand for two makes the transform keep dot products, as in PyLops.
 */
final class AxisTransform extends LinearOperator {
    private final int length;
    private final long outer;
    private final long inner;
    private final @Nullable AxisMatrix weights;
    private final @Nullable AxisMatrix inverseWeights;
    private @Nullable Fft fft;
    private @Nullable Buffer spectrum;

    /**
     * Makes the transforms.
     *
     * @param type of the elements before the transform
     */
    AxisTransform(Backend backend, Layout domain, DataType type, int axis) {
        super(backend, domain, type, spectrum(domain, type, axis), complex(type));
        length = Math.toIntExact(domain.length(axis));
        AxisShape shape = AxisShape.of(axis, domain.localShape(backend.rank()));
        outer = shape.outer();
        inner = shape.inner();
        boolean real = !type.isComplex();
        weights = real ? weights(length, Math.sqrt(2)) : null;
        inverseWeights = real ? weights(length, Math.sqrt(0.5)) : null;
    }

    static DataType complex(DataType type) {
        return Compute.promote(type, DataType.COMPLEX64);
    }

    private static Layout spectrum(Layout domain, DataType type, int axis) {
        return type.isComplex() ? domain : domain.resized(axis, domain.length(axis) / 2 + 1);
    }

    private static AxisMatrix weights(int length, double two) {
        int bins = length / 2 + 1;
        AxisMatrix.Builder matrix = AxisMatrix.of(bins);
        for (int k = 0; k < bins; k++) {
            boolean alone = k == 0 || 2 * k == length;
            matrix.element(k, alone ? 1 : two).endRow();
        }
        return matrix.build();
    }

    private Fft fft() {
        Fft known = fft;
        if (known == null) {
            known = backend().compute().fft(domainType(), outer, length, inner);
            fft = known;
        }
        return known;
    }

    /** Returns memory for a spectrum before its weights. */
    private Buffer spectrum(Buffer like) {
        Buffer known = spectrum;
        if (known == null) {
            known = backend().compute().buffer(like.type(), like.count());
            spectrum = known;
        }
        return known;
    }

    @Override
    protected void apply(Vector x, Vector y) {
        Buffer from = part(x);
        Buffer to = part(y);
        if (weights == null) {
            fft().forward(from, to);
            return;
        }
        Buffer unweighted = spectrum(to);
        fft().forward(from, unweighted);
        backend().compute().multiply(weights, outer, inner, unweighted, to);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        Buffer from = part(y);
        if (inverseWeights == null) {
            fft().inverse(from, part(x));
            return;
        }
        Buffer weighted = spectrum(from);
        backend().compute().multiply(inverseWeights, outer, inner, from, weighted);
        fft().inverse(weighted, part(x));
    }

    private static Buffer part(Vector vector) {
        return ((DistributedArray) vector).part();
    }
}
