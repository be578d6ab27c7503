// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F8E4M3Ptr;
import org.comm4j.kernel.lang.F8E5M2Ptr;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Products by tensor cores beside plain Java, wherever the memory is. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class GemmContract {
    /** Returns memory with the content of an array of the host. */
    abstract Buffer put(HostArray content);

    /** Returns the content of memory that {@link #put} made. */
    abstract HostArray get(Buffer memory);

    static float read(HostArray array, long i) {
        return switch (array.type()) {
            case FLOAT16 -> F16Ptr.of(array).get(i);
            case BFLOAT16 -> BF16Ptr.of(array).get(i);
            case FLOAT8_E4M3 -> F8E4M3Ptr.of(array).get(i);
            case FLOAT8_E5M2 -> F8E5M2Ptr.of(array).get(i);
            default -> array.getFloat(i);
        };
    }

    /** Multiples of 1/4 that all types have. */
    static HostArray matrix(DataType type, long count, int seed) {
        HostArray array = HostArray.allocate(type, count);
        Random random = new Random(seed);
        for (long i = 0; i < count; i++) {
            float value = random.nextInt(-4, 5) / 4f;
            switch (type) {
                case FLOAT16 -> F16Ptr.of(array).set(i, value);
                case BFLOAT16 -> BF16Ptr.of(array).set(i, value);
                case FLOAT8_E4M3 -> F8E4M3Ptr.of(array).set(i, value);
                case FLOAT8_E5M2 -> F8E5M2Ptr.of(array).set(i, value);
                default -> array.setFloat(i, value);
            }
        }
        return array;
    }

    /**
     * Returns the numbers of a matrix with rows of {@code k}, row by row: reading them once is faster than at each use.
     *
     * @param columns whether the memory has it column by column
     */
    private static float[] rows(HostArray array, long begin, boolean columns, int count, int k) {
        float[] numbers = new float[count * k];
        for (int i = 0; i < count; i++) {
            for (int p = 0; p < k; p++) {
                numbers[i * k + p] = read(array, begin + (columns ? (long) p * count + i : (long) i * k + p));
            }
        }
        return numbers;
    }

    /** Returns the dot product of row i and row j. */
    private static double dot(float[] a, int i, float[] b, int j, int k) {
        double sum = 0;
        for (int p = 0; p < k; p++) {
            sum += (double) a[i * k + p] * b[j * k + p];
        }
        return sum;
    }

    /** Multiplies, and compares each element with the sum in double. */
    final void multiplies(DataType type, DataType result, boolean isA, boolean isB, int m, int n, int k, float beta) {
        HostArray a = matrix(type, (long) m * k, 1);
        HostArray b = matrix(type, (long) n * k, 2);
        HostArray old = matrix(result, (long) m * n, 3);
        Buffer left = put(a);
        Buffer right = put(b);
        Buffer to = put(old);
        try (Gemm gemm = Gemm.plan(
                isA ? Transpose.TRANSPOSE : Transpose.NONE,
                isB ? Transpose.TRANSPOSE : Transpose.NONE,
                m,
                n,
                k,
                0.5,
                left,
                right,
                beta,
                to,
                new Gemm.Schedule(m > GemmTile.ROWS ? 2 : 1, 8))) {
            gemm.run();
        }
        HostArray c = get(to);
        float[] rows = rows(a, 0, isA, m, k);
        float[] columns = rows(b, 0, !isB, n, k);
        IntStream.range(0, m).parallel().forEach(i -> {
            for (int j = 0; j < n; j++) {
                double sum = dot(rows, i, columns, j, k);
                float expected = (float) (0.5 * sum + beta * read(old, (long) i * n + j));
                float found = read(c, (long) i * n + j);
                float tolerance = result == DataType.BFLOAT16 ? 0.01f : result == DataType.FLOAT16 ? 0.001f : 0;
                if (!(Math.abs(found - expected) <= tolerance * Math.abs(expected))) {
                    assertThat(found)
                            .as("%s, %d x %d x %d, element %d, %d", type, m, n, k, i, j)
                            .isCloseTo(expected, within(tolerance * Math.abs(expected)));
                }
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "BFLOAT16, FLOAT32, false, true, 64, 64, 64, 0",
        "BFLOAT16, FLOAT32, false, false, 131, 264, 72, 2",
        "FLOAT16, FLOAT16, true, false, 136, 8, 70, 1",
        "FLOAT16, BFLOAT16, true, true, 8, 18, 136, 0",
        "FLOAT8_E4M3, FLOAT32, false, true, 130, 10, 144, -1",
        "FLOAT8_E5M2, BFLOAT16, false, true, 1, 2, 16, 0",
        "FLOAT32, FLOAT32, false, true, 7, 6, 40, 1",
        "BFLOAT16, FLOAT32, false, true, 3, 4, 0, 2"
    })
    void products(DataType type, DataType result, boolean isA, boolean isB, int m, int n, int k, float beta) {
        multiplies(type, result, isA, isB, m, n, k, beta);
    }

    /** Multiplies groups of rows, the last of which may be empty, and compares with the sums in double. */
    final void groups(DataType type, boolean isB, int cluster, int n, int k, int... rows) {
        int groups = rows.length;
        HostArray offsets = HostArray.allocate(DataType.INT32, groups + 1L);
        for (int g = 0; g < groups; g++) {
            offsets.setInt(g + 1L, offsets.getInt(g) + rows[g]);
        }
        int all = offsets.getInt(groups);
        HostArray a = matrix(type, (long) all * k, 1);
        HostArray b = matrix(type, (long) groups * n * k, 2);
        HostArray old = matrix(DataType.FLOAT32, (long) all * n, 3);
        Buffer to = put(old);
        try (Gemm gemm = Gemm.planGrouped(
                isB ? Transpose.TRANSPOSE : Transpose.NONE,
                put(offsets),
                n,
                k,
                2,
                put(a),
                put(b),
                1,
                to,
                new Gemm.Schedule(cluster, 2))) {
            gemm.run();
        }
        HostArray c = get(to);
        float[] factors = rows(a, 0, false, all, k);
        for (int g = 0; g < groups; g++) {
            int group = g;
            float[] columns = rows(b, (long) g * n * k, !isB, n, k);
            IntStream.range(offsets.getInt(g), offsets.getInt(g + 1L))
                    .parallel()
                    .forEach(i -> {
                        for (int j = 0; j < n; j++) {
                            float expected =
                                    (float) (2 * dot(factors, i, columns, j, k) + old.getFloat((long) i * n + j));
                            if (c.getFloat((long) i * n + j) != expected) {
                                assertThat(c.getFloat((long) i * n + j))
                                        .as("%s, group %d, element %d, %d", type, group, i, j)
                                        .isEqualTo(expected);
                            }
                        }
                    });
        }
    }

    @Test
    @Order(Integer.MAX_VALUE - 1)
    void groupsOfRows() {
        groups(DataType.BFLOAT16, false, 1, 8, 24, 3, 0, 130, 1);
        groups(DataType.FLOAT8_E4M3, true, 2, 2, 16, 0, 5, 0);
    }

    @Test
    @Order(Integer.MAX_VALUE - 1)
    void batches() {
        int m = 3;
        int n = 8;
        int k = 8;
        HostArray a = matrix(DataType.FLOAT16, 2L * m * k, 1);
        HostArray b = matrix(DataType.FLOAT16, 2L * n * k, 2);
        Buffer to = put(HostArray.allocate(DataType.FLOAT32, 2L * m * n));
        try (Gemm gemm =
                Gemm.planBatched(Transpose.NONE, 2, m, n, k, 1, put(a), put(b), 0, to, new Gemm.Schedule(1, 8))) {
            gemm.run();
        }
        HostArray c = get(to);
        for (int i = 0; i < 2 * m; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int p = 0; p < k; p++) {
                    sum += (double) read(a, (long) i * k + p) * read(b, (long) (i / m * k + p) * n + j);
                }
                assertThat(c.getFloat((long) i * n + j)).isEqualTo((float) sum);
            }
        }
    }

    @Test
    void nothingIsNoProduct() {
        multiplies(DataType.BFLOAT16, DataType.FLOAT32, false, true, 0, 8, 8, 1);
        multiplies(DataType.BFLOAT16, DataType.FLOAT32, false, true, 8, 0, 8, 1);
    }

    private void refused(String message, Transpose a, Transpose b, int m, int n, int k, Buffer... of) {
        assertThatThrownBy(() -> Gemm.plan(a, b, m, n, k, 1, of[0], of[1], 0, of[2]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void whatDoesNotFitIsRefused() {
        Buffer half = put(matrix(DataType.BFLOAT16, 64, 1));
        Buffer other = put(matrix(DataType.FLOAT16, 64, 1));
        Buffer small = put(matrix(DataType.FLOAT8_E4M3, 64, 1));
        Buffer c = put(matrix(DataType.FLOAT32, 64, 1));
        Transpose no = Transpose.NONE;
        Transpose yes = Transpose.TRANSPOSE;
        refused("not of BFLOAT16 and FLOAT16", no, no, 8, 8, 8, half, other, c);
        refused("A is not transposed and B is", no, no, 8, 8, 8, c, c, c);
        refused("C is FLOAT32, BFLOAT16 or FLOAT16", no, no, 8, 8, 8, half, half, small);
        refused("A is not transposed and B is", no, no, 8, 8, 8, small, small, c);
        refused("A is not transposed and B is", yes, yes, 8, 8, 8, small, small, c);
        refused("A has 56 elements", no, no, 7, 8, 8, half, half, c);
        refused(
                "rows of A have 4 elements of 2 bytes",
                no,
                no,
                16,
                16,
                4,
                half,
                half,
                put(matrix(DataType.FLOAT32, 256, 1)));
        refused("sizes are 0 or more", no, no, -8, 8, 8, half, half, c);
    }
}
