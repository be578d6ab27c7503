// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.stream.LongStream;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;

/** The identity (PyLops {@code Identity}). It does not communicate. */
public final class Identity extends LinearOperator {
    private Identity(Backend backend, Layout layout, DataType type) {
        super(backend, layout, layout, type);
    }

    /** Returns the identity of vectors of a layout. */
    public static Identity of(Backend backend, Layout layout, DataType type) {
        noNulls("Identity.of", "backend", backend, "layout", layout, "type", type);
        return new Identity(backend, layout, type);
    }

    /**
     * Returns the rectangular identity: of each axis the first elements, filled up with zeros where the range has more.
     * The divided axis gets balanced parts where its length changes.
     *
     * @param domain layout of what it takes
     * @param shape of the range, with as many axes
     */
    public static LinearOperator of(Backend backend, Layout domain, DataType type, long... shape) {
        noNulls("Identity.of", "backend", backend, "domain", domain, "type", type, "shape", shape);
        if (shape.length != domain.ndim()) {
            throw new IllegalArgumentException(
                    "Identity: a range of " + shape.length + " axes for " + domain + ", which has " + domain.ndim());
        }
        LinearOperator product = of(backend, domain, type);
        for (int axis = 0; axis < shape.length; axis++) {
            long length = domain.length(axis);
            if (shape[axis] != length) {
                LinearOperator change = shape[axis] > length
                        ? Pad.of(backend, product.range(), type, axis, 0, shape[axis] - length)
                        : Restriction.of(
                                backend,
                                product.range(),
                                type,
                                axis,
                                LongStream.range(0, shape[axis]).toArray());
                product = product instanceof Identity ? change : change.times(product);
            }
        }
        return product;
    }

    @Override
    protected void apply(Vector x, Vector y) {
        y.assign(x);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        x.assign(y);
    }

    @Override
    public LinearOperator H() {
        return this;
    }
}
