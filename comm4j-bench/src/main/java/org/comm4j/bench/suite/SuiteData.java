// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import java.util.function.IntToDoubleFunction;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;

/** Inputs of problems, the same in each run, and comparisons of results. */
final class SuiteData {
    /** Elements of a long result that are computed again. */
    private static final int CHECKED = 1009;

    private SuiteData() {}

    /** The number of a sequence that looks random (SplitMix64's finaliser), of 64 bits. */
    static long bits(int seed, int i) {
        long x = (i + ((long) seed << 32) + 1) * 0x9E37_79B9_7F4A_7C15L;
        x = (x ^ (x >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return x ^ (x >>> 31);
    }

    /** A number between {@code from} and {@code to}. */
    static float uniform(int seed, int i, float from, float to) {
        return from + (to - from) * ((bits(seed, i) >>> 40) * 0x1p-24f);
    }

    static HostArray floats(int seed, int n, float from, float to) {
        return floats(DataType.FLOAT32, seed, n, from, to);
    }

    static HostArray floats(DataType type, int seed, int n, float from, float to) {
        HostArray array = HostArray.allocate(type, n);
        for (int i = 0; i < n; i++) {
            array.setFloat(i, uniform(seed, i, from, to));
        }
        return array;
    }

    static HostArray doubles(int seed, int n) {
        HostArray array = HostArray.allocate(DataType.FLOAT64, n);
        for (int i = 0; i < n; i++) {
            array.setDouble(i, uniform(seed, i, 0, 1));
        }
        return array;
    }

    /** Whole numbers from 0 to {@code bound - 1}. */
    static HostArray ints(int seed, int n, int bound) {
        HostArray array = HostArray.allocate(DataType.INT32, n);
        for (int i = 0; i < n; i++) {
            array.setInt(i, (int) ((bits(seed, i) >>> 33) % bound));
        }
        return array;
    }

    static HostArray floats(int n) {
        return HostArray.allocate(DataType.FLOAT32, n);
    }

    static HostArray ints(int n) {
        return HostArray.allocate(DataType.INT32, n);
    }

    /** A thread for each of {@code n} elements, in blocks of {@code block}. */
    static LaunchConfig threads(int n, int block) {
        return LaunchConfig.grid((n - 1) / block + 1).block(block);
    }

    /** A thread for each element of a matrix. */
    static LaunchConfig threads(int columns, int rows, int blockX, int blockY) {
        return LaunchConfig.grid((columns - 1) / blockX + 1, (rows - 1) / blockY + 1)
                .block(blockX, blockY);
    }

    /** The largest error of some of the first {@code n} elements, spread over all of them. */
    static double error(int n, IntToDoubleFunction got, IntToDoubleFunction expected) {
        double worst = 0;
        // Odd, so that all columns have their turn.
        int step = Math.max(n / CHECKED, 1) | 1;
        for (int i = 0; i < n; i += step) {
            worst = Math.max(worst, error(got.applyAsDouble(i), expected.applyAsDouble(i)));
        }
        return worst;
    }

    private static double error(double got, double expected) {
        double error = Math.abs(got - expected) / Math.max(1, Math.abs(expected));
        return Double.isNaN(error) ? Double.POSITIVE_INFINITY : error;
    }

    /** The largest error of all elements. */
    static double error(HostArray got, float[] expected) {
        double worst = 0;
        for (int i = 0; i < expected.length; i++) {
            worst = Math.max(worst, error(got.getFloat(i), expected[i]));
        }
        return worst;
    }

    /** The largest error of all elements. */
    static double error(HostArray got, int[] expected) {
        double worst = 0;
        for (int i = 0; i < expected.length; i++) {
            worst = Math.max(worst, error(got.getInt(i), expected[i]));
        }
        return worst;
    }
}
