// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.F32Ptr;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The samples beside plain Java. A test of a machine has a method {@code machines}. */
abstract class SamplesContract {
    private static float[] floats(int n) {
        Random random = new Random(n);
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = random.nextInt(-1000, 1000) / 8f;
        }
        return values;
    }

    @ParameterizedTest
    @MethodSource("machines")
    void saxpy(Machine machine) {
        for (int n : new int[] {1, 255, 256, 1001}) {
            float[] x = floats(n);
            float[] y = floats(n + 1);
            HostArray xs = HostArray.of(x);
            HostArray ys = HostArray.of(Arrays.copyOf(y, n));
            machine.launch(machine.kernel(Saxpy.class, "saxpy"), LaunchConfig.forElements(n), n, 2.5f, xs, ys);
            machine.launch(
                    machine.kernel(Saxpy.class, "strided"), LaunchConfig.grid(2).block(64), (long) n, -1.5f, xs, ys);
            float[] expected = new float[n];
            for (int i = 0; i < n; i++) {
                expected[i] = 2.5f * x[i] + y[i];
                expected[i] = -1.5f * x[i] + expected[i];
            }
            assertThat(ys.toFloatArray()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void references(Machine machine) {
        HostArray x = HostArray.of(1f, 2f, 3f);
        HostArray y = HostArray.of(10f, 20f, 30f);
        float a = 4;
        KernelCompiler<?> compiler = machine.compiler();
        try (CompiledKernel named = compiler.compile(Saxpy::saxpy);
                CompiledKernel lambda = compiler.compile((F32Ptr p, F32Ptr q) -> Saxpy.saxpy(3, a, p, q))) {
            assertThat(named.name()).isEqualTo("Saxpy.saxpy");
            assertThat(named.attributes().maxThreads()).isEqualTo(1024);
            machine.launch(named, LaunchConfig.grid(1).block(32), 3, 2f, x, y);
            machine.launch(lambda, LaunchConfig.grid(1).block(32), x, y);
        }
        assertThat(y.toFloatArray()).containsExactly(16, 32, 48);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void matrixProduct(Machine machine) {
        int rows = 37;
        int columns = 18;
        int inner = 23;
        float[] a = floats(rows * inner);
        float[] b = floats(inner * columns);
        HostArray c = HostArray.allocate(DataType.FLOAT32, (long) rows * columns);
        int tile = MatrixProduct.TILE;
        machine.launch(
                machine.kernel(MatrixProduct.class, "tiled"),
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
    @MethodSource("machines")
    void reduction(Machine machine) {
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
            machine.launch(machine.kernel(Reduction.class, name), config, n, input, sums);
            assertThat(Arrays.stream(sums.toDoubleArray()).sum()).isEqualTo(expected);
        }
        HostArray sums = HostArray.allocate(DataType.FLOAT64, blocks);
        HostArray total = HostArray.allocate(DataType.FLOAT64, 1);
        HostArray arrived = HostArray.allocate(DataType.INT32, 1);
        CompiledKernel last = machine.kernel(Reduction.class, "lastBlock");
        for (int round = 0; round < 2; round++) {
            total.fill(-1);
            machine.launch(last, config, n, input, sums, arrived, total);
            assertThat(total.getDouble(0)).isEqualTo(expected);
            assertThat(arrived.getInt(0)).isZero();
        }
        total.fill(-1);
        machine.launch(machine.kernel(Reduction.class, "grid"), config.cooperatively(), n, input, sums, total);
        assertThat(total.getDouble(0)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void histogram(Machine machine) {
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
            machine.launch(
                    machine.kernel(Histogram.class, name), LaunchConfig.grid(3).block(96), n, input, counts);
            assertThat(counts.toIntArray()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void transpose(Machine machine) {
        int rows = 45;
        int columns = 70;
        float[] from = floats(rows * columns);
        HostArray to = HostArray.allocate(DataType.FLOAT32, from.length);
        machine.launch(
                machine.kernel(Transpose.class, "tiled"),
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
    @MethodSource("machines")
    void scan(Machine machine) {
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
        CompiledKernel scan = machine.kernel(Scan.class, "blocks");
        machine.launch(scan, LaunchConfig.grid(blocks).block(Scan.THREADS), n, values, sums);
        machine.launch(scan, LaunchConfig.grid(1).block(Scan.THREADS), blocks, sums, whole);
        machine.launch(
                machine.kernel(Scan.class, "addBefore"),
                LaunchConfig.grid(blocks).block(Scan.THREADS),
                n,
                values,
                sums);
        assertThat(values.toIntArray()).isEqualTo(expected);
        assertThat(whole.getInt(0)).isEqualTo(expected[n - 1]);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void jacobi(Machine machine) {
        int width = 43;
        int height = 21;
        float[] plane = floats(width * height);
        HostArray from = HostArray.of(plane);
        HostArray to = HostArray.of(plane);
        HostArray largest = HostArray.allocate(DataType.INT32, 1);
        machine.launch(
                machine.kernel(Jacobi.class, "step"),
                LaunchConfig.grid(3, 3).block(16, 8),
                width,
                height,
                from,
                to,
                largest);
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
