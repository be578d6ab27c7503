// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.function.BiConsumer;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;

/** An operator that is a pair of functions (PyLops {@code FunctionOperator}). It communicates if they do. */
public final class FunctionOperator extends LinearOperator {
    private final BiConsumer<Vector, Vector> forward;
    private final BiConsumer<Vector, Vector> adjoint;

    private FunctionOperator(
            Backend backend,
            Layout domain,
            Layout range,
            DataType type,
            BiConsumer<Vector, Vector> forward,
            BiConsumer<Vector, Vector> adjoint) {
        super(backend, domain, range, type);
        this.forward = forward;
        this.adjoint = adjoint;
    }

    /**
     * Returns the operator.
     *
     * @param forward computes A of its first argument into its second one, which has any content before
     * @param adjoint computes Aᴴ of its first argument into its second one
     */
    public static FunctionOperator of(
            Backend backend,
            Layout domain,
            Layout range,
            DataType type,
            BiConsumer<Vector, Vector> forward,
            BiConsumer<Vector, Vector> adjoint) {
        noNulls("FunctionOperator.of", "backend", backend, "domain", domain, "range", range);
        noNulls("FunctionOperator.of", "type", type, "forward", forward, "adjoint", adjoint);
        return new FunctionOperator(backend, domain, range, type, forward, adjoint);
    }

    /** Returns an operator without an adjoint: {@link #rmatvec} throws {@link UnsupportedOperationException}. */
    public static FunctionOperator of(
            Backend backend, Layout domain, Layout range, DataType type, BiConsumer<Vector, Vector> forward) {
        return of(backend, domain, range, type, forward, (y, x) -> {
            throw new UnsupportedOperationException("the FunctionOperator was made without a function for its adjoint");
        });
    }

    @Override
    protected void apply(Vector x, Vector y) {
        forward.accept(x, y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        adjoint.accept(y, x);
    }
}
