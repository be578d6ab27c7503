// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.GridReduction.Operation;

/**
 * Sums, minima and maxima over all threads of a launch ({@code sycl::reduction}, {@code reduction(+: a, b)} of OpenMP).
 * All threads call it once, with what they have; one without elements has 0, or an infinity. When the launch has ended,
 * the results are in {@code result}, whatever was there before.
 *
 * <p>The blocks' numbers go to a workspace of {@link #workspace} elements of 8 bytes, and the block that is the last to
 * come combines them. The order of additions depends on the numbers of threads and blocks alone: results are the same
 * to the bit on a GPU and on the CPU, with any number of processors. Values of {@code float} are summed as {@code
 * double}, those of {@code int} as {@code long}. On a GPU it takes 2 KiB of shared memory for each value of a thread.
 *
 * <p>{@code counter} is an {@code int} that is 0 before the launch, and 0 again behind it. Each call in a kernel has a
 * workspace and a counter of its own, and so have launches that run at the same time.
 */
@KernelLibrary
public final class GridReduce {
    /** Values of a call, at most. */
    public static final int MOST = 4;

    private GridReduce() {}

    /** Returns how many elements of 8 bytes a launch needs as a workspace for {@code values} values of a thread. */
    public static long workspace(LaunchConfig config, int values) {
        nonNull(config, "GridReduce.workspace", "config");
        if (values < 1 || values > MOST) {
            throw new IllegalArgumentException("GridReduce has 1 to " + MOST + " values in a call, given " + values);
        }
        if (config.blocks() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("GridReduce is for at most 2^31 - 1 blocks, given " + config.blocks());
        }
        return config.blocks() * values;
    }

    /** Stores the sum. */
    public static void sum(F64Ptr result, F64Ptr workspace, I32Ptr counter, double a) {
        GridReduction.reduce(Operation.ADD, 1, result, workspace, counter, a, 0, 0, 0);
    }

    /** Stores two sums, one behind the other. */
    public static void sum(F64Ptr result, F64Ptr workspace, I32Ptr counter, double a, double b) {
        GridReduction.reduce(Operation.ADD, 2, result, workspace, counter, a, b, 0, 0);
    }

    /** Stores three sums, one behind the other. */
    public static void sum(F64Ptr result, F64Ptr workspace, I32Ptr counter, double a, double b, double c) {
        GridReduction.reduce(Operation.ADD, 3, result, workspace, counter, a, b, c, 0);
    }

    /** Stores four sums, one behind the other. */
    public static void sum(F64Ptr result, F64Ptr workspace, I32Ptr counter, double a, double b, double c, double d) {
        GridReduction.reduce(Operation.ADD, 4, result, workspace, counter, a, b, c, d);
    }

    /** Stores the sum. */
    public static void sum(I64Ptr result, I64Ptr workspace, I32Ptr counter, long a) {
        GridReduction.reduce(Operation.ADD, 1, result, workspace, counter, a, 0, 0, 0);
    }

    /** Stores two sums, one behind the other. */
    public static void sum(I64Ptr result, I64Ptr workspace, I32Ptr counter, long a, long b) {
        GridReduction.reduce(Operation.ADD, 2, result, workspace, counter, a, b, 0, 0);
    }

    /** Stores three sums, one behind the other. */
    public static void sum(I64Ptr result, I64Ptr workspace, I32Ptr counter, long a, long b, long c) {
        GridReduction.reduce(Operation.ADD, 3, result, workspace, counter, a, b, c, 0);
    }

    /** Stores four sums, one behind the other. */
    public static void sum(I64Ptr result, I64Ptr workspace, I32Ptr counter, long a, long b, long c, long d) {
        GridReduction.reduce(Operation.ADD, 4, result, workspace, counter, a, b, c, d);
    }

    /** Stores the smallest number, which is NaN if one is. */
    public static void min(F64Ptr result, F64Ptr workspace, I32Ptr counter, double value) {
        GridReduction.reduce(Operation.MIN, 1, result, workspace, counter, value, 0, 0, 0);
    }

    /** Stores the largest number, which is NaN if one is. */
    public static void max(F64Ptr result, F64Ptr workspace, I32Ptr counter, double value) {
        GridReduction.reduce(Operation.MAX, 1, result, workspace, counter, value, 0, 0, 0);
    }

    /** Stores the smallest number. */
    public static void min(I64Ptr result, I64Ptr workspace, I32Ptr counter, long value) {
        GridReduction.reduce(Operation.MIN, 1, result, workspace, counter, value, 0, 0, 0);
    }

    /** Stores the largest number. */
    public static void max(I64Ptr result, I64Ptr workspace, I32Ptr counter, long value) {
        GridReduction.reduce(Operation.MAX, 1, result, workspace, counter, value, 0, 0, 0);
    }
}
