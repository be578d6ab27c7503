// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.F32Ptr;
import org.comm4j.kernel.GlobalIdx;
import org.comm4j.kernel.Kernel;
import org.comm4j.kernel.KernelCompiler;

/** The first kernel: y = a x + y, an element for each thread, on a GPU if there is one and on the CPU otherwise. */
class KernelSaxpy {
    @Kernel
    static void saxpy(int n, float a, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }

    public static void main(String[] args) {
        int n = 1_000_000;
        try (Device gpu = Cuda.problem() == null ? Device.of(0) : null;
                KernelCompiler<?> compiler = gpu == null ? KernelCompiler.cpu() : KernelCompiler.of(gpu);
                CompiledKernel saxpy = compiler.compile(KernelSaxpy::saxpy)) {
            HostArray x = array(gpu, n);
            HostArray y = array(gpu, n);
            for (int i = 0; i < n; i++) {
                x.setFloat(i, i);
                y.setFloat(i, 1);
            }
            saxpy.launch(LaunchConfig.forElements(n), n, 2f, x, y);
            System.out.println((gpu == null ? "CPU" : gpu.name()) + ": y[999999] = " + y.getFloat(n - 1));
        }
    }

    /** Memory of the host, which a GPU reads and writes where it is if it is pinned. */
    private static HostArray array(Device gpu, int n) {
        return gpu == null ? HostArray.allocate(DataType.FLOAT32, n) : gpu.allocatePinned(DataType.FLOAT32, n);
    }
}
