// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.math.StencilKernels.Axis;

/**
 * Sums of three band matrices of width 1, plane by plane: each thread has a column of packs along the first axis, and
 * the three packs of it that a plane needs in registers, so that memory is read once. What neighbours in the block read
 * comes from the cache. The coefficients of a thread's rows along the other axes are the same in all planes, so that
 * ends need no other code: threads there would keep the rest of their warp waiting.
 */
final class PlaneKernels {
    static final int THREADS = 256;

    private PlaneKernels() {}

    /**
     * y = the stencil of x, or that and the product of a diagonal with x.
     *
     * @param step numbers between neighbours along the last axis: 2 for complex elements
     * @param split axis of {@code before} and {@code after}, 0 or 1, or −1
     * @param product whether the diagonal counts
     * @param numbers along the last axis, a multiple of those of a pack
     * @param depth planes of a thread
     */
    @Kernel(maxThreads = THREADS, minBlocks = 4)
    static void planes(
            @Constant boolean wide,
            @Constant int step,
            @Constant int split,
            @Constant boolean product,
            Axis first,
            Axis second,
            Axis last,
            long numbers,
            long depth,
            @Restrict Ptr x,
            @Restrict Ptr before,
            @Restrict Ptr after,
            @Restrict Ptr d,
            @Restrict Ptr y) {
        int lanes = Numbers.lanes(wide);
        long c = GlobalIdx.xLong() * lanes;
        long b = GlobalIdx.yLong();
        long from = BlockIdx.z() * depth;
        long to = Math.min(from + depth, first.count());
        if (c >= numbers || b >= second.count()) {
            return;
        }
        long plane = second.count() * numbers;
        long column = b * numbers + c;
        Cells c0 = Cells.coefficients(wide, step, last, c, 0);
        Cells c1 = Cells.coefficients(wide, step, last, c, 1);
        Cells c2 = Cells.coefficients(wide, step, last, c, 2);
        Cells b0 = Cells.all(wide, Cells.coefficient(second, b, 0));
        Cells b1 = Cells.all(wide, Cells.coefficient(second, b, 1));
        Cells b2 = Cells.all(wide, Cells.coefficient(second, b, 2));
        Cells inner0 = Cells.all(wide, first.inner().c0());
        Cells inner1 = Cells.all(wide, first.inner().c1());
        Cells inner2 = Cells.all(wide, first.inner().c2());
        // Beyond the ends any pack does, as its coefficient is 0.
        long up = b > 0 ? numbers : 0;
        long down = b + 1 < second.count() ? numbers : 0;
        long left = c > 0 ? lanes : 0;
        long right = c + lanes < numbers ? lanes : 0;
        Cells middle = Cells.load(wide, x, from * plane + column);
        Cells low = middle;
        if (from > 0) {
            low = Cells.load(wide, x, (from - 1) * plane + column);
        } else if (split == 0) {
            low = Cells.load(wide, before, column);
        }
        for (long a = from; a < to; a++) {
            Unroll.times(2);
            long at = a * plane + column;
            long next = a + 1 < first.count() ? plane : 0;
            Cells high = Cells.load(wide, x, at + next);
            Cells above = Cells.load(wide, x, at - up);
            Cells below = Cells.load(wide, x, at + down);
            Cells before1 = Cells.load(wide, x, at - left);
            Cells after1 = Cells.load(wide, x, at + right);
            if (split == 0 && a + 1 == first.count()) {
                high = Cells.load(wide, after, column);
            }
            if (split == 1 && b == 0) {
                above = Cells.load(wide, before, a * numbers + c);
            }
            if (split == 1 && b + 1 == second.count()) {
                below = Cells.load(wide, after, a * numbers + c);
            }
            Cells a0 = inner0;
            Cells a1 = inner1;
            Cells a2 = inner2;
            long row = first.start() + a;
            if (row < first.top() || row >= first.length() - first.bottom()) {
                a0 = Cells.all(wide, Cells.coefficient(first, a, 0));
                a1 = Cells.all(wide, Cells.coefficient(first, a, 1));
                a2 = Cells.all(wide, Cells.coefficient(first, a, 2));
            }
            Cells sum = Cells.all(wide, 0);
            if (product) {
                sum = sum.add(Cells.load(wide, d, at), middle);
            }
            sum = sum.add(a0, low).add(a1, middle).add(a2, high);
            sum = sum.add(b0, above).add(b1, middle).add(b2, below);
            sum = sum.add(c0, middle.neighbours(before1, after1, -step));
            sum = sum.add(c1, middle);
            sum = sum.add(c2, middle.neighbours(before1, after1, step));
            sum.store(y, at);
            low = middle;
            middle = high;
        }
    }
}
