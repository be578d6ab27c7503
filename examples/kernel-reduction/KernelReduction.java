// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Block;
import org.comm4j.kernel.BlockDim;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.F64Ptr;
import org.comm4j.kernel.GlobalIdx;
import org.comm4j.kernel.GridDim;
import org.comm4j.kernel.Kernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.Shared;
import org.comm4j.kernel.ThreadIdx;
import org.comm4j.kernel.Warp;

/** The sum of many numbers: threads, then warps by shuffles, then blocks in shared memory, then all by an atomic addition. */
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

    public static void main(String[] args) {
        int n = 100_000;
        try (Device gpu = Cuda.problem() == null ? Device.of(0) : null;
                KernelCompiler<?> compiler = gpu == null ? KernelCompiler.cpu() : KernelCompiler.of(gpu);
                CompiledKernel sum = compiler.compile(KernelReduction::sum)) {
            HostArray values = array(gpu, n);
            HostArray total = array(gpu, 1);
            for (int i = 0; i < n; i++) {
                values.setDouble(i, i);
            }
            total.setDouble(0, 0);
            sum.launch(LaunchConfig.grid(16).block(THREADS), n, values, total);
            System.out.println((gpu == null ? "CPU" : gpu.name()) + ": the sum is " + (long) total.getDouble(0));
        }
    }

    /** Memory of the host, which a GPU reads and writes where it is if it is pinned. */
    private static HostArray array(Device gpu, int n) {
        return gpu == null ? HostArray.allocate(DataType.FLOAT64, n) : gpu.allocatePinned(DataType.FLOAT64, n);
    }
}
