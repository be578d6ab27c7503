// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.BlockDim;
import org.comm4j.kernel.BlockIdx;
import org.comm4j.kernel.Constant;
import org.comm4j.kernel.F64Ptr;
import org.comm4j.kernel.GlobalIdx;
import org.comm4j.kernel.GridDim;
import org.comm4j.kernel.I64Ptr;
import org.comm4j.kernel.Kernel;
import org.comm4j.kernel.Ptr;
import org.comm4j.kernel.Restrict;
import org.comm4j.kernel.Unroll;
import org.comm4j.math.Numbers.Pack;

/**
 * Products with sparse matrices along the middle of three axes. A row of the matrix is looked up once for several packs
 * or slices: a lookup has more bytes than a number.
 */
final class AxisKernels {
    static final int THREADS = 256;

    /** Packs of a thread where rows have one element at most. */
    static final int PACKS = 4;

    /** Slices of a thread. */
    static final int SLICES = 16;

    private AxisKernels() {}

    private static Pack times(@Constant boolean wide, double factor, Pack a) {
        return new Pack(
                Numbers.times(wide, factor, a.x()),
                Numbers.times(wide, factor, a.y()),
                Numbers.times(wide, factor, a.z()),
                Numbers.times(wide, factor, a.w()));
    }

    private static Pack plus(@Constant boolean wide, Pack a, Pack b) {
        return new Pack(
                Numbers.plus(wide, a.x(), b.x()),
                Numbers.plus(wide, a.y(), b.y()),
                Numbers.plus(wide, a.z(), b.z()),
                Numbers.plus(wide, a.w(), b.w()));
    }

    /**
     * y = the matrix times x, where many numbers are behind the axis: packs of them along x, rows along y, slices along
     * z of the grid.
     *
     * @param starts of the rows among the elements
     * @param run contiguous numbers behind the axis
     */
    @Kernel(maxThreads = THREADS)
    static void runs(
            @Constant boolean wide,
            @Constant boolean aligned,
            long outer,
            long rows,
            long columns,
            long run,
            I64Ptr starts,
            I64Ptr column,
            F64Ptr value,
            @Restrict Ptr x,
            @Restrict Ptr y) {
        long first = GlobalIdx.xLong() * Numbers.lanes(wide);
        long step = (long) GridDim.x() * BlockDim.x() * Numbers.lanes(wide);
        for (long o = BlockIdx.z(); o < outer; o += GridDim.z()) {
            for (long row = GlobalIdx.y(); row < rows; row += (long) GridDim.y() * BlockDim.y()) {
                long begin = starts.get(row);
                long end = starts.get(row + 1);
                long to = (o * rows + row) * run;
                if (end == begin + 1) {
                    double factor = Numbers.round(wide, value.get(begin));
                    long from = (o * columns + column.get(begin)) * run;
                    for (long i = first; i < run; i += step) {
                        Unroll.times(PACKS);
                        Pack a = Numbers.load(wide, aligned, x, from + i, from + run, 0);
                        Numbers.store(wide, aligned, y, to + i, to + run, times(wide, factor, a));
                    }
                } else {
                    for (long i = first; i < run; i += step) {
                        Pack sum = new Pack(0, 0, 0, 0);
                        for (long e = begin; e < end; e++) {
                            long from = (o * columns + column.get(e)) * run;
                            Pack a = Numbers.load(wide, aligned, x, from + i, from + run, 0);
                            sum = plus(wide, sum, times(wide, Numbers.round(wide, value.get(e)), a));
                        }
                        Numbers.store(wide, aligned, y, to + i, to + run, sum);
                    }
                }
            }
        }
    }

    /** y = the matrix times x, where few numbers are behind the axis: numbers along x, slices along y of the grid. */
    @Kernel(maxThreads = THREADS)
    static void lines(
            @Constant boolean wide,
            long outer,
            long rows,
            long columns,
            long run,
            I64Ptr starts,
            I64Ptr column,
            F64Ptr value,
            @Restrict Ptr x,
            @Restrict Ptr y) {
        long i = GlobalIdx.xLong();
        if (i >= rows * run) {
            return;
        }
        long row = run == 1 ? i : i / run;
        long inner = i - row * run;
        long begin = starts.get(row);
        long end = starts.get(row + 1);
        long step = (long) GridDim.y() * BlockDim.y();
        if (end == begin + 1) {
            double factor = Numbers.round(wide, value.get(begin));
            long from = column.get(begin) * run + inner;
            for (long o = GlobalIdx.y(); o < outer; o += step) {
                Unroll.times(4);
                double number = Numbers.get(wide, x, o * columns * run + from);
                Numbers.set(wide, y, o * rows * run + i, Numbers.times(wide, factor, number));
            }
            return;
        }
        for (long o = GlobalIdx.y(); o < outer; o += step) {
            double sum = 0;
            for (long e = begin; e < end; e++) {
                double factor = Numbers.round(wide, value.get(e));
                double number = Numbers.get(wide, x, (o * columns + column.get(e)) * run + inner);
                sum = Numbers.plus(wide, sum, Numbers.times(wide, factor, number));
            }
            Numbers.set(wide, y, o * rows * run + i, sum);
        }
    }
}
