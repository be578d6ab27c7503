// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.HostArray;
import org.comm4j.math.Coefficient;

/** The matrix of an operator, column by column: its products with the unit vectors. */
final class DenseMatrix {
    private final LinearOperator operator;
    private final long rows;
    private final long columns;
    private final HostArray matrix;
    private final HostArray one;

    DenseMatrix(LinearOperator operator) {
        this.operator = operator;
        rows = operator.range().size();
        columns = operator.domain().size();
        matrix = HostArray.allocate(operator.rangeType(), Math.multiplyExact(rows, columns));
        one = HostArray.allocate(operator.domainType(), 1);
        one.fill(1);
    }

    DistributedArray compute() {
        try (Vector x = operator.backend().vector(operator.domain(), operator.domainType());
                Vector y = operator.backend().vector(operator.range(), operator.rangeType())) {
            for (long column = 0; column < columns; column++) {
                x.fill(Coefficient.ZERO);
                set(x, column);
                operator.matvec(x, y);
                keep(y, column);
            }
        }
        DistributedArray result = operator.backend().zeros(Layout.replicated(rows, columns), operator.rangeType());
        result.part().copyFrom(matrix);
        return result;
    }

    /** Sets an element of the arrays, one behind the other, to 1 where this rank has it. */
    private void set(Vector x, long index) {
        long first = 0;
        for (DistributedArray array : x.arrays()) {
            long at = index - first;
            array.layout().runs(operator.backend().rank(), (local, global, count) -> {
                if (at >= global && at < global + count) {
                    array.part().slice(local + at - global, 1).copyFrom(one);
                }
            });
            first += array.layout().size();
        }
    }

    private void keep(Vector y, long column) {
        long row = 0;
        for (DistributedArray array : y.arrays()) {
            HostArray whole = array.toHost();
            for (long i = 0; i < whole.count(); i++) {
                matrix.slice((row + i) * columns + column, 1).copyFrom(whole.slice(i, 1));
            }
            row += whole.count();
        }
    }
}
