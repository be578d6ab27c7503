// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.kernels;

import static org.comm4j.bench.kernels.BenchKernels.PRODUCT_THREADS;
import static org.comm4j.bench.kernels.BenchKernels.PRODUCT_TILE;
import static org.comm4j.bench.kernels.BenchKernels.SCANNED;
import static org.comm4j.bench.kernels.BenchKernels.TENSOR_SHARED;
import static org.comm4j.bench.kernels.BenchKernels.TENSOR_THREADS;
import static org.comm4j.bench.kernels.BenchKernels.TENSOR_TILE;
import static org.comm4j.bench.kernels.BenchKernels.THREADS;
import static org.comm4j.bench.kernels.BenchKernels.TRANSPOSE_ROWS;
import static org.comm4j.bench.kernels.BenchKernels.TRANSPOSE_TILE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;

/** What is measured. */
public enum KernelCase {
    COPY,
    SAXPY,
    /** Saxpy of single elements through pointers; {@link #VIEWS} is the same through views, which check every index. */
    POINTERS,
    VIEWS,
    STENCIL,
    PRODUCT,
    TENSOR,
    REDUCTION,
    HISTOGRAM,
    TRANSPOSE,
    SCAN;

    private static final int STENCIL_X = 64;
    private static final int STENCIL_Y = 4;
    /** Blocks whose threads loop: enough for every multiprocessor of today's devices. */
    private static final int LOOPING_BLOCKS = 132 * 8;

    private static final float FACTOR = 0.5f;
    /** Rows of a product that are computed again. */
    private static final int CHECKED_ROWS = 16;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * By name.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public static KernelCase named(String name) {
        for (KernelCase each : values()) {
            if (each.toString().equals(name)) {
                return each;
            }
        }
        throw new IllegalArgumentException("there is no kernel '" + name + "'; there are "
                + Arrays.stream(values()).map(KernelCase::toString).collect(Collectors.joining(", ")));
    }

    /** Names with commas between them, or "all". */
    public static List<KernelCase> list(String names) {
        return names.equals("all")
                ? List.of(values())
                : Arrays.stream(names.split(",", -1))
                        .map(KernelCase::named)
                        .distinct()
                        .toList();
    }

    /**
     * Of {@code elements} numbers at most; of the {@link #PRODUCT} and {@link #TENSOR}, matrices of {@code order} rows
     * at most.
     */
    public KernelProblem problem(long elements, int order) {
        int n = (int) Math.min(Math.max(elements / SCANNED, 1) * SCANNED, 1 << 30);
        int side = Math.max((int) Math.sqrt(n) / TRANSPOSE_TILE, 1) * TRANSPOSE_TILE;
        return switch (this) {
            case COPY -> copy(n);
            case SAXPY -> saxpy(n, "saxpy", n / 4);
            case POINTERS -> saxpy(n, "pointers", n);
            case VIEWS -> saxpy(n, "views", n);
            case STENCIL -> stencil(Math.max(side, STENCIL_X));
            case PRODUCT -> product(Math.max(order / PRODUCT_TILE, 1) * PRODUCT_TILE);
            case TENSOR -> tensor(Math.max(order / TENSOR_TILE, 1) * TENSOR_TILE);
            case REDUCTION -> reduction(n);
            case HISTOGRAM -> histogram(n);
            case TRANSPOSE -> transpose(side);
            case SCAN -> scan(n);
        };
    }

    private static HostArray floats(long n) {
        return floats(DataType.FLOAT32, n);
    }

    private static HostArray floats(DataType type, long n) {
        HostArray array = HostArray.allocate(type, n);
        for (long i = 0; i < n; i++) {
            array.setFloat(i, small(i));
        }
        return array;
    }

    /** Whole numbers, so that sums of a few are exact in any order. */
    private static float small(long i) {
        return (int) (((i * 0x9E37_79B9L) >>> 13) & 7) - 3;
    }

    private static LaunchConfig blocks(int threads) {
        return LaunchConfig.grid((threads - 1) / THREADS + 1).block(THREADS);
    }

    private static LaunchConfig looping(int threads) {
        return LaunchConfig.grid(Math.min((threads - 1) / THREADS + 1, LOOPING_BLOCKS))
                .block(THREADS);
    }

    private KernelProblem copy(int n) {
        HostArray from = floats(n);
        HostArray to = HostArray.allocate(DataType.FLOAT32, n);
        return new KernelProblem(
                this,
                n,
                8L * n,
                0,
                List.of(from, to),
                List.of(new KernelProblem.Step("copy", blocks(n / 4), n / 4, from, to)),
                () -> {
                    long wrong = 0;
                    for (int i = 0; i < n; i++) {
                        wrong += to.getFloat(i) == small(i) ? 0 : 1;
                    }
                    return wrong;
                });
    }

    private KernelProblem saxpy(int n, String kernel, int threads) {
        HostArray x = floats(n);
        HostArray y = floats(n);
        return new KernelProblem(
                this,
                n,
                12L * n,
                2.0 * n,
                List.of(x, y),
                List.of(new KernelProblem.Step(kernel, blocks(threads), threads, FACTOR, x, y)),
                () -> {
                    long wrong = 0;
                    for (int i = 0; i < n; i++) {
                        wrong += y.getFloat(i) == FACTOR * small(i) + small(i) ? 0 : 1;
                    }
                    return wrong;
                });
    }

    private KernelProblem stencil(int side) {
        long n = (long) side * side;
        HostArray from = floats(n);
        HostArray to = floats(n);
        LaunchConfig config = LaunchConfig.grid((side - 1) / STENCIL_X + 1, (side - 1) / STENCIL_Y + 1)
                .block(STENCIL_X, STENCIL_Y);
        return new KernelProblem(
                this,
                n,
                8 * n,
                4.0 * n,
                List.of(from, to),
                List.of(new KernelProblem.Step("stencil", config, side, side, from, to)),
                () -> {
                    long wrong = 0;
                    for (long i = 0; i < n; i++) {
                        long x = i % side;
                        boolean inner = i >= side && i < n - side && x > 0 && x < side - 1;
                        float expected = inner
                                ? 0.25f * (small(i - 1) + small(i + 1) + small(i - side) + small(i + side))
                                : small(i);
                        wrong += to.getFloat(i) == expected ? 0 : 1;
                    }
                    return wrong;
                });
    }

    private KernelProblem product(int n) {
        LaunchConfig config =
                LaunchConfig.grid(n / PRODUCT_TILE, n / PRODUCT_TILE).block(PRODUCT_THREADS, PRODUCT_THREADS);
        return product(n, DataType.FLOAT32, "product", config);
    }

    private KernelProblem tensor(int n) {
        LaunchConfig config = LaunchConfig.grid(n / TENSOR_TILE, n / TENSOR_TILE)
                .block(TENSOR_THREADS)
                .shared(TENSOR_SHARED);
        return product(n, DataType.FLOAT16, "tensor", config);
    }

    private KernelProblem product(int n, DataType type, String kernel, LaunchConfig config) {
        HostArray a = floats(type, (long) n * n);
        HostArray b = floats(type, (long) n * n);
        HostArray c = HostArray.allocate(DataType.FLOAT32, (long) n * n);
        return new KernelProblem(
                this,
                (long) n * n,
                a.byteSize() + b.byteSize() + c.byteSize(),
                2.0 * n * n * n,
                List.of(a, b, c),
                List.of(new KernelProblem.Step(kernel, config, n, a, b, c)),
                () -> {
                    long wrong = 0;
                    float[] row = new float[n];
                    for (int i = 0; i < n; i += Math.max(n / CHECKED_ROWS - 1, 1)) {
                        Arrays.fill(row, 0);
                        for (int k = 0; k < n; k++) {
                            float left = small((long) i * n + k);
                            for (int j = 0; j < n; j++) {
                                row[j] += left * small((long) k * n + j);
                            }
                        }
                        for (int j = 0; j < n; j++) {
                            wrong += c.getFloat((long) i * n + j) == row[j] ? 0 : 1;
                        }
                    }
                    return wrong;
                });
    }

    private KernelProblem reduction(int n) {
        HostArray values = floats(n);
        HostArray total = HostArray.allocate(DataType.FLOAT64, 1);
        return new KernelProblem(
                this,
                n,
                4L * n,
                n,
                List.of(values, total),
                List.of(new KernelProblem.Step("reduction", looping(n / 4), n / 4, values, total)),
                () -> {
                    double sum = 0;
                    for (int i = 0; i < n; i++) {
                        sum += small(i);
                    }
                    return total.getDouble(0) == sum ? 0 : 1;
                });
    }

    private KernelProblem histogram(int n) {
        HostArray bytes = HostArray.allocate(DataType.INT32, n / 4);
        HostArray counts = HostArray.allocate(DataType.INT32, BenchKernels.BINS);
        int[] expected = new int[BenchKernels.BINS];
        for (int i = 0; i < n / 4; i++) {
            int four = (int) (((i + 1) * 0x9E37_79B9_7F4A_7C15L) >>> 32);
            bytes.setInt(i, four);
            for (int k = 0; k < 4; k++) {
                expected[(four >>> (8 * k)) & 0xff]++;
            }
        }
        return new KernelProblem(
                this,
                n,
                n,
                0,
                List.of(bytes, counts),
                List.of(new KernelProblem.Step("histogram", looping(n / 16), n / 16, bytes, counts)),
                () -> {
                    long wrong = 0;
                    for (int bin = 0; bin < expected.length; bin++) {
                        wrong += counts.getInt(bin) == expected[bin] ? 0 : 1;
                    }
                    return wrong;
                });
    }

    private KernelProblem transpose(int side) {
        long n = (long) side * side;
        HostArray from = floats(n);
        HostArray to = HostArray.allocate(DataType.FLOAT32, n);
        LaunchConfig config =
                LaunchConfig.grid(side / TRANSPOSE_TILE, side / TRANSPOSE_TILE).block(TRANSPOSE_TILE, TRANSPOSE_ROWS);
        return new KernelProblem(
                this,
                n,
                8 * n,
                0,
                List.of(from, to),
                List.of(new KernelProblem.Step("transpose", config, side, from, to)),
                () -> {
                    long wrong = 0;
                    for (long i = 0; i < n; i++) {
                        wrong += to.getFloat(i) == small(i % side * side + i / side) ? 0 : 1;
                    }
                    return wrong;
                });
    }

    /** The sums of blocks are scanned, too, until they are one block's; then they are added on the way back. */
    private KernelProblem scan(int n) {
        HostArray from = HostArray.allocate(DataType.INT32, n);
        for (int i = 0; i < n; i++) {
            from.setInt(i, (int) small(i));
        }
        HostArray to = HostArray.allocate(DataType.INT32, n);
        List<HostArray> arrays = new ArrayList<>(List.of(from, to));
        List<KernelProblem.Step> steps = new ArrayList<>();
        List<KernelProblem.Step> back = new ArrayList<>();
        HostArray in = from;
        HostArray out = to;
        int count = n;
        while (true) {
            int blocks = (count - 1) / SCANNED + 1;
            // A multiple of 4, because four are read at once.
            HostArray sums = HostArray.allocate(DataType.INT32, (blocks + 3L) / 4 * 4);
            arrays.add(sums);
            LaunchConfig config = LaunchConfig.grid(blocks).block(THREADS);
            steps.add(new KernelProblem.Step("scan", config, count, in, out, sums));
            if (blocks == 1) {
                break;
            }
            back.addFirst(new KernelProblem.Step("addSums", config, count, out, sums));
            in = sums;
            out = sums;
            count = blocks;
        }
        steps.addAll(back);
        return new KernelProblem(this, n, 8L * n, n, arrays, steps, () -> {
            long wrong = 0;
            int sum = 0;
            for (int i = 0; i < n; i++) {
                sum += (int) small(i);
                wrong += to.getInt(i) == sum ? 0 : 1;
            }
            return wrong;
        });
    }
}
