// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.Stream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation on vectors of the four types and of odd lengths, against plain loops over complex numbers: the same
 * for all that compute.
 */
abstract class ComputeContract {
    static {
        // Whichever test is the first one: the library is looked for once.
        Natives.use();
    }

    private final Compute compute = make();

    /** Makes what is tested. */
    abstract Compute make();

    @AfterEach
    void close() {
        compute.close();
    }

    /** Returns a copy of a host array where the compute reaches it. */
    final Buffer put(HostArray array) {
        Buffer there = compute.allocate(array.type(), array.count()).buffer();
        there.copyFrom(array);
        return there;
    }

    private Buffer put(double... values) {
        return put(HostArray.of(values));
    }

    private Buffer empty(DataType type, long n) {
        return compute.allocate(type, n).buffer();
    }

    static Stream<DataType> types() {
        return Stream.of(DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX64, DataType.COMPLEX128);
    }

    /** Returns the lengths of vectors; the longest one takes several blocks of a GPU. */
    long[] lengths() {
        return new long[] {0, 1, 2, 3, 4, 5, 7, 64, 1001, 4999};
    }

    private static HostArray random(DataType type, long n, long seed) {
        Random random = new Random(seed);
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

    private static Complex at(HostArray array, long i) {
        return array.type().isComplex()
                ? new Complex(array.getReal(i), array.getImaginary(i))
                : new Complex(array.getDouble(i), 0);
    }

    private static Complex times(Complex a, Complex b) {
        return new Complex(
                a.real() * b.real() - a.imaginary() * b.imaginary(),
                a.real() * b.imaginary() + a.imaginary() * b.real());
    }

    private static double tolerance(DataType type, double magnitude) {
        return (Compute.real(type) == DataType.FLOAT64 ? 1e-14 : 3e-6) * (1 + magnitude);
    }

    private static void assertAt(HostArray array, long i, double real, double imaginary) {
        double tolerance = tolerance(array.type(), Math.hypot(real, imaginary));
        assertThat(at(array, i).real()).as("%s, element %d", array, i).isEqualTo(real, within(tolerance));
        assertThat(at(array, i).imaginary()).as("%s, element %d", array, i).isEqualTo(imaginary, within(tolerance));
    }

    @ParameterizedTest
    @MethodSource("types")
    void axpby(DataType type) {
        double[][] factors = {{0, 0}, {0, 2}, {3, 0}, {1, 1}, {-1.5, 1}, {0.5, -2}};
        for (long n : lengths()) {
            for (double[] f : factors) {
                HostArray x = random(type, n, 1);
                HostArray before = random(type, n, 2);
                Buffer there = put(before);
                compute.axpby(Coefficient.of(f[0]), put(x), Coefficient.of(f[1]), there);
                HostArray y = there.toHost();
                for (long i = 0; i < n; i++) {
                    assertAt(
                            y,
                            i,
                            f[0] * at(x, i).real() + f[1] * at(before, i).real(),
                            f[0] * at(x, i).imaginary() + f[1] * at(before, i).imaginary());
                }
            }
        }
    }

    @Test
    void axpbyWithComplexFactors() {
        for (DataType type : new DataType[] {DataType.COMPLEX64, DataType.COMPLEX128}) {
            HostArray x = random(type, 13, 1);
            HostArray before = random(type, 13, 2);
            Buffer there = put(before);
            compute.axpby(Coefficient.of(1, -2), put(x), Coefficient.of(0.5, 3), there);
            HostArray y = there.toHost();
            for (long i = 0; i < 13; i++) {
                Complex a = times(new Complex(1, -2), at(x, i));
                Complex b = times(new Complex(0.5, 3), at(before, i));
                assertAt(y, i, a.real() + b.real(), a.imaginary() + b.imaginary());
            }
        }
    }

    @Test
    void anOperandWithFactorZeroIsNotRead() {
        Buffer nan = put(Double.NaN, Double.NaN);
        Buffer y = put(1.0, 2.0);
        compute.axpby(Coefficient.ZERO, nan, Coefficient.of(2), y);
        assertThat(y.toDoubleArray()).containsExactly(2, 4);
        compute.axpby(Coefficient.of(3), y, Coefficient.ZERO, nan);
        assertThat(nan.toDoubleArray()).containsExactly(6, 12);
    }

    @ParameterizedTest
    @MethodSource("types")
    void dots(DataType type) {
        Scalar result = compute.scalars(1).get(0);
        for (long n : lengths()) {
            HostArray x = random(type, n, 3);
            HostArray y = random(type, n, 4);
            double re = 0;
            double im = 0;
            double cre = 0;
            double cim = 0;
            double squares = 0;
            for (long i = 0; i < n; i++) {
                Complex product = times(at(x, i), at(y, i));
                re += product.real();
                im += product.imaginary();
                Complex conjugated = times(at(x, i).conjugate(), at(y, i));
                cre += conjugated.real();
                cim += conjugated.imaginary();
                squares += at(x, i).abs() * at(x, i).abs();
            }
            Buffer u = put(x);
            Buffer v = put(y);
            compute.dot(u, v, result);
            assertThat(result.real()).isEqualTo(re, within(1e-10 * (1 + n)));
            assertThat(result.imaginary()).isEqualTo(im, within(1e-10 * (1 + n)));
            compute.vdot(u, v, result);
            assertThat(result.real()).isEqualTo(cre, within(1e-10 * (1 + n)));
            assertThat(result.imaginary()).isEqualTo(cim, within(1e-10 * (1 + n)));
            compute.sumOfSquares(u, 1, result);
            assertThat(result.real()).isEqualTo(squares, within(1e-10 * (1 + n)));
            compute.sumOfSquares(u, 4, result);
            assertThat(result.real()).isEqualTo(squares / 16, within(1e-10 * (1 + n)));
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void moduli(DataType type) {
        Scalar result = compute.scalars(1).get(0);
        for (long n : lengths()) {
            HostArray x = random(type, n, 5);
            double sum = 0;
            double cubes = 0;
            double largest = 0;
            double smallest = Double.POSITIVE_INFINITY;
            for (long i = 0; i < n; i++) {
                double modulus = at(x, i).abs();
                sum += modulus;
                cubes += modulus * modulus * modulus;
                largest = Math.max(largest, modulus);
                smallest = Math.min(smallest, modulus);
            }
            Buffer u = put(x);
            compute.sumOfPowers(u, 1, result);
            assertThat(result.real()).isEqualTo(sum, within(1e-10 * (1 + n)));
            compute.sumOfPowers(u, 3, result);
            assertThat(result.real()).isEqualTo(cubes, within(1e-9 * (1 + n)));
            compute.sumOfPowers(u, 0, result);
            assertThat(result.real()).isEqualTo((double) n);
            compute.largestModulus(u, result);
            assertThat(result.real()).isEqualTo(largest, within(1e-15 * largest));
            compute.smallestModulus(u, result);
            assertThat(result.real()).isEqualTo(smallest, within(n == 0 ? 0 : 1e-15 * smallest));
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void productsAndConjugates(DataType type) {
        HostArray x = random(type, 11, 6);
        HostArray y = random(type, 11, 7);
        Buffer u = put(x);
        Buffer product = empty(type, 11);
        compute.multiply(u, put(y), product);
        HostArray z = product.toHost();
        Buffer conjugated = empty(type, 11);
        compute.conjugate(u, conjugated);
        HostArray c = conjugated.toHost();
        for (long i = 0; i < 11; i++) {
            Complex expected = times(at(x, i), at(y, i));
            assertAt(z, i, expected.real(), expected.imaginary());
            assertAt(c, i, at(x, i).real(), -at(x, i).imaginary());
        }
        compute.multiply(u, u, u);
        HostArray squares = u.toHost();
        for (long i = 0; i < 11; i++) {
            Complex square = times(at(x, i), at(x, i));
            assertAt(squares, i, square.real(), square.imaginary());
        }
    }

    @Test
    void copiesConvert() {
        for (DataType from : types().toList()) {
            for (DataType to : types().toList()) {
                Buffer x = put(random(from, 37, 8));
                Buffer y = empty(to, 37);
                if (from.isComplex() && !to.isComplex()) {
                    assertThatThrownBy(() -> compute.copy(x, y))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("real or the imaginary part");
                    continue;
                }
                compute.copy(x, y);
                HostArray expected = random(from, 37, 8);
                HostArray copied = y.toHost();
                for (long i = 0; i < 37; i++) {
                    assertAt(copied, i, at(expected, i).real(), at(expected, i).imaginary());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void fills(DataType type) {
        for (long n : lengths()) {
            Buffer y = empty(type, n);
            double im = type.isComplex() ? -2.5 : 0;
            compute.fill(Coefficient.of(1.5, im), y);
            HostArray filled = y.toHost();
            for (long i = 0; i < n; i++) {
                assertThat(at(filled, i)).isEqualTo(new Complex(1.5, im));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void partsOfVectorsBeginAnywhere(DataType type) {
        HostArray x = random(type, 50, 12);
        HostArray before = random(type, 50, 13);
        Buffer there = put(before);
        compute.axpby(Coefficient.of(2), put(x).slice(1, 30), Coefficient.ONE, there.slice(3, 30));
        HostArray y = there.toHost();
        for (long i = 0; i < 50; i++) {
            double factor = i >= 3 && i < 33 ? 2 : 0;
            Complex added = at(x, Math.clamp(i - 2, 0, 49));
            assertAt(
                    y,
                    i,
                    at(before, i).real() + factor * added.real(),
                    at(before, i).imaginary() + factor * added.imaginary());
        }
    }

    @Test
    void factorsStayWhereTheVectorsAre() {
        Scalars scalars = compute.scalars(2);
        Buffer x = put(1, 2, 3);
        compute.dot(x, x, scalars.get(1));
        compute.axpby(scalars.get(1), x, scalars.get(0), x);
        assertThat(x.toDoubleArray()).containsExactly(14, 28, 42);
        scalars.get(0).set(2, -1);
        assertThat(scalars.get(0).real()).isEqualTo(2);
        assertThat(scalars.get(0).imaginary()).isEqualTo(-1);
        Buffer z = put(HostArray.of(1.0, 2.0, 3.0, 4.0)).slice(0, 4);
        Buffer c = empty(DataType.COMPLEX128, 4);
        compute.copy(z, c);
        compute.axpby(scalars.get(0), c, Coefficient.ZERO, c);
        assertThat(at(c.toHost(), 3)).isEqualTo(new Complex(8, -4));
    }

    @Test
    void hugeAndTinyNumbersAreScaled() {
        Scalar result = compute.scalars(1).get(0);
        compute.sumOfSquares(put(3e300, 4e300), 1e300, result);
        assertThat(result.real()).isEqualTo(25, within(1e-13));
        compute.sumOfSquares(put(3e-310, 4e-310), 1e-310, result);
        assertThat(result.real()).isEqualTo(25, within(1e-9));
        Buffer complex = empty(DataType.COMPLEX128, 1);
        HostArray one = HostArray.allocate(DataType.COMPLEX128, 1);
        one.setComplex(0, 3e300, 4e300);
        complex.copyFrom(one);
        compute.largestModulus(complex, result);
        assertThat(result.real()).isEqualTo(5e300, within(1e286));
    }

    @Test
    void notANumberStays() {
        Scalar result = compute.scalars(1).get(0);
        Buffer x = put(1, Double.NaN, 3, 4, 5);
        compute.largestModulus(x, result);
        assertThat(result.real()).isNaN();
        compute.smallestModulus(x, result);
        assertThat(result.real()).isNaN();
    }

    @Test
    void randomNumbersDependOnTheirIndexOnly() {
        for (DataType type : types().toList()) {
            Buffer whole = empty(type, 100);
            compute.random(7, 0, whole);
            Buffer part = empty(type, 30);
            compute.random(7, 50, part);
            HostArray numbers = whole.toHost();
            HostArray expected = HostArray.allocate(type, 100);
            new CpuCompute().random(7, 0, expected);
            assertThat(numbers.segment().mismatch(expected.segment())).isEqualTo(-1);
            for (long i = 0; i < 30; i++) {
                assertThat(at(part.toHost(), i)).isEqualTo(at(numbers, 50 + i));
                assertThat(at(numbers, i).real()).isGreaterThanOrEqualTo(0).isLessThan(1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void matricesAlongAnAxis(DataType type) {
        AxisMatrix matrix = AxisMatrix.of(4)
                .element(1, 2)
                .element(3, -0.5)
                .endRow()
                .endRow()
                .element(0, 1)
                .endRow()
                .build();
        for (long inner : new long[] {1, 3, 8, 33, 40}) {
            HostArray x = random(type, 2 * 4 * inner, 14);
            Buffer y = empty(type, 2 * 3 * inner);
            compute.multiply(matrix, 2, inner, put(x), y);
            HostArray product = y.toHost();
            for (long o = 0; o < 2; o++) {
                for (long i = 0; i < inner; i++) {
                    Complex a = at(x, (o * 4 + 1) * inner + i);
                    Complex b = at(x, (o * 4 + 3) * inner + i);
                    Complex c = at(x, o * 4 * inner + i);
                    assertAt(
                            product,
                            o * 3 * inner + i,
                            2 * a.real() - 0.5 * b.real(),
                            2 * a.imaginary() - 0.5 * b.imaginary());
                    assertAt(product, (o * 3 + 1) * inner + i, 0, 0);
                    assertAt(product, (o * 3 + 2) * inner + i, c.real(), c.imaginary());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void matrixProducts(DataType type) {
        for (int[] size : new int[][] {{1, 1, 1}, {3, 1, 5}, {4, 3, 2}, {7, 5, 6}, {2, 1, 0}, {0, 2, 3}}) {
            for (Transpose transpose : Transpose.values()) {
                product(type, type, transpose, size[0], size[1], size[2]);
                if (type.isComplex()) {
                    product(Compute.real(type), type, transpose, size[0], size[1], size[2]);
                }
            }
        }
    }

    private void product(DataType matrix, DataType type, Transpose transpose, int m, int n, int k) {
        HostArray a = random(matrix, (long) m * k, 9);
        HostArray b = random(type, (long) k * n, 10);
        HostArray before = random(type, (long) m * n, 11);
        Buffer there = put(before);
        compute.blas().gemm(transpose, m, n, k, 1.5, put(a), put(b), -0.5, there);
        HostArray c = there.toHost();
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                double re = -0.5 * at(before, i * n + j).real();
                double im = -0.5 * at(before, i * n + j).imaginary();
                for (int p = 0; p < k; p++) {
                    Complex left = at(a, transpose == Transpose.NONE ? i * k + p : p * m + i);
                    Complex product =
                            times(transpose == Transpose.CONJUGATE ? left.conjugate() : left, at(b, p * n + j));
                    re += 1.5 * product.real();
                    im += 1.5 * product.imaginary();
                }
                assertAt(c, (long) i * n + j, re, im);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void outerProducts(DataType type) {
        HostArray x = random(type, 3, 17);
        HostArray y = random(type, 5, 18);
        Buffer a = put(random(type, 15, 19));
        compute.blas().ger(3, 5, 2, put(x), put(y), a);
        for (int i = 0; i < 15; i++) {
            Complex product = times(at(x, i / 5), at(y, i % 5));
            Complex before = at(random(type, 15, 19), i);
            assertAt(a.toHost(), i, before.real() + 2 * product.real(), before.imaginary() + 2 * product.imaginary());
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void severalMatrixProducts(DataType type) {
        HostArray a = random(type, 3 * 4 * 2, 15);
        HostArray b = random(type, 3 * 2 * 5, 16);
        for (Transpose transpose : Transpose.values()) {
            Buffer c = empty(type, 3 * 4 * 5);
            compute.blas().gemm(transpose, 3, 4, 5, 2, 1, put(a), put(b), 0, c);
            HostArray all = c.toHost();
            for (int i = 0; i < 3; i++) {
                Buffer one = empty(type, 4 * 5);
                compute.blas().gemm(transpose, 4, 5, 2, 1, put(a.slice(8 * i, 8)), put(b.slice(10 * i, 10)), 0, one);
                HostArray expected = one.toHost();
                for (long j = 0; j < 20; j++) {
                    assertAt(
                            all,
                            20 * i + j,
                            at(expected, j).real(),
                            at(expected, j).imaginary());
                }
            }
        }
    }

    @Test
    void recordingsAreRepeated() {
        Buffer x = put(1, 2, 3);
        Buffer y = put(0, 0, 0);
        Scalar sum = compute.scalars(1).get(0);
        Runnable body = () -> {
            compute.axpby(Coefficient.ONE, x, Coefficient.ONE, y);
            compute.dot(x, y, sum);
        };
        body.run();
        assertThat(sum.real()).isEqualTo(14);
        try (Recording recording = compute.record(body)) {
            for (int i = 2; i < 5; i++) {
                recording.run();
                assertThat(sum.real()).isEqualTo(14 * i);
            }
        }
        compute.synchronize();
        assertThat(y.toDoubleArray()).containsExactly(4, 8, 12);
    }

    @Test
    void wrongOperandsAreRefused() {
        Buffer x = put(1.0, 2.0, 3.0);
        assertThatThrownBy(() -> compute.axpby(Coefficient.ONE, x, Coefficient.ONE, put(1.0)))
                .hasMessageContaining("as many elements");
        assertThatThrownBy(() -> compute.axpby(Coefficient.ONE, x, Coefficient.ONE, put(HostArray.of(1f, 2f, 3f))))
                .hasMessageContaining("same element type");
        assertThatThrownBy(() -> compute.axpby(Coefficient.of(0, 1), x, Coefficient.ONE, put(1.0, 2.0, 3.0)))
                .hasMessageContaining("complex");
        assertThatThrownBy(() -> compute.fill(Coefficient.ONE, put(HostArray.of(1, 2))))
                .hasMessageContaining("INT32");
        assertThatThrownBy(() -> compute.axpby(Coefficient.ONE, x.slice(0, 2), Coefficient.ONE, x.slice(1, 2)))
                .hasMessageContaining("overlap");
        assertThatThrownBy(() -> compute.blas().gemm(Transpose.NONE, 2, 2, 2, 1, x, x, 0, x))
                .hasMessageContaining("2 x 2");
    }
}
