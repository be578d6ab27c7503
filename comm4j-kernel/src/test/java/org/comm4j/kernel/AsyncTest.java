// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.AsyncCopy;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.BulkCopy;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Mbarrier;
import org.comm4j.kernel.lang.Mma;
import org.comm4j.kernel.samples.BulkPipeline;
import org.comm4j.kernel.samples.TensorProduct;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies that go on by themselves, barriers that count them, and matrices, on the CPU beside plain Java. */
class AsyncTest {
    private static final LaunchConfig WARP = LaunchConfig.grid(1).block(32);

    static Stream<CpuOptions> modes() {
        return Stream.of(
                        CpuOptions.fast(),
                        CpuOptions.fast().shuffled(7),
                        CpuOptions.debug(),
                        CpuOptions.checked(1),
                        CpuOptions.checked(2))
                .limit(Nightly.times(4, 5));
    }

    private static void run(CpuOptions options, Class<?> type, String name, LaunchConfig config, Object... arguments) {
        try (CompiledKernel kernel = KernelCompiler.cpu(options).compile(KernelMethod.named(type, name))) {
            kernel.launch(config, arguments);
        }
    }

    private static void run(CpuOptions options, String name, LaunchConfig config, Object... arguments) {
        run(options, AsyncKernels.class, name, config, arguments);
    }

    private static float[] count(int n) {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = i + 1;
        }
        return values;
    }

    @ParameterizedTest
    @MethodSource("modes")
    void copies(CpuOptions options) {
        HostArray to = HostArray.allocate(DataType.FLOAT32, 96);
        run(options, "copies", WARP, HostArray.of(count(96)), to);
        for (int i = 0; i < 32; i++) {
            assertThat(to.getFloat(i)).isEqualTo(32 - i);
            assertThat(to.getFloat(32 + i)).isEqualTo(64 - i);
            assertThat(to.getFloat(64 + i)).isEqualTo(i < 2 ? 0 : 96 - i);
        }
        run(options, "parts", LaunchConfig.grid(1).block(1), HostArray.of(count(8)), to);
        assertThat(Arrays.copyOf(to.toFloatArray(), 8)).containsExactly(1, 0, 3, 0, 5, 6, 7, 8);
        if (options.toString().contains("CHECKED")) {
            assertThatThrownBy(() -> run(options, "unwaited", WARP, HostArray.of(count(32)), to))
                    .isInstanceOf(KernelException.class)
                    .hasMessageContaining("is read before it was written");
        } else {
            run(options, "unwaited", WARP, HostArray.of(count(32)), to);
            assertThat(Arrays.copyOf(to.toFloatArray(), 32)).containsOnly(0);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void barriersCount(CpuOptions options) {
        for (int rounds : new int[] {1, 2, 5}) {
            HostArray sum = HostArray.allocate(DataType.INT32, 1);
            run(options, "pipe", LaunchConfig.grid(1).block(64), rounds, sum);
            assertThat(sum.getInt(0)).isEqualTo(rounds * 31 * 16 + rounds * (rounds - 1) / 2 * 3200);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void copiesWithinClusters(CpuOptions options) {
        HostArray to = HostArray.allocate(DataType.FLOAT32, 128);
        run(options, "ring", LaunchConfig.grid(4).block(32).cluster(4), HostArray.of(count(128)), to);
        for (int i = 0; i < 128; i++) {
            assertThat(to.getFloat(i)).isEqualTo((i + 96) % 128 + 1);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void bulkPipeline(CpuOptions options) {
        for (int n : new int[] {4, 1024, 9300, 20_480}) {
            float[] x = count(n);
            HostArray y = HostArray.allocate(DataType.FLOAT32, n);
            run(options, BulkPipeline.class, "scale", LaunchConfig.grid(2).block(64), n, 3f, HostArray.of(x), y);
            for (int i = 0; i < n; i++) {
                x[i] *= 3;
            }
            assertThat(y.toFloatArray()).isEqualTo(x);
        }
    }

    @Test
    void misuse() {
        I64Ptr nothing = I64Ptr.of(new long[1]);
        assertThatThrownBy(() -> new Mbarrier(nothing).expect(16))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Mbarrier.init");
        assertThatThrownBy(() -> new Mbarrier(nothing).init(0)).isInstanceOf(IllegalArgumentException.class);
        F32Ptr memory = F32Ptr.of(new float[8]);
        assertThatThrownBy(() -> AsyncCopy.copy8(memory.plus(1), memory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("multiple of 8 bytes");
        assertThatThrownBy(() -> BulkCopy.toGlobal(memory, memory, 8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("multiple of 16");
        assertThatThrownBy(() -> Gpu.assume(false)).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void hints(CpuOptions options) {
        HostArray to = HostArray.allocate(DataType.FLOAT32, 32);
        run(options, "hints", WARP, 2, HostArray.of(5f, 6f), to);
        assertThat(to.getFloat(0)).isEqualTo(1);
        assertThat(to.getFloat(31)).isEqualTo(6);
    }

    // ---- matrices ----

    /** Small numbers that all types have. */
    private static HostArray matrix(DataType type, int elements, int seed) {
        Random random = new Random(seed);
        HostArray array = HostArray.allocate(type, elements);
        for (int i = 0; i < elements; i++) {
            float value = random.nextInt(-16, 17) / 8f;
            switch (type) {
                case FLOAT16 -> F16Ptr.of(array).set(i, value);
                case BFLOAT16 -> BF16Ptr.of(array).set(i, value);
                default -> F32Ptr.of(array).set(i, value);
            }
        }
        return array;
    }

    private static float get(HostArray array, long i) {
        return switch (array.type()) {
            case FLOAT16 -> F16Ptr.of(array).get(i);
            case BFLOAT16 -> BF16Ptr.of(array).get(i);
            default -> array.getFloat(i);
        };
    }

    private static float product(HostArray a, HostArray b, int i, int j, int columns, int inner, boolean transposed) {
        double sum = 0;
        for (int k = 0; k < inner; k++) {
            sum += (double) get(a, (long) i * inner + k)
                    * get(b, transposed ? (long) j * inner + k : (long) k * columns + j);
        }
        return (float) sum;
    }

    @ParameterizedTest
    @MethodSource("modes")
    void fragments(CpuOptions options) {
        for (String name : new String[] {"f16", "f16Small", "bf16", "bf16Small", "tf32", "tf32Transposed"}) {
            DataType type = name.startsWith("f16")
                    ? DataType.FLOAT16
                    : name.startsWith("bf16") ? DataType.BFLOAT16 : DataType.FLOAT32;
            boolean small = name.endsWith("Small");
            int inner = type == DataType.FLOAT32 ? 8 : 16;
            HostArray a = matrix(type, 16 * inner, 1);
            HostArray b = matrix(type, inner * 8, 2);
            HostArray c = matrix(small ? type : DataType.FLOAT32, 16 * 8, 3);
            HostArray before = matrix(small ? type : DataType.FLOAT32, 16 * 8, 3);
            run(options, name, WARP, a, b, c);
            for (int i = 0; i < 16; i++) {
                for (int j = 0; j < 8; j++) {
                    float sum = product(a, b, i, j, 8, inner, small || name.endsWith("Transposed"));
                    if (!small) {
                        sum += get(before, i * 8L + j);
                    }
                    assertThat(get(c, i * 8L + j))
                            .isCloseTo(sum, within(type == DataType.BFLOAT16 && small ? 0.1f : 0.01f));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void matricesFromSharedMemory(CpuOptions options) {
        HostArray from = HostArray.allocate(DataType.INT16, 256);
        for (int i = 0; i < 256; i++) {
            I16Ptr.of(from).set(i, (short) i);
        }
        HostArray to = HostArray.allocate(DataType.INT32, 32 * 14);
        run(options, "loads", WARP, from, to);
        int[] matrices = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 0, 1, 0, 0};
        boolean[] transposed = {
            false, false, false, false, true, true, true, true, false, false, true, true, false, true
        };
        for (int lane = 0; lane < 32; lane++) {
            for (int r = 0; r < 14; r++) {
                int row = lane / 4;
                int column = lane % 4 * 2;
                int low = matrices[r] * 64 + (transposed[r] ? column * 8 + row : row * 8 + column);
                int high = low + (transposed[r] ? 8 : 1);
                assertThat(to.getInt(lane * 14 + r))
                        .as("%d of lane %d", r, lane)
                        .isEqualTo(low | high << 16);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void tensorProduct(CpuOptions options) {
        for (String name : new String[] {"f16", "bf16", "tf32"}) {
            DataType type = switch (name) {
                case "f16" -> DataType.FLOAT16;
                case "bf16" -> DataType.BFLOAT16;
                default -> DataType.FLOAT32;
            };
            // Parts of tiles in all directions, next to nothing, and whole tiles.
            List<int[]> sizes = List.of(new int[] {70, 72, 40}, new int[] {1, 8, 8}, new int[] {64, 64, 16});
            for (int[] size : sizes.subList(0, Nightly.times(2, 3))) {
                int rows = size[0];
                int columns = size[1];
                int inner = size[2];
                HostArray a = matrix(type, rows * inner, 1);
                HostArray b = matrix(type, inner * columns, 2);
                HostArray c = HostArray.allocate(DataType.FLOAT32, (long) rows * columns);
                int tile = TensorProduct.TILE;
                run(
                        options,
                        TensorProduct.class,
                        name,
                        LaunchConfig.grid((columns + tile - 1) / tile, (rows + tile - 1) / tile)
                                .block(TensorProduct.THREADS),
                        rows,
                        columns,
                        inner,
                        a,
                        b,
                        c);
                for (int i = 0; i < rows; i++) {
                    for (int j = 0; j < columns; j++) {
                        // Multiples of 1/64 that are small: exact.
                        float sum = product(a, b, i, j, columns, inner, false);
                        if (c.getFloat((long) i * columns + j) != sum) {
                            assertThat(c.getFloat((long) i * columns + j))
                                    .as("%s %d, %d", name, i, j)
                                    .isEqualTo(sum);
                        }
                    }
                }
            }
        }
    }

    @Test
    void tf32IsRounded() {
        assertThat(Float.intBitsToFloat(Mma.toTf32(1 + 0x1p-11f))).isEqualTo(1 + 0x1p-10f);
        assertThat(Float.intBitsToFloat(Mma.toTf32(-1 - 0x1p-12f))).isEqualTo(-1);
        assertThat(Float.intBitsToFloat(Mma.toTf32(Float.NEGATIVE_INFINITY))).isEqualTo(Float.NEGATIVE_INFINITY);
        assertThat(Float.intBitsToFloat(Mma.toTf32(Float.MAX_VALUE))).isEqualTo(Float.POSITIVE_INFINITY);
    }
}
