// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Redistribution;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/**
 * The change from one layout to another, to be put between operators whose layouts differ. It is unitary: its adjoint
 * is the way back. Each direction is one allToAllV.
 */
public final class Redistribute extends LinearOperator {
    private @Nullable Redistribution there;
    private @Nullable Redistribution back;
    private @Nullable DataType planned;

    private Redistribute(Backend backend, Layout from, Layout to, DataType type) {
        super(backend, from, to, type);
    }

    /**
     * Returns the change between scattered or replicated layouts of the same shape.
     *
     * @throws IllegalArgumentException if the shapes differ, or if a layout is local
     */
    public static Redistribute of(Backend backend, Layout from, Layout to, DataType type) {
        noNulls("Redistribute.of", "backend", backend, "from", from, "to", to, "type", type);
        Redistribute operator = new Redistribute(backend, from, to, type);
        operator.plan(type);
        return operator;
    }

    private void plan(DataType type) {
        if (type != planned) {
            there = new Redistribution(backend(), domain(), range(), type);
            back = new Redistribution(backend(), range(), domain(), type);
            planned = type;
        }
    }

    @Override
    protected void apply(Vector x, Vector y) {
        plan(x.type());
        run(there, x, y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        plan(y.type());
        run(back, y, x);
    }

    private static void run(@Nullable Redistribution way, Vector from, Vector to) {
        if (way == null) {
            throw new AssertionError("not planned");
        }
        way.run(from.arrays().getFirst(), to.arrays().getFirst());
    }
}
