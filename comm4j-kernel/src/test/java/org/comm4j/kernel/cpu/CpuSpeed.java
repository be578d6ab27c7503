// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.samples.MatrixProduct;

/**
 * How fast kernels run on the CPU beside plain Java loops over arrays, and some beside the same loops over segments off
 * the heap, on the same number of threads. Not a test: {@code main} prints a table. Arguments: numbers of threads, and
 * names of cases, all of them without one.
 */
@SuppressWarnings("SystemOut")
public final class CpuSpeed {
    private static final int ROUNDS = 60;
    private static final long WARM_UP = 500_000_000L;
    private static final long ROUND = 2_000_000L;

    /**
     * What warms up is launches as well, and the JIT compiler has to have ended: on a busy machine time alone is not
     * enough.
     */
    private static final int WARM_UP_LAUNCHES = 50_000;

    private static final long MOST_WARM_UP = 20 * WARM_UP;

    /** Elements that are in the caches of a core, in those of all, and in memory. */
    private static final int[] SIZES = {1 << 14, 1 << 18, 1 << 23};

    private CpuSpeed() {}

    /** A plain loop from one element, or row, to another. */
    private interface Loop {
        void run(int from, int to);
    }

    private interface Case {
        void measure(String name, int n, int threads);
    }

    private record Named(String name, Case measured) {}

    private static final Named[] CASES = {
        new Named("copy", (name, n, threads) -> {
            float[] x = floats(n);
            float[] y = new float[n];
            HostArray xs = HostArray.of(x);
            HostArray ys = f32(n);
            launch(
                    name,
                    "copy",
                    n,
                    threads,
                    List.of(
                            (from, to) -> copy(from, to, x, y),
                            (from, to) -> copy(from, to, xs.segment(), ys.segment())),
                    n,
                    xs,
                    ys);
        }),
        new Named("saxpy", (name, n, threads) -> {
            float[] x = floats(n);
            float[] y = floats(n);
            HostArray xs = HostArray.of(x);
            HostArray ys = HostArray.of(y);
            launch(
                    name,
                    "saxpy",
                    n,
                    threads,
                    List.of(
                            (from, to) -> saxpy(from, to, 0.5f, x, y),
                            (from, to) -> saxpy(from, to, 0.5f, xs.segment(), ys.segment())),
                    n,
                    0.5f,
                    xs,
                    ys);
        }),
        new Named("saxpy of views", (name, n, threads) -> {
            float[] x = floats(n);
            float[] y = floats(n);
            launch(
                    name,
                    "saxpyOfViews",
                    n,
                    threads,
                    (from, to) -> saxpy(from, to, 0.5f, x, y),
                    0.5f,
                    HostArray.of(x),
                    HostArray.of(y));
        }),
        new Named("double axpy", (name, n, threads) -> {
            double[] x = new double[n];
            double[] y = new double[n];
            HostArray xs = HostArray.of(x);
            HostArray ys = HostArray.of(y);
            launch(
                    name,
                    "daxpy",
                    n,
                    threads,
                    List.of(
                            (from, to) -> daxpy(from, to, 0.5, x, y),
                            (from, to) -> daxpy(from, to, 0.5, xs.segment(), ys.segment())),
                    n,
                    0.5,
                    xs,
                    ys);
        }),
        new Named("scale in place", (name, n, threads) -> {
            float[] x = new float[n];
            launch(name, "scale", n, threads, (from, to) -> scale(from, to, 0.5f, x), n, 0.5f, HostArray.of(x));
        }),
        new Named("jacobi", CpuSpeed::jacobi),
        new Named("square root", (name, n, threads) -> {
            float[] x = floats(n);
            float[] y = new float[n];
            launch(name, "root", n, threads, (from, to) -> root(from, to, x, y), n, HostArray.of(x), f32(n));
        }),
        new Named("exponential", (name, n, threads) -> {
            float[] x = floats(n);
            float[] y = new float[n];
            launch(name, "exp", n, threads, (from, to) -> exp(from, to, x, y), n, HostArray.of(x), f32(n));
        }),
        new Named("every fourth", (name, n, threads) -> {
            float[] x = floats(n);
            float[] y = new float[n / 4];
            launch(
                    name,
                    "everyFourth",
                    n / 4,
                    threads,
                    (from, to) -> everyFourth(from, to, x, y),
                    n / 4,
                    HostArray.of(x),
                    f32(n / 4));
        }),
        new Named("to every fourth", (name, n, threads) -> {
            float[] x = floats(n / 4);
            float[] y = new float[n];
            launch(
                    name,
                    "toEveryFourth",
                    n / 4,
                    threads,
                    (from, to) -> toEveryFourth(from, to, x, y),
                    n / 4,
                    HostArray.of(x),
                    f32(n));
        }),
        new Named("gather", (name, n, threads) -> {
            float[] x = floats(n);
            int[] index = permutation(n);
            float[] y = new float[n];
            launch(
                    name,
                    "gather",
                    n,
                    threads,
                    (from, to) -> gather(from, to, index, x, y),
                    n,
                    HostArray.of(index),
                    HostArray.of(x),
                    f32(n));
        }),
        new Named("xorshift (int)", (name, n, threads) -> {
            int[] x = permutation(n);
            launch(name, "xorshift", n, threads, (from, to) -> xorshift(from, to, x), n, HostArray.of(x));
        }),
        new Named("sum of int and long", (name, n, threads) -> {
            int[] x = permutation(n);
            long[] y = new long[n];
            long[] z = new long[n];
            launch(
                    name,
                    "sum",
                    n,
                    threads,
                    (from, to) -> sum(from, to, x, y, z),
                    n,
                    HostArray.of(x),
                    HostArray.of(y),
                    HostArray.of(z));
        }),
        new Named("writes where positive", (name, n, threads) -> {
            float[] x = floats(n);
            float[] y = new float[n];
            launch(name, "positive", n, threads, (from, to) -> positive(from, to, x, y), n, HostArray.of(x), f32(n));
        }),
    };

    public static void main(String[] arguments) {
        int[] threads = Arrays.stream(arguments)
                .filter(a -> a.matches("\\d+"))
                .mapToInt(Integer::parseInt)
                .toArray();
        String[] names =
                Arrays.stream(arguments).filter(a -> !a.matches("\\d+")).toArray(String[]::new);
        if (threads.length == 0) {
            threads = new int[] {1, Runtime.getRuntime().availableProcessors()};
        }
        for (int count : threads) {
            System.out.printf(
                    "%n%-36s %12s %12s %8s %13s %8s%n",
                    count == 1 ? "1 thread" : count + " threads",
                    "kernel us",
                    "arrays us",
                    "ratio",
                    "segments us",
                    "ratio");
            for (Named each : CASES) {
                if (names.length == 0 || Arrays.asList(names).contains(each.name)) {
                    for (int n : SIZES) {
                        each.measured.measure(each.name, n, count);
                    }
                }
            }
            if (names.length == 0 || Arrays.asList(names).contains("product")) {
                product("tiled product (barriers)", 256, count);
            }
        }
    }

    // ---- kernels, and the same as loops ----

    static void copy(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, x.get(i));
        }
    }

    private static void copy(int from, int to, float[] x, float[] y) {
        for (int i = from; i < to; i++) {
            y[i] = x[i];
        }
    }

    private static void copy(int from, int to, MemorySegment x, MemorySegment y) {
        for (int i = from; i < to; i++) {
            y.set(JAVA_FLOAT, 4L * i, x.get(JAVA_FLOAT, 4L * i));
        }
    }

    static void saxpy(int n, float a, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }

    static void saxpyOfViews(float a, F32View x, F32View y) {
        long i = GlobalIdx.xLong();
        if (i >= x.length()) {
            return;
        }
        y.set(i, a * x.get(i) + y.get(i));
    }

    private static void saxpy(int from, int to, float a, float[] x, float[] y) {
        for (int i = from; i < to; i++) {
            y[i] = a * x[i] + y[i];
        }
    }

    private static void saxpy(int from, int to, float a, MemorySegment x, MemorySegment y) {
        for (int i = from; i < to; i++) {
            y.set(JAVA_FLOAT, 4L * i, a * x.get(JAVA_FLOAT, 4L * i) + y.get(JAVA_FLOAT, 4L * i));
        }
    }

    static void daxpy(int n, double a, F64Ptr x, F64Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }

    private static void daxpy(int from, int to, double a, double[] x, double[] y) {
        for (int i = from; i < to; i++) {
            y[i] = a * x[i] + y[i];
        }
    }

    private static void daxpy(int from, int to, double a, MemorySegment x, MemorySegment y) {
        for (int i = from; i < to; i++) {
            y.set(JAVA_DOUBLE, 8L * i, a * x.get(JAVA_DOUBLE, 8L * i) + y.get(JAVA_DOUBLE, 8L * i));
        }
    }

    static void scale(int n, float a, F32Ptr x) {
        int i = GlobalIdx.x();
        if (i < n) {
            x.set(i, a * x.get(i));
        }
    }

    private static void scale(int from, int to, float a, float[] x) {
        for (int i = from; i < to; i++) {
            x[i] = a * x[i];
        }
    }

    static void jacobi(int width, int height, F32Ptr from, F32Ptr to) {
        int x = GlobalIdx.x() + 1;
        int y = GlobalIdx.y() + 1;
        if (x < width - 1 && y < height - 1) {
            long at = (long) y * width + x;
            to.set(at, 0.25f * (from.get(at - 1) + from.get(at + 1) + from.get(at - width) + from.get(at + width)));
        }
    }

    private static void jacobi(String name, int elements, int threads) {
        int n = elements == 1 << 23 ? 2896 : (int) Math.sqrt(elements);
        float[] from = floats(n * n);
        float[] to = new float[n * n];
        CpuKernel kernel = kernel("jacobi", threads);
        HostArray froms = HostArray.of(from);
        HostArray tos = f32(n * n);
        LaunchConfig config = LaunchConfig.grid((n + 63) / 64, (n + 3) / 4).block(64, 4);
        compare(
                name + " " + n + " x " + n,
                n - 2,
                n,
                threads,
                () -> kernel.launch(config, n, n, froms, tos),
                List.of(
                        (first, end) -> jacobi(1 + first, 1 + end, n, from, to),
                        (first, end) -> jacobi(1 + first, 1 + end, n, froms.segment(), tos.segment())));
    }

    private static void jacobi(int fromRow, int toRow, int n, float[] from, float[] to) {
        for (int y = fromRow; y < toRow; y++) {
            for (int x = 1; x < n - 1; x++) {
                int at = y * n + x;
                to[at] = 0.25f * (from[at - 1] + from[at + 1] + from[at - n] + from[at + n]);
            }
        }
    }

    private static void jacobi(int fromRow, int toRow, int n, MemorySegment from, MemorySegment to) {
        for (int y = fromRow; y < toRow; y++) {
            for (int x = 1; x < n - 1; x++) {
                int at = y * n + x;
                to.set(
                        JAVA_FLOAT,
                        4L * at,
                        0.25f
                                * (from.get(JAVA_FLOAT, 4L * (at - 1))
                                        + from.get(JAVA_FLOAT, 4L * (at + 1))
                                        + from.get(JAVA_FLOAT, 4L * (at - n))
                                        + from.get(JAVA_FLOAT, 4L * (at + n))));
            }
        }
    }

    static void root(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, (float) Math.sqrt(Math.abs(x.get(i))));
        }
    }

    private static void root(int from, int to, float[] x, float[] y) {
        for (int i = from; i < to; i++) {
            y[i] = (float) Math.sqrt(Math.abs(x[i]));
        }
    }

    static void exp(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, (float) Math.exp(x.get(i)));
        }
    }

    private static void exp(int from, int to, float[] x, float[] y) {
        for (int i = from; i < to; i++) {
            y[i] = (float) Math.exp(x[i]);
        }
    }

    static void everyFourth(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, x.get(4L * i));
        }
    }

    private static void everyFourth(int from, int to, float[] x, float[] y) {
        for (int i = from; i < to; i++) {
            y[i] = x[4 * i];
        }
    }

    static void toEveryFourth(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(4L * i, x.get(i));
        }
    }

    private static void toEveryFourth(int from, int to, float[] x, float[] y) {
        for (int i = from; i < to; i++) {
            y[4 * i] = x[i];
        }
    }

    static void gather(int n, I32Ptr index, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, x.get(index.get(i)));
        }
    }

    private static void gather(int from, int to, int[] index, float[] x, float[] y) {
        for (int i = from; i < to; i++) {
            y[i] = x[index[i]];
        }
    }

    static void xorshift(int n, I32Ptr x) {
        int i = GlobalIdx.x();
        if (i < n) {
            int v = x.get(i);
            v ^= v << 13;
            v ^= v >>> 17;
            x.set(i, v ^ v << 5);
        }
    }

    private static void xorshift(int from, int to, int[] x) {
        for (int i = from; i < to; i++) {
            int v = x[i];
            v ^= v << 13;
            v ^= v >>> 17;
            x[i] = v ^ v << 5;
        }
    }

    static void sum(int n, I32Ptr x, I64Ptr y, I64Ptr z) {
        int i = GlobalIdx.x();
        if (i < n) {
            z.set(i, x.get(i) + y.get(i));
        }
    }

    private static void sum(int from, int to, int[] x, long[] y, long[] z) {
        for (int i = from; i < to; i++) {
            z[i] = x[i] + y[i];
        }
    }

    static void positive(int n, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n && x.get(i) > 0) {
            y.set(i, x.get(i));
        }
    }

    private static void positive(int from, int to, float[] x, float[] y) {
        for (int i = from; i < to; i++) {
            if (x[i] > 0) {
                y[i] = x[i];
            }
        }
    }

    private static void product(String name, int n, int threads) {
        float[] a = new float[n * n];
        float[] b = new float[n * n];
        float[] c = new float[n * n];
        HostArray as = f32(a.length);
        HostArray bs = f32(b.length);
        HostArray cs = f32(c.length);
        CpuKernel kernel = new CpuKernel(
                method(MatrixProduct.class, "tiled"), CpuOptions.fast().processors(threads));
        int tile = MatrixProduct.TILE;
        LaunchConfig config = LaunchConfig.grid(n / tile, n / tile).block(tile, tile);
        compare(
                name + " " + n,
                n,
                n * n,
                threads,
                () -> kernel.launch(config, n, n, n, as, bs, cs),
                List.of((from, to) -> product(from, to, n, a, b, c)));
    }

    private static void product(int fromRow, int toRow, int n, float[] a, float[] b, float[] c) {
        for (int i = fromRow; i < toRow; i++) {
            for (int j = 0; j < n; j++) {
                float sum = 0;
                for (int k = 0; k < n; k++) {
                    sum += a[i * n + k] * b[k * n + j];
                }
                c[i * n + j] = sum;
            }
        }
    }

    // ---- the comparison ----

    private static HostArray f32(int n) {
        return HostArray.allocate(DataType.FLOAT32, n);
    }

    private static float[] floats(int n) {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = (i * 37 % 101 - 50) / 50f;
        }
        return values;
    }

    private static int[] permutation(int n) {
        int[] values = new int[n];
        for (int i = 0; i < n; i++) {
            values[i] = (int) (i * 40503L % n);
        }
        return values;
    }

    private static java.lang.reflect.Method method(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(m -> m.getName().equals(name))
                .filter(m -> Arrays.stream(m.getParameterTypes())
                        .anyMatch(p -> p.getPackageName().startsWith("org.comm4j.kernel")))
                .findFirst()
                .orElseThrow();
    }

    private static CpuKernel kernel(String name, int threads) {
        return new CpuKernel(method(CpuSpeed.class, name), CpuOptions.fast().processors(threads));
    }

    private static void launch(String name, String kernel, int n, int threads, Loop loop, Object... arguments) {
        launch(name, kernel, n, threads, List.of(loop), arguments);
    }

    private static void launch(String name, String kernel, int n, int threads, List<Loop> loops, Object... arguments) {
        CpuKernel compiled = kernel(kernel, threads);
        LaunchConfig config = LaunchConfig.forElements(n);
        compare(name + " " + n, n, 1, threads, () -> compiled.launch(config, arguments), loops);
    }

    /** Shares of work on as many threads as the kernel has. */
    private static void inParallel(ExecutorService pool, int n, int shares, Loop loop) {
        CountDownLatch ended = new CountDownLatch(shares - 1);
        for (int i = 1; i < shares; i++) {
            int from = (int) ((long) n * i / shares);
            int to = (int) ((long) n * (i + 1) / shares);
            pool.execute(() -> {
                loop.run(from, to);
                ended.countDown();
            });
        }
        loop.run(0, n / shares);
        try {
            ended.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The best of rounds that take turns.
     *
     * @param n rows, or elements, that threads share
     * @param elements of a row
     * @param loops over arrays, and perhaps over the memory that the kernel has, which is off the heap
     */
    private static void compare(String name, int n, int elements, int threads, Runnable kernel, List<Loop> loops) {
        ExecutorService pool = Executors.newCachedThreadPool(r -> {
            Thread thread = new Thread(r);
            thread.setDaemon(true);
            return thread;
        });
        List<Runnable> all = new ArrayList<>(List.of(kernel));
        loops.forEach(loop -> all.add(() -> inParallel(pool, n, threads, loop)));
        int times = 0;
        long compiled = -1;
        int quiet = 0;
        for (int i = 0; i < WARM_UP_LAUNCHES && (long) n * elements <= SIZES[0]; i++) {
            kernel.run();
        }
        long begin = System.nanoTime();
        while (true) {
            long end = System.nanoTime() + WARM_UP;
            while (System.nanoTime() < end) {
                all.forEach(Runnable::run);
                times++;
            }
            long before = compiled;
            compiled = ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
            quiet = compiled == before ? quiet + 1 : 0;
            if (quiet == 3 || System.nanoTime() - begin > MOST_WARM_UP) {
                break;
            }
        }
        times = (int) Math.max(1, times * ROUND / (System.nanoTime() - begin));
        double[] best = new double[all.size()];
        Arrays.fill(best, Double.MAX_VALUE);
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < best.length; i++) {
                Runnable each = all.get(i);
                long start = System.nanoTime();
                for (int k = 0; k < times; k++) {
                    each.run();
                }
                best[i] = Math.min(best[i], (System.nanoTime() - start) / 1e3 / times);
            }
        }
        pool.shutdown();
        System.out.printf("%-36s %12.2f %12.2f %8.2f", name, best[0], best[1], best[1] / best[0]);
        System.out.println(best.length == 2 ? "" : "%14.2f %8.2f".formatted(best[2], best[2] / best[0]));
    }
}
