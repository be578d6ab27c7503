// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.Fft;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.Redistribute;

/**
 * The Fourier transform of a one-dimensional array that is divided among the ranks: as a matrix of n = n₁ n₂ elements,
 * whose columns and then rows are transformed, with roots of unity between (Bailey, 1990). Each direction is three
 * allToAllV.
 */
final class LineTransform extends LinearOperator {
    private final LinearOperator toColumns;
    private final LinearOperator toRows;
    private final LinearOperator toLine;
    private final Fft columns;
    private final Fft rows;
    private final Buffer roots;
    private final Buffer conjugateRoots;
    private final DistributedArray byColumns;
    private final DistributedArray otherByColumns;
    private final DistributedArray byRows;
    private final DistributedArray otherByRows;
    private final DistributedArray ordered;
    private final long n1;
    private final long n2;
    private final long mine;

    LineTransform(Backend backend, Layout line, DataType type) {
        super(backend, line, line, type);
        long n = line.length(0);
        long first = Math.max(1, (long) Math.sqrt((double) n));
        while (n > 0 && n % first != 0) {
            first--;
        }
        n1 = first;
        n2 = n / first;
        Layout columnwise = backend.scattered(1, n1, n2);
        Layout rowwise = backend.scattered(0, n1, n2);
        Layout result = backend.scattered(1, n2, n1);
        toColumns = Redistribute.of(backend, line, columnwise, type);
        toRows = Redistribute.of(backend, columnwise, rowwise, type);
        toLine = Redistribute.of(backend, result, line, type);
        byColumns = backend.zeros(columnwise, type);
        otherByColumns = backend.zeros(columnwise, type);
        byRows = backend.zeros(rowwise, type);
        otherByRows = backend.zeros(rowwise, type);
        ordered = backend.zeros(result, type);
        mine = rowwise.localShape(backend.rank())[0];
        long own = columnwise.localShape(backend.rank())[1];
        columns = backend.compute().fft(type, 1, Math.toIntExact(Math.max(1, n1)), own);
        rows = backend.compute().fft(type, mine, Math.toIntExact(Math.max(1, n2)), 1);
        roots = backend.compute().buffer(type, n1 * own);
        conjugateRoots = backend.compute().buffer(type, n1 * own);
        HostArray table = HostArray.allocate(type, n1 * own);
        long start = columnwise.start(backend.rank());
        for (long k = 0; k < n1; k++) {
            for (long j = 0; j < own; j++) {
                double angle = 2 * Math.PI * (double) (k * (start + j) % n) / (double) n;
                table.setComplex(k * own + j, Math.cos(angle), -Math.sin(angle));
            }
        }
        roots.copyFrom(table);
        backend.compute().conjugate(roots, conjugateRoots);
    }

    @Override
    protected void apply(Vector x, Vector y) {
        toColumns.matvec(x, byColumns);
        columns.forward(byColumns.part(), byColumns.part());
        backend().compute().multiply(byColumns.part(), roots, otherByColumns.part());
        toRows.matvec(otherByColumns, byRows);
        rows.forward(byRows.part(), otherByRows.part());
        backend().compute().transpose(1, mine, n2, 1, otherByRows.part(), ordered.part());
        toLine.matvec(ordered, y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        toLine.rmatvec(y, ordered);
        backend().compute().transpose(1, n2, mine, 1, ordered.part(), otherByRows.part());
        rows.inverse(otherByRows.part(), byRows.part());
        toRows.rmatvec(byRows, otherByColumns);
        backend().compute().multiply(otherByColumns.part(), conjugateRoots, byColumns.part());
        columns.inverse(byColumns.part(), byColumns.part());
        toColumns.rmatvec(byColumns, x);
    }
}
