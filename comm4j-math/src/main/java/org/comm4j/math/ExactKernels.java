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
import org.comm4j.math.Numbers.Pack;
import org.comm4j.math.Sweep.Kind;

/**
 * Sums of {@link ExactSums}. A thread splits each term by two additions of large numbers (as Demmel and Nguyen 2015
 * do) into multiples of two units and a rest, and adds up multiples without rounding. The units are those of the
 * largest term it has seen; rests, which only much smaller terms have, and its two sums go to the digits of its block.
 */
final class ExactKernels {
    static final int THREADS = ReductionKernels.THREADS;

    /** Threads of a rounding, each with a sum of its own in shared memory. */
    static final int ROUNDING = 32;

    /** Copies of a block's digits, so that threads of a warp add to different ones. */
    private static final int COPIES = 16;

    /** Digits of a block: those of a real part and those of an imaginary part. */
    static final int SHARED = 2 * ExactSums.LENGTH * COPIES;

    /** Bits of a multiple. */
    private static final int BITS = 42;

    /** Trips of a thread before its sums could have more than 53 bits: a trip adds at most 8 terms to one. */
    private static final int TRIPS = 64;

    /** Terms of a thread, likewise. */
    static final int TERMS = 8 * TRIPS;

    private static final int LOWEST = -980;
    private static final int HIGHEST = 1013;

    /** Integers from a sum to the next one in shared memory, without bank conflicts. */
    private static final int STEP = ExactSums.LENGTH + 1;

    /**
     * Sums of a thread.
     *
     * @param limit terms below are split; the upper 32 bits of such a number
     * @param high with which terms become multiples of the larger unit; {@code low} likewise
     * @param first sum of the multiples of the larger unit; {@code second} likewise
     */
    record Split(int limit, double high, double low, double first, double second) {}

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
        clear(digits);
        int real = real();
        int imaginary = imaginary();
        boolean two = kind == Kind.EXACT_DOT || kind == Kind.EXACT_VDOT;
        int lanes = Numbers.lanes(wide);
        long step = (long) GridDim.x() * THREADS * lanes;
        Split re = none();
        Split im = re;
        int trips = 0;
        for (long i = GlobalIdx.xLong() * lanes; i < n; i += 2 * step) {
            Pack u0 = Numbers.load(wide, aligned, x, i, n, 0);
            Pack u1 = Numbers.load(wide, aligned, x, i + step, n, 0);
            Pack v0 = two ? Numbers.load(wide, aligned, y, i, n, 0) : u0;
            Pack v1 = two ? Numbers.load(wide, aligned, y, i + step, n, 0) : u1;
            boolean full = ++trips == TRIPS;
            trips = full ? 0 : trips;
            re = plus(
                    re, terms(kind, complex, u0, v0, factor), terms(kind, complex, u1, v1, factor), full, digits, real);
            if (two && complex) {
                im = plus(im, crossed(kind, u0, v0), crossed(kind, u1, v1), full, digits, imaginary);
            }
        }
        flush(re, digits, real);
        if (two && complex) {
            flush(im, digits, imaginary);
        }
        addTo(sum, digits);
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

    private static double power(int exponent) {
        return Double.longBitsToDouble((long) (exponent + 1023) << 52);
    }

    private static int upper(double value) {
        return (int) (Double.doubleToRawLongBits(value) >>> 32) & 0x7fffffff;
    }

    /** Returns sums of nothing. */
    static Split none() {
        return split(LOWEST);
    }

    /** Returns empty sums for terms below 2^exponent. */
    private static Split split(int exponent) {
        return new Split(
                (exponent + 1023) << 20,
                1.5 * power(exponent + 52 - BITS),
                1.5 * power(exponent + 52 - 2 * BITS),
                0,
                0);
    }

    private static Split plus(Split sums, Terms s, Terms t, boolean full, I64Ptr digits, int at) {
        int first = Math.max(Math.max(upper(s.x), upper(s.y)), Math.max(upper(s.z), upper(s.w)));
        int second = Math.max(Math.max(upper(t.x), upper(t.y)), Math.max(upper(t.z), upper(t.w)));
        int largest = Math.max(first, second);
        Split all = fit(sums, largest, full, digits, at);
        all = plus(all, s.x, digits, at);
        all = plus(all, s.y, digits, at);
        all = plus(all, s.z, digits, at);
        all = plus(all, s.w, digits, at);
        all = plus(all, t.x, digits, at);
        all = plus(all, t.y, digits, at);
        all = plus(all, t.z, digits, at);
        return plus(all, t.w, digits, at);
    }

    /** Adds a term; {@code full} says that the sums have as many as they may. */
    static Split plus(Split sums, double term, boolean full, I64Ptr digits, int at) {
        return plus(fit(sums, upper(term), full, digits, at), term, digits, at);
    }

    /** Returns sums that the largest of the next terms fits, after those before it went to the digits if need be. */
    private static Split fit(Split sums, int largest, boolean full, I64Ptr digits, int at) {
        if (!full && (largest < sums.limit || sums.limit >= (HIGHEST + 1023) << 20)) {
            return sums;
        }
        flush(sums, digits, at);
        // Above the largest term, so that some more may come.
        int exponent = Math.max((largest >>> 20) - 1023 + 3, (sums.limit >>> 20) - 1023);
        return split(Math.max(LOWEST, Math.min(HIGHEST, exponent)));
    }

    private static Split plus(Split sums, double term, I64Ptr digits, int at) {
        boolean fits = upper(term) < sums.limit;
        double head = fits ? (term + sums.high) - sums.high : 0;
        double tail = term - head;
        double next = fits ? (tail + sums.low) - sums.low : 0;
        double rest = tail - next;
        if (rest != 0) {
            ExactDigits.add(digits, at, COPIES, rest);
        }
        return new Split(sums.limit, sums.high, sums.low, sums.first + head, sums.second + next);
    }

    static void flush(Split sums, I64Ptr digits, int at) {
        if (sums.first != 0) {
            ExactDigits.add(digits, at, COPIES, sums.first);
        }
        if (sums.second != 0) {
            ExactDigits.add(digits, at, COPIES, sums.second);
        }
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
        I64Ptr digits = I64Ptr.of(Shared.i64(ROUNDING * STEP));
        int thread = ThreadIdx.x();
        for (int begin = 0; begin < count; begin += ROUNDING) {
            int here = Math.min(ROUNDING, count - begin);
            for (int d = thread; d < here * ExactSums.LENGTH; d += ROUNDING) {
                long value = 0;
                for (int level = 0; level < levels; level++) {
                    value += sums.get((long) (level * count + begin) * ExactSums.LENGTH + d);
                }
                digits.set((long) (d / ExactSums.LENGTH) * STEP + d % ExactSums.LENGTH, value);
            }
            Block.sync();
            if (thread < here) {
                results.set(begin + thread, ExactDigits.rounded(digits, (long) thread * STEP));
            }
            Block.sync();
        }
        if (thread == 0) {
            calculation.run(a, b, c);
        }
    }
}
