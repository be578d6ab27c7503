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

/** Jacobi's method for a plate that is hot on its left side: every inner point becomes the mean of its neighbours, again and again. */
class KernelJacobi {
    @Kernel
    static void step(int side, F32Ptr from, F32Ptr to) {
        int x = GlobalIdx.x() + 1;
        int y = GlobalIdx.y() + 1;
        if (x < side - 1 && y < side - 1) {
            int at = y * side + x;
            to.set(at, 0.25f * (from.get(at - 1) + from.get(at + 1) + from.get(at - side) + from.get(at + side)));
        }
    }

    public static void main(String[] args) {
        int side = 128;
        try (Device gpu = Cuda.problem() == null ? Device.of(0) : null;
                KernelCompiler<?> compiler = gpu == null ? KernelCompiler.cpu() : KernelCompiler.of(gpu);
                CompiledKernel step = compiler.compile(KernelJacobi::step)) {
            HostArray plate = plate(gpu, side);
            HostArray next = plate(gpu, side);
            LaunchConfig config = LaunchConfig.grid(side / 32, side / 8).block(32, 8);
            for (int i = 0; i < 200; i++) {
                step.launch(config, side, plate, next);
                step.launch(config, side, next, plate);
            }
            System.out.printf("%s:", gpu == null ? "CPU" : gpu.name());
            for (int x = 0; x < 6; x++) {
                System.out.printf(" %.3f", plate.getFloat((long) side / 2 * side + x));
            }
            System.out.println();
        }
    }

    /** Cold but for its left side; in memory of the host, which a GPU reads and writes where it is if it is pinned. */
    private static HostArray plate(Device gpu, int side) {
        long n = (long) side * side;
        HostArray plate =
                gpu == null ? HostArray.allocate(DataType.FLOAT32, n) : gpu.allocatePinned(DataType.FLOAT32, n);
        plate.fill(0);
        for (long y = 0; y < side; y++) {
            plate.setFloat(y * side, 1);
        }
        return plate;
    }
}
