// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.Locale;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.ffi.cublas.LibCublas;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.TensorMap;
import org.comm4j.math.Gemm;
import org.comm4j.math.GemmTile;
import org.comm4j.math.Transpose;

/**
 * The measurement of {@code comm4j bench matmul} for types of 16 and 8 bits: products by {@link Gemm} on the tensor
 * cores of one GPU, beside cuBLAS's of the same matrices in the same stream.
 */
public final class GemmBench implements AutoCloseable {
    private static final int LEAST_TOKENS = 128;
    private static final int MOST_TOKENS = 4096;

    private final Device device;
    private final GpuDuel duel;

    /**
     * Makes the measurement; closing it leaves the device open.
     *
     * @param rounds of which the median counts
     * @param millis that the calls of a round take together, about
     */
    public GemmBench(Device device, int rounds, int millis) {
        this.device = device;
        duel = new GpuDuel(device, rounds, millis);
    }

    /** Returns the lines above the results. */
    public String header() {
        return "# " + device.name() + ", cuBLAS " + LibCublas.library().version() + "\n"
                + "#           m x n x k type       "
                + "   form C             Java us "
                + " TFLOP/s    cuBLAS us  TFLOP/s  "
                + " share    worst";
    }

    /** Returns the line of a product of n × n matrices, beside cuBLASLt's. */
    public String measure(int n, DataType type, DataType result, Transpose a, Transpose b, Gemm.Schedule schedule) {
        long count = (long) n * n;
        try (DeviceArray left = duel.random(type, count, 1);
                DeviceArray right = duel.random(type, count, 2);
                DeviceArray ours = device.allocate(result, count);
                DeviceArray theirs = device.allocate(result, count);
                CublasLtProduct product = new CublasLtProduct(n, n, n, a, b, left, right, theirs);
                Gemm gemm = Gemm.plan(a, b, n, n, n, 1, left, right, 0, ours, schedule)) {
            PreparedLaunch launch = gemm.prepare();
            GpuDuel.Times times = duel.measure(() -> launch.launch(duel.stream()), () -> product.run(duel.stream()));
            String form = (a == Transpose.NONE ? "N" : "T") + (b == Transpose.NONE ? "N" : "T");
            return line(n + " x " + n + " x " + n, type, form, result, 2.0 * n * n * n, times, ours, theirs);
        }
    }

    /**
     * Returns the line of a product of n × n matrices of bf16 with a bias and max(x, 0) as its epilogue, beside {@link
     * Gemm}'s without.
     */
    public String measureEpilogue(int n) {
        long count = (long) n * n;
        Gemm.Schedule schedule = Gemm.Schedule.DEFAULT;
        try (DeviceArray left = duel.random(DataType.BFLOAT16, count, 1);
                DeviceArray right = duel.random(DataType.BFLOAT16, count, 2);
                DeviceArray ours = device.allocate(DataType.BFLOAT16, count);
                DeviceArray plain = device.allocate(DataType.BFLOAT16, count);
                DeviceArray bias = device.allocate(DataType.FLOAT32, n);
                DeviceArray maps = device.allocate(DataType.INT8, 2L * TensorMap.BYTES);
                KernelCompiler<GpuKernel> compiler = KernelCompiler.of(device, CompileOptions.DEFAULT.withSuffix("a"));
                GpuKernel kernel = compiler.compile(BiasKernels::biasRelu);
                Gemm gemm =
                        Gemm.plan(Transpose.NONE, Transpose.TRANSPOSE, n, n, n, 1, left, right, 0, plain, schedule)) {
            GemmTile.Problem problem = new GemmTile.Problem(
                    Gemm.mapA(maps, 0, left, false, n, n),
                    Gemm.mapB(maps, 1, right, true, n, n),
                    1,
                    Ptr.of(maps).asI32(),
                    n,
                    n,
                    n,
                    schedule.group());
            int blocks = device.properties().multiprocessors() / schedule.cluster() * schedule.cluster();
            LaunchConfig config = LaunchConfig.grid(blocks)
                    .block(GemmTile.THREADS)
                    .shared(GemmTile.SHARED_BYTES)
                    .cluster(schedule.cluster());
            PreparedLaunch with = kernel.prepare(config, problem, bias, ours);
            PreparedLaunch without = gemm.prepare();
            GpuDuel.Times times = duel.measure(() -> with.launch(duel.stream()), () -> without.launch(duel.stream()));
            double flops = 2.0 * n * n * n;
            return String.format(
                            Locale.ROOT,
                            "%21s %-13s bias, max(x, 0): %.1f us, without %.1f us; it costs %.1f %%",
                            n + " x " + n + " x " + n,
                            DataType.BFLOAT16,
                            times.ours() * 1e3,
                            times.theirs() * 1e3,
                            (times.ours() / times.theirs() - 1) * 100)
                    + String.format(Locale.ROOT, ", %.1f TFLOP/s", flops / times.ours() * 1e-9);
        }
    }

    /**
     * Returns the line of the products of a layer of experts, with 128 to 4096 rows each, beside cuBLAS's grouped
     * product.
     *
     * @param n columns of the results
     * @param k summed indices
     */
    public String measureExperts(int experts, int n, int k, DataType type, Gemm.Schedule schedule) {
        HostArray offsets = HostArray.allocate(DataType.INT32, experts + 1L);
        for (int i = 0; i < experts; i++) {
            // Spread evenly, in an order that is none.
            int place = (int) (i * 37L % experts);
            int rows = LEAST_TOKENS + (int) ((long) (MOST_TOKENS - LEAST_TOKENS) * place / Math.max(1, experts - 1));
            offsets.setInt(i + 1L, offsets.getInt(i) + rows);
        }
        int all = offsets.getInt(experts);
        try (DeviceArray left = duel.random(type, (long) all * k, 1);
                DeviceArray right = experts(experts, type, (long) n * k);
                DeviceArray ours = device.allocate(type, (long) all * n);
                DeviceArray theirs = device.allocate(type, (long) all * n);
                DeviceArray there = device.allocate(DataType.INT32, experts + 1L);
                CublasGroups groups = new CublasGroups(offsets, n, k, left, right, theirs, duel.stream())) {
            there.copyFrom(offsets);
            try (Gemm gemm = Gemm.planGrouped(Transpose.TRANSPOSE, there, n, k, 1, left, right, 0, ours, schedule)) {
                PreparedLaunch launch = gemm.prepare();
                GpuDuel.Times times = duel.measure(() -> launch.launch(duel.stream()), groups::run);
                String shape = all + " x " + n + " x " + k;
                return line(shape, type, "G" + experts, type, 2.0 * all * n * k, times, ours, theirs);
            }
        }
    }

    /** Matrices of the same content, each in memory of its own. */
    private DeviceArray experts(int experts, DataType type, long count) {
        DeviceArray array = device.allocate(type, experts * count);
        try (DeviceArray one = duel.random(type, count, 2)) {
            for (int i = 0; i < experts; i++) {
                array.slice(i * count, count).copyFrom(one);
            }
        }
        return array;
    }

    private static String line(
            String shape,
            DataType type,
            String form,
            DataType result,
            double flops,
            GpuDuel.Times times,
            DeviceArray ours,
            DeviceArray theirs) {
        return String.format(
                Locale.ROOT,
                "%21s %-13s %-4s %-10s %10.1f %8.1f %12.1f %8.1f %7.3f %8.2g",
                shape,
                type,
                form,
                result,
                times.ours() * 1e3,
                flops / times.ours() * 1e-9,
                times.theirs() * 1e3,
                flops / times.theirs() * 1e-9,
                times.theirs() / times.ours(),
                GpuDuel.difference(ours, theirs));
    }

    @Override
    public void close() {
        duel.close();
    }
}
