// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F8E4M3Ptr;
import org.comm4j.kernel.lang.F8E5M2Ptr;
import org.comm4j.kernel.lang.StructuredMatrix;
import org.comm4j.kernel.lang.Swizzle;
import org.comm4j.kernel.lang.TensorMap;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies of tensors and products of warpgroups beside plain Java. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class TensorContract {
    private static final int SHARED = 64 << 10;

    abstract KernelCompiler<?> compiler();

    /** Returns memory with the content of an array of the host. */
    abstract Buffer put(HostArray content);

    /** Returns the content of memory that {@link #put} made. */
    abstract HostArray get(Buffer memory);

    private void launch(String name, LaunchConfig config, Object[] constants, Object... arguments) {
        try (CompiledKernel kernel = compiler().compile(KernelMethod.named(TensorKernels.class, name), constants)) {
            kernel.launch(config.shared(SHARED), arguments);
        }
    }

    private Buffer maps() {
        return put(HostArray.allocate(DataType.INT8, 2 * TensorMap.BYTES));
    }

    private static HostArray bytes(int count) {
        HostArray array = HostArray.allocate(DataType.INT8, count);
        byte[] content = new byte[count];
        new Random(count).nextBytes(content);
        array.copyFrom(content);
        return array;
    }

    private static byte[] content(HostArray array) {
        return array.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    }

    /** Rows of 16 bytes are moved within 128, 64 or 32 bytes by the number of the 128 bytes that they are in. */
    @ParameterizedTest
    @EnumSource
    void boxesAreSwizzled(Swizzle swizzle) {
        int row = swizzle == Swizzle.NONE ? 48 : swizzle.bytes();
        int rows = 20;
        HostArray tensor = bytes(30 * 160);
        Buffer there = put(tensor);
        Buffer to = put(HostArray.allocate(DataType.INT8, row * rows));
        TensorMap map = TensorMap.of(maps(), 1, there, new long[] {160, 30}, new int[] {row, rows}, swizzle);
        for (int[] at : new int[][] {{0, 0}, {32, 5}, {112, 17}, {-16, -3}, {208, 40}}) {
            launch("box2", LaunchConfig.grid(1).block(64), new Object[0], map, at[0], at[1], row * rows, to);
            byte[] found = content(get(to));
            byte[] source = content(tensor);
            for (int y = 0; y < rows; y++) {
                for (int x = 0; x < row; x++) {
                    int piece = (y * row + x) / 16;
                    int line = (y * row + x) / 128;
                    int moved = swizzle == Swizzle.NONE ? piece : piece ^ line % (swizzle.bytes() / 16);
                    int column = at[0] + x;
                    int line0 = at[1] + y;
                    boolean inside = column >= 0 && column < 160 && line0 >= 0 && line0 < 30;
                    assertThat(found[moved * 16 + x % 16])
                            .as("%s, %d, %d of the box at %d, %d", swizzle, x, y, at[0], at[1])
                            .isEqualTo(inside ? source[line0 * 160 + column] : 0);
                }
            }
        }
    }

    @Test
    @Order(Integer.MAX_VALUE) // what fails on a GPU may end the use of it
    void boxesOfThreeDimensions() {
        HostArray tensor = bytes(5 * 6 * 32);
        Buffer there = put(tensor);
        Buffer to = put(HostArray.allocate(DataType.INT8, 16 * 4 * 3));
        TensorMap map = TensorMap.of(maps(), 0, there, new long[] {32, 6, 5}, new int[] {16, 4, 3}, Swizzle.NONE);
        launch("box3", LaunchConfig.grid(1).block(32), new Object[0], map, 16, 3, 3, 16 * 4 * 3, to);
        byte[] found = content(get(to));
        byte[] source = content(tensor);
        for (int z = 0; z < 3; z++) {
            for (int y = 0; y < 4; y++) {
                for (int x = 0; x < 16; x++) {
                    boolean inside = y + 3 < 6 && z + 3 < 5;
                    assertThat(found[(z * 4 + y) * 16 + x])
                            .isEqualTo(inside ? source[((z + 3) * 6 + y + 3) * 32 + x + 16] : 0);
                }
            }
        }
    }

    @Test
    void boxesGoBackWithinTheTensor() {
        HostArray tensor = bytes(16 * 64);
        Buffer there = put(tensor);
        Buffer to = put(HostArray.allocate(DataType.INT8, 10 * 48));
        Buffer maps = maps();
        TensorMap from = TensorMap.of(maps, 0, there, new long[] {64, 16}, new int[] {32, 8}, Swizzle.B32);
        TensorMap target = TensorMap.of(maps, 1, to, new long[] {48, 10}, new int[] {32, 8}, Swizzle.B32);
        launch("move", LaunchConfig.grid(1).block(1), new Object[0], from, target, 16, 4, 32, 5, 256);
        byte[] found = content(get(to));
        byte[] source = content(tensor);
        for (int y = 0; y < 10; y++) {
            for (int x = 0; x < 48; x++) {
                boolean written = y >= 5 && x >= 32;
                assertThat(found[y * 48 + x]).isEqualTo(written ? source[(y - 1) * 64 + x - 16] : 0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT16", "BFLOAT16"})
    void boxesAreAdded(DataType type) {
        HostArray tensor = matrix(type, 8 * 16, 4);
        HostArray old = matrix(type, 6 * 24, 5);
        Buffer there = put(tensor);
        Buffer to = put(old);
        Buffer maps = maps();
        TensorMap from = TensorMap.of(maps, 0, there, new long[] {16, 8}, new int[] {8, 4}, Swizzle.NONE);
        TensorMap target = TensorMap.of(maps, 1, to, new long[] {24, 6}, new int[] {8, 4}, Swizzle.NONE);
        int bytes = 8 * 4 * type.bytes();
        launch("add", LaunchConfig.grid(3).block(1), new Object[0], from, target, 8, 4, 16, 3, bytes);
        HostArray c = get(to);
        for (int y = 0; y < 6; y++) {
            for (int x = 0; x < 24; x++) {
                double added = y >= 3 && x >= 16 ? 3 * read(tensor, (y + 1) * 16L + x - 8) : 0;
                assertThat(read(c, y * 24L + x)).isEqualTo(read(old, y * 24L + x) + added);
            }
        }
    }

    @Test
    void clustersShareBoxes() {
        HostArray tensor = bytes(16 * 32);
        Buffer there = put(tensor);
        Buffer to = put(HostArray.allocate(DataType.INT8, 2 * 512));
        TensorMap map = TensorMap.of(maps(), 0, there, new long[] {32, 16}, new int[] {32, 8}, Swizzle.NONE);
        launch("shares", LaunchConfig.grid(2).block(32).cluster(2), new Object[0], map, 256, to);
        byte[] found = content(get(to));
        byte[] source = content(tensor);
        for (int i = 0; i < 1024; i++) {
            assertThat(found[i]).isEqualTo(source[i % 512]);
        }
    }

    static HostArray matrix(DataType type, long count, int seed) {
        HostArray array = HostArray.allocate(type, count);
        Random random = new Random(seed);
        for (long i = 0; i < count; i++) {
            float value = random.nextInt(-4, 5) / 4f;
            switch (type) {
                case FLOAT16 -> F16Ptr.of(array).set(i, value);
                case BFLOAT16 -> BF16Ptr.of(array).set(i, value);
                case FLOAT8_E4M3 -> F8E4M3Ptr.of(array).set(i, value);
                case FLOAT32 -> array.setFloat(i, value);
                default -> F8E5M2Ptr.of(array).set(i, value);
            }
        }
        return array;
    }

    /** Small numbers of any type. */
    static HostArray numbers(DataType type, long count, int seed) {
        if (type != DataType.INT32 && type != DataType.INT64 && type != DataType.FLOAT64) {
            return matrix(type, count, seed);
        }
        HostArray array = HostArray.allocate(type, count);
        Random random = new Random(seed);
        for (long i = 0; i < count; i++) {
            int value = random.nextInt(-100, 100);
            switch (type) {
                case INT32 -> array.setInt(i, value);
                case INT64 -> array.setLong(i, (long) value << 33);
                default -> array.setDouble(i, value);
            }
        }
        return array;
    }

    static double read(HostArray array, long i) {
        return switch (array.type()) {
            case FLOAT16 -> F16Ptr.of(array).get(i);
            case BFLOAT16 -> BF16Ptr.of(array).get(i);
            case FLOAT8_E4M3 -> F8E4M3Ptr.of(array).get(i);
            case FLOAT32 -> array.getFloat(i);
            case FLOAT64 -> array.getDouble(i);
            case INT32 -> array.getInt(i);
            case INT64 -> array.getLong(i);
            default -> F8E5M2Ptr.of(array).get(i);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "BFLOAT16, 8, 0, 0",
        "BFLOAT16, 64, 1, 0",
        "FLOAT16, 128, 0, 1",
        "FLOAT16, 192, 1, 1",
        "FLOAT8_E4M3, 24, 0, 0",
        "FLOAT8_E5M2, 40, 0, 0",
        "FLOAT32, 16, 0, 0"
    })
    void products(DataType type, int n, int isA, int isB) {
        int inner = 128 / type.bytes();
        HostArray a = matrix(type, 64L * inner, 1);
        HostArray b = matrix(type, (long) n * inner, 2);
        Buffer left = put(a);
        Buffer right = put(b);
        Buffer maps = maps();
        TensorMap mapA = TensorMap.of(
                maps,
                0,
                left,
                isA == 1 ? new long[] {64, inner} : new long[] {inner, 64},
                new int[] {inner, 64},
                Swizzle.B128);
        TensorMap mapB = TensorMap.of(
                maps,
                1,
                right,
                isB == 1 ? new long[] {n, inner} : new long[] {inner, n},
                new int[] {inner, isB == 1 ? 64 : n},
                Swizzle.B128);
        Buffer to = put(HostArray.allocate(DataType.FLOAT32, 64L * n));
        launch("product", LaunchConfig.grid(1).block(128), new Object[] {type, n, isA, isB}, mapA, mapB, to);
        HostArray c = get(to);
        for (int i = 0; i < 64; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < inner; k++) {
                    sum += read(a, isA == 1 ? k * 64L + i : (long) i * inner + k)
                            * read(b, isB == 1 ? (long) k * n + j : (long) j * inner + k);
                }
                assertThat(c.getFloat((long) i * n + j)).as("%d, %d", i, j).isEqualTo((float) sum);
            }
        }
    }

    /** A of random places of zeros, some rows with more of them. */
    @ParameterizedTest
    @CsvSource({"BFLOAT16, 24", "FLOAT16, 8", "FLOAT8_E4M3, 16", "FLOAT8_E5M2, 8", "FLOAT32, 40"})
    void productsOfSparseMatrices(DataType type, int n) {
        int inner = 256 / type.bytes();
        HostArray a = matrix(type, 64L * inner, 1);
        StructuredMatrix.prune(a, 64, inner);
        HostArray b = matrix(type, (long) n * inner, 2);
        StructuredMatrix packed = StructuredMatrix.of(a, 64, inner);
        Buffer maps = maps();
        int[] box = {inner / 2, 64};
        TensorMap mapA = TensorMap.of(maps, 0, put(packed.values()), new long[] {inner / 2, 64}, box, Swizzle.B128);
        TensorMap mapB = TensorMap.of(maps, 1, put(b), new long[] {inner, n}, new int[] {inner / 2, n}, Swizzle.B128);
        Buffer to = put(HostArray.allocate(DataType.FLOAT32, 64L * n));
        int steps = inner / StructuredMatrix.step(type);
        try (CompiledKernel kernel =
                compiler().compile(KernelMethod.named(SparseKernels.class, "product"), type, n, steps)) {
            kernel.launch(LaunchConfig.grid(1).block(128).shared(SHARED), mapA, put(packed.metadata()), mapB, to);
        }
        HostArray c = get(to);
        for (int i = 0; i < 64; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < inner; k++) {
                    sum += read(a, (long) i * inner + k) * read(b, (long) j * inner + k);
                }
                assertThat(c.getFloat((long) i * n + j)).as("%d, %d", i, j).isEqualTo((float) sum);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BFLOAT16", "FLOAT16"})
    void productsOfRegisters(DataType type) {
        HostArray a = matrix(type, 64L * 16, 1);
        HostArray b = matrix(type, 8L * 64, 2);
        HostArray bits = HostArray.allocate(DataType.INT16, a.count());
        bits.segment().copyFrom(a.segment());
        TensorMap map = TensorMap.of(maps(), 0, put(b), new long[] {64, 8}, new int[] {64, 8}, Swizzle.B128);
        Buffer to = put(HostArray.allocate(DataType.FLOAT32, 64L * 8));
        launch("fromRegisters", LaunchConfig.grid(1).block(128), new Object[] {type}, put(bits), map, to);
        HostArray c = get(to);
        for (int i = 0; i < 64; i++) {
            for (int j = 0; j < 8; j++) {
                double sum = 0;
                for (int k = 0; k < 16; k++) {
                    sum += read(a, i * 16L + k) * read(b, j * 64L + k);
                }
                assertThat(c.getFloat(i * 8L + j)).as("%d, %d", i, j).isEqualTo((float) sum);
            }
        }
    }

    private void refused(String message, Buffer tensor, long[] shape, int[] box, Swizzle swizzle) {
        Buffer maps = maps();
        assertThatThrownBy(() -> TensorMap.of(maps, 0, tensor, shape, box, swizzle))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void whatTheCopyEngineCannotDoIsRefused() {
        Buffer tensor = put(bytes(1024));
        refused("1 to 5 dimensions", tensor, new long[0], new int[0], Swizzle.NONE);
        refused("1 to 256 elements", tensor, new long[] {512}, new int[] {272}, Swizzle.NONE);
        refused("needs a multiple of 16", tensor, new long[] {64, 4}, new int[] {24, 4}, Swizzle.NONE);
        refused("at most 64 for B64", tensor, new long[] {128, 4}, new int[] {128, 4}, Swizzle.B64);
        refused("stride of dimension 1 is 60 bytes", tensor, new long[] {60, 4}, new int[] {16, 4}, Swizzle.NONE);
        refused("the last element would be number 2047", tensor, new long[] {64, 32}, new int[] {16, 4}, Swizzle.NONE);
        refused("not 1 to 2^31", tensor, new long[] {64, 0}, new int[] {16, 4}, Swizzle.NONE);
        Buffer maps = maps();
        assertThatThrownBy(() -> TensorMap.of(maps, 2, tensor, new long[] {64}, new int[] {16}, Swizzle.NONE))
                .hasMessageContaining("does not fit");
        assertThatThrownBy(() ->
                        TensorMap.of(maps, 0, tensor, 8, new long[] {64}, new long[0], new int[] {16}, Swizzle.NONE))
                .hasMessageContaining("not at a multiple of 16 bytes");
    }
}
