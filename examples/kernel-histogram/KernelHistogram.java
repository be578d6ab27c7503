// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import java.util.Arrays;
import java.util.Random;
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
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * How often each byte occurs: each block counts in its own shared memory, whose atomics are fast, and adds that to the
 * result at the end.
 */
class KernelHistogram {
    private static final int BINS = 256;

    @Kernel
    static void histogram(int n, I8Ptr bytes, I32Ptr counts) {
        I32Ptr own = I32Ptr.of(Shared.i32(BINS));
        for (int bin = ThreadIdx.x(); bin < BINS; bin += BlockDim.x()) {
            own.set(bin, 0);
        }
        Block.sync();
        for (int i = GlobalIdx.x(); i < n; i += GridDim.x() * BlockDim.x()) {
            own.atomicAdd(bytes.get(i) & 0xff, 1);
        }
        Block.sync();
        for (int bin = ThreadIdx.x(); bin < BINS; bin += BlockDim.x()) {
            counts.atomicAdd(bin, own.get(bin));
        }
    }

    /** The argument is how many bytes. */
    public static void main(String[] args) {
        try (Device gpu = Cuda.problem() == null ? Device.of(0) : null;
                KernelCompiler<?> compiler = gpu == null ? KernelCompiler.cpu() : KernelCompiler.of(gpu);
                CompiledKernel histogram = compiler.compile(KernelHistogram::histogram)) {
            byte[] bytes = new byte[size(args, gpu == null ? 3_000_001 : 300_000_001)];
            new Random(1).nextBytes(bytes);
            // Some are there more often than others.
            Arrays.fill(bytes, 0, bytes.length / 10, (byte) 'e');
            HostArray host = HostArray.allocate(DataType.UINT8, bytes.length);
            host.copyFrom(bytes);
            Buffer there = gpu == null ? host : gpu.allocate(DataType.UINT8, bytes.length);
            Buffer counts = gpu == null ? HostArray.allocate(DataType.INT32, BINS) : gpu.allocate(DataType.INT32, BINS);
            if (gpu != null) {
                there.copyFrom(host);
            }
            LaunchConfig config = LaunchConfig.grid(gpu == null ? 8 : 1024).block(256);
            long best = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                counts.fill(0);
                long begin = System.nanoTime();
                histogram.launch(config, bytes.length, there, counts);
                best = Math.min(best, System.nanoTime() - begin);
            }
            int[] expected = new int[BINS];
            for (byte each : bytes) {
                expected[each & 0xff]++;
            }
            boolean right = Arrays.equals(counts.toHost().toIntArray(), expected);
            System.out.printf(
                    "%s: %d bytes, %s, %d times 'e', %.3f ms, %.3f GB/s%n",
                    gpu == null ? "CPU" : gpu.name(),
                    bytes.length,
                    right ? "as in plain Java" : "WRONG",
                    counts.toHost().getInt('e'),
                    best / 1e6,
                    (double) bytes.length / best);
            if (!right) {
                System.exit(1);
            }
        }
    }

    /** The argument, or {@code otherwise} if there is none. */
    private static int size(String[] args, int otherwise) {
        try {
            int size = args.length == 0 ? otherwise : Integer.parseInt(args[0]);
            if (args.length < 2 && size >= 1 && size <= 2_000_000_000) {
                return size;
            }
        } catch (NumberFormatException e) {
            // As a number out of range.
        }
        System.err.println("KernelHistogram: the argument is how many bytes, from 1 to 2000000000");
        System.exit(2);
        return 0;
    }
}
