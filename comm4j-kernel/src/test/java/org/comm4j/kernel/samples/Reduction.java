// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/** Sums of many numbers. */
public final class Reduction {
    /** Threads of a block. */
    public static final int THREADS = 128;

    private Reduction() {}

    /** One sum for each block: halves of the block in shared memory. */
    @Kernel
    public static void blocks(int n, F64Ptr values, F64Ptr sums) {
        double[] partial = Shared.f64(THREADS);
        int t = ThreadIdx.x();
        partial[t] = threadSum(n, values);
        Block.sync();
        for (int half = THREADS / 2; half > 0; half /= 2) {
            if (t < half) {
                partial[t] += partial[t + half];
            }
            Block.sync();
        }
        if (t == 0) {
            sums.set(BlockIdx.x(), partial[0]);
        }
    }

    /** One sum for each block: within warps by shuffles, then the warps' sums. */
    @Kernel
    public static void warps(int n, F64Ptr values, F64Ptr sums) {
        double sum = blockSum(threadSum(n, values));
        if (ThreadIdx.x() == 0) {
            sums.set(BlockIdx.x(), sum);
        }
    }

    /** One sum: the block that comes last adds those of the others. {@code arrived} is 0, and 0 again afterwards. */
    @Kernel
    public static void lastBlock(int n, F64Ptr values, F64Ptr sums, I32Ptr arrived, F64Ptr total) {
        double sum = blockSum(threadSum(n, values));
        if (ThreadIdx.x() == 0) {
            sums.set(BlockIdx.x(), sum);
        }
        if (Grid.isLastBlock(arrived)) {
            double rest = blockSum(threadSum(GridDim.x(), sums, BlockDim.x()));
            if (ThreadIdx.x() == 0) {
                total.set(0, rest);
            }
        }
    }

    /** One sum, of a cooperative launch. */
    @Kernel
    public static void grid(int n, F64Ptr values, F64Ptr sums, F64Ptr total) {
        double sum = blockSum(threadSum(n, values));
        if (ThreadIdx.x() == 0) {
            sums.set(BlockIdx.x(), sum);
        }
        Grid.sync();
        if (BlockIdx.x() == 0) {
            double rest = blockSum(threadSum(GridDim.x(), sums, BlockDim.x()));
            if (ThreadIdx.x() == 0) {
                total.set(0, rest);
            }
        }
    }

    private static double threadSum(int n, F64Ptr values) {
        double sum = 0;
        for (int i = BlockIdx.x() * BlockDim.x() + ThreadIdx.x(); i < n; i += GridDim.x() * BlockDim.x()) {
            sum += values.get(i);
        }
        return sum;
    }

    private static double threadSum(int n, F64Ptr values, int step) {
        double sum = 0;
        for (int i = ThreadIdx.x(); i < n; i += step) {
            sum += values.get(i);
        }
        return sum;
    }

    /** The first thread's is the block's. Called by all threads of a block. */
    private static double blockSum(double value) {
        double[] ofWarps = Shared.f64(THREADS / Warp.SIZE);
        double sum = warpSum(value);
        Block.sync();
        if (Warp.laneId() == 0) {
            ofWarps[Warp.id()] = sum;
        }
        Block.sync();
        double all = 0;
        if (Warp.id() == 0) {
            all = warpSum(Warp.laneId() < THREADS / Warp.SIZE ? ofWarps[Warp.laneId()] : 0);
        }
        return all;
    }

    private static double warpSum(double value) {
        double sum = value;
        for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
            sum += Warp.shuffleDown(sum, by);
        }
        return sum;
    }
}
