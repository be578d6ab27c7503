// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.SlabExchange;
import org.comm4j.array.Vector;
import org.comm4j.array.Views;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisShape;
import org.comm4j.math.Fft;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * Fourier transforms along an axis, times a factor, of an array that is divided along axis 0 and then along another
 * one: an {@link AxisTransform} and a {@code Redistribute} in one. The rows of a rank are transformed slab by slab, and
 * each slab travels while the next one is transformed; in the adjoint while the one before it is.
 */
final class SlabTransform extends LinearOperator {
    private final int axis;
    private final double factor;
    private final int slabs;
    private final Layout spectrum;
    private final Buffer slab;
    private final Views rows;
    private final Views bins;
    private final @Nullable Fft[] transforms;
    private @Nullable SlabExchange there;
    private @Nullable SlabExchange back;

    /**
     * Makes the transforms.
     *
     * @param domain divided along axis 0
     * @param type of the elements before the transform
     * @param axis which is transformed, not 0
     * @param divided which the result is divided along, not 0
     */
    SlabTransform(Backend backend, Layout domain, DataType type, int axis, double factor, int divided, int slabs) {
        super(backend, domain, type, range(backend, domain, type, axis, divided), AxisTransform.complex(type));
        this.axis = axis;
        this.factor = factor;
        this.slabs = slabs;
        spectrum = AxisTransform.spectrum(domain, type, axis);
        transforms = new Fft[slabs];
        rows = views(domain, false);
        bins = views(spectrum, true);
        long most = 0;
        for (int s = 0; s < slabs; s++) {
            most = Math.max(most, elements(spectrum, s + 1) - elements(spectrum, s));
        }
        slab = backend.compute().buffer(AxisTransform.complex(type), most);
    }

    private static Layout range(Backend backend, Layout domain, DataType type, int axis, int divided) {
        return backend.scattered(
                divided, AxisTransform.spectrum(domain, type, axis).shape());
    }

    private long rows(int number) {
        return SlabExchange.row(domain().localShape(backend().rank())[0], number, slabs);
    }

    /** Returns the elements of this rank before a slab. */
    private long elements(Layout layout, int number) {
        long[] shape = layout.localShape(backend().rank());
        shape[0] = rows(number);
        return AxisShape.of(0, shape).length() * AxisShape.of(0, shape).inner();
    }

    /** Returns the slabs of a part, or all of them in the same place. */
    private Views views(Layout layout, boolean samePlace) {
        long[] offsets = new long[slabs];
        long[] counts = new long[slabs];
        for (int s = 0; s < slabs; s++) {
            offsets[s] = samePlace ? 0 : elements(layout, s);
            counts[s] = elements(layout, s + 1) - elements(layout, s);
        }
        return new Views(offsets, counts);
    }

    /** Returns the transforms of a slab; those of slabs with as many rows are the same. */
    private Fft transform(int number) {
        Fft known = transforms[number];
        if (known == null) {
            long[] shape = domain().localShape(backend().rank());
            shape[0] = rows(number + 1) - rows(number);
            for (int s = 0; s < number && known == null; s++) {
                known = rows(s + 1) - rows(s) == shape[0] ? transforms[s] : null;
            }
            AxisShape lines = AxisShape.of(axis, shape);
            known = known == null ? transform(lines) : known;
            transforms[number] = known;
        }
        return known;
    }

    private Fft transform(AxisShape lines) {
        int length = Math.toIntExact(lines.length());
        return backend().compute().fft(domainType(), lines.outer(), length, lines.inner(), factor, Math.sqrt(2));
    }

    private SlabExchange there() {
        SlabExchange way = there;
        if (way == null) {
            way = new SlabExchange(backend(), spectrum, range(), rangeType(), slabs, true);
            there = way;
        }
        return way;
    }

    @Override
    protected void apply(Vector x, Vector y) {
        SlabExchange way = there();
        Buffer from = part(x);
        Buffer to = part(y);
        for (int s = 0; s < slabs; s++) {
            transform(s).forward(rows.of(from, s), bins.of(slab, s));
            way.begin(s, bins.of(slab, s));
            if (s > 0) {
                way.end(s - 1, to);
            }
        }
        way.end(slabs - 1, to);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        SlabExchange way = back;
        if (way == null) {
            way = there().back();
            back = way;
        }
        Buffer from = part(y);
        Buffer to = part(x);
        for (int s = 0; s <= slabs; s++) {
            if (s < slabs) {
                way.begin(s, from);
            }
            if (s > 0) {
                way.end(s - 1, bins.of(slab, s - 1));
                transform(s - 1).inverse(bins.of(slab, s - 1), rows.of(to, s - 1));
            }
        }
    }

    private static Buffer part(Vector vector) {
        return ((DistributedArray) vector).part();
    }
}
