// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.math.Numbers.Pack;
import org.comm4j.math.Sweep.Kind;

/**
 * Sums of {@link ExactSums}. A thread adds the terms of a trip to a large number, and what that rounds off to a smaller
 * one (Demmel and Nguyen 2015). Both sums are exact; two integers of the thread take them. What the smaller number
 * would round off, which only much smaller terms have, goes to the digits of the block. Threads of a block begin with
 * the same numbers: their integers have the same units, and the block adds them up.
 */
final class ExactKernels {
    static final int THREADS = ReductionKernels.THREADS;

    /** Sums that are rounded at the same time, in shared memory. */
    private static final int ROUNDING = 32;

    /** Copies of a block's digits, so that threads of a warp add to different ones. */
    private static final int COPIES = 16;

    /** Digits of a block: those of a real part and those of an imaginary part. */
    static final int SHARED = 2 * ExactSums.LENGTH * COPIES;

    /** Blocks of a grid, at most: all of the largest GPUs are under way at the same time. */
    static final int MOST_BLOCKS = 512;

    /** Blocks of a multiprocessor, for which the compiler limits registers. */
    private static final int BLOCKS = 4;

    /** Bits from the number that terms are added to, to that of what it rounds off. */
    private static final int STEP = 47;

    /** Bits from the largest term to that number: room for the terms of a trip, some of them larger. */
    static final int ROOM = 9;

    /** Terms of a thread before its integers could be too large: each is 2⁵¹ at most. */
    static final int TERMS = 1 << 11;

    /** Packs that a thread loads before it adds them. */
    private static final int AHEAD = ReductionKernels.AHEAD;

    private static final int TRIPS = TERMS / (4 * AHEAD);
    private static final int WARPS = THREADS / Warp.SIZE;

    /** Halves of the integers of a real part and of an imaginary part. */
    private static final int HALVES = 8;

    /** Exponents of the number: the smaller one's last bit is not below 2⁻¹⁰⁷⁴. */
    private static final int LOWEST = STEP - 1022;

    private static final int HIGHEST = 1022;

    private static final double POWER = 1.0 / (1L << STEP);

    /** Sign and exponent in the upper half of a number. */
    private static final int BINADE = 0xfff00000;

    /** Integers from a sum to the next one in shared memory, without bank conflicts. */
    private static final int APART = ExactSums.LENGTH + 1;

    /**
     * Sums of a thread.
     *
     * @param top what terms are added to: 1.5 times a power of two, below the next one of which the sum stays
     * @param first in units of the last bit of top
     * @param second in units of the last bit of 2^−STEP top
     * @param spilt whether something went to the digits of the block
     */
    record Split(double top, long first, long second, boolean spilt) {}

    /**
     * Sums of some terms.
     *
     * @param first top and multiples of its last bit
     * @param second 2^−STEP top and multiples of its last bit
     * @param out differs from the upper half of {@code top} by some of {@link #BINADE} if terms were too large
     * @param left has a bit if the second sum rounds something off
     */
    record Trial(double first, double second, int out, int left) {}

    /** Four terms. */
    record Terms(double x, double y, double z, double w) {}

    private ExactKernels() {}

    /** Sets a sum to 0. */
    @Kernel
    static void clear(int n, I64Ptr sums) {
        for (int i = GlobalIdx.x(); i < n; i += GridDim.x() * THREADS) {
            sums.set(i, 0);
        }
    }

    /**
     * Adds the terms of one vector, or of two, to a sum.
     *
     * @param factor of the numbers of a sum of squares
     */
    @Kernel(maxThreads = THREADS, minBlocks = BLOCKS)
    static void accumulate(
            @Constant Kind kind,
            @Constant boolean wide,
            @Constant boolean complex,
            @Constant boolean aligned,
            long n,
            Ptr x,
            Ptr y,
            double factor,
            I64Ptr sum) {
        I64Ptr digits = I64Ptr.of(Shared.i64(SHARED));
        int real = real();
        int imaginary = imaginary();
        boolean two = kind == Kind.EXACT_DOT || kind == Kind.EXACT_VDOT;
        boolean both = two && complex;
        long step = (long) GridDim.x() * THREADS * Numbers.lanes(wide);
        long begin = GlobalIdx.xLong() * Numbers.lanes(wide);
        Pack x0 = Numbers.load(wide, aligned, x, begin, n, 0);
        Pack y0 = two ? Numbers.load(wide, aligned, y, begin, n, 0) : x0;
        clear(digits);
        int largest = largest(terms(kind, complex, x0, y0, factor));
        if (both) {
            largest = Math.max(largest, largest(crossed(kind, x0, y0)));
        }
        Split common = split((ofBlock(largest) >>> 20) - 1023 + ROOM);
        Split re = common;
        Split im = common;
        int trips = 0;
        for (long i = begin; i < n; i += AHEAD * step) {
            boolean fits = false;
            if (i + (AHEAD - 1) * step + Numbers.lanes(wide) <= n) {
                // The loads of all stand before what is done with them.
                Pack u0 = Numbers.load(wide, aligned, x, i);
                Pack u1 = Numbers.load(wide, aligned, x, i + step);
                Pack u2 = Numbers.load(wide, aligned, x, i + 2 * step);
                Pack u3 = Numbers.load(wide, aligned, x, i + 3 * step);
                Pack v0 = two ? Numbers.load(wide, aligned, y, i) : u0;
                Pack v1 = two ? Numbers.load(wide, aligned, y, i + step) : u1;
                Pack v2 = two ? Numbers.load(wide, aligned, y, i + 2 * step) : u2;
                Pack v3 = two ? Numbers.load(wide, aligned, y, i + 3 * step) : u3;
                Trial some = tried(wide, begin(re.top), terms(kind, complex, u0, v0, factor), re.top);
                some = tried(wide, some, terms(kind, complex, u1, v1, factor), re.top);
                some = tried(wide, some, terms(kind, complex, u2, v2, factor), re.top);
                some = tried(wide, some, terms(kind, complex, u3, v3, factor), re.top);
                Trial others = begin(im.top);
                if (both) {
                    others = tried(wide, others, crossed(kind, u0, v0), im.top);
                    others = tried(wide, others, crossed(kind, u1, v1), im.top);
                    others = tried(wide, others, crossed(kind, u2, v2), im.top);
                    others = tried(wide, others, crossed(kind, u3, v3), im.top);
                }
                fits = fits(some) && fits(others);
                if (fits) {
                    re = plus(re, some);
                    im = plus(im, others);
                }
            }
            for (long at = fits ? n : i; at < Math.min(n, i + AHEAD * step); at += step) {
                Unroll.times(1);
                Pack u = Numbers.load(wide, aligned, x, at, n, 0);
                Pack v = two ? Numbers.load(wide, aligned, y, at, n, 0) : u;
                re = plus(wide, re, terms(kind, complex, u, v, factor), digits, real);
                im = both ? plus(wide, im, crossed(kind, u, v), digits, imaginary) : im;
            }
            if (++trips == TRIPS) {
                trips = 0;
                re = flush(re, digits, real);
                im = flush(im, digits, imaginary);
            }
        }
        if (re.top != common.top) {
            re = new Split(common.top, 0, 0, flush(re, digits, real).spilt);
        }
        if (im.top != common.top) {
            im = new Split(common.top, 0, 0, flush(im, digits, imaginary).spilt);
        }
        addTo(sum, both, re, im);
        if (Block.syncOr(re.spilt || im.spilt)) {
            addTo(sum, digits);
        }
    }

    /** Sets the digits of a block to 0. */
    static void clear(I64Ptr digits) {
        for (int d = ThreadIdx.x(); d < SHARED; d += THREADS) {
            digits.set(d, 0);
        }
        Block.sync();
    }

    /** Returns the first digit of the real part for this thread, in the digits of its block. */
    static int real() {
        return ThreadIdx.x() % COPIES;
    }

    /** Returns the first digit of the imaginary part for this thread. */
    static int imaginary() {
        return ExactSums.LENGTH * COPIES + real();
    }

    /** Adds the digits of a block to a sum. */
    static void addTo(I64Ptr sum, I64Ptr digits) {
        Block.sync();
        for (int d = ThreadIdx.x(); d < 2 * ExactSums.LENGTH; d += THREADS) {
            long value = 0;
            for (int copy = 0; copy < COPIES; copy++) {
                value += digits.get((long) d * COPIES + copy);
            }
            int digit = d % ExactSums.LENGTH;
            ExactDigits.carry(sum, d - digit, digit, value);
        }
    }

    /** Returns the terms of the real part. */
    private static Terms terms(@Constant Kind kind, @Constant boolean complex, Pack x, Pack y, double factor) {
        if (kind == Kind.EXACT_SQUARES) {
            Pack s = new Pack(x.x() * factor, x.y() * factor, x.z() * factor, x.w() * factor);
            return new Terms(s.x() * s.x(), s.y() * s.y(), s.z() * s.z(), s.w() * s.w());
        }
        if (kind == Kind.EXACT_MODULI) {
            return complex
                    ? new Terms(Complex.modulus(x.x(), x.y()), 0, Complex.modulus(x.z(), x.w()), 0)
                    : new Terms(Math.abs(x.x()), Math.abs(x.y()), Math.abs(x.z()), Math.abs(x.w()));
        }
        double sign = complex && kind == Kind.EXACT_DOT ? -1 : 1;
        return new Terms(x.x() * y.x(), sign * (x.y() * y.y()), x.z() * y.z(), sign * (x.w() * y.w()));
    }

    /** Returns the terms of the imaginary part. */
    private static Terms crossed(@Constant Kind kind, Pack x, Pack y) {
        double sign = kind == Kind.EXACT_DOT ? 1 : -1;
        return new Terms(x.x() * y.y(), sign * (x.y() * y.x()), x.z() * y.w(), sign * (x.w() * y.z()));
    }

    /** Returns the largest modulus, as the upper half of a number. */
    private static int largest(Terms t) {
        return Math.max(Math.max(upper(t.x), upper(t.y)), Math.max(upper(t.z), upper(t.w))) & 0x7fffffff;
    }

    private static int upper(double value) {
        return (int) (Double.doubleToRawLongBits(value) >>> 32);
    }

    /** Returns the largest number of all threads of a block, and lets them wait for each other. */
    private static int ofBlock(int mine) {
        int[] all = Shared.i32(WARPS);
        int warp = Warp.reduceMax(mine);
        if (Warp.laneId() == 0) {
            all[ThreadIdx.x() / Warp.SIZE] = warp;
        }
        Block.sync();
        return Warp.reduceMax(all[ThreadIdx.x() % WARPS]);
    }

    /** Returns sums of nothing. */
    static Split none() {
        return split(LOWEST);
    }

    /** Returns sums of nothing, for terms to be added to 1.5 times a power of two. */
    static Split split(int exponent) {
        long top = (long) (Math.max(LOWEST, Math.min(HIGHEST, exponent)) + 1023) << 52 | 1L << 51;
        return new Split(Double.longBitsToDouble(top), 0, 0, false);
    }

    static Trial begin(double top) {
        return new Trial(top, top * POWER, 0, 0);
    }

    static Trial tried(@Constant boolean wide, Trial sums, Terms t, double top) {
        Trial pair = tried(tried(sums, t.x, top), t.y, top);
        return wide ? pair : tried(tried(pair, t.z, top), t.w, top);
    }

    private static Trial tried(Trial sums, double term, double top) {
        double first = sums.first + term;
        double rest = term - (first - sums.first);
        double second = sums.second + rest;
        // In this order zeros are positive, also those of negative terms.
        long last = Double.doubleToRawLongBits(sums.second - second + rest);
        return new Trial(
                first, second, sums.out | (upper(first) ^ upper(top)), sums.left | (int) (last >>> 32) | (int) last);
    }

    static boolean fits(Trial sums) {
        return (sums.out & BINADE) == 0 && sums.left == 0;
    }

    /** Adds terms that fit. */
    static Split plus(Split sums, Trial some) {
        return plus(sums, some.first, some.second);
    }

    private static Split plus(Split sums, double first, double second) {
        return new Split(
                sums.top,
                sums.first + (Double.doubleToRawLongBits(first) - Double.doubleToRawLongBits(sums.top)),
                sums.second + (Double.doubleToRawLongBits(second) - Double.doubleToRawLongBits(sums.top * POWER)),
                sums.spilt);
    }

    private static Split plus(@Constant boolean wide, Split sums, Terms t, I64Ptr digits, int at) {
        Split all = sums;
        for (int lane = 0; lane < Numbers.lanes(wide); lane++) {
            Unroll.times(1);
            all = plus(all, lane == 0 ? t.x : lane == 1 ? t.y : lane == 2 ? t.z : t.w, digits, at);
        }
        return all;
    }

    /** Adds a term, whatever it is; there are {@link #TERMS} at most from a {@link #flush} to the next one. */
    static Split plus(Split sums, double term, I64Ptr digits, int at) {
        Split all = sums;
        double small = term;
        if (!within(sums.top + term, sums.top)) {
            boolean spilt = flush(sums, digits, at).spilt;
            int exponent = (upper(term) >>> 20 & 0x7ff) - 1023;
            boolean huge = exponent > HIGHEST - ROOM;
            all = new Split(huge ? sums.top : split(exponent + ROOM).top, 0, 0, spilt);
            small = huge ? 0 : term;
        }
        double first = all.top + small;
        double rest = small - (first - all.top);
        double second = all.top * POWER + rest;
        double last = small == term ? rest - (second - all.top * POWER) : term;
        if (last != 0) {
            ExactDigits.add(digits, at, COPIES, last);
            all = new Split(all.top, all.first, all.second, true);
        }
        return plus(all, first, second);
    }

    private static boolean within(double sum, double top) {
        return ((upper(sum) ^ upper(top)) & BINADE) == 0;
    }

    /** Adds the sums of a thread to the digits of its block, and returns empty ones. */
    static Split flush(Split sums, I64Ptr digits, int at) {
        if (sums.first != 0) {
            ExactDigits.add(digits, at, COPIES, sums.first, lastBit(sums.top));
        }
        if (sums.second != 0) {
            ExactDigits.add(digits, at, COPIES, sums.second, lastBit(sums.top * POWER));
        }
        return new Split(sums.top, 0, 0, sums.spilt || sums.first != 0 || sums.second != 0);
    }

    /** Returns the place of the last bit of a positive number, from 2⁻¹⁰⁷⁴ on. */
    private static int lastBit(double value) {
        return (upper(value) >>> 20) - 1;
    }

    /** Adds the sums of all threads of a block, which began with the same number, to a sum. */
    private static void addTo(I64Ptr sum, @Constant boolean both, Split re, Split im) {
        I64Ptr halves = I64Ptr.of(Shared.i64(HALVES * WARPS));
        int mine = HALVES * (ThreadIdx.x() / Warp.SIZE);
        addUp(halves, mine, re.first);
        addUp(halves, mine + 2, re.second);
        if (both) {
            addUp(halves, mine + 4, im.first);
            addUp(halves, mine + 6, im.second);
        }
        Block.sync();
        int thread = ThreadIdx.x();
        if (thread < (both ? HALVES : HALVES / 2)) {
            long all = 0;
            for (int warp = 0; warp < WARPS; warp++) {
                all += halves.get((long) HALVES * warp + thread);
            }
            if (all != 0) {
                int unit = lastBit(thread % 4 < 2 ? re.top : re.top * POWER) + thread % 2 * Integer.SIZE;
                ExactDigits.add(sum, thread / 4 * ExactSums.LENGTH, 1, all, unit);
            }
        }
    }

    /** Adds up an integer over a warp: its lower half, and its upper one, so that neither is too large. */
    private static void addUp(I64Ptr halves, int at, long mine) {
        long lower = ofWarp(mine & 0xffffffffL);
        long upper = ofWarp(mine >> Integer.SIZE);
        if (Warp.laneId() == 0) {
            halves.set(at, lower);
            halves.set(at + 1L, upper);
        }
    }

    private static long ofWarp(long mine) {
        long all = mine;
        for (int distance = Warp.SIZE / 2; distance > 0; distance /= 2) {
            Unroll.all();
            all += Warp.shuffleDown(all, distance);
        }
        return all;
    }

    /**
     * Rounds sums, with one block, and then runs a calculation.
     *
     * @param count real numbers
     * @param levels how many numbers each is the sum of, {@code count} apart
     */
    @Kernel(maxThreads = THREADS)
    static void round(
            @Constant Calculation calculation,
            int count,
            int levels,
            I64Ptr sums,
            F64Ptr results,
            F64Ptr a,
            F64Ptr b,
            F64Ptr c) {
        I64Ptr digits = I64Ptr.of(Shared.i64(ROUNDING * APART));
        int thread = ThreadIdx.x();
        for (int begin = 0; begin < count; begin += ROUNDING) {
            int here = Math.min(ROUNDING, count - begin);
            for (int d = thread; d < here * ExactSums.LENGTH; d += THREADS) {
                long value = 0;
                for (int level = 0; level < levels; level++) {
                    value += sums.get((long) (level * count + begin) * ExactSums.LENGTH + d);
                }
                digits.set((long) (d / ExactSums.LENGTH) * APART + d % ExactSums.LENGTH, value);
            }
            Block.sync();
            if (thread < here) {
                results.set(begin + thread, ExactDigits.rounded(digits, (long) thread * APART));
            }
            Block.sync();
        }
        if (thread == 0) {
            calculation.run(a, b, c);
        }
    }
}
