// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.test.Natives;
import org.jtransforms.fft.DoubleFFT_1D;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fourier transforms beside their definition in twice the precision, JTransforms, and what is true of all of them.
 */
abstract class FftContract {
    static {
        // Whichever test is the first one: the library is looked for once.
        Natives.use();
    }

    private final Compute compute = make();
    private final long seed = Long.getLong("comm4j.test.seed", 20_261_125);

    abstract Compute make();

    /** Returns the error that is allowed, in units of that of FFTW: rounding errors times √log₂ n. */
    double error() {
        return 3;
    }

    @AfterEach
    void close() {
        compute.close();
    }

    /** Lines of a complex array along the middle axis, as the definition sees them. */
    private record Lines(HostArray array, long length, long inner) {
        double[] re(long line, int n) {
            return IntStream.range(0, n)
                    .mapToDouble(k -> array.getReal(at(line, k)))
                    .toArray();
        }

        double[] im(long line, int n) {
            return IntStream.range(0, n)
                    .mapToDouble(k -> array.getImaginary(at(line, k)))
                    .toArray();
        }

        long at(long line, long k) {
            return (line / inner * length + k) * inner + line % inner;
        }
    }

    private HostArray random(DataType type, long count) {
        Random random = new Random(seed + count);
        HostArray array = HostArray.allocate(type, count);
        for (long i = 0; i < count; i++) {
            // Lines of very different sizes, none of which disturbs another.
            double size = Math.pow(10, (double) (i % 7 - 3));
            if (type.isComplex()) {
                array.setComplex(i, random.nextGaussian(), random.nextGaussian());
            } else {
                array.setDouble(i, size * random.nextGaussian());
            }
        }
        return array;
    }

    private Buffer put(HostArray array) {
        Buffer there = compute.buffer(array.type(), array.count());
        there.copyFrom(array);
        return there;
    }

    private HostArray get(Buffer buffer) {
        compute.synchronize();
        HostArray here = HostArray.allocate(buffer.type(), buffer.count());
        buffer.copyTo(here);
        return here;
    }

    /** Returns all numbers, real and imaginary parts in turn. */
    private static double[] numbers(HostArray array) {
        HostArray parts = array.view(Compute.real(array.type()));
        double[] numbers = new double[Math.toIntExact(parts.count())];
        Arrays.setAll(numbers, parts::getDouble);
        return numbers;
    }

    private static DataType complex(DataType type) {
        return Compute.real(type) == DataType.FLOAT64 ? DataType.COMPLEX128 : DataType.COMPLEX64;
    }

    private static HostArray asComplex(HostArray x) {
        HostArray c = HostArray.allocate(complex(x.type()), x.count());
        for (long i = 0; i < x.count(); i++) {
            if (x.type().isComplex()) {
                c.setComplex(i, x.getReal(i), x.getImaginary(i));
            } else {
                c.setComplex(i, x.getDouble(i), 0);
            }
        }
        return c;
    }

    /** Compares a line of each array with the definition: the relative error in the 2-norm is that of FFTW. */
    private void check(DataType type, int outer, int n, int inner, int... elements) {
        HostArray x = random(type, (long) outer * n * inner);
        int bins = type.isComplex() ? n : n / 2 + 1;
        Buffer spectrum = compute.buffer(complex(type), (long) outer * bins * inner);
        Buffer back = compute.buffer(type, x.count());
        try (Fft fft = compute.fft(type, outer, n, inner)) {
            assertThat(fft.length()).isEqualTo(n);
            Buffer in = put(x);
            fft.forward(in, spectrum);
            fft.inverse(spectrum, back);
            assertThat(numbers(get(in))).as("input kept").isEqualTo(numbers(x));
        }
        Lines from = new Lines(asComplex(x), n, inner);
        Lines to = new Lines(get(spectrum), bins, inner);
        double epsilon = Compute.real(type) == DataType.FLOAT64 ? 0x1p-53 : 0x1p-24;
        double bound = error() * epsilon * Math.sqrt(Math.max(1, Math.log(n) / Math.log(2)));
        QuadDft dft = new QuadDft(n);
        int[] wanted = elements.length > 0 ? elements : IntStream.range(0, bins).toArray();
        for (long line : new long[] {0, (long) outer * inner / 2, (long) outer * inner - 1}) {
            double[] re = from.re(line, n);
            double[] im = from.im(line, n);
            double norm = Math.sqrt(n * (sumOfSquares(re) + sumOfSquares(im)));
            double error = 0;
            for (int k : wanted) {
                double[] exact = dft.element(re, im, k, -1);
                long at = to.at(line, k);
                error += Math.pow(to.array.getReal(at) - exact[0], 2)
                        + Math.pow(to.array.getImaginary(at) - exact[1], 2);
            }
            error *= (double) bins / wanted.length;
            assertThat(Math.sqrt(error))
                    .as("%s %d x %d x %d, line %d, seed %d", type, outer, n, inner, line, seed)
                    .isLessThanOrEqualTo(bound * norm);
            double whole = sumOfSquares(to.re(line, bins)) + sumOfSquares(to.im(line, bins));
            if (!type.isComplex()) {
                // All but the first element, and that of the Nyquist frequency, stand for two.
                whole = 2 * whole - square(to, line, 0) - (n % 2 == 0 ? square(to, line, n / 2) : 0);
            }
            assertThat(Math.sqrt(whole))
                    .as("Parseval, %s %d x %d x %d, line %d, seed %d", type, outer, n, inner, line, seed)
                    .isCloseTo(norm, within(2 * bound * norm));
        }
        double[] again = numbers(get(back));
        double[] first = numbers(x);
        Arrays.setAll(again, i -> again[i] / n - first[i]);
        assertThat(Math.sqrt(sumOfSquares(again)))
                .as("there and back, %s %d x %d x %d, seed %d", type, outer, n, inner, seed)
                .isLessThanOrEqualTo(2 * bound * Math.sqrt(sumOfSquares(first)));
    }

    private static double sumOfSquares(double[] x) {
        return Arrays.stream(x).map(v -> v * v).sum();
    }

    private static double square(Lines lines, long line, long k) {
        long at = lines.at(line, k);
        return Math.pow(lines.array.getReal(at), 2) + Math.pow(lines.array.getImaginary(at), 2);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64", "COMPLEX64", "COMPLEX128"})
    void isItsDefinition(DataType type) {
        for (int n = 1; n <= 200; n++) {
            int outer = n % 3 + 1;
            int inner = n % 5 == 0 ? 11 : n % 2 + 1;
            check(type, outer, n, inner);
        }
    }

    /** Lengths with all prime factors that have butterflies, and more lines than are transformed alone. */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64", "COMPLEX64", "COMPLEX128"})
    void isItsDefinitionForManyLinesOfOddLengths(DataType type) {
        for (int n : new int[] {3, 7, 9, 17, 27, 41, 49, 59, 61, 67, 77, 91, 111, 143, 171, 183, 361}) {
            check(type, 3, n, 3);
        }
        check(type, 9, 1599, 1, 0, 1, 399, 533, 799);
        check(type, 1, 1599, 17, 0, 1, 41, 533, 799);
        check(type, 2, 61 * 53, 13, 0, 1, 61, 1000);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT64", "COMPLEX128"})
    void isItsDefinitionForLongLines(DataType type) {
        for (int n : new int[] {1000, 1021, 1024, 2 * 1021, 4 * 7 * 11 * 13}) {
            check(type, 1, n, 1, 0, 1, n / 3, n / 2, n / 2 - 1);
            check(type, 3, n, 5, 0, 1, n / 3, n / 2);
        }
        for (int n : new int[] {8193, 10_007, 16_384, 20_000}) {
            check(type, 1, n, 2, 0, 1, n / 3, n / 2);
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(ints = {65_536, 65_537, 100_000, 1 << 20, 1_000_003})
    void isItsDefinitionForVeryLongLines(int n) {
        check(DataType.COMPLEX128, 1, n, 1, 0, 1, n / 3, n - 1);
        check(DataType.FLOAT64, 2, n, 1, 0, 1, n / 3, n / 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 97, 143, 360, 1009, 9000})
    void isThatOfJTransforms(int n) {
        HostArray x = random(DataType.COMPLEX128, n);
        double[] expected = numbers(x);
        new DoubleFFT_1D(n).complexForward(expected);
        Buffer y = compute.buffer(DataType.COMPLEX128, n);
        try (Fft fft = compute.fft(DataType.COMPLEX128, 1, n, 1)) {
            fft.forward(put(x), y);
        }
        double scale = Math.sqrt(sumOfSquares(expected) / n);
        assertThat(numbers(get(y))).usingComparatorWithPrecision(1e-13 * scale).containsExactly(expected);
    }

    @Test
    void transformsComplexNumbersInPlace() {
        int n = 90;
        HostArray x = random(DataType.COMPLEX128, 4 * n * 3);
        Buffer apart = compute.buffer(DataType.COMPLEX128, x.count());
        Buffer same = put(x);
        try (Fft fft = compute.fft(DataType.COMPLEX128, 4, n, 3)) {
            fft.forward(put(x), apart);
            fft.forward(same, same);
        }
        assertThat(numbers(get(same))).isEqualTo(numbers(get(apart)));
    }

    @Test
    void anImpulseBecomesAWave() {
        int n = 30;
        try (Fft fft = compute.fft(DataType.COMPLEX128, 1, n, 1)) {
            for (int place = 0; place < n; place++) {
                HostArray x = HostArray.allocate(DataType.COMPLEX128, n);
                x.setComplex(place, 1, 0);
                Buffer y = compute.buffer(DataType.COMPLEX128, n);
                fft.forward(put(x), y);
                HostArray wave = get(y);
                for (int k = 0; k < n; k++) {
                    assertThat(wave.getReal(k)).isCloseTo(Math.cos(2 * Math.PI * (place * k % n) / n), within(1e-14));
                    assertThat(wave.getImaginary(k))
                            .isCloseTo(-Math.sin(2 * Math.PI * (place * k % n) / n), within(1e-14));
                }
            }
        }
    }

    /** A line that is moved around has the same spectrum times a wave. */
    @ParameterizedTest
    @CsvSource({"12, 1", "37, 5", "1000, 333", "1021, 1020"})
    void aMovedLineHasATurnedSpectrum(int n, int moved) {
        HostArray x = random(DataType.COMPLEX128, n);
        HostArray y = HostArray.allocate(DataType.COMPLEX128, n);
        for (int i = 0; i < n; i++) {
            y.setComplex((i + moved) % n, x.getReal(i), x.getImaginary(i));
        }
        Buffer before = compute.buffer(DataType.COMPLEX128, n);
        Buffer after = compute.buffer(DataType.COMPLEX128, n);
        try (Fft fft = compute.fft(DataType.COMPLEX128, 1, n, 1)) {
            fft.forward(put(x), before);
            fft.forward(put(y), after);
        }
        double[] expected = numbers(get(before));
        double scale = Math.sqrt(sumOfSquares(expected) / n);
        for (int k = 0; k < n; k++) {
            double phase = -2 * Math.PI * ((long) k * moved % n) / n;
            double re = expected[2 * k];
            double im = expected[2 * k + 1];
            expected[2 * k] = re * Math.cos(phase) - im * Math.sin(phase);
            expected[2 * k + 1] = re * Math.sin(phase) + im * Math.cos(phase);
        }
        assertThat(numbers(get(after)))
                .usingComparatorWithPrecision(1e-13 * scale)
                .containsExactly(expected);
    }

    @Test
    void ofTheFirstAndLastElementTheRealInverseReadsTheRealPart() {
        for (int n : new int[] {8, 9}) {
            HostArray x = HostArray.allocate(DataType.COMPLEX128, n / 2 + 1);
            x.setComplex(0, 3, 100);
            if (n % 2 == 0) {
                x.setComplex(n / 2, 0, 100);
            }
            Buffer y = compute.buffer(DataType.FLOAT64, n);
            try (Fft fft = compute.fft(DataType.FLOAT64, 1, n, 1)) {
                fft.inverse(put(x), y);
            }
            assertThat(numbers(get(y))).usingComparatorWithPrecision(1e-14).containsOnly(3.0);
        }
    }

    /** Lengths with all ways of a transform; √2 times the numbers that stand for two keeps sums of squares. */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void weighsTheElementsThatStandForTwo(DataType type) {
        boolean wide = type == DataType.FLOAT64;
        for (int n : new int[] {1, 2, 3, 4, 5, 12, 15, 34, 37, 67, 134, 9000, 9001}) {
            int inner = n % 2 + 1;
            int bins = n / 2 + 1;
            HostArray x = random(type, 8L * n * inner);
            Buffer plain = compute.buffer(complex(type), 8L * bins * inner);
            Buffer weighted = compute.buffer(complex(type), 8L * bins * inner);
            Buffer back = compute.buffer(type, x.count());
            try (Fft fft = compute.fft(type, 8, n, inner);
                    Fft heavy = compute.fft(type, 8, n, inner, 0.75, Math.sqrt(2))) {
                Buffer in = put(x);
                fft.forward(in, plain);
                heavy.forward(in, weighted);
                heavy.inverse(weighted, back);
            }
            double[] before = numbers(get(plain));
            double[] after = numbers(get(weighted));
            double size = Math.sqrt(sumOfSquares(before));
            for (int i = 0; i < before.length; i++) {
                int k = i / 2 / inner % bins;
                double factor = k == 0 || 2 * k == n ? 0.75 : 0.75 * Math.sqrt(2);
                assertThat(after[i])
                        .as("%s, length %d, number %d, seed %d", type, n, i, seed)
                        .isCloseTo(factor * before[i], within((wide ? 1e-14 : 1e-6) * size));
            }
            double[] again = numbers(get(back));
            double[] first = numbers(x);
            Arrays.setAll(again, i -> again[i] / (0.75 * 0.75 * n) - first[i]);
            assertThat(Math.sqrt(sumOfSquares(again)))
                    .as("there and back, %s, length %d, seed %d", type, n, seed)
                    .isLessThanOrEqualTo((wide ? 1e-14 : 1e-5) * Math.sqrt(sumOfSquares(first)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {15, 37, 9000, 9001})
    void complexElementsHaveAFactorAndNoWeights(int n) {
        HostArray x = random(DataType.COMPLEX128, 3L * n);
        Buffer plain = compute.buffer(DataType.COMPLEX128, x.count());
        Buffer scaled = compute.buffer(DataType.COMPLEX128, x.count());
        Buffer back = compute.buffer(DataType.COMPLEX128, x.count());
        try (Fft fft = compute.fft(DataType.COMPLEX128, 3, n, 1);
                Fft half = compute.fft(DataType.COMPLEX128, 3, n, 1, 0.5, Math.sqrt(2))) {
            fft.forward(put(x), plain);
            half.forward(put(x), scaled);
            half.inverse(plain, back);
        }
        double[] expected = numbers(get(plain));
        Arrays.setAll(expected, i -> expected[i] / 2);
        assertThat(numbers(get(scaled))).isEqualTo(expected);
        double[] again = numbers(get(back));
        double[] first = numbers(x);
        Arrays.setAll(again, i -> again[i] / n - first[i] / 2);
        assertThat(Math.sqrt(sumOfSquares(again))).isLessThanOrEqualTo(1e-14 * Math.sqrt(sumOfSquares(first)));
    }

    @Test
    void nothingIsTransformedIntoNothing() {
        for (DataType type : new DataType[] {DataType.FLOAT64, DataType.COMPLEX64}) {
            try (Fft fft = compute.fft(type, 0, 5, 3)) {
                fft.forward(compute.buffer(type, 0), compute.buffer(complex(type), 0));
                fft.inverse(compute.buffer(complex(type), 0), compute.buffer(type, 0));
            }
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> compute.fft(DataType.INT32, 1, 8, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> compute.fft(DataType.FLOAT32, 1, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 x 0 x 1");
        try (Fft fft = compute.fft(DataType.FLOAT64, 2, 8, 3)) {
            Buffer x = compute.buffer(DataType.FLOAT64, 48);
            Buffer y = compute.buffer(DataType.COMPLEX128, 30);
            fft.forward(x, y);
            assertThatThrownBy(() -> fft.forward(x, x))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("forward transform of 2 x 8 x 3 FLOAT64")
                    .hasMessageContaining("2 x 5 x 3 COMPLEX128");
            assertThatThrownBy(() -> fft.inverse(x, y)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> fft.forward(x, compute.buffer(DataType.COMPLEX64, 30)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> fft.forward(x.slice(0, 24), y)).isInstanceOf(IllegalArgumentException.class);
            Buffer both = compute.buffer(DataType.FLOAT64, 64);
            assertThatThrownBy(() ->
                            fft.forward(both.slice(0, 48), both.slice(2, 60).view(DataType.COMPLEX128)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        try (Fft fft = compute.fft(DataType.COMPLEX128, 1, 8, 1)) {
            Buffer both = compute.buffer(DataType.COMPLEX128, 12);
            assertThatThrownBy(() -> fft.forward(both.slice(0, 8), both.slice(4, 8)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("overlap");
        }
    }
}
