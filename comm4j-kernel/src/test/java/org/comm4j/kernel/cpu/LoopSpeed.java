// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridReduce;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.kernel.samples.MatrixProduct;
import org.comm4j.kernel.samples.Reduction;

/**
 * How fast kernels whose threads wait for each other run on the CPU, beside plain Java loops for the same problem, on
 * one thread, in time of the processor; the last column is how many times longer they take with checks. Not a test:
 * {@code main} prints a table. Arguments: names of cases, all of them without one; {@code sums} and a number of
 * elements are sums over a launch, which only run then; {@code launch} alone is what
 * launches take and allocate, {@code first} what the first ones of a process take.
 */
@SuppressWarnings("SystemOut")
public final class LoopSpeed {
    private static final int N = 1 << 20;
    private static final long ROUND = 500_000_000L;
    private static final int ROUNDS = 5;
    private static final int LAUNCHES = 10_000;
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private LoopSpeed() {}

    private record Case(String name, Made kernel, Consumer<CpuKernel> launch, Runnable plain) {}

    /**
     * A kernel.
     *
     * @param checked the same with checks, in an order that is drawn
     * @param first milliseconds to compile it and to launch one block
     */
    private record Made(CpuKernel kernel, CpuKernel checked, double first) {}

    /** Sums within a block, in steps of halves. */
    @Kernel
    static void blockSums(F32Ptr x, F32Ptr sums) {
        float[] part = Shared.f32(256);
        int t = ThreadIdx.x();
        part[t] = x.get(GlobalIdx.x());
        Block.sync();
        for (int half = 128; half > 0; half /= 2) {
            if (t < half) {
                part[t] += part[t + half];
            }
            Block.sync();
        }
        if (t == 0) {
            sums.set(BlockIdx.x(), part[0]);
        }
    }

    /** Prefix sums within a block. */
    @Kernel
    static void blockScan(I32Ptr x, I32Ptr y) {
        int[] sums = Shared.i32(256);
        int t = ThreadIdx.x();
        sums[t] = x.get(GlobalIdx.x());
        Block.sync();
        for (int by = 1; by < BlockDim.x(); by *= 2) {
            int left = t >= by ? sums[t - by] : 0;
            Block.sync();
            sums[t] += left;
            Block.sync();
        }
        y.set(GlobalIdx.x(), sums[t]);
    }

    /** A sum for each warp. */
    @Kernel
    static void warpSums(F32Ptr x, F32Ptr sums) {
        float sum = x.get(GlobalIdx.x());
        for (int by = 16; by > 0; by /= 2) {
            sum += Warp.shuffleXor(sum, by);
        }
        if (Warp.laneId() == 0) {
            sums.set(GlobalIdx.x() / 32, sum);
        }
    }

    /** The positive elements of each warp, without gaps. */
    @Kernel
    static void compact(F32Ptr x, F32Ptr y, I32Ptr counts) {
        float value = x.get(GlobalIdx.x());
        int kept = Warp.ballot(value > 0);
        int before = Integer.bitCount(kept & (1 << Warp.laneId()) - 1);
        if (value > 0) {
            y.set((GlobalIdx.x() & -32) + before, value);
        }
        if (Warp.laneId() == 0) {
            counts.set(GlobalIdx.x() / 32, Integer.bitCount(kept));
        }
    }

    /** Three points in shared memory. */
    @Kernel
    static void stencil(int n, F32Ptr x, F32Ptr y) {
        float[] tile = Shared.f32(258);
        int t = ThreadIdx.x();
        int i = GlobalIdx.x();
        tile[t + 1] = x.get(i);
        if (t == 0) {
            tile[0] = i > 0 ? x.get(i - 1) : 0;
        }
        if (t == 255) {
            tile[257] = i + 1 < n ? x.get(i + 1) : 0;
        }
        Block.sync();
        y.set(i, 0.25f * tile[t] + 0.5f * tile[t + 1] + 0.25f * tile[t + 2]);
    }

    /** Without barriers. */
    @Kernel
    static void saxpy(int n, float a, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }

    private static void saxpy(float a, float[] x, float[] y) {
        for (int i = 0; i < x.length; i++) {
            y[i] += a * x[i];
        }
    }

    public static void main(String[] names) {
        if (names.length == 1 && "first".equals(names[0])) {
            firstLaunches();
            return;
        }
        if (names.length == 1 && "launch".equals(names[0])) {
            launches(f32(N));
            return;
        }
        System.out.printf(
                "%-28s %12s %12s %8s %12s %12s%n",
                "1 thread", "kernel us", "loops us", "ratio", "first ms", "checked x");
        float[] x = new float[N];
        for (int i = 0; i < N; i++) {
            x[i] = (i * 37 % 101 - 50) / 50f;
        }
        int[] ints = new int[N];
        Arrays.setAll(ints, i -> i * 40503 % 1000);
        HostArray xs = HostArray.of(x);
        HostArray is = HostArray.of(ints);
        double[] doubles = new double[N];
        Arrays.setAll(doubles, i -> x[i]);
        HostArray ds = HostArray.of(doubles);
        LaunchConfig blocks = LaunchConfig.grid(N / 256).block(256);
        float[] sums = new float[N / 32];
        int[] counts = new int[N];
        float[] y = new float[N];
        List<Case> cases = List.of(
                kernel("saxpy", "saxpy", blocks, () -> saxpy(2, x, y), N, 2f, xs, f32(N)),
                kernel("block sums", "blockSums", blocks, () -> sums(256, x, sums), xs, f32(N / 256)),
                kernel("block scan", "blockScan", blocks, () -> scan(ints, counts), is, i32(N)),
                kernel("stencil in shared memory", "stencil", blocks, () -> stencil(x, y), N, xs, f32(N)),
                product(256),
                reduction("blocks", ds, doubles),
                reduction("warps", ds, doubles),
                kernel("warp sums", "warpSums", blocks, () -> sums(32, x, sums), xs, f32(N / 32)),
                kernel("compact by ballot", "compact", blocks, () -> compact(x, y, counts), xs, f32(N), i32(N / 32)));
        List<Case> all = new ArrayList<>(cases);
        if (names.length > 0 && "sums".equals(names[0])) {
            all.addAll(sums(names.length == 1 ? N : Integer.parseInt(names[1])));
        }
        for (Case each : all) {
            boolean isOfSums = !cases.contains(each);
            if (names.length == 0 || isOfSums || Arrays.asList(names).contains(each.name)) {
                compare(each);
            }
        }
    }

    /** Sums over a launch of some elements, beside loops with one sum and with four. */
    private static List<Case> sums(int n) {
        double[] x = numbers(n, 37);
        double[] y = numbers(n, 41);
        float[] u = new float[n];
        float[] v = new float[n];
        for (int i = 0; i < n; i++) {
            u[i] = (float) x[i];
            v[i] = (float) y[i];
        }
        HostArray xs = HostArray.of(x);
        HostArray ys = HostArray.of(y);
        HostArray us = HostArray.of(u);
        HostArray vs = HostArray.of(v);
        double[] result = new double[1];
        List<Case> cases = new ArrayList<>();
        sum(cases, n, "dot", "dot", () -> result[0] = SumKernels.dot(x, y), n, xs, ys);
        sum(cases, n, "dot, 4 sums", "dot", () -> result[0] = SumKernels.dotOfFour(x, y), n, xs, ys);
        sum(cases, n, "dot f32", "dotOfFloats", () -> result[0] = SumKernels.dot(u, v), n, us, vs);
        sum(cases, n, "dot f32, 4 sums", "dotOfFloats", () -> result[0] = SumKernels.dotOfFour(u, v), n, us, vs);
        double[] p = x.clone();
        double[] q = y.clone();
        HostArray ps = HostArray.of(p);
        HostArray qs = HostArray.of(q);
        double a = 1e-9;
        sum(cases, n, "update", "update", () -> result[0] = SumKernels.update(a, p, q, x, y), n, a, ps, qs, xs, ys);
        sum(
                cases,
                n,
                "update, 4 sums",
                "update",
                () -> result[0] = SumKernels.updateOfFour(a, p, q, x, y),
                n,
                a,
                ps,
                qs,
                xs,
                ys);
        float b = 1e-9f;
        float[] w = u.clone();
        float[] z = v.clone();
        Object[] floats = {n, b, HostArray.of(w), HostArray.of(z), us, vs};
        sum(cases, n, "update f32", "updateOfFloats", () -> result[0] = SumKernels.update(b, w, z, u, v), floats);
        sum(
                cases,
                n,
                "update f32, 4 sums",
                "updateOfFloats",
                () -> result[0] = SumKernels.updateOfFour(b, w, z, u, v),
                floats);
        return cases;
    }

    private static double[] numbers(int n, int factor) {
        double[] numbers = new double[n];
        Arrays.setAll(numbers, i -> (i * factor % 101 - 50) / 50.0);
        return numbers;
    }

    private static void sum(List<Case> cases, int n, String name, String method, Runnable plain, Object... arguments) {
        LaunchConfig config = LaunchConfig.grid(n / 1024).block(1024);
        Object[] all = Arrays.copyOf(arguments, arguments.length + 3);
        all[arguments.length] = HostArray.allocate(DataType.FLOAT64, 1);
        all[arguments.length + 1] = HostArray.allocate(DataType.FLOAT64, GridReduce.workspace(config, 1));
        all[arguments.length + 2] = HostArray.allocate(DataType.INT32, 1);
        Made kernel = kernel(SumKernels.class, method, config, all);
        cases.add(new Case(name + " of " + n, kernel, made -> made.launch(config, all), plain));
    }

    /** What it takes to compile kernels, one after the other in a new process, and to launch one block. */
    private static void firstLaunches() {
        LaunchConfig block = LaunchConfig.grid(1).block(256);
        HostArray x = f32(N);
        HostArray y = f32(N);
        HostArray from = i32(N);
        HostArray to = i32(N);
        first(LoopSpeed.class, "saxpy", block, 256, 2f, x, y);
        first(LoopSpeed.class, "blockSums", block, x, y);
        first(LoopSpeed.class, "blockScan", block, from, to);
        first(LoopSpeed.class, "stencil", block, 256, x, y);
        LaunchConfig tile = LaunchConfig.grid(1).block(MatrixProduct.TILE, MatrixProduct.TILE);
        first(MatrixProduct.class, "tiled", tile, 16, 16, 16, x, y, f32(N));
        HostArray values = HostArray.allocate(DataType.FLOAT64, N);
        HostArray sums = HostArray.allocate(DataType.FLOAT64, 1);
        LaunchConfig reducing = LaunchConfig.grid(1).block(Reduction.THREADS);
        first(Reduction.class, "blocks", reducing, 1000, values, sums);
        first(Reduction.class, "warps", reducing, 1000, values, sums);
        first(LoopSpeed.class, "warpSums", block, x, y);
        first(LoopSpeed.class, "compact", block, x, y, to);
    }

    private static void first(Class<?> type, String name, LaunchConfig config, Object... arguments) {
        Method method = method(type, name);
        long begin = System.nanoTime();
        try (CpuCompiler compiler = new CpuCompiler(CpuOptions.fast().processors(1))) {
            compiler.compile(method).launch(config, arguments);
        }
        System.out.printf("first launch of %-34s %8.1f ms%n", name, (System.nanoTime() - begin) / 1e6);
    }

    /** What launches take, and allocate in the thread that makes them. */
    private static void launches(HostArray x) {
        LaunchConfig one = LaunchConfig.grid(1).block(1);
        HostArray y = f32(N);
        CpuKernel saxpy = kernel("saxpy", 1);
        launches("saxpy of 1 thread, an argument list", () -> saxpy.launch(one, 1, 2f, x, y));
        for (int processors = 1; processors <= 2; processors++) {
            String on = processors == 1 ? ", 1 processor" : ", 2 processors";
            launches("saxpy of 1 thread" + on, "saxpy", processors, one, 1, 2f, x, y);
            for (int n = 1 << 10; n <= 1 << 16; n <<= 3) {
                LaunchConfig rows = LaunchConfig.forElements(n);
                launches("saxpy of " + rows.gridX() + " blocks" + on, "saxpy", processors, rows, n, 2f, x, y);
            }
            LaunchConfig blocks = LaunchConfig.grid(64).block(256);
            launches("block sums of 64 blocks" + on, "blockSums", processors, blocks, x, y);
        }
    }

    private static void launches(String what, String method, int processors, LaunchConfig config, Object... arguments) {
        CpuKernel kernel = kernel(method, processors);
        launches(what, () -> kernel.launch(config, arguments));
    }

    private static void launches(String what, Runnable launch) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        double least = Double.MAX_VALUE;
        double bytes = Double.MAX_VALUE;
        for (long end = System.nanoTime() + 4 * ROUND; System.nanoTime() < end; ) {
            long before = threads.getCurrentThreadAllocatedBytes();
            long begin = System.nanoTime();
            for (int i = 0; i < LAUNCHES; i++) {
                launch.run();
            }
            least = Math.min(least, (double) (System.nanoTime() - begin) / LAUNCHES);
            bytes = Math.min(bytes, (double) (threads.getCurrentThreadAllocatedBytes() - before) / LAUNCHES);
        }
        System.out.printf("%-50s %8.0f ns, %4.0f bytes%n", what, least, bytes);
    }

    private static void sums(int of, float[] x, float[] sums) {
        for (int i = 0; i < x.length / of; i++) {
            float sum = 0;
            for (int k = 0; k < of; k++) {
                sum += x[i * of + k];
            }
            sums[i] = sum;
        }
    }

    private static void scan(int[] x, int[] y) {
        for (int block = 0; block < x.length; block += 256) {
            int sum = 0;
            for (int i = block; i < block + 256; i++) {
                sum += x[i];
                y[i] = sum;
            }
        }
    }

    private static void stencil(float[] x, float[] y) {
        for (int i = 1; i < x.length - 1; i++) {
            y[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
        }
    }

    private static void compact(float[] x, float[] y, int[] counts) {
        for (int warp = 0; warp < x.length; warp += 32) {
            int count = 0;
            for (int i = warp; i < warp + 32; i++) {
                if (x[i] > 0) {
                    y[warp + count++] = x[i];
                }
            }
            counts[warp / 32] = count;
        }
    }

    private static Case product(int n) {
        float[] a = new float[n * n];
        float[] b = new float[n * n];
        float[] c = new float[n * n];
        int tile = MatrixProduct.TILE;
        LaunchConfig config = LaunchConfig.grid(n / tile, n / tile).block(tile, tile);
        HostArray as = f32(n * n);
        HostArray bs = f32(n * n);
        HostArray cs = f32(n * n);
        Made kernel = kernel(MatrixProduct.class, "tiled", config, n, n, n, as, bs, cs);
        return new Case("tiled product " + n, kernel, made -> made.launch(config, n, n, n, as, bs, cs), () -> {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    float sum = 0;
                    for (int k = 0; k < n; k++) {
                        sum += a[i * n + k] * b[k * n + j];
                    }
                    c[i * n + j] = sum;
                }
            }
        });
    }

    private static Case reduction(String name, HostArray values, double[] doubles) {
        LaunchConfig config = LaunchConfig.grid(64).block(Reduction.THREADS);
        HostArray sums = HostArray.allocate(DataType.FLOAT64, 64);
        Made kernel = kernel(Reduction.class, name, config, N, values, sums);
        double[] result = new double[1];
        return new Case("Reduction." + name, kernel, made -> made.launch(config, N, values, sums), () -> {
            double sum = 0;
            for (double each : doubles) {
                sum += each;
            }
            result[0] = sum;
        });
    }

    private static HostArray f32(int n) {
        return HostArray.allocate(DataType.FLOAT32, n);
    }

    private static HostArray i32(int n) {
        return HostArray.allocate(DataType.INT32, n);
    }

    private static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(each -> each.getName().equals(name) && each.isAnnotationPresent(Kernel.class))
                .findFirst()
                .orElseThrow();
    }

    private static CpuKernel kernel(String name, int processors) {
        return new CpuKernel(method(LoopSpeed.class, name), CpuOptions.fast().processors(processors));
    }

    private static Made kernel(Class<?> type, String name, LaunchConfig config, Object... arguments) {
        long begin = System.nanoTime();
        Method method = method(type, name);
        CpuKernel kernel = new CpuKernel(method, CpuOptions.fast().processors(1));
        kernel.launch(LaunchConfig.grid(1).block(config.blockX(), config.blockY()), arguments);
        double first = (System.nanoTime() - begin) / 1e6;
        return new Made(kernel, new CpuKernel(method, CpuOptions.checked(1)), first);
    }

    private static Case kernel(String name, String method, LaunchConfig config, Runnable plain, Object... arguments) {
        Made kernel = kernel(LoopSpeed.class, method, config, arguments);
        return new Case(name, kernel, made -> made.launch(config, arguments), plain);
    }

    private static void compare(Case each) {
        double kernel = Double.MAX_VALUE;
        double plain = Double.MAX_VALUE;
        double checked = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            kernel = Math.min(kernel, mean(() -> each.launch.accept(each.kernel.kernel)));
            checked = Math.min(checked, mean(() -> each.launch.accept(each.kernel.checked)));
            plain = Math.min(plain, mean(each.plain));
        }
        System.out.printf(
                "%-28s %12.1f %12.1f %8.2f %12.1f %12.1f%n",
                each.name, kernel, plain, plain / kernel, each.kernel.first, checked / kernel);
    }

    /** The mean of some time, in microseconds of the processor. */
    private static double mean(Runnable what) {
        int count = 0;
        long begin = PROCESS.getProcessCpuTime();
        for (long end = System.nanoTime() + ROUND; System.nanoTime() < end; count++) {
            what.run();
        }
        return (PROCESS.getProcessCpuTime() - begin) / 1e3 / count;
    }
}
