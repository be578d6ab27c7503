// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisShape;
import org.comm4j.math.Compute;
import org.comm4j.math.Fft;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * Fourier transforms along an axis that every rank has whole, times a factor. Real elements become those up to the
 * Nyquist frequency; √2 times the ones that stand for two makes the transform keep dot products, as in PyLops.
 */
final class AxisTransform extends LinearOperator {
    private final double factor;
    private final int length;
    private final long outer;
    private final long inner;
    private @Nullable Fft fft;

    /**
     * Makes the transforms.
     *
     * @param type of the elements before the transform
     * @param factor costs no pass on processors, and none of real elements
     */
    AxisTransform(Backend backend, Layout domain, DataType type, int axis, double factor) {
        super(backend, domain, type, spectrum(domain, type, axis), complex(type));
        this.factor = factor;
        length = Math.toIntExact(domain.length(axis));
        AxisShape shape = AxisShape.of(axis, domain.localShape(backend.rank()));
        outer = shape.outer();
        inner = shape.inner();
    }

    static DataType complex(DataType type) {
        return Compute.promote(type, DataType.COMPLEX64);
    }

    /** Returns the layout of the transform of elements of a type. */
    static Layout spectrum(Layout domain, DataType type, int axis) {
        return type.isComplex() ? domain : domain.resized(axis, domain.length(axis) / 2 + 1);
    }

    private Fft fft() {
        Fft known = fft;
        if (known == null) {
            known = backend().compute().fft(domainType(), outer, length, inner, factor, Math.sqrt(2));
            fft = known;
        }
        return known;
    }

    @Override
    protected void apply(Vector x, Vector y) {
        fft().forward(part(x), part(y));
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        fft().inverse(part(y), part(x));
    }

    private static Buffer part(Vector vector) {
        return ((DistributedArray) vector).part();
    }
}
