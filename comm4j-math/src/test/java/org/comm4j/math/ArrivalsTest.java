// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.Arrivals.Weight;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arrivals by loops and by the matrix that a GPU takes. */
class ArrivalsTest {
    private static final int SAMPLES = 23;

    /** Some points are outside of the traces, some times are no numbers. */
    private static Arrivals arrivals(int sources, int receivers, int points, @Nullable Weight weight) {
        Random random = new Random(sources + receivers + points);
        double[][][] tables = {new double[sources][points], new double[receivers][points]};
        for (double[][] table : tables) {
            for (double[] times : table) {
                Arrays.setAll(times, p -> random.nextInt(9) == 0 ? SAMPLES : 8 * random.nextDouble() - 0.5);
            }
        }
        if (points > 3 && sources > 0) {
            tables[0][0][1] = Double.NaN;
            tables[0][0][2] = Double.POSITIVE_INFINITY;
            tables[0][0][3] = -100;
        }
        return new Arrivals(tables[0], tables[1], points, SAMPLES, 1.5, weight);
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT64, 1e-14, true",
        "FLOAT64, 1e-14, false",
        "FLOAT32, 1e-5, true",
        "COMPLEX128, 1e-14, false",
        "COMPLEX64, 1e-5, true"
    })
    void loopsDoWhatTheMatrixDoes(DataType type, double tolerance, boolean weighted) {
        Weight weight = weighted ? (s, r, p) -> (s + 2 * r + p) % 4 : null;
        try (CpuCompute compute = new CpuCompute()) {
            for (int[] size : new int[][] {{3, 2, 17}, {1, 1, 1}, {2, 5, 0}, {0, 3, 4}, {4, 0, 4}}) {
                Arrivals arrivals = arrivals(size[0], size[1], size[2], weight);
                for (boolean adjoint : new boolean[] {false, true}) {
                    HostArray x = HostArray.allocate(type, adjoint ? arrivals.sampleCount() : size[2]);
                    HostArray y = HostArray.allocate(type, adjoint ? size[2] : arrivals.sampleCount());
                    HostArray expected = HostArray.allocate(type, y.count());
                    compute.random(7, 0, x);
                    y.fill(9);
                    compute.arrivals(arrivals, adjoint, x, y);
                    compute.multiply(arrivals.matrix(adjoint), 1, 1, x, expected);
                    DataType real = Compute.real(type);
                    for (long i = 0; i < y.byteSize() / real.bytes(); i++) {
                        assertThat(y.view(real).getDouble(i))
                                .isEqualTo(expected.view(real).getDouble(i), within(tolerance * 20));
                    }
                }
            }
        }
    }

    @Test
    void whatDoesNotFit() {
        assertThatThrownBy(() -> new Arrivals(new double[2][3], new double[1][4], 3, 5, 1, null))
                .hasMessageContaining("a table of 4 times for 3 points");
        Arrivals arrivals = arrivals(2, 2, 3, null);
        assertThat(arrivals.sampleCount()).isEqualTo(4 * SAMPLES);
        try (CpuCompute compute = new CpuCompute()) {
            HostArray image = HostArray.allocate(DataType.FLOAT64, 3);
            assertThatThrownBy(() -> compute.arrivals(arrivals, false, image, image))
                    .hasMessageContaining("are not 3 points and 92 samples");
        }
        double[][] many = new double[1 << 15][];
        Arrays.fill(many, new double[1]);
        assertThatThrownBy(() -> new Arrivals(many, many, 1, 5, 1, null).matrix(false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("divide the sources");
    }
}
