// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.Constant;
import org.comm4j.kernel.F64Ptr;
import org.comm4j.kernel.GlobalIdx;
import org.comm4j.kernel.I64Ptr;
import org.comm4j.kernel.Kernel;
import org.comm4j.kernel.Ptr;

/** Products with sparse matrices along an axis, a number for each thread. */
final class AxisKernels {
    private AxisKernels() {}

    /**
     * y = the matrix times x, of {@code n} numbers.
     *
     * @param starts of the rows among the elements
     * @param run contiguous numbers behind the axis
     */
    @Kernel
    static void multiply(
            @Constant boolean wide,
            long n,
            long rows,
            long columns,
            long run,
            I64Ptr starts,
            I64Ptr column,
            F64Ptr value,
            Ptr x,
            Ptr y) {
        long i = GlobalIdx.xLong();
        if (i >= n) {
            return;
        }
        long slice = i / run;
        long inner = i - slice * run;
        long outer = slice / rows;
        long row = slice - outer * rows;
        double sum = 0;
        long end = starts.get(row + 1);
        for (long e = starts.get(row); e < end; e++) {
            double factor = Numbers.round(wide, value.get(e));
            double from = Numbers.get(wide, x, (outer * columns + column.get(e)) * run + inner);
            sum = Numbers.plus(wide, sum, Numbers.times(wide, factor, from));
        }
        Numbers.set(wide, y, i, sum);
    }
}
