// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.BFloat162;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.FloatMath;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Mbarrier;
import org.comm4j.kernel.lang.Mma;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.SharedMatrix;
import org.comm4j.kernel.lang.TensorCopy;
import org.comm4j.kernel.lang.TensorMap;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.kernel.lang.Warpgroup;
import org.comm4j.kernel.lang.Wgmma;

/**
 * Attention of bf16 with heads of 128 elements, forwards: softmax(scale Q K<sup>T</sup>) V without the matrix between,
 * as in FlashAttention (Dao and others). One warpgroup copies, two have 64 queries each.
 *
 * <p>A warpgroup starts the scores of the next keys before it adds the weighted values of the former ones, so that
 * tensor cores have work while it computes exponential functions; and both warpgroups take turns in starting products,
 * as in FlashAttention-3 (Shah and others).
 */
public final class FlashAttention {
    /** Elements of a head. */
    public static final int HEAD = 128;

    /** Queries, and keys, of a tile. */
    public static final int TILE = 128;

    /** Threads of a block. */
    public static final int THREADS = 3 * Warpgroup.THREADS;

    private static final int HALF_BYTES = TILE * 128;
    private static final int TILE_BYTES = 2 * HALF_BYTES;
    private static final int STAGES = 2;

    /** Threads that take turns, two warpgroups. */
    private static final int BOTH = 2 * Warpgroup.THREADS;

    private static final float LOG2_E = 1.442695f;

    /** Dynamic shared memory of a block: Q, and two tiles of K and V. */
    public static final int SHARED_BYTES = (1 + 2 * STAGES) * TILE_BYTES + 1024;

    private FlashAttention() {}

    /**
     * Computes a tile of queries of a head: a block for each in x and each head in y.
     *
     * @param causal 1 if a query sees no later keys
     * @param turns 1 if warpgroups take turns in starting products, else 0
     * @param q rows of all heads, with boxes of 64 × {@link #TILE} elements; k and v as it
     * @param length rows of a head, a multiple of {@link #TILE}
     * @param scale of the scores, above 0
     */
    @Kernel(maxThreads = THREADS, minBlocks = 1, math = Kernel.Math.FAST)
    public static void forward(
            @Constant int causal,
            @Constant int turns,
            TensorMap q,
            TensorMap k,
            TensorMap v,
            int length,
            float scale,
            BF16Ptr out) {
        I8Ptr memory = Shared.dynamicI8();
        I8Ptr tiles = memory.plus(-memory.address() & 1023);
        long[] words = Shared.i64(1 + 4 * STAGES);
        if (ThreadIdx.x() == 0) {
            for (int i = 0; i < 1 + 4 * STAGES; i++) {
                // Those of empty places count both readers.
                Mbarrier.of(words, i).init(i > 2 * STAGES ? 2 : 1);
            }
            Fence.mbarrierInit();
        }
        Block.sync();
        // The last queries of a causal head have the most keys: they begin first.
        int tile = causal != 0 ? GridDim.x() - 1 - BlockIdx.x() : BlockIdx.x();
        int steps = causal != 0 ? tile + 1 : length / TILE;
        if (Warpgroup.rank() == 0) {
            Warpgroup.decreaseRegisters(24);
            if (ThreadIdx.x() < 32 && Warp.isLeader()) {
                copy(tiles, words, q, k, v, BlockIdx.y() * length, tile * TILE, steps);
            }
        } else {
            Warpgroup.increaseRegisters(240);
            attend(
                    causal,
                    turns,
                    tiles,
                    words,
                    tile * TILE,
                    steps,
                    scale * LOG2_E,
                    out.plus((long) BlockIdx.y() * length * HEAD));
        }
    }

    private static void copy(
            I8Ptr tiles, long[] words, TensorMap q, TensorMap k, TensorMap v, int head, int first, int steps) {
        q.acquire();
        k.acquire();
        v.acquire();
        tile(tiles, q, head + first, Mbarrier.of(words));
        for (int step = 0; step < steps; step++) {
            int stage = step % STAGES;
            int parity = 1 - step / STAGES % 2;
            I8Ptr keys = tiles.plus((1 + 2L * stage) * TILE_BYTES);
            Mbarrier.of(words, 1 + 2 * STAGES + stage).await(parity);
            tile(keys, k, head + step * TILE, Mbarrier.of(words, 1 + stage));
            Mbarrier.of(words, 1 + 3 * STAGES + stage).await(parity);
            tile(keys.plus(TILE_BYTES), v, head + step * TILE, Mbarrier.of(words, 1 + STAGES + stage));
        }
    }

    private static void tile(I8Ptr to, TensorMap map, int row, Mbarrier full) {
        full.arriveExpecting(TILE_BYTES);
        TensorCopy.toShared(to, map, 0, row, full);
        TensorCopy.toShared(to.plus(HALF_BYTES), map, 64, row, full);
    }

    /** The barrier of full places of K; those of V follow, and those of empty places of both. */
    private static Mbarrier full(long[] words, int stage) {
        return Mbarrier.of(words, 1 + stage);
    }

    private static Mbarrier empty(long[] words, int stage) {
        return Mbarrier.of(words, 1 + 2 * STAGES + stage);
    }

    /**
     * Facts about the scores of a thread's two rows.
     *
     * @param upperMost the largest score of the upper row
     * @param lowerMost the largest score of the lower row
     * @param upperTotal the sum of this thread's weights of the upper row
     * @param lowerTotal the sum of this thread's weights of the lower row
     * @param upperFactor by which the upper row's sums become those of the new largest score
     * @param lowerFactor by which the lower row's sums become those of the new largest score
     */
    private record Rows(
            float upperMost,
            float lowerMost,
            float upperTotal,
            float lowerTotal,
            float upperFactor,
            float lowerFactor) {
        static Rows none() {
            return new Rows(Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY, 0, 0, 1, 1);
        }

        /** Makes weights of scores; {@code scale} is that of powers of 2. */
        Rows next(float[] scores, float scale) {
            float upper = upperMost;
            float lower = lowerMost;
            for (int i = 0; i < TILE / 2; i += 4) {
                Unroll.all();
                upper = Math.max(upper, Math.max(scores[i], scores[i + 1]));
                lower = Math.max(lower, Math.max(scores[i + 2], scores[i + 3]));
            }
            upper = ofRow(upper);
            lower = ofRow(lower);
            float upperOffset = upper * scale;
            float lowerOffset = lower * scale;
            float upperBy = FloatMath.exp2(upperMost * scale - upperOffset);
            float lowerBy = FloatMath.exp2(lowerMost * scale - lowerOffset);
            float upperSum = upperTotal * upperBy;
            float lowerSum = lowerTotal * lowerBy;
            for (int i = 0; i < TILE / 2; i += 4) {
                Unroll.all();
                scores[i] = FloatMath.exp2(scores[i] * scale - upperOffset);
                scores[i + 1] = FloatMath.exp2(scores[i + 1] * scale - upperOffset);
                scores[i + 2] = FloatMath.exp2(scores[i + 2] * scale - lowerOffset);
                scores[i + 3] = FloatMath.exp2(scores[i + 3] * scale - lowerOffset);
                upperSum += scores[i] + scores[i + 1];
                lowerSum += scores[i + 2] + scores[i + 3];
            }
            return new Rows(upper, lower, upperSum, lowerSum, upperBy, lowerBy);
        }
    }

    private static void attend(
            @Constant int causal,
            @Constant int turns,
            I8Ptr tiles,
            long[] words,
            int first,
            int steps,
            float scale,
            BF16Ptr out) {
        int half = Warpgroup.rank() - 1;
        boolean speaks = ThreadIdx.x() % Warpgroup.THREADS == 0;
        int row = first + half * 64 + Wgmma.row(0);
        float[] sums = new float[HEAD / 2];
        float[] scores = new float[TILE / 2];
        int[] weights = new int[TILE / 4];
        I8Ptr queries = tiles.plus(half * 64L * 128);
        if (turns != 0 && half == 1 && steps > 1) {
            Block.arrive(1, BOTH);
        }
        Mbarrier.of(words).await(0);
        full(words, 0).await(0);
        startScores(scores, queries, tiles.plus(TILE_BYTES));
        Wgmma.waitFor(scores, TILE, 0);
        if (speaks) {
            empty(words, 0).arrive();
        }
        if (causal != 0 && steps == 1) {
            hideLater(scores, 0, row);
        }
        Rows rows = Rows.none().next(scores, scale);
        pack(scores, weights);
        for (int step = 1; step < steps; step++) {
            int stage = step % STAGES;
            int parity = step / STAGES % 2;
            int former = (step - 1) % STAGES;
            I8Ptr keys = tiles.plus((1 + 2L * stage) * TILE_BYTES);
            I8Ptr values = tiles.plus((2 + 2L * former) * TILE_BYTES);
            full(words, stage).await(parity);
            if (turns != 0) {
                Block.barrier(1 + half, BOTH);
            }
            startScores(scores, queries, keys);
            full(words, STAGES + former).await((step - 1) / STAGES % 2);
            startSums(sums, weights, values);
            if (turns != 0 && (half == 0 || step < steps - 1)) {
                Block.arrive(2 - half, BOTH);
            }
            Wgmma.waitFor(scores, TILE, 1);
            if (speaks) {
                empty(words, stage).arrive();
            }
            if (causal != 0 && step == steps - 1) {
                hideLater(scores, step * TILE, row);
            }
            rows = rows.next(scores, scale);
            Wgmma.waitFor(sums, HEAD, 0);
            if (speaks) {
                empty(words, STAGES + former).arrive();
            }
            for (int i = 0; i < HEAD / 2; i += 4) {
                Unroll.all();
                sums[i] *= rows.upperFactor;
                sums[i + 1] *= rows.upperFactor;
                sums[i + 2] *= rows.lowerFactor;
                sums[i + 3] *= rows.lowerFactor;
            }
            pack(scores, weights);
        }
        int last = (steps - 1) % STAGES;
        full(words, STAGES + last).await((steps - 1) / STAGES % 2);
        startSums(sums, weights, tiles.plus((2 + 2L * last) * TILE_BYTES));
        Wgmma.waitFor(sums, HEAD, 0);
        float upperTotal = 1 / total(rows.upperTotal);
        float lowerTotal = 1 / total(rows.lowerTotal);
        BF16Ptr to = out.plus((long) row * HEAD + Wgmma.column(0));
        for (int i = 0; i < HEAD / 2; i += 4) {
            Unroll.all();
            to.set2(2L * i, BFloat162.of(sums[i] * upperTotal, sums[i + 1] * upperTotal));
            to.set2(2L * i + 8 * HEAD, BFloat162.of(sums[i + 2] * lowerTotal, sums[i + 3] * lowerTotal));
        }
    }

    private static void startScores(float[] scores, I8Ptr queries, I8Ptr keys) {
        Wgmma.fence(scores, TILE);
        for (int i = 0; i < HEAD / 16; i++) {
            Unroll.all();
            long at = i / 4 * (long) HALF_BYTES + i % 4 * 32L;
            SharedMatrix a = SharedMatrix.of(queries.plus(at));
            Wgmma.bf16(scores, a, SharedMatrix.of(keys.plus(at)), i, TILE, 0, 0);
        }
        Wgmma.commit();
    }

    private static void startSums(float[] sums, int[] weights, I8Ptr values) {
        Wgmma.fence(sums, HEAD);
        for (int i = 0; i < TILE / 16; i++) {
            Unroll.all();
            Mma.A a = new Mma.A(weights[4 * i], weights[4 * i + 1], weights[4 * i + 2], weights[4 * i + 3]);
            SharedMatrix b = SharedMatrix.transposed(values.plus(i * 2048L), HALF_BYTES);
            Wgmma.bf16(sums, a, b, 1, HEAD, 1);
        }
        Wgmma.commit();
    }

    /** Packs weights as the left factor of a product. */
    private static void pack(float[] scores, int[] weights) {
        for (int i = 0; i < TILE / 4; i++) {
            Unroll.all();
            weights[i] = BFloat162.of(scores[2 * i], scores[2 * i + 1]).bits();
        }
    }

    /** Makes the scores of keys after the query minus infinity. */
    private static void hideLater(float[] scores, int from, int row) {
        for (int i = 0; i < TILE / 2; i++) {
            Unroll.all();
            boolean later = from + Wgmma.column(i) > row + (i & 2) * 4;
            scores[i] = later ? Float.NEGATIVE_INFINITY : scores[i];
        }
    }

    /** The largest of the four threads that have a row. */
    private static float ofRow(float value) {
        float two = Math.max(value, Warp.shuffleXor(value, 1));
        return Math.max(two, Warp.shuffleXor(two, 2));
    }

    private static float total(float value) {
        float two = value + Warp.shuffleXor(value, 1);
        return two + Warp.shuffleXor(two, 2);
    }
}
