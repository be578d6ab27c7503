// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import curand.Philox;
import curand.Philox.Uint2;
import curand.Philox.Uint4;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;

/**
 * Pi by random points, with cuRAND's generator from CUDA's header: {@code curand.Philox} is what {@code comm4j
 * bind} made of it.
 */
class KernelCurand {
    /**
     * How many of 2 n points of a square are in the circle. Philox makes four random numbers of a counter and a key.
     */
    @Kernel
    static void inside(long n, int key, I64Ptr count) {
        long own = 0;
        for (long i = GlobalIdx.xLong(); i < n; i += (long) GridDim.x() * BlockDim.x()) {
            Uint4 random = Philox.curand_Philox4x32_10(new Uint4((int) i, (int) (i >>> 32), 0, 0), new Uint2(key, 0));
            own += isInside(random.x(), random.y()) + isInside(random.z(), random.w());
        }
        count.atomicAdd(0, own);
    }

    private static int isInside(int first, int second) {
        float x = (first >>> 8) * 0x1p-24f;
        float y = (second >>> 8) * 0x1p-24f;
        return x * x + y * y < 1 ? 1 : 0;
    }

    /**
     * The same in Java, from the paper: ten rounds of products and exclusive ors. It is what the kernel calls on the
     * CPU.
     */
    private static Uint4 philox(Uint4 counter, Uint2 key) {
        Uint4 c = counter;
        for (int round = 0; round < 10; round++) {
            long first = 0xd2511f53L * Integer.toUnsignedLong(c.x());
            long second = 0xcd9e8d57L * Integer.toUnsignedLong(c.z());
            int key0 = key.x() + round * 0x9e3779b9;
            int key1 = key.y() + round * 0xbb67ae85;
            c = new Uint4((int) (second >>> 32) ^ c.y() ^ key0, (int) second, (int) (first >>> 32) ^ c.w() ^ key1, (int)
                    first);
        }
        return c;
    }

    /** The arguments are folders of CUDA's headers, if these are neither in CUDA_HOME nor in /usr/local/cuda. */
    public static void main(String[] args) {
        Philox.cpu(new Philox.Cpu() {
            @Override
            public Uint4 curand_Philox4x32_10(Uint4 counter, Uint2 key) {
                return philox(counter, key);
            }
        });
        List<Path> headers = headers(args);
        if (Cuda.problem() != null) {
            System.out.println(
                    "There is no GPU: on the CPU the kernel calls the generator in Java, not the one of CUDA's header.");
        } else if (headers.isEmpty()) {
            System.out.println(
                    "There is a GPU, but no curand_philox4x32_x.h: set CUDA_HOME, or give its folder as an argument."
                            + " On the CPU the kernel calls the generator in Java.");
        }
        try (Device gpu = Cuda.problem() == null && !headers.isEmpty() ? Device.of(0) : null;
                KernelCompiler<?> compiler = gpu == null
                        ? KernelCompiler.cpu()
                        : KernelCompiler.of(
                                gpu, CompileOptions.DEFAULT.with(Philox.deviceUnit(headers.toArray(Path[]::new))));
                CompiledKernel inside = compiler.compile(KernelCurand::inside)) {
            long n = gpu == null ? 1_000_001 : 1_000_000_001;
            LaunchConfig config = LaunchConfig.grid(gpu == null ? 8 : 2048).block(256);
            Buffer count = gpu == null ? HostArray.allocate(DataType.INT64, 1) : gpu.allocate(DataType.INT64, 1);
            inside.launch(config, 1_000_001L, 42, count);
            long checked = count.toHost().getLong(0);
            count.fill(0);
            long begin = System.nanoTime();
            inside.launch(config, n, 42, count);
            long time = System.nanoTime() - begin;
            long expected = 0;
            for (int i = 0; i < 1_000_001; i++) {
                Uint4 random = philox(new Uint4(i, 0, 0, 0), new Uint2(42, 0));
                expected += isInside(random.x(), random.y()) + isInside(random.z(), random.w());
            }
            boolean right = checked == expected;
            System.out.printf(
                    "%s: pi is about %.5f, %s, %.3f ms, %.3f G numbers/s%n",
                    gpu == null ? "CPU" : gpu.name(),
                    4.0 * count.toHost().getLong(0) / (2 * n),
                    right ? "as in plain Java" : "WRONG: " + checked + ", not " + expected,
                    time / 1e6,
                    4.0 * n / time);
            if (!right) {
                System.exit(1);
            }
        }
    }

    /** The folders given, or CUDA's; empty if the header is in none. */
    private static List<Path> headers(String[] args) {
        List<Path> folders = new ArrayList<>(Arrays.stream(args).map(Path::of).toList());
        String home = System.getenv("CUDA_HOME");
        folders.add(Path.of(home == null ? "/usr/local/cuda" : home).resolve("include"));
        folders.add(folders.getLast().resolve("cccl"));
        for (Path given : folders.subList(0, args.length)) {
            if (!Files.isDirectory(given)) {
                System.err.println(
                        "KernelCurand: there is no folder " + given + "; arguments are folders of CUDA's headers");
                System.exit(2);
            }
        }
        folders.removeIf(folder -> !Files.isDirectory(folder));
        boolean there =
                folders.stream().anyMatch(folder -> Files.isRegularFile(folder.resolve("curand_philox4x32_x.h")));
        return there ? folders : List.of();
    }
}
