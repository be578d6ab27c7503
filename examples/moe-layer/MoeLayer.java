// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.BFloat16;
import org.comm4j.kernel.lang.BFloat162;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Int4;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Mma;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.moe.ExpertLayout;
import org.comm4j.moe.ExpertParallel;
import org.comm4j.moe.FusedExperts;
import org.comm4j.moe.MoeOptions;
import org.comm4j.moe.MoeShape;
import org.comm4j.moe.Routed;
import org.comm4j.moe.RoutedRows;
import org.comm4j.moe.Sums;
import org.comm4j.moe.Tokens;

/** A mixture-of-experts layer: router, dispatch, products with the experts' matrices, combine. */
class MoeLayer {
    private static final int EXPERTS = 16;
    private static final int CHOICES = 2;

    // ---- the experts' kernel ----

    /** Rows that a warp multiplies at once. */
    private static final int TILE = 2 * Mma.M;

    /** Elements of a row that a warp multiplies at once: each thread has 16 bytes of them. */
    private static final int DEPTH = 2 * Mma.K;

    /**
     * Rows of each expert times its matrix. As many blocks as there are for each expert share the tiles of its answers,
     * one for each warp at a time. They begin when the expert's rows are there, and say when their part of the answers
     * is.
     *
     * @param matrices by expert and column, so that what makes an element of an answer is together
     * @param hidden elements of a row, a multiple of {@link #DEPTH}
     */
    @Kernel(maxThreads = 256)
    static void experts(RoutedRows rows, BF16Ptr matrices, int hidden) {
        int columns = hidden / Mma.N;
        int parts = Math.max(GridDim.x() / Math.max(rows.experts(), 1), 1);
        int warps = parts * BlockDim.x() / Warp.SIZE;
        for (int item = BlockIdx.x(); item < rows.experts() * parts; item += GridDim.x()) {
            int expert = item / parts;
            // After a whole dispatch it returns at once.
            if (FusedExperts.await(rows, expert)) {
                BF16Ptr matrix = matrices.plus((long) expert * hidden * hidden);
                int begin = rows.begin(expert);
                int end = rows.end(expert);
                int tiles = (end - begin + TILE - 1) / TILE * columns;
                for (int tile = item % parts + parts * Warp.id(); tile < tiles; tile += warps) {
                    multiply(rows, begin + tile / columns * TILE, end, matrix, tile % columns * Mma.N, hidden);
                }
                FusedExperts.donePart(rows, expert, parts);
            }
        }
    }

    /** Multiplies {@link #TILE} rows, as far as there are, with 8 columns: all threads of a warp together. */
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

    // ---- tokens, matrices and routes, the same on all PEs ----

    /** Some multiple of 1/8 from -1 on, below 1: sums of their products are exact in FLOAT32, in any order. */
    private static float value(int a, int b, int c) {
        int h = (a * 31 + b) * 31 + c;
        h = (h ^ h >>> 15) * 0x2c1b3c6d;
        h = (h ^ h >>> 12) * 0x297a2d39;
        return (h >> 28) / 8f;
    }

    private static float element(int pe, int token, int i) {
        return value(pe + 1, token, i);
    }

    private static float matrix(int expert, int i, int j) {
        return value(1000 + expert, i, j);
    }

    /** Chooses the experts with the largest scores, weighted by the softmax of those. */
    private static void route(int pe, int token, int hidden, int[] chosen, float[] weights) {
        float[] scores = new float[EXPERTS];
        for (int e = 0; e < EXPERTS; e++) {
            for (int i = 0; i < hidden; i++) {
                scores[e] += element(pe, token, i) * value(e, 7, i);
            }
        }
        double total = 0;
        for (int k = 0; k < CHOICES; k++) {
            int best = 0;
            for (int e = 1; e < EXPERTS; e++) {
                best = scores[e] > scores[best] ? e : best;
            }
            chosen[k] = best;
            weights[k] = (float) Math.exp(scores[best] / hidden);
            total += weights[k];
            scores[best] = Float.NEGATIVE_INFINITY;
        }
        for (int k = 0; k < CHOICES; k++) {
            weights[k] /= (float) total;
        }
    }

    /** What comes out of the layer, to the bit, in plain Java. */
    private static float[] expected(int pe, int token, int hidden, int[] chosen, float[] weights) {
        float[] sums = new float[hidden];
        for (int j = 0; j < hidden; j++) {
            for (int k = 0; k < CHOICES; k++) {
                float product = 0;
                for (int i = 0; i < hidden; i++) {
                    product += element(pe, token, i) * matrix(chosen[k], i, j);
                }
                sums[j] = Math.fma(weights[k], BFloat16.of(product).toFloat(), sums[j]);
            }
        }
        return sums;
    }

    // ---- the layer ----

    void main() {
        boolean right = true;
        try (World world = World.join();
                ShmemPe pe = ShmemPe.of(world)) {
            int hidden = pe.onGpu() ? 512 : 32;
            int tokens = pe.onGpu() ? 64 : 8;
            MoeShape shape = MoeShape.experts(EXPERTS)
                    .perToken(CHOICES)
                    .hidden(hidden)
                    .tokens(tokens)
                    .input(DataType.BFLOAT16);
            try (ExpertParallel ep = ExpertParallel.of(pe, shape, MoeOptions.DEFAULT.layout(ExpertLayout.RAGGED));
                    CompiledKernel experts = pe.compiler().compile(MoeLayer::experts)) {
                right = run(pe, ep, experts, hidden, tokens);
            }
        }
        if (!right) {
            System.exit(1);
        }
    }

    private static boolean run(ShmemPe pe, ExpertParallel ep, CompiledKernel experts, int hidden, int tokens) {
        HostArray x = HostArray.allocate(DataType.BFLOAT16, (long) tokens * hidden);
        HostArray chosen = HostArray.allocate(DataType.INT32, (long) tokens * CHOICES);
        HostArray weights = HostArray.allocate(DataType.FLOAT32, (long) tokens * CHOICES);
        float[][] wanted = new float[tokens][];
        for (int t = 0; t < tokens; t++) {
            int[] best = new int[CHOICES];
            float[] shares = new float[CHOICES];
            route(pe.myPe(), t, hidden, best, shares);
            wanted[t] = expected(pe.myPe(), t, hidden, best, shares);
            for (int k = 0; k < CHOICES; k++) {
                chosen.setInt((long) t * CHOICES + k, best[k]);
                weights.setFloat((long) t * CHOICES + k, shares[k]);
            }
            for (int i = 0; i < hidden; i++) {
                x.setFloat((long) t * hidden + i, element(pe.myPe(), t, i));
            }
        }
        int[] local = ep.placement().local(pe.myPe());
        HostArray matrices = HostArray.allocate(DataType.BFLOAT16, (long) local.length * hidden * hidden);
        for (int e = 0; e < local.length; e++) {
            for (int j = 0; j < hidden; j++) {
                for (int i = 0; i < hidden; i++) {
                    matrices.setFloat(((long) e * hidden + j) * hidden + i, matrix(local[e], i, j));
                }
            }
        }
        Tokens all = Tokens.of(on(pe, x), on(pe, chosen), tokens);
        Buffer w = on(pe, matrices, (long) EXPERTS * hidden * hidden);
        Buffer y = pe.allocate(DataType.FLOAT32, (long) tokens * hidden);
        Sums sums = Sums.into(y).weights(on(pe, weights));

        boolean right = true;
        double[] least = {Double.MAX_VALUE, Double.MAX_VALUE};
        for (int round = 0; round < 6; round++) {
            // The kernel waits for each expert's rows itself.
            boolean fused = round % 2 == 1;
            y.fill(0);
            pe.barrier();
            long start = System.nanoTime();
            Routed routed = fused ? ep.dispatchSend(all) : ep.dispatch(all);
            experts.launch(ep.blocks(), routed.rows(), w, hidden);
            if (fused) {
                routed.receive();
            }
            ep.combine(sums, routed);
            least[round % 2] = Math.min(least[round % 2], (System.nanoTime() - start) / 1e6);
            float[] found = y.toFloatArray();
            for (int i = 0; i < found.length; i++) {
                right &= found[i] == wanted[i / hidden][i % hidden];
            }
        }
        IO.println(String.format(
                "PE %d of %d (%s): %d tokens through %d experts, %s, %.1f ms, fused %.1f ms",
                pe.myPe(),
                pe.nPes(),
                pe.where(),
                tokens,
                EXPERTS,
                right ? "as in plain Java" : "NOT as in plain Java",
                least[0],
                least[1]));
        return right;
    }

    private static Buffer on(ShmemPe pe, HostArray from) {
        return on(pe, from, from.count());
    }

    /** Symmetric memory, of the same size on all PEs. */
    private static Buffer on(ShmemPe pe, HostArray from, long count) {
        Buffer to = pe.allocate(from.type(), count);
        to.slice(0, from.count()).copyFrom(from);
        return to;
    }
}
