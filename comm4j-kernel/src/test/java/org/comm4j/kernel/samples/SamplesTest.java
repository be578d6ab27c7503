// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.cpu.CpuKernel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The samples in all modes, beside plain Java. */
class SamplesTest {
    static Stream<CpuOptions> modes() {
        return Stream.of(
                CpuOptions.fast(),
                CpuOptions.fast().processors(1),
                CpuOptions.fast().shuffled(7),
                CpuOptions.debug(),
                CpuOptions.debug().shuffled(3),
                CpuOptions.checked(1),
                CpuOptions.checked(2),
                CpuOptions.checked(77));
    }

    private static CpuKernel kernel(CpuOptions options, Class<?> type, String name) {
        Method method = Arrays.stream(type.getDeclaredMethods())
                .filter(m -> m.getName().equals(name) && !m.isSynthetic())
                .findFirst()
                .orElseThrow();
        return new CpuKernel(method, options);
    }

    private static float[] floats(int n) {
        Random random = new Random(n);
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = random.nextInt(-1000, 1000) / 8f;
        }
        return values;
    }

    @ParameterizedTest
    @MethodSource("modes")
    void saxpy(CpuOptions options) {
        for (int n : new int[] {1, 255, 256, 1001}) {
            float[] x = floats(n);
            float[] y = floats(n + 1);
            HostArray xs = HostArray.of(x);
            HostArray ys = HostArray.of(Arrays.copyOf(y, n));
            kernel(options, Saxpy.class, "saxpy").launch(LaunchConfig.forElements(n), n, 2.5f, xs, ys);
            kernel(options, Saxpy.class, "strided").launch(LaunchConfig.grid(2).block(64), (long) n, -1.5f, xs, ys);
            float[] expected = new float[n];
            for (int i = 0; i < n; i++) {
                expected[i] = 2.5f * x[i] + y[i];
                expected[i] = -1.5f * x[i] + expected[i];
            }
            assertThat(ys.toFloatArray()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void matrixProduct(CpuOptions options) {
        int rows = 37;
        int columns = 18;
        int inner = 23;
        float[] a = floats(rows * inner);
        float[] b = floats(inner * columns);
        HostArray c = HostArray.allocate(DataType.FLOAT32, (long) rows * columns);
        int tile = MatrixProduct.TILE;
        kernel(options, MatrixProduct.class, "tiled")
                .launch(
                        LaunchConfig.grid((columns + tile - 1) / tile, (rows + tile - 1) / tile)
                                .block(tile, tile),
                        rows,
                        columns,
                        inner,
                        HostArray.of(a),
                        HostArray.of(b),
                        c);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                float sum = 0;
                for (int k = 0; k < inner; k++) {
                    sum += a[i * inner + k] * b[k * columns + j];
                }
                assertThat(c.getFloat((long) i * columns + j)).isEqualTo(sum);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void reduction(CpuOptions options) {
        int n = 3001;
        int blocks = 5;
        double[] values = new double[n];
        double expected = 0;
        Random random = new Random(1);
        for (int i = 0; i < n; i++) {
            values[i] = random.nextInt(1 << 20);
            expected += values[i];
        }
        HostArray input = HostArray.of(values);
        LaunchConfig config = LaunchConfig.grid(blocks).block(Reduction.THREADS);
        for (String name : new String[] {"blocks", "warps"}) {
            HostArray sums = HostArray.allocate(DataType.FLOAT64, blocks);
            kernel(options, Reduction.class, name).launch(config, n, input, sums);
            assertThat(Arrays.stream(sums.toDoubleArray()).sum()).isEqualTo(expected);
        }
        HostArray sums = HostArray.allocate(DataType.FLOAT64, blocks);
        HostArray total = HostArray.allocate(DataType.FLOAT64, 1);
        HostArray arrived = HostArray.allocate(DataType.INT32, 1);
        CpuKernel last = kernel(options, Reduction.class, "lastBlock");
        for (int round = 0; round < 2; round++) {
            total.fill(-1);
            last.launch(config, n, input, sums, arrived, total);
            assertThat(total.getDouble(0)).isEqualTo(expected);
            assertThat(arrived.getInt(0)).isZero();
        }
        total.fill(-1);
        kernel(options, Reduction.class, "grid").launch(config.cooperatively(), n, input, sums, total);
        assertThat(total.getDouble(0)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void histogram(CpuOptions options) {
        int n = 2003;
        byte[] bytes = new byte[n];
        new Random(4).nextBytes(bytes);
        int[] expected = new int[Histogram.BINS];
        for (byte b : bytes) {
            expected[b & 0xff]++;
        }
        HostArray input = HostArray.allocate(DataType.UINT8, n);
        input.copyFrom(bytes);
        for (String name : new String[] {"global", "shared"}) {
            HostArray counts = HostArray.allocate(DataType.INT32, Histogram.BINS);
            kernel(options, Histogram.class, name).launch(LaunchConfig.grid(3).block(96), n, input, counts);
            assertThat(counts.toIntArray()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void transpose(CpuOptions options) {
        int rows = 45;
        int columns = 70;
        float[] from = floats(rows * columns);
        HostArray to = HostArray.allocate(DataType.FLOAT32, from.length);
        kernel(options, Transpose.class, "tiled")
                .launch(
                        LaunchConfig.grid(3, 2).block(Transpose.TILE, Transpose.ROWS),
                        rows,
                        columns,
                        HostArray.of(from),
                        to);
        float[] expected = new float[from.length];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                expected[j * rows + i] = from[i * columns + j];
            }
        }
        assertThat(to.toFloatArray()).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void scan(CpuOptions options) {
        int n = 1000;
        int blocks = (n + Scan.THREADS - 1) / Scan.THREADS;
        int[] expected = new int[n];
        HostArray values = HostArray.allocate(DataType.INT32, n);
        for (int i = 0; i < n; i++) {
            values.setInt(i, i * 7919 % 100 - 50);
            expected[i] = values.getInt(i) + (i > 0 ? expected[i - 1] : 0);
        }
        HostArray sums = HostArray.allocate(DataType.INT32, blocks);
        HostArray whole = HostArray.allocate(DataType.INT32, 1);
        CpuKernel scan = kernel(options, Scan.class, "blocks");
        scan.launch(LaunchConfig.grid(blocks).block(Scan.THREADS), n, values, sums);
        scan.launch(LaunchConfig.grid(1).block(Scan.THREADS), blocks, sums, whole);
        kernel(options, Scan.class, "addBefore")
                .launch(LaunchConfig.grid(blocks).block(Scan.THREADS), n, values, sums);
        assertThat(values.toIntArray()).isEqualTo(expected);
        assertThat(whole.getInt(0)).isEqualTo(expected[n - 1]);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void jacobi(CpuOptions options) {
        int width = 43;
        int height = 21;
        float[] plane = floats(width * height);
        HostArray from = HostArray.of(plane);
        HostArray to = HostArray.of(plane);
        HostArray largest = HostArray.allocate(DataType.INT32, 1);
        kernel(options, Jacobi.class, "step")
                .launch(LaunchConfig.grid(3, 3).block(16, 8), width, height, from, to, largest);
        float[] expected = plane.clone();
        float change = 0;
        for (int y = 1; y < height - 1; y++) {
            for (int x = 1; x < width - 1; x++) {
                int at = y * width + x;
                expected[at] = 0.25f * (plane[at - 1] + plane[at + 1] + plane[at - width] + plane[at + width]);
                change = Math.max(change, Math.abs(expected[at] - plane[at]));
            }
        }
        assertThat(to.toFloatArray()).isEqualTo(expected);
        assertThat(Float.intBitsToFloat(largest.getInt(0))).isCloseTo(change, within(0f));
    }
}
