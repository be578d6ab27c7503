// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisShape;
import org.comm4j.math.Dct;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/** Cosine transforms along an axis that every rank has whole, or one of them all of it. */
final class CosineTransform extends LinearOperator {
    private final int kind;
    private final AxisShape shape;
    private @Nullable Dct dct;
    private @Nullable DataType planned;

    CosineTransform(Backend backend, Layout layout, DataType type, int axis, int kind) {
        super(backend, layout, layout, type);
        this.kind = kind;
        shape = AxisShape.of(axis, layout.localShape(backend.rank()));
    }

    private Dct dct(DataType type) {
        Dct known = dct;
        if (known == null || planned != type) {
            int length = Math.toIntExact(shape.length());
            known = Dct.of(backend().compute(), type, kind, shape.outer(), length, shape.inner());
            dct = known;
            planned = type;
        }
        return known;
    }

    @Override
    protected void apply(Vector x, Vector y) {
        if (part(x).count() > 0) {
            dct(x.type()).forward(part(x), part(y));
        }
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        if (part(y).count() > 0) {
            dct(y.type()).inverse(part(y), part(x));
        }
    }

    private static Buffer part(Vector vector) {
        return vector.arrays().getFirst().part();
    }
}
