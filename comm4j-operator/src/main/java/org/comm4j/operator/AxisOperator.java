// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.function.Consumer;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.RowExchange;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisMatrix;
import org.comm4j.math.AxisShape;
import org.jspecify.annotations.Nullable;

/**
 * An operator that is a sparse matrix along one axis: what flips, shifts, pads, selects, sums and repeats slices. Along
 * the divided axis each direction is one allToAllV of the rows that other ranks need.
 */
class AxisOperator extends LinearOperator {
    private final Side forward;
    private final Side adjoint;

    /**
     * Makes the operator.
     *
     * @param rows number of rows of the matrix, the axis' length of the range
     * @param matrix describes the rows
     */
    AxisOperator(
            Backend backend, Layout domain, DataType type, int axis, long rows, Consumer<AxisMatrix.Builder> matrix) {
        this(backend, domain, domain.resized(axis, rows), type, axis, matrix);
    }

    /**
     * Makes an operator whose range has parts of its own sizes.
     *
     * @param range layout with the domain's lengths but along the axis, where it has as many as the matrix has rows
     */
    AxisOperator(
            Backend backend,
            Layout domain,
            Layout range,
            DataType type,
            int axis,
            Consumer<AxisMatrix.Builder> matrix) {
        super(backend, domain, range, type);
        long rows = range.length(axis);
        int along = domain.axis(axis);
        AxisMatrix.Builder builder = AxisMatrix.of(domain.length(axis));
        matrix.accept(builder);
        AxisMatrix whole = builder.build();
        if (whole.rowCount() != rows) {
            throw new AssertionError(whole.rowCount() + " rows instead of " + rows);
        }
        forward = new Side(backend, domain, range(), along, whole);
        adjoint = new Side(backend, range(), domain, along, whole.transposed());
    }

    @Override
    protected void apply(Vector x, Vector y) {
        forward.run(x.arrays().getFirst(), y.arrays().getFirst());
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        adjoint.run(y.arrays().getFirst(), x.arrays().getFirst());
    }

    /** One direction. */
    private static final class Side {
        private final Backend backend;
        private final Layout from;
        private final Layout to;
        private final int axis;
        private final AxisMatrix whole;
        private final boolean divided;
        private final AxisMatrix own;
        private final long outer;
        private final long inner;
        private @Nullable RowExchange exchange;
        private @Nullable DataType planned;

        Side(Backend backend, Layout from, Layout to, int axis, AxisMatrix whole) {
            this.backend = backend;
            this.from = from;
            this.to = to;
            this.axis = axis;
            this.whole = whole;
            AxisShape shape = AxisShape.of(axis, from.localShape(backend.rank()));
            outer = shape.outer();
            inner = shape.inner();
            divided = backend.size() > 1 && from.isDivided(axis);
            own = divided
                    ? whole.part(to.start(backend.rank(), axis), rows(backend.rank()), needed(backend.rank()))
                    : whole;
        }

        private long rows(int rank) {
            return to.localShape(rank)[axis];
        }

        private long[] needed(int rank) {
            return whole.columns(to.start(rank, axis), rows(rank));
        }

        void run(DistributedArray x, DistributedArray y) {
            Buffer rows = divided ? rows(x) : x.part();
            backend.compute().multiply(own, outer, inner, rows, y.part());
        }

        private Buffer rows(DistributedArray x) {
            RowExchange known = exchange;
            if (known == null || planned != x.type()) {
                known = new RowExchange(backend, from, axis, x.type(), this::needed);
                exchange = known;
                planned = x.type();
            }
            return known.exchange(x);
        }
    }
}
