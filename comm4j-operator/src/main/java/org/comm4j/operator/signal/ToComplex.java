// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisMatrix;
import org.comm4j.operator.LinearOperator;

/** Real elements as complex ones; the adjoint takes the real part. It does not communicate. */
final class ToComplex extends LinearOperator {
    /** Complex elements are pairs of real ones, of which this takes the first. */
    private static final AxisMatrix FIRST =
            AxisMatrix.of(2).element(0, 1).endRow().build();

    ToComplex(Backend backend, Layout layout, DataType type) {
        super(backend, layout, type, layout, AxisTransform.complex(type));
    }

    @Override
    protected void apply(Vector x, Vector y) {
        y.assign(x);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        var from = ((DistributedArray) y).part();
        var to = ((DistributedArray) x).part();
        backend().compute().multiply(FIRST, to.count(), 1, from.view(to.type()), to);
    }
}
