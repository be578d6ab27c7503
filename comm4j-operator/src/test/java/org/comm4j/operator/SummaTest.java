// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Products of matrices in blocks, beside three loops over whole matrices. */
class SummaTest {
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());

    private static final long[][] SHAPES = {
        {7, 5, 3}, {1, 1, 1}, {4, 9, 6}, {0, 3, 2}, {3, 0, 2}, {2, 3, 0}, {5, 5, 5}, {13, 1, 8}
    };

    /** Returns numbers of ranks: where each costs little with six, which have a grid of two by three. */
    static IntStream ranks() {
        boolean isCheap = Ranks.counts().count() > 4;
        return isCheap ? IntStream.concat(Ranks.counts(), IntStream.of(6)) : Ranks.countsAndAll();
    }

    private static long[] split(Random random, int parts, long length) {
        long[] sizes = new long[parts];
        for (long i = 0; i < length; i++) {
            sizes[random.nextInt(parts)]++;
        }
        return sizes;
    }

    /** Returns Aᴴ B or A B by its definition, in complex numbers: pairs of real and imaginary parts. */
    private static double[] product(boolean adjoint, long n, long k, long m, double[] a, double[] b) {
        long rows = adjoint ? k : n;
        long inner = adjoint ? n : k;
        double[] c = new double[(int) (2 * rows * m)];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < m; j++) {
                for (int l = 0; l < inner; l++) {
                    int atA = 2 * (int) (adjoint ? l * k + i : i * k + l);
                    int atB = 2 * (int) (l * m + j);
                    double imaginary = adjoint ? -a[atA + 1] : a[atA + 1];
                    int atC = 2 * (int) (i * m + j);
                    c[atC] += a[atA] * b[atB] - imaginary * b[atB + 1];
                    c[atC + 1] += a[atA] * b[atB + 1] + imaginary * b[atB];
                }
            }
        }
        return c;
    }

    /** Returns all elements as pairs of real and imaginary parts. */
    private static double[] pairs(Vector vector) {
        DistributedArray array = vector.arrays().getFirst();
        HostArray host = array.toHost();
        double[] pairs = new double[(int) (2 * host.count())];
        for (int i = 0; i < pairs.length / 2; i++) {
            pairs[2 * i] = array.type().isComplex() ? host.getReal(i) : host.getDouble(i);
            pairs[2 * i + 1] = array.type().isComplex() ? host.getImaginary(i) : 0;
        }
        return pairs;
    }

    private static void near(double[] found, double[] expected, DataType type, String what) {
        boolean isSingle = type == DataType.FLOAT32 || type == DataType.COMPLEX64;
        assertThat(found).as(what).hasSameSizeAs(expected);
        for (int i = 0; i < found.length; i++) {
            assertThat(found[i]).as("%s, number %d", what, i).isEqualTo(expected[i], within(isSingle ? 1e-5 : 1e-13));
        }
    }

    private static void check(
            Backend backend, Layout first, Layout second, long widest, DataType typeOfA, DataType type) {
        DistributedArray a = backend.random(first, typeOfA, SEED);
        DistributedArray x = backend.random(second, type, SEED + 1);
        check(backend, MatrixMult.distributed(a, second, widest), a, x, widest);
        check(backend, MatrixMult.stationary(a, second), a, x, 0);
        backend.overlap(false);
        check(backend, MatrixMult.distributed(a, second, widest), a, x, widest);
        check(backend, MatrixMult.stationary(a, second), a, x, 0);
        backend.overlap(true);
    }

    private static void check(
            Backend backend, LinearOperator product, DistributedArray a, DistributedArray x, long widest) {
        long n = a.layout().length(0);
        long k = a.layout().length(1);
        long m = x.layout().length(1);
        DataType type = x.type();
        String what = "rank " + backend.rank() + ", seed " + SEED + ", panels of " + widest
                + (backend.overlaps() ? ", overlapped, " : ", ")
                + product.getClass().getSimpleName() + product;
        assertThat(product.range().shape()).as(what).containsExactly(n, m);
        // Twice, so that memory of the first call is used again.
        Vector y = product.times(x);
        product.matvec(x, y);
        near(pairs(y), product(false, n, k, m, pairs(a), pairs(x)), type, what);
        DistributedArray data = backend.random(product.range(), type, SEED + 2);
        Vector back = product.rmatvec(data, x.like());
        product.rmatvec(data, back);
        near(pairs(back), product(true, n, k, m, pairs(a), pairs(data)), type, "adjoint on " + what);
        boolean isSingle = type == DataType.FLOAT32 || type == DataType.COMPLEX64;
        assertThat(product.dottest(SEED)).as(what).isLessThan(isSingle ? 1e-5 : 1e-13);
    }

    @ParameterizedTest
    @MethodSource("ranks")
    void everyGridAndSplit(int ranks) {
        System.out.println("matrix products on " + ranks + " ranks: seed " + SEED);
        DataType[] types = {DataType.FLOAT64, DataType.COMPLEX128, DataType.FLOAT32, DataType.COMPLEX64};
        Ranks.run(ranks, backend -> {
            Random random = new Random(SEED + ranks);
            for (int height = 1; height <= ranks; height++) {
                int width = ranks / height;
                if (height * width == ranks) {
                    int[] grid = {height, width};
                    for (int i = 0; i < SHAPES.length; i++) {
                        DataType type = types[(i + height) % types.length];
                        long n = SHAPES[i][0];
                        long k = SHAPES[i][1];
                        long m = SHAPES[i][2];
                        check(backend, backend.blocks(grid, n, k), backend.blocks(grid, k, m), 100, type, type);
                        Layout first =
                                Layout.blocks(new long[][] {split(random, height, n), split(random, width, k)}, n, k);
                        Layout second =
                                Layout.blocks(new long[][] {split(random, height, k), split(random, width, m)}, k, m);
                        check(backend, first, second, 1 + i % 3, type, type);
                    }
                    // A real matrix and complex vectors.
                    check(
                            backend,
                            backend.blocks(grid, 5, 7),
                            backend.blocks(grid, 7, 4),
                            2,
                            DataType.FLOAT64,
                            DataType.COMPLEX128);
                }
            }
        });
    }

    @Test
    void wrongGridsAndShapes() {
        Ranks.run(2, backend -> {
            DistributedArray a = backend.zeros(backend.scattered(0, 4, 6), DataType.FLOAT64);
            assertThatThrownBy(() -> MatrixMult.distributed(a, backend.scattered(1, 6, 2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("[1, 2]")
                    .hasMessageContaining("[2, 1]");
            assertThatThrownBy(() -> MatrixMult.distributed(a, backend.scattered(0, 5, 2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("takes 6 rows");
            assertThatThrownBy(() -> MatrixMult.distributed(a, backend.scattered(0, 6, 2), 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("panels of at most 0");
            assertThatThrownBy(() -> MatrixMult.distributed(a, backend.replicated(6, 2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("same grid");
            DistributedArray whole = backend.zeros(backend.replicated(4, 6), DataType.FLOAT64);
            assertThatThrownBy(() -> MatrixMult.distributed(whole, backend.scattered(0, 6, 2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Backend.blocks");
            assertThatThrownBy(() -> backend.zeros(backend.blocks(new int[] {2, 2}, 4, 6), DataType.FLOAT64))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("4 ranks");
        });
    }
}
