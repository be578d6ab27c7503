// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.math.Numbers.Pack;

/**
 * Wide bands along the last axis whose rows all have the same coefficients: filters. A block takes a piece of a line
 * into shared memory. A thread computes four numbers, for which it reads each number of the piece and each coefficient
 * once.
 */
final class FilterKernels {
    static final int THREADS = 128;

    /** Numbers of a thread. */
    static final int EACH = 4;

    /** Widest band. */
    static final int WIDEST = 128;

    private static final int TERMS = 2 * WIDEST + 1;

    /** Distance of groups of four, so that the threads of a warp meet different banks. */
    private static final int GROUP = EACH + 1;

    private static final int ROOM = (THREADS + 2 * WIDEST / EACH + 1) * GROUP;

    private FilterKernels() {}

    /** Returns a number of the array of its type. */
    private static double get(@Constant boolean wide, double[] f64, float[] f32, int i) {
        return wide ? f64[i] : f32[i];
    }

    private static double add(@Constant boolean wide, double sum, double factor, double value) {
        return Numbers.plus(wide, sum, Numbers.times(wide, factor, value));
    }

    /**
     * y = the filter of x, which is 0 outside of its lines.
     *
     * @param three whether three coefficients are left behind those in groups of four, instead of one
     * @param numbers of a line
     * @param width coefficients on each side of the middle one
     * @param at where the coefficients begin in the table
     */
    @Kernel(maxThreads = THREADS)
    static void last(
            @Constant boolean wide,
            @Constant boolean aligned,
            @Constant boolean three,
            long lines,
            long numbers,
            int width,
            long at,
            F64Ptr table,
            @Restrict Ptr x,
            @Restrict Ptr y) {
        double[] piece64 = Shared.f64(wide ? ROOM : 1);
        float[] piece32 = Shared.f32(wide ? 1 : ROOM);
        double[] filter64 = Shared.f64(wide ? TERMS : 1);
        float[] filter32 = Shared.f32(wide ? 1 : TERMS);
        int terms = 2 * width + 1;
        int thread = ThreadIdx.x();
        for (int k = thread; k < terms; k += THREADS) {
            double factor = table.get(at + k);
            if (wide) {
                filter64[k] = factor;
            } else {
                filter32[k] = (float) factor;
            }
        }
        long first = (long) BlockIdx.x() * (THREADS * EACH);
        long own = first + (long) thread * EACH;
        for (long line = BlockIdx.y(); line < lines; line += GridDim.y()) {
            for (int i = thread; i < THREADS * EACH + 2 * width; i += THREADS) {
                long from = first - width + i;
                double number = from >= 0 && from < numbers ? Numbers.get(wide, x, line * numbers + from) : 0;
                if (wide) {
                    piece64[i + i / EACH] = number;
                } else {
                    piece32[i + i / EACH] = (float) number;
                }
            }
            Block.sync();
            int group = thread * GROUP;
            double a = 0;
            double b = 0;
            double c = 0;
            double d = 0;
            int k = 0;
            for (; k + EACH <= terms; k += EACH) {
                Unroll.times(4);
                double p = get(wide, piece64, piece32, group);
                double q = get(wide, piece64, piece32, group + 1);
                double r = get(wide, piece64, piece32, group + 2);
                double s = get(wide, piece64, piece32, group + 3);
                group += GROUP;
                double f = get(wide, filter64, filter32, k);
                a = add(wide, a, f, p);
                b = add(wide, b, f, q);
                c = add(wide, c, f, r);
                d = add(wide, d, f, s);
                f = get(wide, filter64, filter32, k + 1);
                p = get(wide, piece64, piece32, group);
                a = add(wide, a, f, q);
                b = add(wide, b, f, r);
                c = add(wide, c, f, s);
                d = add(wide, d, f, p);
                f = get(wide, filter64, filter32, k + 2);
                q = get(wide, piece64, piece32, group + 1);
                a = add(wide, a, f, r);
                b = add(wide, b, f, s);
                c = add(wide, c, f, p);
                d = add(wide, d, f, q);
                f = get(wide, filter64, filter32, k + 3);
                r = get(wide, piece64, piece32, group + 2);
                a = add(wide, a, f, s);
                b = add(wide, b, f, p);
                c = add(wide, c, f, q);
                d = add(wide, d, f, r);
            }
            double p = get(wide, piece64, piece32, group);
            double q = get(wide, piece64, piece32, group + 1);
            double r = get(wide, piece64, piece32, group + 2);
            double s = get(wide, piece64, piece32, group + 3);
            double f = get(wide, filter64, filter32, k);
            a = add(wide, a, f, p);
            b = add(wide, b, f, q);
            c = add(wide, c, f, r);
            d = add(wide, d, f, s);
            if (three) {
                f = get(wide, filter64, filter32, k + 1);
                p = get(wide, piece64, piece32, group + GROUP);
                a = add(wide, a, f, q);
                b = add(wide, b, f, r);
                c = add(wide, c, f, s);
                d = add(wide, d, f, p);
                f = get(wide, filter64, filter32, k + 2);
                q = get(wide, piece64, piece32, group + GROUP + 1);
                a = add(wide, a, f, r);
                b = add(wide, b, f, s);
                c = add(wide, c, f, p);
                d = add(wide, d, f, q);
            }
            if (own < numbers) {
                long to = line * numbers + own;
                long end = aligned ? Long.MAX_VALUE : (line + 1) * numbers;
                if (wide) {
                    Numbers.store(true, aligned, y, to, end, new Pack(a, b, 0, 0));
                    Numbers.store(true, aligned, y, to + 2, end, new Pack(c, d, 0, 0));
                } else {
                    Numbers.store(false, aligned, y, to, end, new Pack(a, b, c, d));
                }
            }
            Block.sync();
        }
    }
}
