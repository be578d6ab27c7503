// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.stream.LongStream;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.RowExchange;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisShape;
import org.comm4j.math.Compute;
import org.comm4j.math.Transpose;
import org.jspecify.annotations.Nullable;

/**
 * The product with a dense matrix along one axis, for all other axes. Along the divided axis each direction brings all
 * slices to all ranks, of which each computes its own.
 */
final class SliceMult extends LinearOperator {
    private final DistributedArray matrix;
    private final int axis;
    private final boolean divided;
    private final long rows;
    private final long columns;
    /** The columns of the matrix that are this rank's, where the axis is divided. */
    private final @Nullable DistributedArray ownColumns;

    private @Nullable RowExchange forward;
    private @Nullable RowExchange adjoint;
    private @Nullable DataType planned;

    SliceMult(DistributedArray matrix, Layout domain, int axis) {
        super(matrix.backend(), domain, domain.resized(axis, matrix.layout().length(0)), matrix.type());
        this.matrix = matrix;
        this.axis = axis;
        rows = matrix.layout().length(0);
        columns = matrix.layout().length(1);
        divided = domain.isDivided(axis);
        ownColumns = divided ? ownColumns() : null;
    }

    private DistributedArray ownColumns() {
        Backend backend = backend();
        long first = domain().start(backend.rank(), axis);
        long count = domain().localShape(backend.rank())[axis];
        DistributedArray own = backend.zeros(Layout.local(rows, count), matrix.type());
        for (long r = 0; r < rows; r++) {
            backend.compute()
                    .copy(
                            matrix.part().slice(r * columns + first, count),
                            own.part().slice(r * count, count));
        }
        return own;
    }

    private void plan(DataType type) {
        if (divided && planned != type) {
            forward = new RowExchange(backend(), domain(), axis, type, rank -> all(columns));
            adjoint = new RowExchange(backend(), range(), axis, type, rank -> all(rows));
            planned = type;
        }
    }

    private static long[] all(long count) {
        return LongStream.range(0, count).toArray();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        plan(x.type());
        long own = range().localShape(backend().rank())[axis];
        Buffer a = matrix.part();
        if (divided) {
            a = a.slice(range().start(backend().rank(), axis) * columns, own * columns);
        }
        run(Transpose.NONE, own, columns, a, forward, x, y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        plan(y.type());
        long own = domain().localShape(backend().rank())[axis];
        Buffer a = ownColumns == null ? matrix.part() : ownColumns.part();
        run(Transpose.CONJUGATE, own, rows, a, adjoint, y, x);
    }

    private void run(
            Transpose transpose, long m, long k, Buffer a, @Nullable RowExchange exchange, Vector from, Vector to) {
        DistributedArray source = from.arrays().getFirst();
        Buffer b = exchange == null ? source.part() : exchange.exchange(source);
        Buffer c = to.arrays().getFirst().part();
        AxisShape shape = AxisShape.of(axis, from.layout().localShape(backend().rank()));
        long inner = shape.inner();
        Compute compute = backend().compute();
        for (long o = 0; o < shape.outer(); o++) {
            compute.blas()
                    .gemm(
                            transpose,
                            m,
                            inner,
                            k,
                            1,
                            a,
                            b.slice(o * k * inner, k * inner),
                            0,
                            c.slice(o * m * inner, m * inner));
        }
    }
}
