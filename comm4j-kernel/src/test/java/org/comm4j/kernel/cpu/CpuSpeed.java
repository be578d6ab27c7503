// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.samples.Jacobi;
import org.comm4j.kernel.samples.MatrixProduct;
import org.comm4j.kernel.samples.Saxpy;

/** How fast kernels run on the CPU beside plain Java loops over arrays, on the same number of threads. Not a test: {@code main} prints a table. */
@SuppressWarnings("SystemOut")
public final class CpuSpeed {
    private static final int ROUNDS = 15;
    private static final long WARM_UP = 2_000_000_000L;

    private CpuSpeed() {}

    public static void main(String[] arguments) {
        int processors = arguments.length > 0 ? Integer.parseInt(arguments[0]) : Runtime.getRuntime().availableProcessors();
        System.out.printf("%-28s %14s %14s %8s%n", "", "kernel", "plain loop", "ratio");
        for (int n : new int[] {1 << 14, 1 << 18, 1 << 23}) {
            saxpy(n, processors);
        }
        for (int n : new int[] {128, 512, 2048}) {
            jacobi(n, processors);
        }
        matrixProduct(256, processors);
    }

    private static CpuKernel kernel(Class<?> type, String name, int processors) {
        Method method = Arrays.stream(type.getDeclaredMethods())
                .filter(m -> m.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return new CpuKernel(method, CpuOptions.fast().processors(processors));
    }

    /** Shares of work on as many threads as the kernel has. */
    private static void inParallel(ExecutorService pool, int shares, IntConsumer share) {
        CountDownLatch ended = new CountDownLatch(shares - 1);
        for (int i = 1; i < shares; i++) {
            int number = i;
            pool.execute(() -> {
                share.accept(number);
                ended.countDown();
            });
        }
        share.accept(0);
        try {
            ended.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void saxpy(int n, int processors) {
        float[] x = new float[n];
        float[] y = new float[n];
        HostArray xs = HostArray.allocate(DataType.FLOAT32, n);
        HostArray ys = HostArray.allocate(DataType.FLOAT32, n);
        CpuKernel kernel = kernel(Saxpy.class, "saxpy", processors);
        int times = Math.max(1, (1 << 25) / n);
        compare("saxpy " + n, times, processors, () -> kernel.launch(LaunchConfig.forElements(n), n, 0.5f, xs, ys), i -> {
            int from = (int) ((long) n * i / processors);
            int to = (int) ((long) n * (i + 1) / processors);
            plainSaxpy(from, to, 0.5f, x, y);
        });
    }

    private static void plainSaxpy(int from, int to, float a, float[] x, float[] y) {
        for (int i = from; i < to; i++) {
            y[i] = a * x[i] + y[i];
        }
    }

    private static void jacobi(int n, int processors) {
        float[] from = new float[n * n];
        float[] to = new float[n * n];
        HostArray froms = HostArray.allocate(DataType.FLOAT32, from.length);
        HostArray tos = HostArray.allocate(DataType.FLOAT32, from.length);
        HostArray largest = HostArray.allocate(DataType.INT32, 1);
        CpuKernel kernel = kernel(CpuSpeed.class, "jacobi", processors);
        int times = Math.max(1, (1 << 24) / (n * n));
        compare(
                "jacobi " + n + " x " + n,
                times,
                processors,
                () -> kernel.launch(LaunchConfig.grid((n + 63) / 64, (n + 3) / 4).block(64, 4), n, n, froms, tos),
                i -> plainJacobi(1 + (n - 2) * i / processors, 1 + (n - 2) * (i + 1) / processors, n, from, to));
        if (largest.getInt(0) != 0) {
            throw new AssertionError();
        }
    }

    /** {@link Jacobi#step} without the largest change, which a loop would keep in a register. */
    static void jacobi(int width, int height, org.comm4j.kernel.F32Ptr from, org.comm4j.kernel.F32Ptr to) {
        int x = org.comm4j.kernel.GlobalIdx.x() + 1;
        int y = org.comm4j.kernel.GlobalIdx.y() + 1;
        if (x < width - 1 && y < height - 1) {
            long at = (long) y * width + x;
            to.set(at, 0.25f * (from.get(at - 1) + from.get(at + 1) + from.get(at - width) + from.get(at + width)));
        }
    }

    private static void plainJacobi(int fromRow, int toRow, int n, float[] from, float[] to) {
        for (int y = fromRow; y < toRow; y++) {
            for (int x = 1; x < n - 1; x++) {
                int at = y * n + x;
                to[at] = 0.25f * (from[at - 1] + from[at + 1] + from[at - n] + from[at + n]);
            }
        }
    }

    private static void matrixProduct(int n, int processors) {
        float[] a = new float[n * n];
        float[] b = new float[n * n];
        float[] c = new float[n * n];
        HostArray as = HostArray.allocate(DataType.FLOAT32, a.length);
        HostArray bs = HostArray.allocate(DataType.FLOAT32, a.length);
        HostArray cs = HostArray.allocate(DataType.FLOAT32, a.length);
        CpuKernel kernel = kernel(MatrixProduct.class, "tiled", processors);
        int tile = MatrixProduct.TILE;
        compare(
                "tiled product " + n + " (barriers)",
                1,
                processors,
                () -> kernel.launch(LaunchConfig.grid(n / tile, n / tile).block(tile, tile), n, n, n, as, bs, cs),
                i -> plainProduct(n * i / processors, n * (i + 1) / processors, n, a, b, c));
    }

    private static void plainProduct(int fromRow, int toRow, int n, float[] a, float[] b, float[] c) {
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

    /** The best of rounds that take turns. */
    private static void compare(String name, int times, int processors, Runnable kernel, IntConsumer share) {
        ExecutorService pool = Executors.newCachedThreadPool(r -> {
            Thread thread = new Thread(r);
            thread.setDaemon(true);
            return thread;
        });
        double[] kernelTimes = new double[ROUNDS];
        double[] plainTimes = new double[ROUNDS];
        long warm = System.nanoTime() + WARM_UP;
        for (int round = -1; round < ROUNDS; round += System.nanoTime() > warm ? 1 : 0) {
            long start = System.nanoTime();
            for (int i = 0; i < times; i++) {
                kernel.run();
            }
            long middle = System.nanoTime();
            for (int i = 0; i < times; i++) {
                inParallel(pool, processors, share);
            }
            long end = System.nanoTime();
            if (round >= 0 && System.nanoTime() > warm) {
                kernelTimes[round] = (middle - start) / 1e3 / times;
                plainTimes[round] = (end - middle) / 1e3 / times;
            }
        }
        pool.shutdown();
        Arrays.sort(kernelTimes);
        Arrays.sort(plainTimes);
        double k = kernelTimes[0];
        double p = plainTimes[0];
        System.out.printf("%-28s %11.1f us %11.1f us %8.2f%n", name, k, p, p / k);
    }
}
