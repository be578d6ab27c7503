// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops over threads of elements side by side, of blocks with more and with fewer threads than are worth copies. */
class StagedLoopTest {
    private static final int BLOCKS = 3;

    /** Prefix sums of integers, and what is left and right of each float. */
    @Kernel
    static void all(int apart, I32Ptr ints, F32Ptr floats, I64Ptr longs, F64Ptr doubles) {
        int[] sums = Shared.i32(300);
        float[] tile = Shared.f32(340);
        int t = ThreadIdx.x();
        int i = GlobalIdx.x();
        sums[t] = ints.get(i);
        tile[t + apart] = floats.get(i);
        if (t < apart) {
            tile[t] = -t;
            tile[t + apart + BlockDim.x()] = t;
        }
        double kept = doubles.get(i);
        Block.sync();
        for (int by = 1; by < BlockDim.x(); by *= 2) {
            int left = t >= by ? sums[t - by] : 0;
            Block.sync();
            sums[t] += left;
            Block.sync();
        }
        floats.set(i, 0.5f * tile[t] + tile[t + apart] - tile[t + 2 * apart]);
        longs.set(i, longs.get(i) * sums[t] + t);
        Block.sync();
        doubles.set(i, kept + 1.0 * longs.get(BlockIdx.x() * BlockDim.x()));
        ints.set(i, sums[t]);
    }

    /** Threads from one on read behind the end of an array. */
    @Kernel
    static void outside(int apart, I32Ptr ints) {
        int[] some = Shared.i32(256);
        int t = ThreadIdx.x();
        some[t] = t;
        Block.sync();
        ints.set(t, some[t + apart]);
    }

    private static HostArray[] run(CpuOptions options, int threads, int apart) {
        int n = BLOCKS * threads;
        HostArray[] arrays = {
            HostArray.allocate(DataType.INT32, n),
            HostArray.allocate(DataType.FLOAT32, n),
            HostArray.allocate(DataType.INT64, n),
            HostArray.allocate(DataType.FLOAT64, n)
        };
        for (int i = 0; i < n; i++) {
            arrays[0].setInt(i, i * 40503 % 1000);
            arrays[1].setFloat(i, i * 37 % 101 / 8f);
            arrays[2].setLong(i, i * 1_000_003L);
            arrays[3].setDouble(i, i / 16.0);
        }
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(options);
                CompiledKernel kernel = compiler.compile(StagedLoopTest::all)) {
            kernel.launch(LaunchConfig.grid(BLOCKS).block(threads), apart, arrays[0], arrays[1], arrays[2], arrays[3]);
        }
        return arrays;
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "127, 1", "128, 3", "129, 16", "200, 0", "256, 1", "300, 20"})
    void resultsAreThoseOfSingleThreads(int threads, int apart) {
        HostArray[] expected = run(CpuOptions.debug(), threads, apart);
        for (CpuOptions options : new CpuOptions[] {CpuOptions.fast(), CpuOptions.checked(3)}) {
            HostArray[] found = run(options, threads, apart);
            assertThat(found[0].toIntArray()).isEqualTo(expected[0].toIntArray());
            assertThat(found[1].toFloatArray()).isEqualTo(expected[1].toFloatArray());
            assertThat(found[2].toLongArray()).isEqualTo(expected[2].toLongArray());
            assertThat(found[3].toDoubleArray()).isEqualTo(expected[3].toDoubleArray());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 200})
    void whoIsOutsideIsTold(int apart) {
        HostArray ints = HostArray.allocate(DataType.INT32, 256);
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(CpuOptions.fast());
                CompiledKernel kernel = compiler.compile(StagedLoopTest::outside)) {
            assertThatThrownBy(() -> kernel.launch(LaunchConfig.grid(1).block(256), apart, ints))
                    .isInstanceOf(KernelException.class)
                    .hasMessageContaining("thread (" + (256 - apart) + ", 0, 0)");
        }
        // The threads before it have done what they do.
        assertThat(ints.getInt(255 - apart)).isEqualTo(255);
        assertThat(ints.getInt(256 - apart)).isZero();
    }
}
