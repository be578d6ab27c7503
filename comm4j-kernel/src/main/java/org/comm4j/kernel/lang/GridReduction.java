// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/**
 * What {@link GridReduce} does on a GPU: threads of a block put their values into shared memory, warps combine them,
 * and the block that is the last does the same with what the blocks have. {@link GridReductionExchange} is the same
 * where threads are loops.
 */
@KernelLibrary
final class GridReduction {
    /** Threads whose values are in shared memory at the same time, which are 2 KiB for each value of a thread. */
    private static final int ROUND = 256;

    enum Operation {
        ADD,
        MIN,
        MAX;

        /** Returns what changes no number: of sums the negative zero, for 0 would change that. */
        double doubleNeutral() {
            return switch (this) {
                case ADD -> -0.0;
                case MIN -> Double.POSITIVE_INFINITY;
                case MAX -> Double.NEGATIVE_INFINITY;
            };
        }

        long longNeutral() {
            return switch (this) {
                case ADD -> 0;
                case MIN -> Long.MAX_VALUE;
                case MAX -> Long.MIN_VALUE;
            };
        }
    }

    private GridReduction() {}

    /** Returns the number of this thread in its block. */
    static int thread() {
        return (ThreadIdx.z() * BlockDim.y() + ThreadIdx.y()) * BlockDim.x() + ThreadIdx.x();
    }

    /** Returns how many threads a block has. */
    static int threads() {
        return BlockDim.x() * BlockDim.y() * BlockDim.z();
    }

    /** Returns how many blocks the grid has. */
    static long blocks() {
        return (long) GridDim.x() * GridDim.y() * GridDim.z();
    }

    /** Returns the number of this block in the grid. */
    static int block() {
        return (BlockIdx.z() * GridDim.y() + BlockIdx.y()) * GridDim.x() + BlockIdx.x();
    }

    static void reduce(
            @Constant Operation operation,
            @Constant int count,
            F64Ptr result,
            F64Ptr workspace,
            I32Ptr counter,
            double a,
            double b,
            double c,
            double d) {
        long blocks = blocks();
        combine(operation, count, a, b, c, d, blocks, result, workspace);
        if (blocks > 1 && Grid.isLast(counter)) {
            double ofA = ofBlocks(operation, workspace, thread(), blocks);
            double ofB = count > 1 ? ofBlocks(operation, workspace.plus(blocks), thread(), blocks) : 0;
            double ofC = count > 2 ? ofBlocks(operation, workspace.plus(2 * blocks), thread(), blocks) : 0;
            double ofD = count > 3 ? ofBlocks(operation, workspace.plus(3 * blocks), thread(), blocks) : 0;
            combine(operation, count, ofA, ofB, ofC, ofD, 1, result, workspace);
        }
    }

    /** Returns what the blocks make whose numbers a thread combines: they are as far apart as it has threads. */
    static double ofBlocks(@Constant Operation operation, F64Ptr workspace, int thread, long blocks) {
        double all = operation.doubleNeutral();
        for (long i = thread; i < blocks; i += threads()) {
            all = of(operation, all, workspace.get(i));
        }
        return all;
    }

    /**
     * Combines up to four values of each thread over the block. Warps do it, each for one of the values: a lane takes
     * those of the threads that have its number in their warps, and then lanes take those of lanes. The block's first
     * thread sees what is stored.
     *
     * @param blocks how many have values: of one it is the result; of several it goes to the workspace, where all
     *     blocks have what comes of the first value before what comes of the next one
     */
    private static void combine(
            @Constant Operation operation,
            @Constant int count,
            double a,
            double b,
            double c,
            double d,
            long blocks,
            F64Ptr result,
            F64Ptr workspace) {
        double[] values = Shared.f64(count * ROUND);
        int thread = thread();
        int threads = threads();
        int warps = Math.max(1, threads / Warp.SIZE);
        int warp = thread / Warp.SIZE;
        int lane = thread % Warp.SIZE;
        for (int done = 0; done < count; done += warps) {
            int value = done + warp;
            boolean combines = warp < warps && value < count;
            double all = operation.doubleNeutral();
            for (int first = 0; first < threads; first += ROUND) {
                if (first > 0) {
                    Block.sync();
                }
                int slot = thread - first;
                if (slot >= 0 && slot < ROUND) {
                    put(values, count, slot, a, b, c, d);
                }
                Block.sync();
                int end = value * ROUND + Math.min(ROUND, threads - first);
                for (int i = value * ROUND + lane; combines && i < end; i += Warp.SIZE) {
                    all = of(operation, all, values[i]);
                }
            }
            if (combines) {
                all = overLanes(operation, all, Math.min(Warp.SIZE, threads));
                if (lane == 0 && blocks == 1) {
                    result.set(value, all);
                } else if (lane == 0) {
                    workspace.set(value * blocks + block(), all);
                }
            }
            Block.sync();
        }
    }

    private static void put(double[] values, @Constant int count, int slot, double a, double b, double c, double d) {
        values[slot] = a;
        if (count > 1) {
            values[ROUND + slot] = b;
        }
        if (count > 2) {
            values[2 * ROUND + slot] = c;
        }
        if (count > 3) {
            values[3 * ROUND + slot] = d;
        }
    }

    private static double overLanes(@Constant Operation operation, double own, int lanes) {
        double all = own;
        int lane = thread() % Warp.SIZE;
        int mask = lanes == Warp.SIZE ? -1 : (1 << lanes) - 1;
        for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
            Unroll.all();
            boolean exists = lane + by < lanes;
            double other = Warp.shuffle(all, exists ? lane + by : lane, Warp.SIZE, mask);
            if (exists) {
                all = of(operation, all, other);
            }
        }
        return all;
    }

    static double of(@Constant Operation operation, double x, double y) {
        if (operation == Operation.ADD) {
            return x + y;
        }
        return operation == Operation.MIN ? Math.min(x, y) : Math.max(x, y);
    }

    static void reduce(
            @Constant Operation operation,
            @Constant int count,
            I64Ptr result,
            I64Ptr workspace,
            I32Ptr counter,
            long a,
            long b,
            long c,
            long d) {
        long blocks = blocks();
        combine(operation, count, a, b, c, d, blocks, result, workspace);
        if (blocks > 1 && Grid.isLast(counter)) {
            long ofA = ofBlocks(operation, workspace, thread(), blocks);
            long ofB = count > 1 ? ofBlocks(operation, workspace.plus(blocks), thread(), blocks) : 0;
            long ofC = count > 2 ? ofBlocks(operation, workspace.plus(2 * blocks), thread(), blocks) : 0;
            long ofD = count > 3 ? ofBlocks(operation, workspace.plus(3 * blocks), thread(), blocks) : 0;
            combine(operation, count, ofA, ofB, ofC, ofD, 1, result, workspace);
        }
    }

    /** Returns what the blocks make whose numbers a thread combines: they are as far apart as it has threads. */
    static long ofBlocks(@Constant Operation operation, I64Ptr workspace, int thread, long blocks) {
        long all = operation.longNeutral();
        for (long i = thread; i < blocks; i += threads()) {
            all = of(operation, all, workspace.get(i));
        }
        return all;
    }

    /** {@link #combine(Operation, int, double, double, double, double, long, F64Ptr, F64Ptr)} of whole numbers. */
    private static void combine(
            @Constant Operation operation,
            @Constant int count,
            long a,
            long b,
            long c,
            long d,
            long blocks,
            I64Ptr result,
            I64Ptr workspace) {
        long[] values = Shared.i64(count * ROUND);
        int thread = thread();
        int threads = threads();
        int warps = Math.max(1, threads / Warp.SIZE);
        int warp = thread / Warp.SIZE;
        int lane = thread % Warp.SIZE;
        for (int done = 0; done < count; done += warps) {
            int value = done + warp;
            boolean combines = warp < warps && value < count;
            long all = operation.longNeutral();
            for (int first = 0; first < threads; first += ROUND) {
                if (first > 0) {
                    Block.sync();
                }
                int slot = thread - first;
                if (slot >= 0 && slot < ROUND) {
                    put(values, count, slot, a, b, c, d);
                }
                Block.sync();
                int end = value * ROUND + Math.min(ROUND, threads - first);
                for (int i = value * ROUND + lane; combines && i < end; i += Warp.SIZE) {
                    all = of(operation, all, values[i]);
                }
            }
            if (combines) {
                all = overLanes(operation, all, Math.min(Warp.SIZE, threads));
                if (lane == 0 && blocks == 1) {
                    result.set(value, all);
                } else if (lane == 0) {
                    workspace.set(value * blocks + block(), all);
                }
            }
            Block.sync();
        }
    }

    private static void put(long[] values, @Constant int count, int slot, long a, long b, long c, long d) {
        values[slot] = a;
        if (count > 1) {
            values[ROUND + slot] = b;
        }
        if (count > 2) {
            values[2 * ROUND + slot] = c;
        }
        if (count > 3) {
            values[3 * ROUND + slot] = d;
        }
    }

    private static long overLanes(@Constant Operation operation, long own, int lanes) {
        long all = own;
        int lane = thread() % Warp.SIZE;
        int mask = lanes == Warp.SIZE ? -1 : (1 << lanes) - 1;
        for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
            Unroll.all();
            boolean exists = lane + by < lanes;
            long other = Warp.shuffle(all, exists ? lane + by : lane, Warp.SIZE, mask);
            if (exists) {
                all = of(operation, all, other);
            }
        }
        return all;
    }

    static long of(@Constant Operation operation, long x, long y) {
        if (operation == Operation.ADD) {
            return x + y;
        }
        return operation == Operation.MIN ? Math.min(x, y) : Math.max(x, y);
    }
}
