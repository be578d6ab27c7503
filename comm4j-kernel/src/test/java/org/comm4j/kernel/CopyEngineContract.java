// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.function.LongFunction;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Swizzle;
import org.comm4j.kernel.lang.TensorMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link CopyEngineKernels} beside plain Java. */
abstract class CopyEngineContract {
    private static final int SHARED = 48 << 10;

    abstract KernelCompiler<?> compiler();

    /** Returns memory with the content of an array of the host. */
    abstract Buffer put(HostArray content);

    /** Returns the content of memory that {@link #put} made. */
    abstract HostArray get(Buffer memory);

    private void launch(String name, LaunchConfig config, Object[] constants, Object... arguments) {
        try (CompiledKernel kernel = compiler().compile(KernelMethod.named(CopyEngineKernels.class, name), constants)) {
            kernel.launch(config.shared(SHARED), arguments);
        }
    }

    private Buffer maps() {
        return put(HostArray.allocate(DataType.INT8, 2 * TensorMap.BYTES));
    }

    private static HostArray bytes(long count) {
        HostArray array = HostArray.allocate(DataType.INT8, count);
        byte[] content = new byte[Math.toIntExact(count)];
        new Random(count).nextBytes(content);
        array.copyFrom(content);
        return array;
    }

    private static byte[] content(HostArray array) {
        return array.segment().toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * Convolutions by filters of 3 in each dimension, with padding 1 and a step: pixels of all images in order, at each
     * place of the filter.
     */
    @ParameterizedTest
    @CsvSource({"1, 1, NONE", "2, 1, B32", "2, 2, B64", "3, 1, NONE"})
    void pixelsAreInTheOrderOfAConvolution(int dimensions, int step, Swizzle swizzle) {
        int[] sizes = Arrays.copyOf(new int[] {7, 5, 4}, dimensions);
        int channels = 32;
        int images = 3;
        int taken = swizzle == Swizzle.NONE ? 16 : swizzle.bytes() / 2;
        long[] shape = new long[dimensions + 2];
        shape[0] = channels;
        shape[dimensions + 1] = images;
        int[] lower = new int[dimensions];
        int[] upper = new int[dimensions];
        int[] steps = new int[dimensions];
        int[] results = {1, 1, 1};
        for (int i = 0; i < dimensions; i++) {
            shape[i + 1] = sizes[i];
            lower[i] = -1;
            upper[i] = -1;
            steps[i] = step;
            results[i] = (sizes[i] - 1) / step + 1;
        }
        long count = Arrays.stream(shape).reduce(1, (x, y) -> x * y);
        HostArray tensor = bytes(2 * count);
        HostArray typed = HostArray.allocate(DataType.INT16, count);
        typed.segment().copyFrom(tensor.segment());
        int pixels = 20;
        TensorMap map = TensorMap.im2col(maps(), 1, put(typed), shape, lower, upper, taken, pixels, steps, swizzle);
        int row = 2 * taken;
        Buffer to = put(HostArray.allocate(DataType.INT8, (long) pixels * row));
        byte[] source = content(tensor);
        int all = results[0] * results[1] * results[2];
        for (int[] filter : new int[][] {{0, 0, 0}, {2, 1, 2}, {1, 2, 0}}) {
            int begin = filter[0] == 0 ? 0 : 2 * all - 9; // into the last image and beyond
            int[] at = pixel(begin, results, step);
            launch(
                    "pixels",
                    LaunchConfig.grid(1).block(32),
                    new Object[] {dimensions},
                    map,
                    channels - taken,
                    at[0],
                    at[1],
                    at[2],
                    at[3],
                    filter[0],
                    filter[1],
                    filter[2],
                    pixels * row,
                    to);
            byte[] found = content(get(to));
            for (int p = 0; p < pixels; p++) {
                int[] place = pixel(begin + p, results, step);
                long from = 0;
                boolean inside = place[3] < images;
                for (int i = dimensions - 1; i >= 0; i--) {
                    int index = place[i] + filter[i];
                    inside &= index >= 0 && index < sizes[i];
                    from = (i == dimensions - 1 ? place[3] : from) * sizes[i] + index;
                }
                for (int x = 0; x < row; x++) {
                    int piece = (p * row + x) / 16;
                    int line = (p * row + x) / 128;
                    int moved = swizzle == Swizzle.NONE ? piece : piece ^ line % (swizzle.bytes() / 16);
                    int expected = inside ? source[(int) ((from * channels + channels - taken) * 2 + x)] : 0;
                    assertThat((int) found[moved * 16 + x % 16])
                            .as("filter %s, pixel %d, byte %d", Arrays.toString(filter), p, x)
                            .isEqualTo(expected);
                }
            }
        }
    }

    /** Column, row, layer and image of a result, the first three as the first pixel that its filter reads. */
    private static int[] pixel(int number, int[] results, int step) {
        int column = number % results[0];
        int row = number / results[0] % results[1];
        int layer = number / results[0] / results[1] % results[2];
        int image = number / results[0] / results[1] / results[2];
        return new int[] {column * step - 1, row * step - 1, layer * step - 1, image};
    }

    @ParameterizedTest
    @CsvSource({"4", "5"})
    void boxesOfMoreDimensions(int dimensions) {
        int[] sizes = {32, 3, 4, 5, 2};
        int[] box = {16, 2, 3, 2, 1};
        int[] at = {16, 1, 2, 3, 1}; // leaves the tensor in the third dimension
        int[] lengths = Arrays.copyOf(sizes, dimensions);
        HostArray tensor = bytes(Arrays.stream(lengths).asLongStream().reduce(1, (x, y) -> x * y));
        int[] part = Arrays.copyOf(box, dimensions);
        int bytes = Arrays.stream(part).reduce(1, (x, y) -> x * y);
        Buffer to = put(HostArray.allocate(DataType.INT8, bytes));
        Buffer maps = maps();
        long[] whole = Arrays.stream(lengths).asLongStream().toArray();
        long[] small = Arrays.stream(part).asLongStream().toArray();
        TensorMap from = TensorMap.of(maps, 0, put(tensor), whole, part, Swizzle.NONE);
        TensorMap target = TensorMap.of(maps, 1, to, small, part, Swizzle.NONE);
        launch(
                "move",
                LaunchConfig.grid(1).block(1),
                new Object[] {dimensions},
                from,
                target,
                at[0],
                at[1],
                at[2],
                at[3],
                bytes);
        byte[] found = content(get(to));
        byte[] source = content(tensor);
        for (int i = 0; i < bytes; i++) {
            int rest = i;
            int index = 0;
            int factor = 1;
            boolean inside = true;
            for (int j = 0; j < dimensions; j++) {
                int place = at[j] + rest % box[j];
                rest /= box[j];
                inside &= place < sizes[j];
                index += place * factor;
                factor *= sizes[j];
            }
            assertThat((int) found[i]).as("byte %d", i).isEqualTo(inside ? source[index] : 0);
        }
    }

    private static double combined(int operation, double x, double y, int times) {
        return switch (operation) {
            case CopyEngineKernels.ADD -> x + times * y;
            case CopyEngineKernels.MIN -> Math.min(x, y);
            default -> Math.max(x, y);
        };
    }

    @ParameterizedTest
    @CsvSource({"0, 2, INT32", "0, 3, FLOAT32", "1, 2, INT32", "2, 2, INT32", "1, 2, BFLOAT16", "2, 2, FLOAT16"})
    void boxesAreCombined(int operation, int dimensions, DataType type) {
        HostArray values = TensorContract.numbers(type, 8 * 4, 4);
        HostArray old = TensorContract.numbers(type, 16 * 6 * 2, 5);
        Buffer to = put(old);
        Buffer maps = maps();
        boolean flat = dimensions == 2;
        TensorMap from = TensorMap.of(
                maps,
                0,
                put(values),
                flat ? new long[] {8, 4} : new long[] {8, 4, 1},
                flat ? new int[] {8, 4} : new int[] {8, 4, 1},
                Swizzle.NONE);
        TensorMap target = TensorMap.of(
                maps,
                1,
                to,
                flat ? new long[] {16, 12} : new long[] {16, 6, 2},
                flat ? new int[] {8, 4} : new int[] {8, 4, 1},
                Swizzle.NONE);
        int bytes = 8 * 4 * type.bytes();
        launch(
                "combine",
                LaunchConfig.grid(3).block(1),
                new Object[] {operation, dimensions},
                from,
                target,
                8,
                flat ? 9 : 3,
                bytes);
        HostArray found = get(to);
        for (int y = 0; y < 12; y++) {
            for (int x = 0; x < 16; x++) {
                double before = TensorContract.read(old, y * 16L + x);
                boolean changed = y >= 9 && x >= 8;
                double expected = changed
                        ? combined(operation, before, TensorContract.read(values, (y - 9) * 8L + x - 8), 3)
                        : before;
                assertThat(TensorContract.read(found, y * 16L + x))
                        .as("%d, %d", x, y)
                        .isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT32, 0", "FLOAT64, 0", "FLOAT16, 0", "FLOAT16, 1", "FLOAT16, 2", "BFLOAT16, 0", "BFLOAT16, 1",
        "BFLOAT16, 2", "INT32, 0", "INT32, 1", "INT32, 2", "INT64, 0", "INT64, 1", "INT64, 2"
    })
    void bytesAreReduced(DataType type, int operation) {
        int count = 56;
        HostArray values = TensorContract.numbers(type, count, 6);
        HostArray old = TensorContract.numbers(type, count + 8, 7);
        Buffer to = put(old);
        launch(
                "reduce",
                LaunchConfig.grid(2).block(32),
                new Object[] {type, operation},
                Ptr.of(put(values)).asI8(),
                Ptr.of(to).asI8(),
                count * type.bytes());
        HostArray found = get(to);
        for (int i = 0; i < count + 8; i++) {
            double before = TensorContract.read(old, i);
            double expected = i < count ? combined(operation, before, TensorContract.read(values, i), 2) : before;
            assertThat(TensorContract.read(found, i)).as("element %d", i).isEqualTo(expected);
        }
    }

    @Test
    void aClusterStoresInEachOthersMemory() {
        Buffer integers = put(HostArray.allocate(DataType.INT32, 16));
        Buffer longs = put(HostArray.allocate(DataType.INT64, 2));
        Buffer floats = put(HostArray.allocate(DataType.FLOAT32, 2));
        Buffer doubles = put(HostArray.allocate(DataType.FLOAT64, 2));
        launch("stores", LaunchConfig.grid(2).block(32).cluster(2), new Object[0], integers, longs, floats, doubles);
        HostArray words = get(integers);
        for (int rank = 0; rank < 2; rank++) {
            int other = 1 - rank;
            int first = 8 * rank;
            LongFunction<Integer> word = i -> words.getInt(first + i);
            assertThat(word.apply(0)).isEqualTo(100 + other);
            assertThat(word.apply(1)).isEqualTo(7 + 5 + other);
            assertThat(word.apply(2)).isEqualTo(7);
            for (int i = 0; i < 4; i++) {
                assertThat(word.apply(4 + i)).isEqualTo(7 + 10 * other + i);
            }
            assertThat(get(longs).getLong(rank)).isEqualTo(1L << 40 | other);
            assertThat(get(floats).getFloat(rank)).isEqualTo(0.5f + other);
            assertThat(get(doubles).getDouble(rank)).isEqualTo(0.25 + other);
        }
    }

    private void refused(String message, long[] shape, int[] lower, int[] upper, int channels, int pixels, int step) {
        HostArray tensor = HostArray.allocate(DataType.FLOAT16, 8 * 6 * 5 * 2);
        Buffer there = put(tensor);
        Buffer maps = maps();
        int[] steps = new int[lower.length];
        Arrays.fill(steps, step);
        assertThatThrownBy(() ->
                        TensorMap.im2col(maps, 0, there, shape, lower, upper, channels, pixels, steps, Swizzle.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void windowsThatTheCopyEngineCannotDoAreRefused() {
        long[] shape = {8, 6, 5, 2};
        int[] no = {0, 0};
        refused("images have 1 to 3 dimensions", new long[] {8, 6}, new int[0], new int[0], 8, 4, 1);
        refused("images have 1 to 3 dimensions", shape, new int[1], new int[1], 8, 4, 1);
        refused("1 to 256 channels", shape, no, no, 0, 4, 1);
        refused("up to 1024 pixels", shape, no, no, 8, 1025, 1);
        refused("multiple of 16", shape, no, no, 4, 4, 1);
        refused("not from -128 to 127", shape, new int[] {-129, 0}, no, 8, 4, 1);
        refused("the window is empty in dimension 1", shape, no, new int[] {0, -5}, 8, 4, 1);
        refused("the step in dimension 0 of an image is 9", shape, no, no, 8, 4, 9);
        refused("the last element would be number", new long[] {8, 6, 5, 3}, no, no, 8, 4, 1);
    }
}
