// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

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
        return new Identity(backend, layout, type);
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
