// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.F64Ptr;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What an iteration of a solver computes: sweeps and products of several matrices against the single operations,
 * calculations with numbers, and copies of them for the host.
 */
abstract class SweepContract {
    private static final Calculation QUOTIENT = SweepContract::quotient;

    private final Compute compute = make();

    /** Makes what is tested. */
    abstract Compute make();

    /** Returns the lengths of vectors; the longest one takes several blocks of a GPU. */
    long[] lengths() {
        return new long[] {0, 1, 2, 3, 4, 5, 64, 1001, 9001};
    }

    @AfterEach
    void close() {
        compute.close();
    }

    static Stream<DataType> types() {
        return Stream.of(DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX64, DataType.COMPLEX128);
    }

    private Buffer random(DataType type, long n, long seed) {
        Random random = new Random(seed);
        HostArray array = HostArray.allocate(type, n);
        for (long i = 0; i < n; i++) {
            if (type.isComplex()) {
                array.setComplex(i, random.nextGaussian(), random.nextGaussian());
            } else {
                array.setDouble(i, random.nextGaussian());
            }
        }
        Buffer there = compute.allocate(type, n).buffer();
        there.copyFrom(array);
        return there;
    }

    private static byte[] bytes(Buffer buffer) {
        return buffer.toHost().segment().toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @MethodSource("types")
    void termsAreThoseOfSingleOperations(DataType type) {
        double tolerance = Compute.real(type) == DataType.FLOAT64 ? 1e-12 : 1e-5;
        for (long n : lengths()) {
            Scalars numbers = compute.scalars(9);
            Scalar step = numbers.get(0);
            Scalar keep = numbers.get(1);
            Scalar one = numbers.get(2);
            step.set(-0.75, type.isComplex() ? 0.5 : 0);
            one.set(1);
            Buffer x = random(type, n, 1);
            Buffer y = random(type, n, 2);
            Buffer z = random(type, n / 2, 3);
            Buffer expectedY = random(type, n, 2);
            compute.axpby(step, x, Coefficient.ONE, expectedY);
            Scalar squares = numbers.get(3);
            Scalar sum = numbers.get(4);
            Scalar unconjugated = numbers.get(5);
            Runnable sweep = compute.prepare(new Sweep()
                    .update(step, x, Coefficient.ONE, y, squares, false)
                    .vdot(z, z, sum, false)
                    .dot(x, x, unconjugated, false)
                    // What depends on the update comes after it.
                    .vdot(x, y, sum, true)
                    .update(keep, x, one, y)
                    .update(keep, x, one, y, numbers.get(6), false));
            sweep.run();
            assertThat(bytes(y)).as("%s, %d elements", type, n).isEqualTo(bytes(expectedY));
            Scalar expected = numbers.get(7);
            compute.vdot(y, y, expected);
            double scale = tolerance * (1 + expected.real());
            assertThat(squares.real()).isEqualTo(expected.real(), within(scale));
            assertThat(numbers.get(6).real()).isEqualTo(expected.real(), within(scale));
            assertThat(squares.imaginary()).isEqualTo(0, within(scale));
            compute.dot(x, x, expected);
            assertThat(unconjugated.real()).isEqualTo(expected.real(), within(scale));
            assertThat(unconjugated.imaginary()).isEqualTo(expected.imaginary(), within(scale));
            compute.vdot(z, z, expected);
            compute.vdot(x, y, numbers.get(8));
            assertThat(sum.real()).isEqualTo(expected.real() + numbers.get(8).real(), within(scale));
            assertThat(sum.imaginary()).isEqualTo(numbers.get(8).imaginary(), within(scale));
        }
    }

    /** Ranks that have equal copies of a vector get equal sums, whatever else they have. */
    @Test
    void aSumDoesNotDependOnTheOtherTerms() {
        long n = lengths()[lengths().length - 1];
        Buffer x = random(DataType.FLOAT64, n, 1);
        Scalars numbers = compute.scalars(4);
        compute.prepare(new Sweep().vdot(x, x, numbers.get(0), false)).run();
        Buffer longer = random(DataType.FLOAT64, 3 * n, 2);
        Buffer shorter = random(DataType.FLOAT64, 1, 3);
        compute.prepare(new Sweep()
                        .vdot(longer, longer, numbers.get(2), false)
                        .vdot(shorter, shorter, numbers.get(3), false)
                        .vdot(x, x, numbers.get(1), false))
                .run();
        assertThat(numbers.get(1).real()).isEqualTo(numbers.get(0).real());
    }

    @Test
    void anUpdateThatChangesNothingKeepsNegativeZeros() {
        Buffer y = random(DataType.FLOAT64, 3, 1);
        y.copyFrom(HostArray.of(-0.0, Double.NaN, 1));
        Buffer x = random(DataType.FLOAT64, 3, 2);
        x.copyFrom(HostArray.of(Double.NaN, Double.POSITIVE_INFINITY, 1));
        byte[] before = bytes(y);
        compute.axpby(Coefficient.ZERO, x, Coefficient.ONE, y);
        Scalar sum = compute.scalars(1).get(0);
        compute.prepare(new Sweep()
                        .update(Coefficient.ZERO, x, Coefficient.ONE, y)
                        .update(Coefficient.ZERO, x, Coefficient.ONE, y, sum, false))
                .run();
        assertThat(bytes(y)).isEqualTo(before);
        assertThat(sum.real()).isNaN();
    }

    private static void quotient(F64Ptr a, F64Ptr b, F64Ptr c) {
        double value = b.get(0);
        if (value == 0 || !Double.isFinite(value)) {
            c.set(0, 0);
            return;
        }
        c.set(0, Math.sqrt(Math.abs(a.get(0) / value)));
    }

    @Test
    void calculationsStayWhereTheVectorsAre() {
        Scalars numbers = compute.scalars(3);
        Buffer[] places = new Buffer[3];
        for (int i = 0; i < 3; i++) {
            places[i] = numbers.get(i).buffer();
        }
        Runnable quotient = compute.prepare(new Sweep(), QUOTIENT, places[0], places[1], places[2]);
        try (Snapshot snapshot = compute.snapshot(numbers.buffer())) {
            numbers.get(0).set(-18);
            numbers.get(1).set(2);
            quotient.run();
            snapshot.take();
            numbers.get(1).set(0);
            assertThat(snapshot.await().getDouble(4)).isEqualTo(3);
            quotient.run();
            snapshot.take();
            assertThat(snapshot.await().getDouble(4)).isZero();
        }
    }

    /** A calculation that follows a sweep sees its sums, also those of many blocks, and comes after its updates. */
    @Test
    void calculationsFollowSweeps() {
        for (long n : lengths()) {
            Buffer x = random(DataType.FLOAT64, n, 1);
            Buffer y = random(DataType.FLOAT64, n, 2);
            Scalars numbers = compute.scalars(3);
            Buffer[] places = new Buffer[3];
            for (int i = 0; i < 3; i++) {
                places[i] = numbers.get(i).buffer();
            }
            Sweep sums = new Sweep()
                    .vdot(x, x, numbers.get(0), false)
                    .update(Coefficient.of(2), x, Coefficient.ONE, y, numbers.get(1), false);
            Runnable both = compute.prepare(sums, QUOTIENT, places[0], places[1], places[2]);
            for (int i = 0; i < 2; i++) {
                both.run();
                double expected = n == 0
                        ? 0
                        : Math.sqrt(
                                Math.abs(numbers.get(0).real() / numbers.get(1).real()));
                assertThat(numbers.get(2).real()).isEqualTo(expected, within(1e-15 * (1 + expected)));
            }
            numbers.get(0).set(8);
            numbers.get(1).set(2);
            Sweep update = new Sweep().update(Coefficient.ONE, x, Coefficient.ONE, y);
            compute.prepare(update, QUOTIENT, places[0], places[1], places[2]).run();
            assertThat(numbers.get(2).real()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void severalMatricesAreThoseOneByOne(DataType type) {
        double tolerance = Compute.real(type) == DataType.FLOAT64 ? 1e-13 : 1e-5;
        long m = 5;
        long k = 7;
        Buffer[] all = new Buffer[4];
        for (int i = 0; i < all.length; i++) {
            all[i] = random(type, m * k, i);
        }
        List<List<Buffer>> orders = List.of(
                List.of(all[0], all[1]),
                List.of(all[1], all[0]),
                List.of(all[0], all[1], all[2], all[3]),
                List.of(all[3], all[0], all[0], all[2]));
        for (List<Buffer> matrices : orders) {
            for (Transpose transpose : Transpose.values()) {
                long from = transpose == Transpose.NONE ? k : m;
                long to = transpose == Transpose.NONE ? m : k;
                Buffer x = random(type, matrices.size() * from, 8);
                Buffer y = random(type, matrices.size() * to, 9);
                Buffer expected = random(type, matrices.size() * to, 10);
                Blas blas = compute.blas();
                blas.gemv(transpose, to, from, matrices, x, y);
                for (int i = 0; i < matrices.size(); i++) {
                    blas.gemm(
                            transpose,
                            to,
                            1,
                            from,
                            1,
                            matrices.get(i),
                            x.slice(i * from, from),
                            0,
                            expected.slice(i * to, to));
                }
                compute.axpby(Coefficient.MINUS_ONE, expected, Coefficient.ONE, y);
                Scalar difference = compute.scalars(1).get(0);
                compute.largestModulus(y, difference);
                assertThat(difference.real()).as("%s of %s", transpose, type).isLessThan(tolerance);
            }
        }
    }

    @Test
    void wrongOperands() {
        Buffer x = random(DataType.FLOAT64, 3, 1);
        Buffer y = random(DataType.FLOAT64, 4, 1);
        assertThatThrownBy(() -> new Sweep().update(Coefficient.ONE, x, Coefficient.ONE, y))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("update");
    }
}
