// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.BFloat162;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.FloatMath;
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
 */
public final class FlashAttention {
    /** Elements of a head. */
    public static final int HEAD = 128;

    /** Queries, and keys, of a tile. */
    public static final int TILE = 128;

    public static final int THREADS = 3 * Warpgroup.THREADS;

    private static final int HALF_BYTES = TILE * 128;
    private static final int TILE_BYTES = 2 * HALF_BYTES;
    private static final int STAGES = 2;

    /** Dynamic shared memory of a block: Q, and two tiles of K and V. */
    public static final int SHARED_BYTES = (1 + 2 * STAGES) * TILE_BYTES + 1024;

    private FlashAttention() {}

    /**
     * A block for each tile of queries in x and each head in y.
     *
     * @param causal 1 if a query sees no later keys
     * @param q rows of all heads, with boxes of 64 × {@link #TILE} elements; k and v as it
     * @param length rows of a head, a multiple of {@link #TILE}
     */
    @Kernel(maxThreads = THREADS, minBlocks = 1)
    public static void forward(
            @Constant int causal, TensorMap q, TensorMap k, TensorMap v, int length, float scale, BF16Ptr out) {
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
        int first = BlockIdx.x() * TILE;
        int steps = causal != 0 ? BlockIdx.x() + 1 : length / TILE;
        if (Warpgroup.rank() == 0) {
            Warpgroup.decreaseRegisters(40);
            if (ThreadIdx.x() < 32 && Warp.isLeader()) {
                copy(tiles, words, q, k, v, BlockIdx.y() * length, first, steps);
            }
        } else {
            Warpgroup.increaseRegisters(232);
            attend(
                    causal,
                    tiles,
                    words,
                    first,
                    steps,
                    scale * 1.442695f,
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
            int parity = step / STAGES % 2 ^ 1;
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

    private static void attend(
            @Constant int causal, I8Ptr tiles, long[] words, int first, int steps, float scale, BF16Ptr out) {
        int half = Warpgroup.rank() - 1;
        boolean speaks = ThreadIdx.x() % Warpgroup.THREADS == 0;
        int row = first + half * 64 + Wgmma.row(0);
        float[] sums = new float[HEAD / 2];
        float[] scores = new float[TILE / 2];
        float upperMost = Float.NEGATIVE_INFINITY;
        float lowerMost = Float.NEGATIVE_INFINITY;
        float upperTotal = 0;
        float lowerTotal = 0;
        I8Ptr queries = tiles.plus(half * 64L * 128);
        Mbarrier.of(words).await(0);
        for (int step = 0; step < steps; step++) {
            int stage = step % STAGES;
            int parity = step / STAGES % 2;
            I8Ptr keys = tiles.plus((1 + 2L * stage) * TILE_BYTES);
            Mbarrier.of(words, 1 + stage).await(parity);
            Wgmma.fence(scores, TILE);
            for (int i = 0; i < HEAD / 16; i++) {
                Unroll.all();
                long at = i / 4 * (long) HALF_BYTES + i % 4 * 32;
                SharedMatrix a = SharedMatrix.of(queries.plus(at));
                Wgmma.bf16(scores, a, SharedMatrix.of(keys.plus(at)), i, TILE, 0, 0);
            }
            Wgmma.commit();
            Wgmma.waitFor(scores, TILE, 0);
            if (speaks) {
                Mbarrier.of(words, 1 + 2 * STAGES + stage).arrive();
            }
            if (causal != 0 && step == steps - 1) {
                for (int i = 0; i < TILE / 2; i++) {
                    Unroll.all();
                    boolean later = step * TILE + Wgmma.column(i) > row + (i & 2) * 4;
                    scores[i] = later ? Float.NEGATIVE_INFINITY : scores[i];
                }
            }
            float upper = upperMost;
            float lower = lowerMost;
            for (int i = 0; i < TILE / 2; i += 4) {
                Unroll.all();
                upper = Math.max(upper, Math.max(scores[i], scores[i + 1]));
                lower = Math.max(lower, Math.max(scores[i + 2], scores[i + 3]));
            }
            upper = ofRow(upper);
            lower = ofRow(lower);
            float upperFactor = FloatMath.exp2((upperMost - upper) * scale);
            float lowerFactor = FloatMath.exp2((lowerMost - lower) * scale);
            upperMost = upper;
            lowerMost = lower;
            upperTotal *= upperFactor;
            lowerTotal *= lowerFactor;
            for (int i = 0; i < TILE / 2; i += 4) {
                Unroll.all();
                scores[i] = FloatMath.exp2((scores[i] - upper) * scale);
                scores[i + 1] = FloatMath.exp2((scores[i + 1] - upper) * scale);
                scores[i + 2] = FloatMath.exp2((scores[i + 2] - lower) * scale);
                scores[i + 3] = FloatMath.exp2((scores[i + 3] - lower) * scale);
                upperTotal += scores[i] + scores[i + 1];
                lowerTotal += scores[i + 2] + scores[i + 3];
                sums[i] *= upperFactor;
                sums[i + 1] *= upperFactor;
                sums[i + 2] *= lowerFactor;
                sums[i + 3] *= lowerFactor;
            }
            Mbarrier.of(words, 1 + STAGES + stage).await(parity);
            I8Ptr values = keys.plus(TILE_BYTES);
            Wgmma.fence(sums, HEAD);
            for (int i = 0; i < TILE / 16; i++) {
                Unroll.all();
                Mma.A weights = new Mma.A(
                        BFloat162.of(scores[8 * i], scores[8 * i + 1]).bits(),
                        BFloat162.of(scores[8 * i + 2], scores[8 * i + 3]).bits(),
                        BFloat162.of(scores[8 * i + 4], scores[8 * i + 5]).bits(),
                        BFloat162.of(scores[8 * i + 6], scores[8 * i + 7]).bits());
                SharedMatrix b = SharedMatrix.transposed(values.plus(i * 2048L), HALF_BYTES);
                Wgmma.bf16(sums, weights, b, 1, HEAD, 1);
            }
            Wgmma.commit();
            Wgmma.waitFor(sums, HEAD, 0);
            if (speaks) {
                Mbarrier.of(words, 1 + 3 * STAGES + stage).arrive();
            }
        }
        upperTotal = 1 / total(upperTotal);
        lowerTotal = 1 / total(lowerTotal);
        BF16Ptr to = out.plus((long) row * HEAD + Wgmma.column(0));
        for (int i = 0; i < HEAD / 2; i += 4) {
            Unroll.all();
            to.set2(2L * i, BFloat162.of(sums[i] * upperTotal, sums[i + 1] * upperTotal));
            to.set2(2L * i + 8 * HEAD, BFloat162.of(sums[i + 2] * lowerTotal, sums[i + 3] * lowerTotal));
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
