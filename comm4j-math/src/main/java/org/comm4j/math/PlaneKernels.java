// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.BlockIdx;
import org.comm4j.kernel.Constant;
import org.comm4j.kernel.Double2;
import org.comm4j.kernel.Float4;
import org.comm4j.kernel.GlobalIdx;
import org.comm4j.kernel.Kernel;
import org.comm4j.kernel.Ptr;
import org.comm4j.kernel.Restrict;
import org.comm4j.kernel.Unroll;
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

    /** A pack of numbers in their own precision: a variable of a loop that is converted costs more than its sum. */
    sealed interface Cells {
        /** Returns this plus factors times numbers, where a factor is not 0: what is beyond the ends may be anything. */
        Cells add(Cells factors, Cells numbers);

        /** Returns the pack that is {@code distance} numbers behind this one, between two others. */
        Cells neighbours(Cells left, Cells right, int distance);

        void store(Ptr y, long at);
    }

    record Two(double x, double y) implements Cells {
        private static double add(double sum, double factor, double number) {
            return factor != 0 ? sum + factor * number : sum;
        }

        private static double pick(Two a, Two b, Two c, int i) {
            return i == -2 ? a.x : i == -1 ? a.y : i == 0 ? b.x : i == 1 ? b.y : i == 2 ? c.x : c.y;
        }

        @Override
        public Two add(Cells factors, Cells numbers) {
            Two f = (Two) factors;
            Two n = (Two) numbers;
            return new Two(add(x, f.x, n.x), add(y, f.y, n.y));
        }

        @Override
        public Two neighbours(Cells left, Cells right, int distance) {
            Two a = (Two) left;
            Two c = (Two) right;
            return new Two(pick(a, this, c, distance), pick(a, this, c, distance + 1));
        }

        @Override
        public void store(Ptr to, long at) {
            to.asF64().set2(at, new Double2(x, y));
        }
    }

    record Four(float x, float y, float z, float w) implements Cells {
        private static float add(float sum, float factor, float number) {
            return factor != 0 ? sum + factor * number : sum;
        }

        private static float of(Four pack, int i) {
            return i == 0 ? pack.x : i == 1 ? pack.y : i == 2 ? pack.z : pack.w;
        }

        private static float pick(Four a, Four b, Four c, int i) {
            return i < 0 ? of(a, i + 4) : i < 4 ? of(b, i) : of(c, i - 4);
        }

        @Override
        public Four add(Cells factors, Cells numbers) {
            Four f = (Four) factors;
            Four n = (Four) numbers;
            return new Four(add(x, f.x, n.x), add(y, f.y, n.y), add(z, f.z, n.z), add(w, f.w, n.w));
        }

        @Override
        public Four neighbours(Cells left, Cells right, int distance) {
            Four a = (Four) left;
            Four c = (Four) right;
            return new Four(
                    pick(a, this, c, distance),
                    pick(a, this, c, distance + 1),
                    pick(a, this, c, distance + 2),
                    pick(a, this, c, distance + 3));
        }

        @Override
        public void store(Ptr to, long at) {
            to.asF32().set4(at, new Float4(x, y, z, w));
        }
    }

    private static Cells load(@Constant boolean wide, Ptr x, long at) {
        if (wide) {
            Double2 two = x.asF64().get2(at);
            return new Two(two.x(), two.y());
        }
        Float4 four = x.asF32().get4(at);
        return new Four(four.x(), four.y(), four.z(), four.w());
    }

    /** Returns the coefficient of each number of a pack for its neighbour number {@code k}. */
    private static Cells coefficients(@Constant boolean wide, @Constant int step, Axis axis, long c, int k) {
        if (wide) {
            return new Two(coefficient(axis, c / step, k), coefficient(axis, (c + 1) / step, k));
        }
        return new Four(
                (float) coefficient(axis, c / step, k),
                (float) coefficient(axis, (c + 1) / step, k),
                (float) coefficient(axis, (c + 2) / step, k),
                (float) coefficient(axis, (c + 3) / step, k));
    }

    private static Cells all(@Constant boolean wide, double number) {
        if (wide) {
            return new Two(number, number);
        }
        float same = (float) number;
        return new Four(same, same, same, same);
    }

    private static double coefficient(Axis axis, long i, int k) {
        return axis.table().get(axis.row(i, 1) + k);
    }

    /**
     * y = the stencil of x.
     *
     * @param step numbers between neighbours along the last axis: 2 for complex elements
     * @param split axis of {@code before} and {@code after}, 0 or 1, or −1
     * @param numbers along the last axis, a multiple of those of a pack
     * @param depth planes of a thread
     */
    @Kernel(maxThreads = THREADS, minBlocks = 4)
    static void planes(
            @Constant boolean wide,
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
        Cells c0 = coefficients(wide, step, last, c, 0);
        Cells c1 = coefficients(wide, step, last, c, 1);
        Cells c2 = coefficients(wide, step, last, c, 2);
        Cells b0 = all(wide, coefficient(second, b, 0));
        Cells b1 = all(wide, coefficient(second, b, 1));
        Cells b2 = all(wide, coefficient(second, b, 2));
        Cells inner0 = all(wide, first.inner().c0());
        Cells inner1 = all(wide, first.inner().c1());
        Cells inner2 = all(wide, first.inner().c2());
        // Beyond the ends any pack does, as its coefficient is 0.
        long up = b > 0 ? numbers : 0;
        long down = b + 1 < second.count() ? numbers : 0;
        long left = c > 0 ? lanes : 0;
        long right = c + lanes < numbers ? lanes : 0;
        Cells middle = load(wide, x, from * plane + column);
        Cells low = middle;
        if (from > 0) {
            low = load(wide, x, (from - 1) * plane + column);
        } else if (split == 0) {
            low = load(wide, before, column);
        }
        for (long a = from; a < to; a++) {
            Unroll.times(2);
            long at = a * plane + column;
            long next = a + 1 < first.count() ? plane : 0;
            Cells high = load(wide, x, at + next);
            Cells above = load(wide, x, at - up);
            Cells below = load(wide, x, at + down);
            Cells before1 = load(wide, x, at - left);
            Cells after1 = load(wide, x, at + right);
            if (split == 0 && a + 1 == first.count()) {
                high = load(wide, after, column);
            }
            if (split == 1 && b == 0) {
                above = load(wide, before, a * numbers + c);
            }
            if (split == 1 && b + 1 == second.count()) {
                below = load(wide, after, a * numbers + c);
            }
            Cells a0 = inner0;
            Cells a1 = inner1;
            Cells a2 = inner2;
            long row = first.start() + a;
            if (row < first.top() || row >= first.length() - first.bottom()) {
                a0 = all(wide, coefficient(first, a, 0));
                a1 = all(wide, coefficient(first, a, 1));
                a2 = all(wide, coefficient(first, a, 2));
            }
            Cells sum = all(wide, 0).add(a0, low).add(a1, middle).add(a2, high);
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
