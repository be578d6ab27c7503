// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.stream.LongStream;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.RowExchange;
import org.comm4j.array.Vector;
import org.comm4j.array.Views;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisShape;
import org.comm4j.math.Blas;
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
    private final long inner;

    // This rank's rows of the range and of the domain along the axis.

    private final long rowsHere;
    private final long columnsHere;

    // The parts of the matrix that this rank needs in each direction.

    private final Buffer rowsOfMatrix;
    private final Buffer columnsOfMatrix;

    private final Slices rowSlices;
    private final Slices columnSlices;

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
        AxisShape shape = AxisShape.of(axis, domain.localShape(backend().rank()));
        inner = shape.inner();
        rowsHere = range().localShape(backend().rank())[axis];
        columnsHere = domain.localShape(backend().rank())[axis];
        rowSlices = slices(shape.outer(), columns, rowsHere);
        columnSlices = slices(shape.outer(), rows, columnsHere);
        rowsOfMatrix = divided
                ? matrix.part().slice(range().start(backend().rank(), axis) * columns, rowsHere * columns)
                : matrix.part();
        columnsOfMatrix = divided ? ownColumns().part() : matrix.part();
    }

    private Slices slices(long outer, long from, long to) {
        return new Slices(Views.equal(outer, from * inner), Views.equal(outer, to * inner));
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
        run(Transpose.NONE, rowsHere, columns, rowsOfMatrix, forward, rowSlices, x, y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        plan(y.type());
        run(Transpose.CONJUGATE, columnsHere, rows, columnsOfMatrix, adjoint, columnSlices, y, x);
    }

    private void run(
            Transpose transpose,
            long m,
            long k,
            Buffer a,
            @Nullable RowExchange exchange,
            Slices slices,
            Vector from,
            Vector to) {
        DistributedArray source = from.arrays().getFirst();
        Buffer b = exchange == null ? source.part() : exchange.exchange(source);
        Buffer c = to.arrays().getFirst().part();
        Blas blas = backend().compute().blas();
        for (int o = 0; o < slices.from.count(); o++) {
            blas.gemm(transpose, m, inner, k, 1, a, slices.from.of(b, o), 0, slices.to.of(c, o));
        }
    }

    /** The factors and products of the axes before this one. */
    private record Slices(Views from, Views to) {}
}
