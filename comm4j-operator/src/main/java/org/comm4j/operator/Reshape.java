// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;

/** The same elements in the same order on every rank, under another shape. */
final class Reshape extends LinearOperator {
    Reshape(Backend backend, Layout domain, Layout range, DataType type) {
        super(backend, domain, range, type);
    }

    @Override
    protected void apply(Vector x, Vector y) {
        copy(x, y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        copy(y, x);
    }

    private void copy(Vector from, Vector to) {
        backend()
                .compute()
                .copy(from.arrays().getFirst().part(), to.arrays().getFirst().part());
    }
}
