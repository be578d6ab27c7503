// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.test.Natives;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Band matrices along any axes of arrays, whole and as parts with rows of neighbours, against sums over all indices.
 */
abstract class StencilContract {
    static {
        // Whichever test is the first one: the library is looked for once.
        Natives.use();
    }

    private final Compute compute = make();

    abstract Compute make();

    /** Returns the parts of an array to try, of those that there are: their starts and lengths. */
    List<long[]> parts(long[]... all) {
        return List.of(all);
    }

    @AfterEach
    void close() {
        compute.close();
    }

    static Stream<DataType> types() {
        return Stream.of(DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX64, DataType.COMPLEX128);
    }

    static Stream<DataType> realTypes() {
        return Stream.of(DataType.FLOAT32, DataType.FLOAT64);
    }

    private Buffer put(HostArray array) {
        Buffer there = compute.allocate(array.type(), array.count()).buffer();
        there.copyFrom(array);
        return there;
    }

    private static HostArray random(DataType type, long n, Random random) {
        HostArray array = HostArray.allocate(type, n);
        for (long i = 0; i < n; i++) {
            if (type.isComplex()) {
                array.setComplex(i, random.nextGaussian(), random.nextGaussian());
            } else {
                array.setDouble(i, random.nextGaussian());
            }
        }
        return array;
    }

    /**
     * Returns a band with some rows of their own at each end, and a coefficient that is 0; a wide one is a filter, with
     * a row of its own at each end at most.
     */
    private static Band band(long length, int width, Random random) {
        if (width >= 4) {
            double[] row = new double[2 * width + 1];
            boolean causal = random.nextBoolean();
            Arrays.setAll(row, k -> k == 1 || causal && k > width ? 0 : random.nextInt(-4, 5) / 2.0);
            double[] other = random.nextBoolean() ? row : new double[2 * width + 1];
            return Band.of(length, width, width + random.nextInt(3), i -> i == 0 || i == length - 1 ? other : row);
        }
        double[][] rows = new double[2 * width + 3][2 * width + 1];
        for (double[] row : rows) {
            Arrays.setAll(row, k -> k == 1 ? 0 : random.nextInt(-4, 5) / 2.0);
        }
        return Band.of(
                length, width, width + 1, i -> rows[(int) (i <= width ? i : i >= length - width - 1 ? length - i : 0)]);
    }

    private static double part(HostArray array, long i, boolean imaginary) {
        return imaginary ? array.getImaginary(i) : array.type().isComplex() ? array.getReal(i) : array.getDouble(i);
    }

    private static long size(long... shape) {
        return Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    }

    /** The sum over all axes, element by element. */
    private static double expected(HostArray x, long[] shape, @Nullable Band[] bands, long at, boolean imaginary) {
        double sum = 0;
        long stride = 1;
        for (int a = shape.length - 1; a >= 0; a--) {
            Band band = bands[a];
            long i = at / stride % shape[a];
            for (int k = band == null ? 1 : -band.width(); band != null && k <= band.width(); k++) {
                if (i + k >= 0 && i + k < shape[a]) {
                    sum += band.row(i)[band.width() + k] * part(x, at + k * stride, imaginary);
                }
            }
            stride *= shape[a];
        }
        return sum;
    }

    private void check(DataType type, long[] shape, int[] widths, int axis, long start, long count, Random random) {
        @Nullable Band[] bands = new Band[shape.length];
        for (int a = 0; a < shape.length; a++) {
            bands[a] = widths[a] < 0 ? null : band(shape[a], widths[a], random);
        }
        check(type, shape, bands, axis, start, count, random);
    }

    private void check(
            DataType type, long[] shape, @Nullable Band[] bands, int axis, long start, long count, Random random) {
        HostArray whole = random(type, size(shape), random);
        long[] local = shape.clone();
        if (axis >= 0) {
            local[axis] = count;
        }
        Stencil stencil = new Stencil(local, bands, axis, start);
        Buffer before = axis < 0 ? null : put(rows(whole, shape, axis, start - stencil.ghosts(), stencil.ghosts()));
        Buffer after = axis < 0 ? null : put(rows(whole, shape, axis, start + count, stencil.ghosts()));
        HostArray x = axis < 0 ? whole : rows(whole, shape, axis, start, count);
        Buffer y = put(random(type, x.count(), random));
        compute.stencil(stencil, put(x), before, after, y);
        agrees(type, whole, shape, bands, axis, start, count, y.toHost(), null, null);
        if (!type.isComplex() && shape[0] % 2 == 1) {
            HostArray d = random(type, x.count(), random);
            compute.stencil(stencil, put(d), put(x), before, after, y);
            agrees(type, whole, shape, bands, axis, start, count, y.toHost(), d, x);
        }
    }

    /** Compares a result with the stencil's, and with a diagonal's if there is one. */
    private static void agrees(
            DataType type,
            HostArray whole,
            long[] shape,
            @Nullable Band[] bands,
            int axis,
            long start,
            long count,
            HostArray result,
            @Nullable HostArray d,
            @Nullable HostArray x) {
        HostArray all = HostArray.allocate(type, size(shape));
        for (long i = 0; i < all.count(); i++) {
            if (type.isComplex()) {
                all.setComplex(i, expected(whole, shape, bands, i, false), expected(whole, shape, bands, i, true));
            } else {
                all.setDouble(i, expected(whole, shape, bands, i, false));
            }
        }
        HostArray expected = axis < 0 ? all : rows(all, shape, axis, start, count);
        double tolerance = Compute.real(type) == DataType.FLOAT64 ? 1e-12 : 1e-4;
        for (long i = 0; i < result.count(); i++) {
            for (boolean imaginary : type.isComplex() ? new boolean[] {false, true} : new boolean[] {false}) {
                double product = d == null || x == null ? 0 : d.getDouble(i) * x.getDouble(i);
                assertThat(part(result, i, imaginary))
                        .as(
                                "%s %s, bands %s, axis %d from %d, element %d%s",
                                type,
                                Arrays.toString(shape),
                                Arrays.toString(bands),
                                axis,
                                start,
                                i,
                                d == null ? "" : ", with a diagonal")
                        .isEqualTo(part(expected, i, imaginary) + product, within(tolerance));
            }
        }
    }

    /** Returns rows of an axis; those outside of the array are NaN, as nobody may read them. */
    private static HostArray rows(HostArray whole, long[] shape, int axis, long from, long count) {
        long inner = size(Arrays.copyOfRange(shape, axis + 1, shape.length));
        long outer = size(Arrays.copyOfRange(shape, 0, axis));
        HostArray rows = HostArray.allocate(whole.type(), outer * count * inner);
        for (long o = 0; o < outer; o++) {
            for (long r = 0; r < count; r++) {
                long target = (o * count + r) * inner;
                if (from + r < 0 || from + r >= shape[axis]) {
                    rows.slice(target, inner).fill(Double.NaN);
                } else {
                    rows.slice(target, inner).copyFrom(whole.slice((o * shape[axis] + from + r) * inner, inner));
                }
            }
        }
        return rows;
    }

    @ParameterizedTest
    @MethodSource("types")
    void wholeArrays(DataType type) {
        long seed = System.nanoTime();
        System.out.println("stencils of whole arrays: seed " + seed);
        Random random = new Random(seed);
        check(type, new long[] {1}, new int[] {1}, -1, 0, 0, random);
        check(type, new long[] {2}, new int[] {2}, -1, 0, 0, random);
        check(type, new long[] {37}, new int[] {1}, -1, 0, 0, random);
        check(type, new long[] {64}, new int[] {2}, -1, 0, 0, random);
        check(type, new long[] {64}, new int[] {3}, -1, 0, 0, random);
        check(type, new long[] {5, 7}, new int[] {1, 2}, -1, 0, 0, random);
        check(type, new long[] {9, 32}, new int[] {1, 1}, -1, 0, 0, random);
        check(type, new long[] {9, 32}, new int[] {2, -1}, -1, 0, 0, random);
        check(type, new long[] {3, 40}, new int[] {-1, 1}, -1, 0, 0, random);
        check(type, new long[] {9, 8, 16}, new int[] {1, 1, 1}, -1, 0, 0, random);
        check(type, new long[] {1, 1, 4}, new int[] {1, 1, 1}, -1, 0, 0, random);
        check(type, new long[] {6, 9, 5}, new int[] {0, 4, -1}, -1, 0, 0, random);
        check(type, new long[] {4, 3, 5, 6}, new int[] {1, -1, 1, -1}, -1, 0, 0, random);
        check(type, new long[] {3, 4, 3, 8}, new int[] {1, 1, 1, 1}, -1, 0, 0, random);
        check(type, new long[] {5, 4}, new int[] {-1, -1}, -1, 0, 0, random);
        check(type, new long[] {64}, new int[] {6}, -1, 0, 0, random);
        check(type, new long[] {3, 50}, new int[] {-1, 9}, -1, 0, 0, random);
        check(type, new long[] {4, 7}, new int[] {-1, 5}, -1, 0, 0, random);
        check(type, new long[] {2, 12}, new int[] {-1, 5}, -1, 0, 0, random);
        check(type, new long[] {5, 30}, new int[] {1, 4}, -1, 0, 0, random);
        check(type, new long[] {150, 21}, new int[] {-1, 5}, -1, 0, 0, random);
        check(type, new long[] {2, 21, 70}, new int[] {-1, 5, -1}, -1, 0, 0, random);
        check(type, new long[] {1001}, new int[] {7}, -1, 0, 0, random);
    }

    /** More lines than are computed at a time, with and without terms along them. */
    @ParameterizedTest
    @MethodSource("realTypes")
    void manyShortLines(DataType type) {
        long seed = System.nanoTime();
        System.out.println("short lines: seed " + seed);
        Random random = new Random(seed);
        check(type, new long[] {95, 64}, new int[] {2, 1}, -1, 0, 0, random);
        check(type, new long[] {95, 64}, new int[] {2, -1}, -1, 0, 0, random);
        check(type, new long[] {1400, 3}, new int[] {-1, 1}, -1, 0, 0, random);
        check(type, new long[] {3, 75, 60}, new int[] {1, 1, 1}, -1, 0, 0, random);
        for (long[] part : parts(new long[][] {{0, 80}, {80, 15}, {10, 85}})) {
            check(type, new long[] {95, 64}, new int[] {1, 1}, 0, part[0], part[1], random);
            check(type, new long[] {3, 95, 64}, new int[] {1, 2, 1}, 1, part[0], part[1], random);
            check(type, new long[] {75, 95}, new int[] {1, 2}, 1, part[0], part[1], random);
        }
    }

    /** Wide bands along the last axis with the same coefficients in all rows, in lines of any length. */
    @ParameterizedTest
    @MethodSource("realTypes")
    void filtersOfLongLines(DataType type) {
        long seed = System.nanoTime();
        System.out.println("filters: seed " + seed);
        Random random = new Random(seed);
        long[][] linesLengthWidth = {{2, 600, 20}, {3, 513, 5}, {1, 130, 3}, {1, 1025, 128}, {2, 140, 69}};
        for (long[] each : linesLengthWidth) {
            int width = (int) each[2];
            double[] row = random.doubles(2L * width + 1).toArray();
            Band band = Band.of(each[1], width, width, i -> row);
            check(type, new long[] {each[0], each[1]}, new Band[] {null, band}, -1, 0, 0, random);
        }
    }

    /** One pass for all axes gives what a pass for each gives; nobody reads beyond the ends. */
    private void checkGradient(DataType type, long[] shape, int axis, long start, long count, Random random) {
        @Nullable Band[] bands = new Band[shape.length];
        Arrays.setAll(bands, a -> band(shape[a], 1, random));
        long[] local = shape.clone();
        if (axis >= 0) {
            local[axis] = count;
        }
        Stencil all = new Stencil(local, bands, axis, start);
        HostArray[] wholes = new HostArray[shape.length];
        Buffer[] x = new Buffer[shape.length];
        Buffer[] y = new Buffer[shape.length];
        for (int a = 0; a < shape.length; a++) {
            wholes[a] = random(type, size(shape), random);
            x[a] = put(axis < 0 ? wholes[a] : rows(wholes[a], shape, axis, start, count));
            y[a] = put(random(type, size(local), random));
        }
        Buffer front = axis < 0 ? null : put(rows(wholes[axis], shape, axis, start - 1, 1));
        Buffer back = axis < 0 ? null : put(rows(wholes[axis], shape, axis, start + count, 1));
        Buffer sum = put(random(type, size(local), random));
        boolean done = compute.divergence(all, front, back, sum, x);
        Buffer source = axis < 0 ? x[0] : x[axis];
        boolean gradient = compute.gradient(all, source, front, back, y);
        assertThat(gradient).isEqualTo(done);
        assertThat(done || compute instanceof CpuCompute)
                .as("%s %s", type, Arrays.toString(shape))
                .isTrue();
        if (!done) {
            return;
        }
        Buffer expected = put(HostArray.allocate(type, size(local)));
        Buffer one = put(HostArray.allocate(type, size(local)));
        for (int a = 0; a < shape.length; a++) {
            @Nullable Band[] single = new Band[shape.length];
            single[a] = bands[a];
            Stencil stencil = new Stencil(local, single, a == axis ? axis : -1, a == axis ? start : 0);
            compute.stencil(stencil, source, a == axis ? front : null, a == axis ? back : null, one);
            same(y[a], one, "gradient along " + a);
            compute.stencil(stencil, x[a], a == axis ? front : null, a == axis ? back : null, one);
            compute.axpby(Coefficient.ONE, one, a == 0 ? Coefficient.ZERO : Coefficient.ONE, expected);
        }
        same(sum, expected, "sum");
    }

    private static void same(Buffer found, Buffer expected, String what) {
        HostArray a = found.toHost();
        HostArray b = expected.toHost();
        double tolerance = Compute.real(a.type()) == DataType.FLOAT64 ? 1e-12 : 1e-4;
        for (long i = 0; i < a.count(); i++) {
            assertThat(part(a, i, false)).as("%s, element %d", what, i).isEqualTo(part(b, i, false), within(tolerance));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT32", "COMPLEX128"})
    void gradientsInOnePass(DataType type) {
        long seed = System.nanoTime();
        System.out.println("gradients: seed " + seed);
        Random random = new Random(seed);
        checkGradient(type, new long[] {20, 8}, -1, 0, 0, random);
        checkGradient(type, new long[] {3, 4}, -1, 0, 0, random);
        checkGradient(type, new long[] {5, 17, 8}, -1, 0, 0, random);
        for (long[] part : parts(new long[] {15, 1}, new long[] {0, 4})) {
            checkGradient(type, new long[] {16, 8}, 0, part[0], part[1], random);
            checkGradient(type, new long[] {16, 3, 8}, 0, part[0], part[1], random);
            checkGradient(type, new long[] {3, 16, 4}, 1, part[0], part[1], random);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void partsWithRowsOfNeighbours(DataType type) {
        long seed = System.nanoTime();
        System.out.println("stencils of parts: seed " + seed);
        Random random = new Random(seed);
        for (long[] part : parts(new long[][] {{0, 13}, {13, 20}, {33, 7}, {5, 1}, {39, 1}, {0, 40}, {7, 0}, {2, 3}})) {
            check(type, new long[] {3, 40}, new int[] {-1, 6}, 1, part[0], part[1], random);
            check(type, new long[] {40, 3}, new int[] {6, -1}, 0, part[0], part[1], random);
        }
        for (long[] part : parts(new long[][] {{0, 4}, {4, 9}, {13, 1}, {14, 2}, {6, 0}, {0, 16}})) {
            check(type, new long[] {16, 8}, new int[] {2, 1}, 0, part[0], part[1], random);
            check(type, new long[] {3, 16, 4}, new int[] {1, 1, 1}, 1, part[0], part[1], random);
            check(type, new long[] {16, 3, 8}, new int[] {1, 1, 1}, 0, part[0], part[1], random);
            check(type, new long[] {4, 16}, new int[] {1, 1}, 1, part[0], part[1], random);
            check(type, new long[] {2, 3, 16, 5}, new int[] {1, 1, 3, 1}, 2, part[0], part[1], random);
        }
    }
}
