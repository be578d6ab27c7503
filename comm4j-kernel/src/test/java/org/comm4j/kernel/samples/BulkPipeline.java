// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.BulkCopy;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Mbarrier;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * {@code y = a x} by way of shared memory: the copy engine brings chunks there and takes them away while the threads
 * multiply others. sm_90.
 */
public final class BulkPipeline {
    /** Elements of a chunk. */
    public static final int CHUNK = 1024;

    /** Chunks of a block that are under way at the same time. */
    private static final int STAGES = 3;

    private BulkPipeline() {}

    /** {@code n} is a multiple of 4; any grid and block. */
    @Kernel
    public static void scale(int n, float a, F32Ptr x, F32Ptr y) {
        float[] chunks = Shared.f32(STAGES * CHUNK);
        long[] barriers = Shared.i64(STAGES);
        boolean leader = ThreadIdx.x() == 0;
        if (leader) {
            for (int i = 0; i < STAGES; i++) {
                Mbarrier.of(barriers, i).init(1);
            }
            Fence.mbarrierInit();
        }
        Block.sync();
        if (leader) {
            for (int i = 0; i < STAGES - 1; i++) {
                fetch(i, n, x, chunks, barriers);
            }
        }
        int all = (n + CHUNK - 1) / CHUNK;
        int chunk = BlockIdx.x();
        for (int i = 0; chunk < all; i++) {
            if (leader) {
                // The stage that the last pass has sent off is the next one to fill.
                BulkCopy.waitForReads(0);
                fetch(i + STAGES - 1, n, x, chunks, barriers);
            }
            int stage = i % STAGES;
            int count = Math.min(CHUNK, n - chunk * CHUNK);
            Mbarrier.of(barriers, stage).await(i / STAGES & 1);
            for (int j = ThreadIdx.x(); j < count; j += BlockDim.x()) {
                chunks[stage * CHUNK + j] *= a;
            }
            Fence.async();
            Block.sync();
            if (leader) {
                BulkCopy.toGlobal(
                        y.plus((long) chunk * CHUNK), F32Ptr.of(chunks).plus((long) stage * CHUNK), count * 4);
                BulkCopy.commit();
            }
            chunk += GridDim.x();
        }
        if (leader) {
            BulkCopy.waitFor(0);
        }
    }

    /** Fetches this block's chunk number {@code i}, if there is one. */
    private static void fetch(int i, int n, F32Ptr x, float[] chunks, long[] barriers) {
        long first = ((long) BlockIdx.x() + (long) i * GridDim.x()) * CHUNK;
        if (first < n) {
            int stage = i % STAGES;
            int bytes = (int) Math.min(CHUNK, n - first) * 4;
            Mbarrier barrier = Mbarrier.of(barriers, stage);
            barrier.arriveExpecting(bytes);
            BulkCopy.toShared(F32Ptr.of(chunks).plus((long) stage * CHUNK), x.plus(first), bytes, barrier);
        }
    }
}
