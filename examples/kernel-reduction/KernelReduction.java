// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/**
 * The sum of many numbers: threads, then warps by shuffles, then blocks in shared memory, then all by an atomic
 * addition.
 */
class KernelReduction {
    private static final int THREADS = 256;

    @Kernel
    static void sum(int n, F64Ptr values, F64Ptr total) {
        double[] ofWarps = Shared.f64(THREADS / Warp.SIZE);
        double sum = 0;
        for (int i = GlobalIdx.x(); i < n; i += GridDim.x() * BlockDim.x()) {
            sum += values.get(i);
        }
        for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
            sum += Warp.shuffleDown(sum, by);
        }
        if (Warp.laneId() == 0) {
            ofWarps[ThreadIdx.x() / Warp.SIZE] = sum;
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            double all = 0;
            for (int warp = 0; warp < THREADS / Warp.SIZE; warp++) {
                all += ofWarps[warp];
            }
            total.atomicAdd(0, all);
        }
    }

    /** The argument is how many numbers. */
    public static void main(String[] args) {
        try (Device gpu = Cuda.problem() == null ? Device.of(0) : null;
                KernelCompiler<?> compiler = gpu == null ? KernelCompiler.cpu() : KernelCompiler.of(gpu);
                CompiledKernel sum = compiler.compile(KernelReduction::sum)) {
            int n = size(args, gpu == null ? 100_000 : 50_000_000);
            HostArray numbers = HostArray.allocate(DataType.FLOAT64, n);
            for (int i = 0; i < n; i++) {
                numbers.setDouble(i, i);
            }
            Buffer values = array(gpu, n);
            values.copyFrom(numbers);
            Buffer total = array(gpu, 1);
            LaunchConfig config = LaunchConfig.grid(gpu == null ? 16 : 1024).block(THREADS);
            // All of it are integers that a double has exactly, in whatever order they are added.
            double expected = (n - 1) / 2.0 * n;
            boolean right = true;
            long best = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                total.fill(0);
                long begin = System.nanoTime();
                sum.launch(config, n, values, total);
                best = Math.min(best, System.nanoTime() - begin);
                right &= total.toHost().getDouble(0) == expected;
            }
            System.out.printf(
                    "%s: the sum of %d numbers is %.0f, %s, %.3f ms, %.3f GB/s%n",
                    gpu == null ? "CPU" : gpu.name(),
                    n,
                    total.toHost().getDouble(0),
                    right ? "as it should be" : "WRONG: not " + expected,
                    best / 1e6,
                    8.0 * n / best);
            if (!right) {
                System.exit(1);
            }
        }
    }

    private static Buffer array(Device gpu, int n) {
        return gpu == null ? HostArray.allocate(DataType.FLOAT64, n) : gpu.allocate(DataType.FLOAT64, n);
    }

    /** The argument, or {@code otherwise} if there is none. */
    private static int size(String[] args, int otherwise) {
        try {
            int size = args.length == 0 ? otherwise : Integer.parseInt(args[0]);
            if (args.length < 2 && size >= 1 && size <= 100_000_000) {
                return size;
            }
        } catch (NumberFormatException e) {
            // As a number out of range.
        }
        System.err.println("KernelReduction: the argument is how many numbers, from 1 to 100000000");
        System.exit(2);
        return 0;
    }
}
