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
 * Sums of {@link ExactSums}. A thread has two sums that begin with a large number each (as those of Demmel and Nguyen
 * 2015 do): what the first one rounds off goes to the second one, so that both are exact. What the second one would
 * round off, which only much smaller terms have, goes to the digits of its block. Threads of a block begin with the
 * same numbers, so that their sums are integers of the same units, which the block adds up.
 */
final class ExactKernels {
    static final int THREADS = ReductionKernels.THREADS;

    /** Threads of a rounding, each with a sum of its own in shared memory. */
    static final int ROUNDING = 32;

    /** Copies of a block's digits, so that threads of a warp add to different ones. */
    private static final int COPIES = 16;

    /** Digits of a block: those of a real part and those of an imaginary part. */
    static final int SHARED = 2 * ExactSums.LENGTH * COPIES;

    /** Bits from a number that the first sum begins with to that of the second one. */
    private static final int STEP = 43;

    /** Terms of a thread before its second sum could be too large: each is half a unit of the first one at most. */
    static final int TERMS = 1 << 9;

    /** Bits from the largest term to the number that the first sum begins with: room for as many terms. */
    static final int ROOM = 11;

    /** Packs that a thread loads before it adds them. */
    private static final int AHEAD = ReductionKernels.AHEAD;

    private static final int TRIPS = TERMS / (4 * AHEAD);
    private static final int WARPS = THREADS / Warp.SIZE;

    /** Sums of a block: two of the real part, two of the imaginary part. */
    private static final int SUMS = 4;

    private static final int LOWEST = -970;
    private static final int HIGHEST = 1022;

    private static final double POWER = 1.0 / (1L << STEP);

    /** Sign and exponent in the upper half of a number. */
    private static final int BINADE = 0xfff00000;

    /** Integers from a sum to the next one in shared memory, without bank conflicts. */
    private static final int APART = ExactSums.LENGTH + 1;

    /**
     * Sums of a thread.
     *
     * @param top what the first one begins with: 1.5 times a power of two, below the next one of which it stays
     * @param first top and multiples of its last bit
     * @param second 2^−STEP top and multiples of its last bit
     */
    record Split(double top, double first, double second) {}

    /**
     * Sums with some more terms.
     *
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
    @Kernel(maxThreads = THREADS)
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
        int largest = largest(terms(kind, complex, x0, y0, factor));
        if (both) {
            largest = Math.max(largest, largest(crossed(kind, x0, y0)));
        }
        clear(digits);
        Split common = split((ofBlock(largest) >>> 20) - 1023 + ROOM);
        Split re = common;
        Split im = common;
        boolean spilt = false;
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
                Trial some = tried(wide, begin(re), terms(kind, complex, u0, v0, factor), re.top);
                some = tried(wide, some, terms(kind, complex, u1, v1, factor), re.top);
                some = tried(wide, some, terms(kind, complex, u2, v2, factor), re.top);
                some = tried(wide, some, terms(kind, complex, u3, v3, factor), re.top);
                Trial others = begin(im);
                if (both) {
                    others = tried(wide, others, crossed(kind, u0, v0), im.top);
                    others = tried(wide, others, crossed(kind, u1, v1), im.top);
                    others = tried(wide, others, crossed(kind, u2, v2), im.top);
                    others = tried(wide, others, crossed(kind, u3, v3), im.top);
                }
                fits = fits(some) && fits(others);
                if (fits) {
                    re = new Split(re.top, some.first, some.second);
                    im = new Split(im.top, others.first, others.second);
                }
            }
            for (int k = fits ? AHEAD * Numbers.lanes(wide) : 0; k < AHEAD * Numbers.lanes(wide); k++) {
                Unroll.times(1);
                long at = i + k / Numbers.lanes(wide) * step + k % Numbers.lanes(wide);
                if (at < n) {
                    spilt = true;
                    re = plus(re, term(kind, wide, complex, x, y, factor, at), digits, real);
                    im = both ? plus(im, crossed(kind, wide, x, y, at), digits, imaginary) : im;
                }
            }
            if (++trips == TRIPS) {
                trips = 0;
                spilt = true;
                re = flush(re, digits, real);
                im = flush(im, digits, imaginary);
            }
        }
        if (re.top != common.top) {
            spilt = true;
            Split _ = flush(re, digits, real);
            re = common;
        }
        if (im.top != common.top) {
            spilt = true;
            Split _ = flush(im, digits, imaginary);
            im = common;
        }
        addTo(sum, re, im);
        if (Block.syncOr(spilt)) {
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

    /** Returns the term of the real part at a number. */
    private static double term(
            @Constant Kind kind,
            @Constant boolean wide,
            @Constant boolean complex,
            Ptr x,
            Ptr y,
            double factor,
            long at) {
        double u = Numbers.get(wide, x, at);
        if (kind == Kind.EXACT_SQUARES) {
            return (u * factor) * (u * factor);
        }
        if (kind == Kind.EXACT_MODULI) {
            if (complex) {
                return at % 2 == 0 ? Complex.modulus(u, Numbers.get(wide, x, at + 1)) : 0;
            }
            return Math.abs(u);
        }
        double product = u * Numbers.get(wide, y, at);
        return complex && kind == Kind.EXACT_DOT && at % 2 != 0 ? -product : product;
    }

    /** Returns the term of the imaginary part at a number. */
    private static double crossed(@Constant Kind kind, @Constant boolean wide, Ptr x, Ptr y, long at) {
        double product = Numbers.get(wide, x, at) * Numbers.get(wide, y, at ^ 1);
        return kind == Kind.EXACT_VDOT && at % 2 != 0 ? -product : product;
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

    /** Returns empty sums, of which the first one begins with 1.5 times a power of two. */
    static Split split(int exponent) {
        long top = (long) (Math.max(LOWEST, Math.min(HIGHEST, exponent)) + 1023) << 52 | 1L << 51;
        return empty(Double.longBitsToDouble(top));
    }

    private static Split empty(double top) {
        return new Split(top, top, top * POWER);
    }

    static Trial begin(Split sums) {
        return new Trial(sums.first, sums.second, 0, 0);
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

    /** Adds a term, whatever it is; there are {@link #TERMS} at most from a {@link #flush} to the next one. */
    static Split plus(Split sums, double term, I64Ptr digits, int at) {
        Split all = sums;
        double small = term;
        if (!within(sums.first + term, sums.top)) {
            Split _ = flush(sums, digits, at);
            int exponent = Math.max(upper(term) >>> 20 & 0x7ff, (upper(sums.top) >>> 20) - ROOM) - 1023;
            boolean huge = exponent > HIGHEST - ROOM;
            all = huge ? empty(sums.top) : split(exponent + ROOM);
            small = huge ? 0 : term;
        }
        double first = all.first + small;
        double rest = small - (first - all.first);
        double second = all.second + rest;
        double last = small == term ? rest - (second - all.second) : term;
        if (last != 0) {
            ExactDigits.add(digits, at, COPIES, last);
        }
        return new Split(all.top, first, second);
    }

    private static boolean within(double sum, double top) {
        return ((upper(sum) ^ upper(top)) & BINADE) == 0;
    }

    /** Adds the sums of a thread to the digits of its block, and returns empty ones. */
    static Split flush(Split sums, I64Ptr digits, int at) {
        double first = sums.first - sums.top;
        double second = sums.second - sums.top * POWER;
        if (first != 0) {
            ExactDigits.add(digits, at, COPIES, first);
        }
        if (second != 0) {
            ExactDigits.add(digits, at, COPIES, second);
        }
        return empty(sums.top);
    }

    /** Adds the sums of all threads of a block, which began with the same number, to a sum. */
    private static void addTo(I64Ptr sum, Split re, Split im) {
        I64Ptr parts = I64Ptr.of(Shared.i64(SUMS * WARPS));
        long below = Double.doubleToRawLongBits(re.top * POWER);
        long top = Double.doubleToRawLongBits(re.top);
        long mine = (long) SUMS * (ThreadIdx.x() / Warp.SIZE);
        long first = ofWarp(Double.doubleToRawLongBits(re.first) - top);
        long second = ofWarp(Double.doubleToRawLongBits(re.second) - below);
        long third = ofWarp(Double.doubleToRawLongBits(im.first) - top);
        long fourth = ofWarp(Double.doubleToRawLongBits(im.second) - below);
        if (Warp.laneId() == 0) {
            parts.set(mine, first);
            parts.set(mine + 1, second);
            parts.set(mine + 2, third);
            parts.set(mine + 3, fourth);
        }
        Block.sync();
        int thread = ThreadIdx.x();
        if (thread < SUMS) {
            long all = 0;
            for (int i = 0; i < WARPS; i++) {
                all += parts.get((long) SUMS * i + thread);
            }
            int unit = (int) ((thread % 2 == 0 ? top : below) >>> 52) - 1;
            if (all != 0) {
                ExactDigits.add(sum, thread / 2 * ExactSums.LENGTH, 1, all, unit);
            }
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
    @Kernel(maxThreads = ROUNDING)
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
            for (int d = thread; d < here * ExactSums.LENGTH; d += ROUNDING) {
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
