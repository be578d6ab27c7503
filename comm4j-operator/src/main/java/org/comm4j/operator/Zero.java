// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;

/** The operator that returns zeros (PyLops {@code Zero}). It does not communicate. */
public final class Zero extends LinearOperator {
    private Zero(Backend backend, Layout domain, Layout range, DataType type) {
        super(backend, domain, range, type);
    }

    /** Returns the operator between any two layouts. */
    public static Zero of(Backend backend, Layout domain, Layout range, DataType type) {
        noNulls("Zero.of", "backend", backend, "domain", domain, "range", range, "type", type);
        return new Zero(backend, domain, range, type);
    }

    @Override
    protected void apply(Vector x, Vector y) {
        y.fill(Coefficient.ZERO);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        x.fill(Coefficient.ZERO);
    }
}
