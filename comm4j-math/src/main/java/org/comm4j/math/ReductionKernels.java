// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.math.Numbers.Pack;

/**
 * Sums, largest and smallest numbers of vectors, in double precision. Threads add up packs that are a grid apart,
 * blocks what their threads have, and the block that ends last what the blocks have. The number of blocks depends on
 * the length alone, and so does the order of the additions: the result is the same on every GPU and in every run.
 */
final class ReductionKernels {
    /** Threads of a block. */
    static final int THREADS = 256;

    /** Blocks of a grid, at most: some waves of the largest GPUs. */
    static final int MOST_BLOCKS = 1024;

    /** Packs that a thread loads before it adds them: so many accesses to memory are under way. */
    static final int AHEAD = 4;

    private static final int WARPS = THREADS / Warp.SIZE;

    /** Kinds of reductions. */
    enum Kind {
        DOT,
        VDOT,
        SQUARES,
        SCALED_SQUARES,
        NONZEROS,
        MODULI,
        POWERS,
        LARGEST,
        SMALLEST;

        double neutral() {
            return this == SMALLEST ? Double.POSITIVE_INFINITY : 0;
        }
    }

    /** A complex number. */
    record Part(double re, double im) {}

    private ReductionKernels() {}

    /** Returns the number of blocks for {@code packs} packs. */
    static int blocks(long packs) {
        long needed = (packs + THREADS * AHEAD - 1) / (THREADS * AHEAD);
        return (int) Math.max(1, Math.min(MOST_BLOCKS, needed));
    }

    private static Part combine(@Constant Kind kind, Part a, Part b) {
        if (kind == Kind.LARGEST) {
            return new Part(Math.max(a.re, b.re), 0);
        }
        if (kind == Kind.SMALLEST) {
            return new Part(Math.min(a.re, b.re), 0);
        }
        return new Part(a.re + b.re, a.im + b.im);
    }

    private static double modulus(@Constant Kind kind, double modulus, double p) {
        if (kind == Kind.NONZEROS) {
            return modulus == 0 ? 0 : 1;
        }
        return kind == Kind.POWERS ? Math.pow(modulus, p) : modulus;
    }

    private static double ofModuli(@Constant Kind kind, double a, double b, double p) {
        double u = modulus(kind, a, p);
        double v = modulus(kind, b, p);
        return kind == Kind.LARGEST ? Math.max(u, v) : kind == Kind.SMALLEST ? Math.min(u, v) : u + v;
    }

    private static double square(double a, double b) {
        return a * a + b * b;
    }

    /** Returns what a pack contributes. */
    static Part of(@Constant Kind kind, @Constant boolean wide, @Constant boolean complex, Pack x, Pack y, double p) {
        if (kind == Kind.DOT || kind == Kind.VDOT) {
            if (!complex) {
                double first = x.x() * y.x() + x.y() * y.y();
                return new Part(wide ? first : first + (x.z() * y.z() + x.w() * y.w()), 0);
            }
            double sign = kind == Kind.VDOT ? 1 : -1;
            double re = x.x() * y.x() + sign * x.y() * y.y();
            double im = x.x() * y.y() - sign * x.y() * y.x();
            return wide
                    ? new Part(re, im)
                    : new Part(
                            re + (x.z() * y.z() + sign * x.w() * y.w()), im + (x.z() * y.w() - sign * x.w() * y.z()));
        }
        if (kind == Kind.SQUARES) {
            return new Part(wide ? square(x.x(), x.y()) : square(x.x(), x.y()) + square(x.z(), x.w()), 0);
        }
        if (kind == Kind.SCALED_SQUARES) {
            double first = square(x.x() / p, x.y() / p);
            return new Part(wide ? first : first + square(x.z() / p, x.w() / p), 0);
        }
        if (complex) {
            double first = modulus(kind, Complex.modulus(x.x(), x.y()), p);
            return new Part(
                    wide ? first : ofModuli(kind, Complex.modulus(x.x(), x.y()), Complex.modulus(x.z(), x.w()), p), 0);
        }
        Part first = new Part(ofModuli(kind, Math.abs(x.x()), Math.abs(x.y()), p), 0);
        return wide ? first : combine(kind, first, new Part(ofModuli(kind, Math.abs(x.z()), Math.abs(x.w()), p), 0));
    }

    /** Returns the combination over the threads of the block, in its first thread. */
    static Part ofBlock(@Constant Kind kind, Part mine) {
        double[] re = Shared.f64(WARPS);
        double[] im = Shared.f64(WARPS);
        Part part = ofWarp(kind, mine, Warp.SIZE);
        int thread = ThreadIdx.x();
        if (Warp.laneId() == 0) {
            re[thread / Warp.SIZE] = part.re;
            im[thread / Warp.SIZE] = part.im;
        }
        Block.sync();
        Part all = new Part(kind.neutral(), 0);
        if (thread < Warp.SIZE) {
            Part ofWarps = thread < WARPS ? new Part(re[thread], im[thread]) : all;
            all = ofWarp(kind, ofWarps, WARPS);
        }
        Block.sync();
        return all;
    }

    private static Part ofWarp(@Constant Kind kind, Part mine, @Constant int lanes) {
        Part sum = mine;
        for (int distance = lanes / 2; distance > 0; distance /= 2) {
            Unroll.all();
            Part other = new Part(Warp.shuffleDown(sum.re, distance), Warp.shuffleDown(sum.im, distance));
            sum = combine(kind, sum, other);
        }
        return sum;
    }

    /**
     * Reduces one vector, or two of which the second one is {@code y}.
     *
     * @param p exponent of {@code POWERS}, divisor of {@code SCALED_SQUARES}
     * @param partial room for two numbers of each block
     * @param arrived how many blocks have ended: 0 at first, and in the end
     * @param result real and imaginary part
     */
    @Kernel(maxThreads = THREADS)
    static void reduce(
            @Constant Kind kind,
            @Constant boolean wide,
            @Constant boolean complex,
            @Constant boolean aligned,
            long n,
            Ptr x,
            Ptr y,
            double p,
            F64Ptr partial,
            I32Ptr arrived,
            F64Ptr result) {
        boolean two = kind == Kind.DOT || kind == Kind.VDOT;
        double outside = kind == Kind.SMALLEST ? Double.POSITIVE_INFINITY : 0;
        long step = (long) GridDim.x() * THREADS * Numbers.lanes(wide);
        Part sum = new Part(kind.neutral(), 0);
        for (long i = GlobalIdx.xLong() * Numbers.lanes(wide); i < n; i += AHEAD * step) {
            // The loads of all four stand before what is done with them.
            Pack u0 = Numbers.load(wide, aligned, x, i, n, outside);
            Pack u1 = Numbers.load(wide, aligned, x, i + step, n, outside);
            Pack u2 = Numbers.load(wide, aligned, x, i + 2 * step, n, outside);
            Pack u3 = Numbers.load(wide, aligned, x, i + 3 * step, n, outside);
            Pack v0 = two ? Numbers.load(wide, aligned, y, i, n, 0) : u0;
            Pack v1 = two ? Numbers.load(wide, aligned, y, i + step, n, 0) : u1;
            Pack v2 = two ? Numbers.load(wide, aligned, y, i + 2 * step, n, 0) : u2;
            Pack v3 = two ? Numbers.load(wide, aligned, y, i + 3 * step, n, 0) : u3;
            Part left = combine(kind, of(kind, wide, complex, u0, v0, p), of(kind, wide, complex, u1, v1, p));
            Part right = combine(kind, of(kind, wide, complex, u2, v2, p), of(kind, wide, complex, u3, v3, p));
            sum = combine(kind, sum, combine(kind, left, right));
        }
        Part block = ofBlock(kind, sum);
        int thread = ThreadIdx.x();
        int blocks = GridDim.x();
        if (blocks == 1) {
            write(result, thread, block);
            return;
        }
        if (thread == 0) {
            partial.set(2L * BlockIdx.x(), block.re);
            partial.set(2L * BlockIdx.x() + 1, block.im);
        }
        if (!Grid.isLastBlock(arrived)) {
            return;
        }
        Part all = new Part(kind.neutral(), 0);
        for (int b = thread; b < blocks; b += THREADS) {
            all = combine(kind, all, new Part(partial.get(2L * b), partial.get(2L * b + 1)));
        }
        write(result, thread, ofBlock(kind, all));
    }

    private static void write(F64Ptr result, int thread, Part part) {
        if (thread == 0) {
            result.set(0, part.re);
            result.set(1, part.im);
        }
    }
}
