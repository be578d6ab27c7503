// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/** Sums of all elements up to each. Three launches: the sums within blocks, the sums of the blocks, and these added. */
public final class Scan {
    /** Threads of a block, each with one element. */
    public static final int THREADS = 128;

    private Scan() {}

    /** The sums within each block, and each block's whole sum into {@code sums}. */
    @Kernel
    public static void blocks(int n, I32Ptr values, I32Ptr sums) {
        int[] ofWarps = Shared.i32(THREADS / Warp.SIZE);
        int i = BlockIdx.x() * BlockDim.x() + ThreadIdx.x();
        int sum = warpScan(i < n ? values.get(i) : 0);
        if (Warp.laneId() == Warp.SIZE - 1) {
            ofWarps[Warp.id()] = sum;
        }
        Block.sync();
        int before = 0;
        for (int warp = 0; warp < Warp.id(); warp++) {
            before += ofWarps[warp];
        }
        if (i < n) {
            values.set(i, before + sum);
        }
        if (ThreadIdx.x() == BlockDim.x() - 1) {
            sums.set(BlockIdx.x(), before + sum);
        }
    }

    /** Adds the sum of all blocks before. */
    @Kernel
    public static void addBefore(int n, I32Ptr values, I32Ptr sums) {
        int i = BlockIdx.x() * BlockDim.x() + ThreadIdx.x();
        if (i < n && BlockIdx.x() > 0) {
            values.set(i, values.get(i) + sums.get(BlockIdx.x() - 1));
        }
    }

    private static int warpScan(int value) {
        int sum = value;
        for (int by = 1; by < Warp.SIZE; by *= 2) {
            int below = Warp.shuffleUp(sum, by);
            if (Warp.laneId() >= by) {
                sum += below;
            }
        }
        return sum;
    }
}
