// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.BFloat162;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Int4;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Mma;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.moe.FusedExperts;
import org.comm4j.moe.RoutedRows;
import org.comm4j.moe.SumType;

/** The kernels of a layer whose experts multiply rows of BFLOAT16 by a matrix each, as {@code examples/moe-layer}. */
final class LayerKernels {
    /** Rows that a warp multiplies at once. */
    private static final int TILE = 2 * Mma.M;

    /** Threads of a block of the products, on a GPU: more than others have, so that more loads are under way. */
    static final int THREADS = 512;

    /** Elements of a row that a warp multiplies at once, 16 bytes of each thread. */
    static final int DEPTH = 2 * Mma.K;

    private LayerKernels() {}

    /** Sends tokens, and waits for nothing but counts. */
    @Kernel
    static void send(RoutedRows rows, BF16Ptr x, I32Ptr chosen, int tokens, int hidden) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        FusedExperts.dispatch(rows, SumType.BF16, chosen, tokens, (token, i) -> x.get((long) token * hidden + i));
    }

    /**
     * Multiplies the rows of this PE's experts, on tensor cores. As many blocks as there are for each share the tiles
     * of an expert's answers, one for each warp at a time.
     *
     * @param fused whether it waits for the rows of each expert
     * @param matrices BFLOAT16 {@code [experts, columns, hidden]}: what makes a column of the answers is together
     * @param hidden a multiple of {@link #DEPTH}
     */
    @Kernel(maxThreads = THREADS)
    static void experts(@Constant boolean fused, RoutedRows rows, BF16Ptr matrices, int hidden) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        int columns = hidden / Mma.N;
        int parts = Math.max(GridDim.x() / Math.max(rows.experts(), 1), 1);
        int warps = parts * BlockDim.x() / Warp.SIZE;
        for (int item = BlockIdx.x(); item < rows.experts() * parts; item += GridDim.x()) {
            int e = item / parts;
            if (!fused || FusedExperts.await(rows, e)) {
                BF16Ptr matrix = matrices.plus((long) e * hidden * hidden);
                int begin = rows.begin(e);
                int end = rows.end(e);
                int tiles = (end - begin + TILE - 1) / TILE * columns;
                for (int tile = item % parts + parts * Warp.id(); tile < tiles; tile += warps) {
                    multiply(rows, begin + tile / columns * TILE, end, matrix, tile % columns * Mma.N, hidden);
                }
            }
        }
    }

    /** Multiplies {@link #TILE} rows, as far as there are, with 8 columns. A warp. */
    private static void multiply(RoutedRows rows, int row, int end, BF16Ptr matrix, int column, int hidden) {
        int g = Warp.laneId() / 4;
        int t = Warp.laneId() % 4;
        int from = 8 * t;
        BF16Ptr w = matrix.plus((long) (column + g) * hidden + from);
        Mma.C[] sums = {Mma.C.zero(), Mma.C.zero()};
        for (int i = 0; i < hidden; i += DEPTH) {
            Unroll.times(4);
            // A thread has 8 elements that follow each other of both factors, instead of those that Mma names: in which
            // order products are added does not matter, if it is the same for both.
            Int4 factors = w.get8(i);
            for (int j = 0; j < 2; j++) {
                Unroll.all();
                Int4 top = input(rows, row + 16 * j + g, end).get8(from + i);
                Int4 bottom = input(rows, row + 16 * j + g + 8, end).get8(from + i);
                for (int half = 0; half < 2; half++) {
                    Unroll.all();
                    boolean first = half == 0;
                    Mma.A a = first
                            ? new Mma.A(top.x(), bottom.x(), top.y(), bottom.y())
                            : new Mma.A(top.z(), bottom.z(), top.w(), bottom.w());
                    Mma.B b = first ? new Mma.B(factors.x(), factors.y()) : new Mma.B(factors.z(), factors.w());
                    sums[j] = Mma.bf16(a, b, sums[j]);
                }
            }
        }
        for (int j = 0; j < 2; j++) {
            Unroll.all();
            answer(rows, row + 16 * j + g, end, column + 2 * t, sums[j].x(), sums[j].y());
            answer(rows, row + 16 * j + g + 8, end, column + 2 * t, sums[j].z(), sums[j].w());
        }
    }

    /** Returns where a row is; behind the last one, where that one is. */
    private static BF16Ptr input(RoutedRows rows, int row, int end) {
        return FusedExperts.row(rows, Math.min(row, end - 1)).asBF16();
    }

    private static void answer(RoutedRows rows, int row, int end, int column, float left, float right) {
        if (row < end) {
            FusedExperts.result(rows, row).asBF16().set2(column, BFloat162.of(left, right));
        }
    }

    /** Sums the answers where the tokens are. */
    @Kernel
    static void sum(RoutedRows rows, F32Ptr weights, BF16Ptr y, int hidden) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        FusedExperts.combine(rows, SumType.BF16, weights, (token, i, sum) -> y.set((long) token * hidden + i, sum));
    }
}
