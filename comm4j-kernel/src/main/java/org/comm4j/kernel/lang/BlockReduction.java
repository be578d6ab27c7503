// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/**
 * Reductions over the threads of a block, in an order that depends on their number alone. {@link
 * BlockReductionExchange} is the same where threads are loops.
 */
@KernelLibrary
final class BlockReduction {
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

    private BlockReduction() {}

    /** Returns the number of this thread in its block. */
    static int thread() {
        return (ThreadIdx.z() * BlockDim.y() + ThreadIdx.y()) * BlockDim.x() + ThreadIdx.x();
    }

    /** Returns how many threads a block has. */
    static int threads() {
        return BlockDim.x() * BlockDim.y() * BlockDim.z();
    }

    /**
     * Combines up to four values of each thread over the block. Warps do it, each for one of the values: a lane takes
     * those of the threads that have its number in their warps, and then lanes take those of lanes. The block's first
     * thread sees what is stored.
     *
     * @param to gets what comes of the first value at {@code place}, of the next one {@code stride} elements behind
     */
    static void store(
            @Constant Operation operation,
            @Constant int count,
            double a,
            double b,
            double c,
            double d,
            F64Ptr to,
            long place,
            long stride) {
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
                    all = combine(operation, all, values[i]);
                }
            }
            if (combines) {
                all = overLanes(operation, all, Math.min(Warp.SIZE, threads));
                if (lane == 0) {
                    to.set(place + value * stride, all);
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
                all = combine(operation, all, other);
            }
        }
        return all;
    }

    static double combine(@Constant Operation operation, double x, double y) {
        if (operation == Operation.ADD) {
            return x + y;
        }
        return operation == Operation.MIN ? Math.min(x, y) : Math.max(x, y);
    }

    /** {@link #store(Operation, int, double, double, double, double, F64Ptr, long, long)} of whole numbers. */
    static void store(
            @Constant Operation operation,
            @Constant int count,
            long a,
            long b,
            long c,
            long d,
            I64Ptr to,
            long place,
            long stride) {
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
                    all = combine(operation, all, values[i]);
                }
            }
            if (combines) {
                all = overLanes(operation, all, Math.min(Warp.SIZE, threads));
                if (lane == 0) {
                    to.set(place + value * stride, all);
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
                all = combine(operation, all, other);
            }
        }
        return all;
    }

    static long combine(@Constant Operation operation, long x, long y) {
        if (operation == Operation.ADD) {
            return x + y;
        }
        return operation == Operation.MIN ? Math.min(x, y) : Math.max(x, y);
    }
}
