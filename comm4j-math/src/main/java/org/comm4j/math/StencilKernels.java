// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.math.Numbers.Pack;

/**
 * Sums of band matrices along up to three axes, in one pass: each thread computes a pack of 16 bytes along the last
 * axis. What neighbouring threads read, too, comes from the caches, so that memory is read and written once. Packs far
 * from the ends of all axes have the same coefficients everywhere, which are parameters; the others look theirs up.
 */
final class StencilKernels {
    /** The widest band whose inner coefficients are parameters. */
    static final int WIDEST = 2;

    /** Bits of a mask. */
    static final int BITS = 2 * WIDEST + 1;

    private static final int ALL = (1 << BITS) - 1;

    /** The sum begins with 0. */
    static final int ZERO = 0;

    /** The sum begins with what y has. */
    static final int ADD = 1;

    /** The sum begins with the product of a diagonal and x. */
    static final int PRODUCT = 2;

    /** The inner coefficients of a band, from the lowest column on; 0 where it is narrower. */
    record Row(double c0, double c1, double c2, double c3, double c4) {
        double at(int k) {
            return k == 0 ? c0 : k == 1 ? c1 : k == 2 ? c2 : k == 3 ? c3 : c4;
        }
    }

    /**
     * A band along an axis, of which this part has some rows.
     *
     * @param count rows of this part
     * @param start number of the first one among all
     * @param length number of all rows
     * @param top rows at the beginning with coefficients of their own
     * @param bottom rows at the end with coefficients of their own
     * @param inner coefficients of the rows between them
     * @param table coefficients of the rows at the beginning, an inner one, and those at the end
     */
    record Axis(long count, long start, long length, int top, int bottom, Row inner, F64Ptr table) {
        /** Returns the place of a row's coefficients in the table. */
        long row(long i, @Constant int width) {
            long at = start + i;
            long row = at < top ? at : at >= length - bottom ? top + 1 + at - (length - bottom) : top;
            return row * (2 * width + 1);
        }

        /**
         * Returns whether rows {@code i} to {@code i + more} have the inner coefficients, and none reaches beyond this
         * part.
         */
        boolean isInner(long i, long more, @Constant int width) {
            return i >= width && i + more + width < count && start + i >= top && start + i + more < length - bottom;
        }
    }

    private StencilKernels() {}

    private static Pack add(@Constant boolean wide, Pack sum, double factor, Pack x) {
        return new Pack(
                Numbers.plus(wide, sum.x(), Numbers.times(wide, factor, x.x())),
                Numbers.plus(wide, sum.y(), Numbers.times(wide, factor, x.y())),
                Numbers.plus(wide, sum.z(), Numbers.times(wide, factor, x.z())),
                Numbers.plus(wide, sum.w(), Numbers.times(wide, factor, x.w())));
    }

    /**
     * y = the stencil of x, y += it, or y = it and the product of a diagonal with x.
     *
     * @param wa width of the band along the first of the axes, −1 for none
     * @param wb width of the band along the second axis, −1 for none
     * @param wc width of the band along the last axis, −1 for none
     * @param masks which inner coefficients are not 0, a bit for each, {@link #BITS} for each axis
     * @param step numbers between neighbours along the last axis: 2 for complex elements
     * @param begin what the sum begins with
     * @param split axis of {@code before} and {@code after}, or −1
     * @param numbers along the last axis
     * @param d the diagonal, read if the sum begins with its product
     */
    @Kernel(maxThreads = 256)
    static void stencil(
            @Constant boolean wide,
            @Constant boolean aligned,
            @Constant int wa,
            @Constant int wb,
            @Constant int wc,
            @Constant int masks,
            @Constant int step,
            @Constant int begin,
            @Constant int split,
            Axis first,
            Axis second,
            Axis last,
            long numbers,
            @Restrict Ptr x,
            @Restrict Ptr before,
            @Restrict Ptr after,
            @Restrict Ptr d,
            @Restrict Ptr y) {
        int lanes = Numbers.lanes(wide);
        long c = GlobalIdx.xLong() * lanes;
        if (c >= numbers) {
            return;
        }
        boolean inside = c + lanes <= numbers && (wc < 0 || last.isInner(c / step, (lanes - 1) / step, wc));
        for (long a = GlobalIdx.z(); a < first.count; a += (long) GridDim.z() * BlockDim.z()) {
            for (long b = GlobalIdx.y(); b < second.count; b += (long) GridDim.y() * BlockDim.y()) {
                long at = (a * second.count + b) * numbers + c;
                boolean inner = inside && (wa < 0 || first.isInner(a, 0, wa)) && (wb < 0 || second.isInner(b, 0, wb));
                if (inner) {
                    inner(wide, aligned, wa, wb, wc, masks, step, begin, first, second, last, numbers, x, d, y, at);
                } else {
                    for (int lane = 0; lane < lanes && c + lane < numbers; lane++) {
                        double sum = 0;
                        if (begin == ADD) {
                            sum = Numbers.get(wide, y, at + lane);
                        } else if (begin == PRODUCT) {
                            double factor = Numbers.get(wide, d, at + lane);
                            sum = Numbers.times(wide, factor, Numbers.get(wide, x, at + lane));
                        }
                        sum = along(
                                wide,
                                wa,
                                split,
                                0,
                                first,
                                a,
                                second.count * numbers,
                                0,
                                b * numbers + c + lane,
                                x,
                                before,
                                after,
                                sum);
                        sum = along(wide, wb, split, 1, second, b, numbers, a, c + lane, x, before, after, sum);
                        long row = (c + lane) / step;
                        sum = along(
                                wide,
                                wc,
                                split,
                                2,
                                last,
                                row,
                                step,
                                a * second.count + b,
                                c + lane - row * step,
                                x,
                                before,
                                after,
                                sum);
                        Numbers.set(wide, y, at + lane, sum);
                    }
                }
            }
        }
    }

    /**
     * Adds the terms of an axis for one number.
     *
     * @param splits number of the axis with ghost rows
     * @param number of this axis
     * @param i the row
     * @param stride numbers between rows
     * @param outer which slice in front of the axis
     * @param behind which number in the row
     */
    private static double along(
            @Constant boolean wide,
            @Constant int width,
            @Constant int splits,
            @Constant int number,
            Axis axis,
            long i,
            long stride,
            long outer,
            long behind,
            Ptr x,
            Ptr before,
            Ptr after,
            double start) {
        double sum = start;
        if (width >= 0) {
            boolean split = splits == number;
            long row = axis.row(i, width);
            for (int k = -width; k <= width; k++) {
                Unroll.times(1);
                double factor = Numbers.round(wide, axis.table.get(row + width + k));
                long from = i + k;
                if (factor != 0) {
                    double value;
                    if (split && from < 0) {
                        value = Numbers.get(wide, before, (outer * width + from + width) * stride + behind);
                    } else if (split && from >= axis.count) {
                        value = Numbers.get(wide, after, (outer * width + from - axis.count) * stride + behind);
                    } else {
                        value = Numbers.get(wide, x, (outer * axis.count + from) * stride + behind);
                    }
                    sum = Numbers.plus(wide, sum, Numbers.times(wide, factor, value));
                }
            }
        }
        return sum;
    }

    /** Computes a pack whose rows all have the inner coefficients. */
    private static void inner(
            @Constant boolean wide,
            @Constant boolean aligned,
            @Constant int wa,
            @Constant int wb,
            @Constant int wc,
            @Constant int masks,
            @Constant int step,
            @Constant int begin,
            Axis first,
            Axis second,
            Axis last,
            long numbers,
            Ptr x,
            Ptr d,
            Ptr y,
            long at) {
        Pack sum = new Pack(0, 0, 0, 0);
        if (begin == ADD) {
            sum = load(wide, aligned, y, at);
        } else if (begin == PRODUCT) {
            sum = product(wide, load(wide, aligned, d, at), load(wide, aligned, x, at));
        }
        sum = across(wide, aligned, wa, masks & ALL, first, second.count * numbers, x, at, sum);
        sum = across(wide, aligned, wb, masks >> BITS & ALL, second, numbers, x, at, sum);
        int lanes = Numbers.lanes(wide);
        if (wc >= 0 && wc <= WIDEST && aligned && wc * step <= lanes) {
            // Packs at multiples of 16 bytes on both sides hold all neighbours.
            Pack left = load(wide, true, x, at - lanes);
            Pack middle = load(wide, true, x, at);
            Pack right = load(wide, true, x, at + lanes);
            for (int k = -wc; k <= wc; k++) {
                Unroll.all();
                if ((masks >> 2 * BITS + wc + k & 1) != 0) {
                    Pack neighbours = neighbours(wide, left, middle, right, k * step);
                    sum = add(wide, sum, Numbers.round(wide, last.inner.at(wc + k)), neighbours);
                }
            }
        } else {
            sum = across(wide, false, wc, masks >> 2 * BITS & ALL, last, step, x, at, sum);
        }
        if (aligned) {
            Numbers.store(wide, true, y, at, Long.MAX_VALUE, sum);
        } else {
            Numbers.set(wide, y, at, sum.x());
            Numbers.set(wide, y, at + 1, sum.y());
            if (!wide) {
                Numbers.set(wide, y, at + 2, sum.z());
                Numbers.set(wide, y, at + 3, sum.w());
            }
        }
    }

    /** Adds the terms of packs that are {@code stride} numbers apart. */
    private static Pack across(
            @Constant boolean wide,
            @Constant boolean aligned,
            @Constant int width,
            @Constant int mask,
            Axis axis,
            long stride,
            Ptr x,
            long at,
            Pack start) {
        Pack sum = start;
        if (width > WIDEST) {
            long row = (long) axis.top * (2 * width + 1) + width;
            for (int k = -width; k <= width; k++) {
                Unroll.times(4);
                double factor = Numbers.round(wide, axis.table.get(row + k));
                sum = add(wide, sum, factor, load(wide, aligned, x, at + k * stride));
            }
            return sum;
        }
        for (int k = -width; k <= width; k++) {
            Unroll.all();
            if ((mask >> width + k & 1) != 0) {
                double factor = Numbers.round(wide, axis.inner.at(width + k));
                sum = add(wide, sum, factor, load(wide, aligned, x, at + k * stride));
            }
        }
        return sum;
    }

    private static Pack product(@Constant boolean wide, Pack a, Pack b) {
        return new Pack(
                Numbers.times(wide, a.x(), b.x()),
                Numbers.times(wide, a.y(), b.y()),
                Numbers.times(wide, a.z(), b.z()),
                Numbers.times(wide, a.w(), b.w()));
    }

    private static Pack load(@Constant boolean wide, @Constant boolean aligned, Ptr x, long at) {
        if (aligned) {
            return Numbers.load(wide, true, x, at, Long.MAX_VALUE, 0);
        }
        double first = Numbers.get(wide, x, at);
        double second = Numbers.get(wide, x, at + 1);
        return wide
                ? new Pack(first, second, 0, 0)
                : new Pack(first, second, Numbers.get(wide, x, at + 2), Numbers.get(wide, x, at + 3));
    }

    /** Returns the pack that is {@code distance} numbers behind the middle one of three. */
    static Pack neighbours(@Constant boolean wide, Pack left, Pack middle, Pack right, int distance) {
        return wide
                ? new Pack(two(left, middle, right, distance), two(left, middle, right, distance + 1), 0, 0)
                : new Pack(
                        four(left, middle, right, distance),
                        four(left, middle, right, distance + 1),
                        four(left, middle, right, distance + 2),
                        four(left, middle, right, distance + 3));
    }

    private static double of(Pack pack, int i) {
        return i == 0 ? pack.x() : i == 1 ? pack.y() : i == 2 ? pack.z() : pack.w();
    }

    /** Returns number {@code i} of three packs of two, counted from the middle one. */
    private static double two(Pack left, Pack middle, Pack right, int i) {
        return i < 0 ? of(left, i + 2) : i < 2 ? of(middle, i) : of(right, i - 2);
    }

    /** Returns number {@code i} of three packs of four, counted from the middle one. */
    private static double four(Pack left, Pack middle, Pack right, int i) {
        return i < 0 ? of(left, i + 4) : i < 4 ? of(middle, i) : of(right, i - 4);
    }
}
