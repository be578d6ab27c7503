// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.math.Numbers.Factor;
import org.comm4j.math.Numbers.Pack;
import org.comm4j.math.ReductionKernels.Part;
import org.comm4j.math.Sweep.Kind;

/**
 * Up to three terms of a {@link Sweep} in one launch. Each has a number of blocks that depends on its own length, the
 * first ones of the grid: the order of its additions does not depend on the other terms.
 */
final class SweepKernels {
    /** Terms of a launch, at most. */
    static final int MOST_TERMS = 3;

    /**
     * A term.
     *
     * @param n numbers
     * @param blocks of the grid that compute it
     * @param result of a sum
     * @param add whether the sum is added to the result
     */
    record Term(long n, int blocks, Ptr x, Ptr y, Factor a, Factor b, F64Ptr result, boolean add) {}

    private SweepKernels() {}

    /**
     * Computes the terms, and in the end the calculation.
     *
     * @param partial room for two numbers of each block for each term
     * @param together whether numbers are summed over ranks before the calculation
     * @param arrived how many blocks have ended: 0 at first, and in the end
     */
    @Kernel(maxThreads = ReductionKernels.THREADS)
    static void run(
            @Constant Kind kind0,
            @Constant Kind kind1,
            @Constant Kind kind2,
            @Constant boolean wide,
            @Constant boolean complex,
            @Constant boolean aligned,
            @Constant boolean together,
            @Constant Calculation calculation,
            Term term0,
            Term term1,
            Term term2,
            PeerSums.Peers peers,
            F64Ptr partial,
            I32Ptr arrived,
            F64Ptr a,
            F64Ptr b,
            F64Ptr c) {
        Part sum0 = ofThread(kind0, wide, complex, aligned, term0);
        Part sum1 = ofThread(kind1, wide, complex, aligned, term1);
        Part sum2 = ofThread(kind2, wide, complex, aligned, term2);
        if (!kind0.sums() && !kind1.sums() && !kind2.sums()) {
            return;
        }
        Part block0 = ofBlock(kind0, sum0);
        Part block1 = ofBlock(kind1, sum1);
        Part block2 = ofBlock(kind2, sum2);
        int blocks = GridDim.x();
        if (blocks == 1) {
            write(kind0, term0, block0);
            write(kind1, term1, block1);
            write(kind2, term2, block2);
            end(together, peers, calculation, a, b, c);
            return;
        }
        if (ThreadIdx.x() == 0) {
            keep(kind0, partial, 0, block0);
            keep(kind1, partial, 1, block1);
            keep(kind2, partial, 2, block2);
        }
        if (!Grid.isLastBlock(arrived)) {
            return;
        }
        finish(kind0, term0, partial, 0);
        finish(kind1, term1, partial, 1);
        finish(kind2, term2, partial, 2);
        end(together, peers, calculation, a, b, c);
    }

    /** Sums over ranks and runs a calculation, with one block. */
    @Kernel
    static void calculate(
            @Constant boolean together,
            @Constant Calculation calculation,
            PeerSums.Peers peers,
            F64Ptr a,
            F64Ptr b,
            F64Ptr c) {
        end(together, peers, calculation, a, b, c);
    }

    private static void end(
            @Constant boolean together,
            PeerSums.Peers peers,
            @Constant Calculation calculation,
            F64Ptr a,
            F64Ptr b,
            F64Ptr c) {
        if (together) {
            PeerSums.ofBlock(peers);
        }
        if (ThreadIdx.x() == 0) {
            calculation.run(a, b, c);
        }
    }

    /** Updates what belongs to this thread, and returns its part of the sum. */
    private static Part ofThread(
            @Constant Kind kind,
            @Constant boolean wide,
            @Constant boolean complex,
            @Constant boolean aligned,
            Term term) {
        Part sum = new Part(0, 0);
        if (kind == Kind.NONE || BlockIdx.x() >= term.blocks) {
            return sum;
        }
        double ar = kind.updates() ? term.a.real() : 0;
        double ai = kind.updates() && complex ? term.a.imaginary() : 0;
        double br = kind.updates() ? term.b.real() : 0;
        double bi = kind.updates() && complex ? term.b.imaginary() : 0;
        boolean idle = ar == 0 && ai == 0 && br == 1 && bi == 0;
        boolean readX = kind.updates() ? ar != 0 || ai != 0 : kind != Kind.NORM;
        boolean readY = !kind.updates() || br != 0 || bi != 0;
        if (kind == Kind.UPDATE && idle) {
            return sum;
        }
        long n = term.n;
        Ptr x = term.x;
        Ptr y = term.y;
        Pack none = new Pack(0, 0, 0, 0);
        int lanes = Numbers.lanes(wide);
        long step = (long) term.blocks * ReductionKernels.THREADS * lanes;
        long first = ((long) BlockIdx.x() * ReductionKernels.THREADS + ThreadIdx.x()) * lanes;
        for (long i = first; i < n; i += ReductionKernels.AHEAD * step) {
            // The loads of all four stand before what is done with them.
            Pack u0 = readX ? Numbers.load(wide, aligned, x, i, n, 0) : none;
            Pack u1 = readX ? Numbers.load(wide, aligned, x, i + step, n, 0) : none;
            Pack u2 = readX ? Numbers.load(wide, aligned, x, i + 2 * step, n, 0) : none;
            Pack u3 = readX ? Numbers.load(wide, aligned, x, i + 3 * step, n, 0) : none;
            Pack v0 = readY ? Numbers.load(wide, aligned, y, i, n, 0) : none;
            Pack v1 = readY ? Numbers.load(wide, aligned, y, i + step, n, 0) : none;
            Pack v2 = readY ? Numbers.load(wide, aligned, y, i + 2 * step, n, 0) : none;
            Pack v3 = readY ? Numbers.load(wide, aligned, y, i + 3 * step, n, 0) : none;
            if (kind.updates() && !idle) {
                v0 = VectorKernels.combination(wide, complex, ar, ai, br, bi, u0, v0);
                v1 = VectorKernels.combination(wide, complex, ar, ai, br, bi, u1, v1);
                v2 = VectorKernels.combination(wide, complex, ar, ai, br, bi, u2, v2);
                v3 = VectorKernels.combination(wide, complex, ar, ai, br, bi, u3, v3);
                Numbers.store(wide, aligned, y, i, n, v0);
                Numbers.store(wide, aligned, y, i + step, n, v1);
                Numbers.store(wide, aligned, y, i + 2 * step, n, v2);
                Numbers.store(wide, aligned, y, i + 3 * step, n, v3);
            }
            if (kind.sums()) {
                Part left = plus(product(kind, wide, complex, u0, v0), product(kind, wide, complex, u1, v1));
                Part right = plus(product(kind, wide, complex, u2, v2), product(kind, wide, complex, u3, v3));
                sum = plus(sum, plus(left, right));
            }
        }
        return sum;
    }

    private static Part plus(Part a, Part b) {
        return new Part(a.re() + b.re(), a.im() + b.im());
    }

    private static Part product(
            @Constant Kind kind, @Constant boolean wide, @Constant boolean complex, Pack x, Pack y) {
        if (kind == Kind.SQUARES) {
            // As they are stored: in float for 32-bit types.
            Pack stored = new Pack(
                    Numbers.round(wide, y.x()),
                    Numbers.round(wide, y.y()),
                    Numbers.round(wide, y.z()),
                    Numbers.round(wide, y.w()));
            return ReductionKernels.of(ReductionKernels.Kind.SQUARES, wide, complex, stored, stored, 0);
        }
        if (kind == Kind.NORM) {
            return ReductionKernels.of(ReductionKernels.Kind.SQUARES, wide, complex, y, y, 0);
        }
        return kind == Kind.DOT
                ? ReductionKernels.of(ReductionKernels.Kind.DOT, wide, complex, x, y, 0)
                : ReductionKernels.of(ReductionKernels.Kind.VDOT, wide, complex, x, y, 0);
    }

    private static Part ofBlock(@Constant Kind kind, Part mine) {
        return kind.sums() ? ReductionKernels.ofBlock(ReductionKernels.Kind.VDOT, mine) : mine;
    }

    private static void keep(@Constant Kind kind, F64Ptr partial, @Constant int term, Part block) {
        if (kind.sums()) {
            long at = 2L * (term * ReductionKernels.MOST_BLOCKS + BlockIdx.x());
            partial.set(at, block.re());
            partial.set(at + 1, block.im());
        }
    }

    /** Adds up what the blocks have, in the last one of them. */
    private static void finish(@Constant Kind kind, Term term, F64Ptr partial, @Constant int number) {
        if (kind.sums()) {
            Part all = new Part(0, 0);
            for (int b = ThreadIdx.x(); b < term.blocks; b += ReductionKernels.THREADS) {
                long at = 2L * (number * ReductionKernels.MOST_BLOCKS + b);
                all = plus(all, new Part(partial.get(at), partial.get(at + 1)));
            }
            write(kind, term, ReductionKernels.ofBlock(ReductionKernels.Kind.VDOT, all));
        }
    }

    private static void write(@Constant Kind kind, Term term, Part part) {
        if (kind.sums() && ThreadIdx.x() == 0) {
            term.result.set(0, term.add ? term.result.get(0) + part.re() : part.re());
            term.result.set(1, term.add ? term.result.get(1) + part.im() : part.im());
        }
    }
}
