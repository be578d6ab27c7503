// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Random;
import java.util.stream.Stream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Sums without rounding, against those of decimal numbers of any length. */
abstract class ExactContract {
    /** What numbers are like. */
    enum Numbers {
        UNIFORM,
        /** Exponents of the whole range of the type. */
        WIDE,
        /** The sum is much smaller than the terms. */
        CANCELLING,
        HUGE,
        TINY,
        ZERO
    }

    final Compute compute = make();

    /** Makes what is tested. */
    abstract Compute make();

    /** Returns the lengths of vectors; the longest one takes several blocks of a GPU. */
    long[] lengths() {
        return new long[] {0, 1, 2, 3, 1023, 1025, 3001};
    }

    @AfterEach
    void close() {
        compute.close();
    }

    static Stream<DataType> types() {
        return Stream.of(DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX64, DataType.COMPLEX128);
    }

    /** Returns the real numbers of a vector; complex elements are pairs. */
    private static double[] numbers(Numbers kind, DataType type, long n, long seed) {
        Random random = new Random(seed);
        boolean wide = Compute.real(type) == DataType.FLOAT64;
        int range = wide ? 1000 : 120;
        double[] all = new double[(int) n * (type.isComplex() ? 2 : 1)];
        for (int i = 0; i < all.length; i++) {
            double value = random.nextDouble() - 0.5;
            value = switch (kind) {
                case UNIFORM, CANCELLING -> value;
                case WIDE -> Math.scalb(value, random.nextInt(-range / 2, range / 2));
                case HUGE -> Math.scalb(value, range / 2 + 8);
                case TINY -> Math.scalb(value, -range / 2 - 25);
                case ZERO -> value < 0 ? 0.0 : -0.0;
            };
            all[i] = wide ? value : (float) value;
        }
        if (kind == Numbers.CANCELLING) {
            for (int i = 0; i < all.length / 2; i++) {
                all[all.length - 1 - i] = i % 7 == 0 ? Math.nextUp((float) all[i]) : all[i];
            }
        }
        return all;
    }

    final Buffer buffer(DataType type, double... numbers) {
        HostArray array = HostArray.allocate(type, numbers.length / (type.isComplex() ? 2 : 1));
        HostArray parts = array.view(Compute.real(type));
        for (int i = 0; i < numbers.length; i++) {
            parts.setDouble(i, numbers[i]);
        }
        Buffer there = compute.allocate(type, array.count()).buffer();
        there.copyFrom(array);
        return there;
    }

    static double sum(double... terms) {
        BigDecimal sum = BigDecimal.ZERO;
        for (double term : terms) {
            sum = sum.add(new BigDecimal(term));
        }
        return sum.doubleValue();
    }

    private static double[] products(boolean complex, boolean conjugate, boolean imaginary, double[] x, double[] y) {
        double[] terms = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            int pair = complex && imaginary ? i ^ 1 : i;
            double sign = complex && i % 2 == 1 && conjugate == imaginary ? -1 : 1;
            terms[i] = sign * (x[i] * y[pair]);
        }
        return terms;
    }

    @ParameterizedTest
    @MethodSource("types")
    void dotsAreThoseOfDecimalNumbers(DataType type) {
        boolean complex = type.isComplex();
        ExactSums sums = compute.exactSums(2);
        Scalars results = compute.scalars(2);
        for (Numbers kind : Numbers.values()) {
            for (long n : lengths()) {
                double[] u = numbers(kind, type, n, 1 + n);
                double[] v = numbers(kind == Numbers.CANCELLING ? Numbers.UNIFORM : kind, type, n, 2 + n);
                if (kind == Numbers.CANCELLING) {
                    for (int i = 0; i < v.length / 2; i++) {
                        v[v.length - 1 - i] = -v[i];
                    }
                }
                Buffer x = buffer(type, u);
                Buffer y = buffer(type, v);
                Sweep sweep = new Sweep().dot(x, y, sums, 0, false).vdot(x, y, sums, 1, false);
                Runnable run = compute.prepare(sweep.round(sums, 1, results.buffer()));
                run.run();
                run.run();
                for (int i = 0; i < 2; i++) {
                    String what = kind + ", " + n + " of " + type + ", " + (i == 0 ? "dot" : "vdot");
                    double re = sum(products(complex, i == 1, false, u, v));
                    double im = complex ? sum(products(complex, i == 1, true, u, v)) : 0;
                    assertThat(results.get(i).real()).as(what).isEqualTo(re);
                    assertThat(results.get(i).imaginary()).as(what).isEqualTo(im);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void normsAreThoseOfDecimalNumbers(DataType type) {
        long n = 500;
        double[] u = numbers(Numbers.WIDE, type, n, 5);
        Buffer x = buffer(type, u);
        ExactSums sums = compute.exactSums(2);
        Scalars results = compute.scalars(1);
        // Two sums are added up before they are rounded.
        compute.prepare(new Sweep()
                        .squares(0x1p-7, x, sums, 0, false)
                        .squares(0x1p-7, x, sums, 1, false)
                        .round(sums, 2, results.buffer()))
                .run();
        double[] scaled = u.clone();
        for (int i = 0; i < u.length; i++) {
            scaled[i] = u[i] * 0x1p-7;
        }
        assertThat(results.get(0).real()).isEqualTo(2 * sum(products(false, true, false, scaled, scaled)));
        compute.prepare(new Sweep()
                        .moduli(x, sums, 0, false)
                        .squares(1, buffer(type), sums, 1, false)
                        .round(sums, 2, results.buffer()))
                .run();
        double expected = 0;
        for (int i = 0; i < u.length; i += type.isComplex() ? 2 : 1) {
            expected += type.isComplex() ? Math.hypot(u[i], u[i + 1]) : Math.abs(u[i]);
        }
        assertThat(results.get(0).real() / expected).isBetween(1 - 1e-13, 1 + 1e-13);
    }

    /** The parts of a vector, in any order, have the sum of the whole. */
    @ParameterizedTest
    @EnumSource(Numbers.class)
    void partsHaveTheSumOfTheWhole(Numbers kind) {
        int n = 2101;
        double[] u = numbers(kind, DataType.FLOAT64, n, 8);
        Buffer x = buffer(DataType.FLOAT64, u);
        ExactSums sums = compute.exactSums(1);
        Scalars results = compute.scalars(2);
        compute.prepare(new Sweep()
                        .vdot(x, x, sums, 0, false)
                        .round(sums, 1, results.buffer().slice(0, 2)))
                .run();
        Sweep parts = new Sweep();
        for (int part = 6; part >= 0; part--) {
            Buffer p = x.slice(part * 300, part == 6 ? 301 : 300);
            parts.vdot(p, p, sums, 0, part != 6);
        }
        compute.prepare(parts.round(sums, 1, results.buffer().slice(2, 2))).run();
        assertThat(results.get(1).real()).isEqualTo(results.get(0).real());
    }

    @Test
    void infinitiesAndNansAreThoseOfPlainSums() {
        double infinity = Double.POSITIVE_INFINITY;
        ExactSums sums = compute.exactSums(1);
        Scalars results = compute.scalars(1);
        double[][] cases = {
            {infinity, 1, infinity},
            {-infinity, 1, -infinity},
            {infinity, -infinity, Double.NaN},
            {1, Double.NaN, Double.NaN},
            {Double.MAX_VALUE, Double.MAX_VALUE, infinity},
            {-Double.MAX_VALUE, -Double.MAX_VALUE, -infinity},
            {Double.MAX_VALUE, -Double.MAX_VALUE, 0},
            {Double.MIN_VALUE, Double.MIN_VALUE, 2 * Double.MIN_VALUE},
            {0x1p-1022, -Double.MIN_VALUE, 0x1p-1022 - Double.MIN_VALUE},
            {1, 0x1p-53, 1},
            {1 + 0x1p-52, 0x1p-53, 1 + 0x1p-51}
        };
        for (double[] each : cases) {
            Buffer x = buffer(DataType.FLOAT64, each[0], 3, each[1], -3);
            Buffer one = buffer(DataType.FLOAT64, 1, 1, 1, 1);
            compute.prepare(new Sweep().vdot(x, one, sums, 0, false).round(sums, 1, results.buffer()))
                    .run();
            assertThat(results.get(0).real()).as("%s + %s", each[0], each[1]).isEqualTo(Double.valueOf(each[2]));
        }
    }

    @Test
    void wrongSumsAreNamed() {
        ExactSums sums = compute.exactSums(2);
        Buffer x = buffer(DataType.FLOAT64, 1, 2);
        assertThatThrownBy(() -> new Sweep().vdot(x, x, sums, 2, false))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("2 exact sums, none at 2");
        assertThatThrownBy(() -> new Sweep().round(sums, 2, compute.scalars(2).buffer()))
                .hasMessageContaining("2 sums are not 2 for each of 2");
        assertThatThrownBy(() -> new Sweep().vdot(x, x.slice(0, 1), sums, 0, false))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
