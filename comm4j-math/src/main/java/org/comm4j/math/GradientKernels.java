// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.math.StencilKernels.Axis;

/**
 * Band matrices of width 1 along two or three axes whose results, or operands, are arrays of their own: a gradient and
 * its adjoint, in one pass over memory. A thread goes along the second axis with a pack, as {@link PlaneKernels} do.
 */
final class GradientKernels {
    static final int THREADS = 256;

    private GradientKernels() {}

    /**
     * The term of the first axis.
     *
     * @param at the number that it is for
     * @param column its number in its plane
     */
    private static Cells across(
            @Constant boolean wide,
            @Constant int split,
            Axis axis,
            long a,
            long plane,
            long at,
            long column,
            Ptr x,
            Ptr before,
            Ptr after) {
        long down = a > 0 ? plane : 0;
        long up = a + 1 < axis.count() ? plane : 0;
        Cells low = Cells.load(wide, x, at - down);
        Cells middle = Cells.load(wide, x, at);
        Cells high = Cells.load(wide, x, at + up);
        if (split == 0 && a == 0) {
            low = Cells.load(wide, before, column);
        }
        if (split == 0 && a + 1 == axis.count()) {
            high = Cells.load(wide, after, column);
        }
        return Cells.all(wide, 0)
                .add(Cells.all(wide, Cells.coefficient(axis, a, 0)), low)
                .add(Cells.all(wide, Cells.coefficient(axis, a, 1)), middle)
                .add(Cells.all(wide, Cells.coefficient(axis, a, 2)), high);
    }

    /** The term of the second axis. */
    private static Cells along(@Constant boolean wide, Axis axis, long b, Cells low, Cells middle, Cells high) {
        return Cells.all(wide, 0)
                .add(Cells.all(wide, Cells.coefficient(axis, b, 0)), low)
                .add(Cells.all(wide, Cells.coefficient(axis, b, 1)), middle)
                .add(Cells.all(wide, Cells.coefficient(axis, b, 2)), high);
    }

    /**
     * ya, yb, yc = the bands along the three axes times x.
     *
     * @param deep whether the first axis has a band
     * @param step numbers between neighbours along the last axis: 2 for complex elements
     * @param split axis of {@code before} and {@code after}, 0 or 1, or −1
     * @param numbers along the last axis, a multiple of those of a pack
     * @param depth rows of a thread
     */
    @Kernel(maxThreads = THREADS)
    static void gradient(
            @Constant boolean wide,
            @Constant boolean deep,
            @Constant int step,
            @Constant int split,
            Axis first,
            Axis second,
            Axis last,
            long numbers,
            long depth,
            @Restrict Ptr x,
            @Restrict Ptr before,
            @Restrict Ptr after,
            @Restrict Ptr ya,
            @Restrict Ptr yb,
            @Restrict Ptr yc) {
        int lanes = Numbers.lanes(wide);
        long c = GlobalIdx.xLong() * lanes;
        long from = GlobalIdx.yLong() * depth;
        long to = Math.min(from + depth, second.count());
        long a = GlobalIdx.zLong();
        if (c >= numbers || from >= to || a >= first.count()) {
            return;
        }
        long plane = second.count() * numbers;
        Cells c0 = Cells.coefficients(wide, step, last, c, 0);
        Cells c1 = Cells.coefficients(wide, step, last, c, 1);
        Cells c2 = Cells.coefficients(wide, step, last, c, 2);
        long left = c > 0 ? lanes : 0;
        long right = c + lanes < numbers ? lanes : 0;
        long start = a * plane + from * numbers + c;
        Cells middle = Cells.load(wide, x, start);
        Cells low = middle;
        if (from > 0) {
            low = Cells.load(wide, x, start - numbers);
        } else if (split == 1) {
            low = Cells.load(wide, before, a * numbers + c);
        }
        for (long b = from; b < to; b++) {
            long at = a * plane + b * numbers + c;
            long next = b + 1 < second.count() ? numbers : 0;
            Cells high = Cells.load(wide, x, at + next);
            if (split == 1 && b + 1 == second.count()) {
                high = Cells.load(wide, after, a * numbers + c);
            }
            Cells beside = Cells.load(wide, x, at - left);
            Cells behind = Cells.load(wide, x, at + right);
            along(wide, second, b, low, middle, high).store(yb, at);
            Cells.all(wide, 0)
                    .add(c0, middle.neighbours(beside, behind, -step))
                    .add(c1, middle)
                    .add(c2, middle.neighbours(beside, behind, step))
                    .store(yc, at);
            if (deep) {
                across(wide, split, first, a, plane, at, b * numbers + c, x, before, after)
                        .store(ya, at);
            }
            low = middle;
            middle = high;
        }
    }

    /** y = the sum of the bands along the three axes times xa, xb, xc; the parameters are those of a gradient. */
    @Kernel(maxThreads = THREADS)
    static void sum(
            @Constant boolean wide,
            @Constant boolean deep,
            @Constant int step,
            @Constant int split,
            Axis first,
            Axis second,
            Axis last,
            long numbers,
            long depth,
            @Restrict Ptr xa,
            @Restrict Ptr xb,
            @Restrict Ptr xc,
            @Restrict Ptr before,
            @Restrict Ptr after,
            @Restrict Ptr y) {
        int lanes = Numbers.lanes(wide);
        long c = GlobalIdx.xLong() * lanes;
        long from = GlobalIdx.yLong() * depth;
        long to = Math.min(from + depth, second.count());
        long a = GlobalIdx.zLong();
        if (c >= numbers || from >= to || a >= first.count()) {
            return;
        }
        long plane = second.count() * numbers;
        Cells c0 = Cells.coefficients(wide, step, last, c, 0);
        Cells c1 = Cells.coefficients(wide, step, last, c, 1);
        Cells c2 = Cells.coefficients(wide, step, last, c, 2);
        long left = c > 0 ? lanes : 0;
        long right = c + lanes < numbers ? lanes : 0;
        long start = a * plane + from * numbers + c;
        Cells middle = Cells.load(wide, xb, start);
        Cells low = middle;
        if (from > 0) {
            low = Cells.load(wide, xb, start - numbers);
        } else if (split == 1) {
            low = Cells.load(wide, before, a * numbers + c);
        }
        for (long b = from; b < to; b++) {
            long at = a * plane + b * numbers + c;
            long next = b + 1 < second.count() ? numbers : 0;
            Cells high = Cells.load(wide, xb, at + next);
            if (split == 1 && b + 1 == second.count()) {
                high = Cells.load(wide, after, a * numbers + c);
            }
            Cells own = Cells.load(wide, xc, at);
            Cells beside = Cells.load(wide, xc, at - left);
            Cells behind = Cells.load(wide, xc, at + right);
            Cells sum = along(wide, second, b, low, middle, high)
                    .add(c0, own.neighbours(beside, behind, -step))
                    .add(c1, own)
                    .add(c2, own.neighbours(beside, behind, step));
            if (deep) {
                Cells term = across(wide, split, first, a, plane, at, b * numbers + c, xa, before, after);
                sum = sum.add(Cells.all(wide, 1), term);
            }
            sum.store(y, at);
            low = middle;
            middle = high;
        }
    }
}
