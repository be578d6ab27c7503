// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import java.util.Arrays;
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
import org.comm4j.kernel.lang.Restrict;

/**
 * Jacobi's method for a plate that is hot on its left side: every inner point becomes the mean of its neighbours, again
 * and again.
 */
class KernelJacobi {
    private static final int STEPS = 400;

    @Kernel
    static void step(int side, @Restrict F32Ptr from, @Restrict F32Ptr to) {
        int x = GlobalIdx.x() + 1;
        int y = GlobalIdx.y() + 1;
        if (x < side - 1 && y < side - 1) {
            int at = y * side + x;
            to.set(at, 0.25f * (from.get(at - 1) + from.get(at + 1) + from.get(at - side) + from.get(at + side)));
        }
    }

    /** The argument is how many points a side has. */
    public static void main(String[] args) {
        try (Device gpu = Cuda.problem() == null ? Device.of(0) : null;
                KernelCompiler<?> compiler = gpu == null ? KernelCompiler.cpu() : KernelCompiler.of(gpu);
                CompiledKernel step = compiler.compile(KernelJacobi::step)) {
            int side = size(args, gpu == null ? 128 : 2048);
            HostArray start = start(side);
            Buffer plate = array(gpu, start);
            Buffer next = array(gpu, start);
            LaunchConfig config =
                    LaunchConfig.grid((side + 31) / 32, (side + 7) / 8).block(32, 8);
            long begin = System.nanoTime();
            for (int i = 0; i < STEPS; i += 2) {
                step.launch(config, side, plate, next);
                step.launch(config, side, next, plate);
            }
            long time = System.nanoTime() - begin;
            float[] result = plate.toHost().toFloatArray();
            boolean right = Arrays.equals(result, plain(side, start.toFloatArray()));
            System.out.printf("%s: %d x %d,", gpu == null ? "CPU" : gpu.name(), side, side);
            for (int x = 0; x < 4; x++) {
                System.out.printf(" %.3f", result[side / 2 * side + x]);
            }
            System.out.printf(
                    " ..., %s, %.3f ms for %d steps, %.3f GB/s%n",
                    right ? "as in plain Java" : "WRONG",
                    time / 1e6,
                    STEPS,
                    8.0 * STEPS * (side - 2) * (side - 2) / time);
            if (!right) {
                System.exit(1);
            }
        }
    }

    /** Cold but for its left side. */
    private static HostArray start(int side) {
        HostArray plate = HostArray.allocate(DataType.FLOAT32, (long) side * side);
        for (long y = 0; y < side; y++) {
            plate.setFloat(y * side, 1);
        }
        return plate;
    }

    private static Buffer array(Device gpu, HostArray values) {
        Buffer array = gpu == null
                ? HostArray.allocate(DataType.FLOAT32, values.count())
                : gpu.allocate(DataType.FLOAT32, values.count());
        array.copyFrom(values);
        return array;
    }

    /** The same without a kernel. */
    private static float[] plain(int side, float[] start) {
        float[] from = start;
        float[] to = start.clone();
        for (int i = 0; i < STEPS; i++) {
            for (int y = 1; y < side - 1; y++) {
                for (int at = y * side + 1; at < y * side + side - 1; at++) {
                    to[at] = 0.25f * (from[at - 1] + from[at + 1] + from[at - side] + from[at + side]);
                }
            }
            float[] made = to;
            to = from;
            from = made;
        }
        return from;
    }

    /** The argument, or {@code otherwise} if there is none. */
    private static int size(String[] args, int otherwise) {
        try {
            int size = args.length == 0 ? otherwise : Integer.parseInt(args[0]);
            if (args.length < 2 && size >= 4 && size <= 16_384) {
                return size;
            }
        } catch (NumberFormatException e) {
            // As a number out of range.
        }
        System.err.println("KernelJacobi: the argument is the points of a side, from 4 to 16384");
        System.exit(2);
        return 0;
    }
}
