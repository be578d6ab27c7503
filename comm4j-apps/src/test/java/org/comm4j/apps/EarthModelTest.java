// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.comm4j.core.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EarthModelTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, -7, 1L << 40})
    void impedancesAreThoseOfRocks(long seed) {
        double[] values = Runs.on(
                1,
                backend -> EarthModel.of(seed)
                        .sample(backend, backend.scattered(0, 3, 40, 240), DataType.FLOAT64)
                        .toHost()
                        .toDoubleArray());
        assertThat(Arrays.stream(values)).hasSize(3 * 40 * 240).allMatch(value -> value > 2 && value < 12);
        // Layers, not a trend: many samples equal the one above but for the trend, and many do not.
        long jumps = 0;
        for (int i = 1; i < values.length; i++) {
            jumps += i % 240 != 0 && Math.abs(values[i] / values[i - 1] - 1) > 0.03 ? 1 : 0;
        }
        assertThat(jumps).isBetween(values.length / 40L, values.length / 5L);
    }

    @Test
    void dependsOnTheSeedAndNotOnTheRanks() {
        double[][] models = new double[4][];
        for (int ranks = 1; ranks <= 3; ranks++) {
            models[ranks - 1] = sampled(ranks, 5);
        }
        models[3] = sampled(1, 6);
        assertThat(models[1]).isEqualTo(models[0]);
        assertThat(models[2]).isEqualTo(models[0]);
        assertThat(Arrays.equals(models[3], models[0])).isFalse();
    }

    private static double[] sampled(int ranks, long seed) {
        return Runs.on(
                ranks,
                backend -> EarthModel.of(seed)
                        .sample(backend, backend.scattered(1, 2, 7, 30), DataType.FLOAT64)
                        .toHost()
                        .toDoubleArray());
    }
}
