// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.lang.Unroll;
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

    /** Aligned packs are whole ones, and need no look at the end. */
    private static Pack load(@Constant boolean wide, @Constant boolean aligned, Ptr x, long i, long end) {
        if (aligned) {
            return Numbers.load(wide, true, x, i, Long.MAX_VALUE, 0);
        }
        return Numbers.load(wide, false, x, i, end, 0);
    }

    private static void store(@Constant boolean wide, @Constant boolean aligned, Ptr y, long i, long end, Pack pack) {
        if (aligned) {
            Numbers.store(wide, true, y, i, Long.MAX_VALUE, pack);
        } else {
            Numbers.store(wide, false, y, i, end, pack);
        }
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
                    long i = first;
                    for (; i + (PACKS - 1) * step < run; i += PACKS * step) {
                        // The loads of all four stand before what is done with them.
                        Pack a = load(wide, aligned, x, from + i, from + run);
                        Pack b = load(wide, aligned, x, from + i + step, from + run);
                        Pack c = load(wide, aligned, x, from + i + 2 * step, from + run);
                        Pack d = load(wide, aligned, x, from + i + 3 * step, from + run);
                        store(wide, aligned, y, to + i, to + run, times(wide, factor, a));
                        store(wide, aligned, y, to + i + step, to + run, times(wide, factor, b));
                        store(wide, aligned, y, to + i + 2 * step, to + run, times(wide, factor, c));
                        store(wide, aligned, y, to + i + 3 * step, to + run, times(wide, factor, d));
                    }
                    for (; i < run; i += step) {
                        Unroll.times(1);
                        Pack a = load(wide, aligned, x, from + i, from + run);
                        store(wide, aligned, y, to + i, to + run, times(wide, factor, a));
                    }
                } else {
                    for (long i = first; i < run; i += step) {
                        Pack sum = new Pack(0, 0, 0, 0);
                        for (long e = begin; e < end; e++) {
                            long from = (o * columns + column.get(e)) * run;
                            Pack a = load(wide, aligned, x, from + i, from + run);
                            sum = Numbers.plus(wide, sum, times(wide, Numbers.round(wide, value.get(e)), a));
                        }
                        store(wide, aligned, y, to + i, to + run, sum);
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
            long o = GlobalIdx.y();
            for (; o + 3 * step < outer; o += 4 * step) {
                double a = Numbers.get(wide, x, o * columns * run + from);
                double b = Numbers.get(wide, x, (o + step) * columns * run + from);
                double c = Numbers.get(wide, x, (o + 2 * step) * columns * run + from);
                double d = Numbers.get(wide, x, (o + 3 * step) * columns * run + from);
                Numbers.set(wide, y, o * rows * run + i, Numbers.times(wide, factor, a));
                Numbers.set(wide, y, (o + step) * rows * run + i, Numbers.times(wide, factor, b));
                Numbers.set(wide, y, (o + 2 * step) * rows * run + i, Numbers.times(wide, factor, c));
                Numbers.set(wide, y, (o + 3 * step) * rows * run + i, Numbers.times(wide, factor, d));
            }
            for (; o < outer; o += step) {
                Unroll.times(1);
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
