// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation on vectors of the four types and of odd lengths, against plain loops over complex numbers. */
class CpuComputeTest {
    private final CpuCompute compute = new CpuCompute();

    static Stream<DataType> types() {
        return Stream.of(DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX64, DataType.COMPLEX128);
    }

    private static final long[] LENGTHS = {0, 1, 2, 3, 4, 5, 7, 64, 1001};

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
        for (long n : LENGTHS) {
            for (double[] f : factors) {
                HostArray x = random(type, n, 1);
                HostArray y = random(type, n, 2);
                HostArray before = y.toHost();
                compute.axpby(Coefficient.of(f[0]), x, Coefficient.of(f[1]), y);
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
            HostArray y = random(type, 13, 2);
            HostArray before = y.toHost();
            compute.axpby(Coefficient.of(1, -2), x, Coefficient.of(0.5, 3), y);
            for (long i = 0; i < 13; i++) {
                Complex a = times(new Complex(1, -2), at(x, i));
                Complex b = times(new Complex(0.5, 3), at(before, i));
                assertAt(y, i, a.real() + b.real(), a.imaginary() + b.imaginary());
            }
        }
    }

    @Test
    void anOperandWithFactorZeroIsNotRead() {
        HostArray nan = HostArray.of(Double.NaN, Double.NaN);
        HostArray y = HostArray.of(1.0, 2.0);
        compute.axpby(Coefficient.ZERO, nan, Coefficient.of(2), y);
        assertThat(y.toDoubleArray()).containsExactly(2, 4);
        compute.axpby(Coefficient.of(3), y, Coefficient.ZERO, nan);
        assertThat(nan.toDoubleArray()).containsExactly(6, 12);
    }

    @ParameterizedTest
    @MethodSource("types")
    void dots(DataType type) {
        Scalar result = compute.scalars(1).get(0);
        for (long n : LENGTHS) {
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
            compute.dot(x, y, result);
            assertThat(result.real()).isEqualTo(re, within(1e-10 * (1 + n)));
            assertThat(result.imaginary()).isEqualTo(im, within(1e-10 * (1 + n)));
            compute.vdot(x, y, result);
            assertThat(result.real()).isEqualTo(cre, within(1e-10 * (1 + n)));
            assertThat(result.imaginary()).isEqualTo(cim, within(1e-10 * (1 + n)));
            compute.sumOfSquares(x, 1, result);
            assertThat(result.real()).isEqualTo(squares, within(1e-10 * (1 + n)));
            compute.sumOfSquares(x, 4, result);
            assertThat(result.real()).isEqualTo(squares / 16, within(1e-10 * (1 + n)));
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void moduli(DataType type) {
        Scalar result = compute.scalars(1).get(0);
        for (long n : LENGTHS) {
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
            compute.sumOfPowers(x, 1, result);
            assertThat(result.real()).isEqualTo(sum, within(1e-10 * (1 + n)));
            compute.sumOfPowers(x, 3, result);
            assertThat(result.real()).isEqualTo(cubes, within(1e-9 * (1 + n)));
            compute.sumOfPowers(x, 0, result);
            assertThat(result.real()).isEqualTo((double) n);
            compute.largestModulus(x, result);
            assertThat(result.real()).isEqualTo(largest);
            compute.smallestModulus(x, result);
            assertThat(result.real()).isEqualTo(smallest);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void productsAndConjugates(DataType type) {
        HostArray x = random(type, 11, 6);
        HostArray y = random(type, 11, 7);
        HostArray z = HostArray.allocate(type, 11);
        compute.multiply(x, y, z);
        HostArray c = HostArray.allocate(type, 11);
        compute.conjugate(x, c);
        for (long i = 0; i < 11; i++) {
            Complex product = times(at(x, i), at(y, i));
            assertAt(z, i, product.real(), product.imaginary());
            assertAt(c, i, at(x, i).real(), -at(x, i).imaginary());
        }
        compute.multiply(x, x, x);
        HostArray again = random(type, 11, 6);
        for (long i = 0; i < 11; i++) {
            Complex square = times(at(again, i), at(again, i));
            assertAt(x, i, square.real(), square.imaginary());
        }
    }

    @Test
    void copiesConvert() {
        HostArray x = random(DataType.FLOAT64, 5, 8);
        HostArray y = HostArray.allocate(DataType.COMPLEX64, 5);
        compute.copy(x, y);
        for (long i = 0; i < 5; i++) {
            assertAt(y, i, x.getDouble(i), 0);
        }
        assertThatThrownBy(() -> compute.copy(y, x))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("real or the imaginary part");
    }

    @Test
    void randomNumbersDependOnTheirIndexOnly() {
        for (DataType type : types().toList()) {
            HostArray whole = HostArray.allocate(type, 100);
            compute.random(7, 0, whole);
            HostArray part = HostArray.allocate(type, 30);
            compute.random(7, 50, part);
            for (long i = 0; i < 30; i++) {
                assertThat(at(part, i)).isEqualTo(at(whole, 50 + i));
                assertThat(at(part, i).real()).isGreaterThanOrEqualTo(0).isLessThan(1);
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
        HostArray c = random(type, (long) m * n, 11);
        HostArray before = c.toHost();
        compute.blas().gemm(transpose, m, n, k, 1.5, a, b, -0.5, c);
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

    @Test
    void wrongOperandsAreRefused() {
        HostArray x = HostArray.of(1.0, 2.0, 3.0);
        assertThatThrownBy(() -> compute.axpby(Coefficient.ONE, x, Coefficient.ONE, HostArray.of(1.0)))
                .hasMessageContaining("as many elements");
        assertThatThrownBy(() -> compute.axpby(Coefficient.ONE, x, Coefficient.ONE, HostArray.of(1f, 2f, 3f)))
                .hasMessageContaining("same element type");
        assertThatThrownBy(() -> compute.axpby(Coefficient.of(0, 1), x, Coefficient.ONE, HostArray.of(1.0, 2.0, 3.0)))
                .hasMessageContaining("complex");
        assertThatThrownBy(() -> compute.fill(Coefficient.ONE, HostArray.of(1, 2)))
                .hasMessageContaining("INT32");
        assertThatThrownBy(() -> compute.axpby(Coefficient.ONE, x.slice(0, 2), Coefficient.ONE, x.slice(1, 2)))
                .hasMessageContaining("overlap");
        assertThatThrownBy(() -> compute.blas().gemm(Transpose.NONE, 2, 2, 2, 1, x, x, 0, x))
                .hasMessageContaining("2 x 2");
    }
}
