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
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;

/** The first kernel: y = a x + y, an element for each thread, on a GPU if there is one and on the CPU otherwise. */
class KernelSaxpy {
    @Kernel
    static void saxpy(int n, float a, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }

    /** The argument is the number of elements. */
    public static void main(String[] args) {
        try (Device gpu = Cuda.problem() == null ? Device.of(0) : null;
                KernelCompiler<?> compiler = gpu == null ? KernelCompiler.cpu() : KernelCompiler.of(gpu);
                CompiledKernel saxpy = compiler.compile(KernelSaxpy::saxpy)) {
            int n = size(args, gpu == null ? 1_000_000 : 50_000_000);
            HostArray values = HostArray.allocate(DataType.FLOAT32, n);
            for (int i = 0; i < n; i++) {
                values.setFloat(i, i / 7f);
            }
            Buffer x = array(gpu, n);
            Buffer y = array(gpu, n);
            x.copyFrom(values);
            y.fill(1);
            LaunchConfig config = LaunchConfig.forElements(n);
            saxpy.launch(config, n, 2f, x, y);
            HostArray result = y.toHost();
            boolean right = true;
            for (int i = 0; i < n; i++) {
                right &= result.getFloat(i) == 2f * values.getFloat(i) + 1;
            }
            long best = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                long begin = System.nanoTime();
                saxpy.launch(config, n, 2f, x, y);
                best = Math.min(best, System.nanoTime() - begin);
            }
            System.out.printf(
                    "%s: %d elements, %s, %.3f ms, %.3f GB/s%n",
                    gpu == null ? "CPU" : gpu.name(),
                    n,
                    right ? "as in plain Java" : "WRONG",
                    best / 1e6,
                    12.0 * n / best);
            if (!right) {
                System.exit(1);
            }
        }
    }

    private static Buffer array(Device gpu, int n) {
        return gpu == null ? HostArray.allocate(DataType.FLOAT32, n) : gpu.allocate(DataType.FLOAT32, n);
    }

    /** The argument, or {@code otherwise} if there is none. */
    private static int size(String[] args, int otherwise) {
        try {
            int size = args.length == 0 ? otherwise : Integer.parseInt(args[0]);
            if (args.length < 2 && size >= 1 && size <= 500_000_000) {
                return size;
            }
        } catch (NumberFormatException e) {
            // As a number out of range.
        }
        System.err.println("KernelSaxpy: the argument is the number of elements, from 1 to 500000000");
        System.exit(2);
        return 0;
    }
}
