// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.lang.GridReduction.Operation;

/**
 * {@link GridReduction} where threads are loops, in the same order. All threads wait in {@code add}, {@code min} or
 * {@code max}, which only the compiler of these loops knows, and get what comes of their values; the first one does
 * what is left, so that no thread waits again.
 */
@SuppressWarnings("UnusedVariable") // only the compiler of loops reads what add, min and max are given
@KernelLibrary
final class GridReductionExchange {
    private GridReductionExchange() {}

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
        double ofA = reduce(operation, a);
        double ofB = count > 1 ? reduce(operation, b) : 0;
        double ofC = count > 2 ? reduce(operation, c) : 0;
        double ofD = count > 3 ? reduce(operation, d) : 0;
        if ((ThreadIdx.x() | ThreadIdx.y() | ThreadIdx.z()) == 0) {
            long blocks = GridReduction.blocks();
            if (blocks == 1) {
                put(count, ofA, ofB, ofC, ofD, result, 0, 1);
                return;
            }
            put(count, ofA, ofB, ofC, ofD, workspace, GridReduction.block(), blocks);
            if (Grid.isLastThread(counter)) {
                for (int i = 0; i < count; i++) {
                    result.set(i, ofBlocks(operation, workspace.plus(i * blocks), blocks));
                }
            }
        }
    }

    private static void put(
            @Constant int count, double a, double b, double c, double d, F64Ptr to, long place, long stride) {
        to.set(place, a);
        if (count > 1) {
            to.set(place + stride, b);
        }
        if (count > 2) {
            to.set(place + 2 * stride, c);
        }
        if (count > 3) {
            to.set(place + 3 * stride, d);
        }
    }

    /** Returns what the threads of a block would make of what the blocks have. */
    private static double ofBlocks(@Constant Operation operation, F64Ptr workspace, long blocks) {
        double[] lanes = Shared.f64(Warp.SIZE);
        for (int lane = 0; lane < Warp.SIZE; lane++) {
            lanes[lane] = operation.doubleNeutral();
        }
        int threads = (int) Math.min(blocks, GridReduction.threads());
        for (int thread = 0; thread < threads; thread++) {
            lanes[thread % Warp.SIZE] = GridReduction.of(
                    operation, lanes[thread % Warp.SIZE], GridReduction.ofBlocks(operation, workspace, thread, blocks));
        }
        for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
            for (int lane = 0; lane < by; lane++) {
                lanes[lane] = GridReduction.of(operation, lanes[lane], lanes[lane + by]);
            }
        }
        return lanes[0];
    }

    private static double reduce(@Constant Operation operation, double value) {
        if (operation == Operation.ADD) {
            return add(value);
        }
        return operation == Operation.MIN ? min(value) : max(value);
    }

    private static double add(double value) {
        throw onlyInLoops();
    }

    private static double min(double value) {
        throw onlyInLoops();
    }

    private static double max(double value) {
        throw onlyInLoops();
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
        long ofA = reduce(operation, a);
        long ofB = count > 1 ? reduce(operation, b) : 0;
        long ofC = count > 2 ? reduce(operation, c) : 0;
        long ofD = count > 3 ? reduce(operation, d) : 0;
        if ((ThreadIdx.x() | ThreadIdx.y() | ThreadIdx.z()) == 0) {
            long blocks = GridReduction.blocks();
            if (blocks == 1) {
                put(count, ofA, ofB, ofC, ofD, result, 0, 1);
                return;
            }
            put(count, ofA, ofB, ofC, ofD, workspace, GridReduction.block(), blocks);
            if (Grid.isLastThread(counter)) {
                for (int i = 0; i < count; i++) {
                    result.set(i, ofBlocks(operation, workspace.plus(i * blocks), blocks));
                }
            }
        }
    }

    private static void put(@Constant int count, long a, long b, long c, long d, I64Ptr to, long place, long stride) {
        to.set(place, a);
        if (count > 1) {
            to.set(place + stride, b);
        }
        if (count > 2) {
            to.set(place + 2 * stride, c);
        }
        if (count > 3) {
            to.set(place + 3 * stride, d);
        }
    }

    /** Returns what the threads of a block would make of what the blocks have. */
    private static long ofBlocks(@Constant Operation operation, I64Ptr workspace, long blocks) {
        long[] lanes = Shared.i64(Warp.SIZE);
        for (int lane = 0; lane < Warp.SIZE; lane++) {
            lanes[lane] = operation.longNeutral();
        }
        int threads = (int) Math.min(blocks, GridReduction.threads());
        for (int thread = 0; thread < threads; thread++) {
            lanes[thread % Warp.SIZE] = GridReduction.of(
                    operation, lanes[thread % Warp.SIZE], GridReduction.ofBlocks(operation, workspace, thread, blocks));
        }
        for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
            for (int lane = 0; lane < by; lane++) {
                lanes[lane] = GridReduction.of(operation, lanes[lane], lanes[lane + by]);
            }
        }
        return lanes[0];
    }

    private static long reduce(@Constant Operation operation, long value) {
        if (operation == Operation.ADD) {
            return add(value);
        }
        return operation == Operation.MIN ? min(value) : max(value);
    }

    private static long add(long value) {
        throw onlyInLoops();
    }

    private static long min(long value) {
        throw onlyInLoops();
    }

    private static long max(long value) {
        throw onlyInLoops();
    }

    private static IllegalStateException onlyInLoops() {
        return new IllegalStateException("threads wait here in loops only");
    }
}
