// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.device.Shmem;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Float2;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.TensorMap;
import org.comm4j.math.Gemm;
import org.comm4j.math.GemmTile;

/**
 * A product of matrices of which each PE computes some rows and puts them to all PEs as its epilogue: {@code allGather}
 * without a call, while tensor cores are busy with the next tile. PEs reach each other's memory by loads and stores.
 */
public final class GatheredProduct {
    private GatheredProduct() {}

    /**
     * Computes A B<sup>T</sup> of bf16.
     *
     * @param first row of the result that this PE's first one is
     * @param c the whole result on each PE, in symmetric memory
     */
    @Kernel(maxThreads = GemmTile.THREADS, minBlocks = 1)
    static void multiply(GemmTile.Problem problem, int first, F32Ptr c) {
        GemmTile.multiply(DataType.BFLOAT16, 0, 1, 1, 0, problem, (_, row, column, x, y) -> {
            long place = (long) (first + row) * problem.n() + column;
            Float2 pair = new Float2(x, y);
            for (int pe = 0; pe < Shmem.nPes(); pe++) {
                Shmem.ptr(c, pe).plus(place).set2(0, pair);
            }
        });
    }

    /**
     * Computes this PE's rows; all PEs call it, and have the result after a barrier that completes puts.
     *
     * @param compiler of {@link org.comm4j.device.ShmemCompiler}, on a GPU for {@code sm_90a}
     * @param maps {@code INT8}, two {@link TensorMap}s
     * @param a m × k, this PE's rows
     * @param b n × k, the same on all PEs
     * @param c all rows × n, {@code FLOAT32}, in symmetric memory
     * @param first row of {@code c} that this PE's first one is
     */
    public static void run(
            KernelCompiler<?> compiler, Buffer maps, Buffer a, Buffer b, Buffer c, int first, int m, int n, int k) {
        GemmTile.Problem problem = new GemmTile.Problem(
                Gemm.mapA(maps, 0, a, false, m, k),
                Gemm.mapB(maps, 1, b, true, n, k),
                1,
                Ptr.of(maps).asI32(),
                m,
                n,
                k,
                8);
        int tiles = Math.ceilDiv(m, GemmTile.ROWS) * Math.ceilDiv(n, GemmTile.COLUMNS);
        int blocks = c instanceof HostArray
                ? 1
                : ((DeviceArray) c).device().properties().multiprocessors();
        LaunchConfig config = LaunchConfig.grid(Math.min(tiles, blocks))
                .block(GemmTile.THREADS)
                .shared(GemmTile.SHARED_BYTES);
        try (CompiledKernel kernel = compiler.compile(GatheredProduct::multiply)) {
            kernel.launch(config, problem, first, c);
        }
    }
}
