// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.operator.seismic.AvoLinearModelling;
import org.comm4j.operator.seismic.AvoLinearModelling.Linearization;
import org.comm4j.operator.seismic.Kirchhoff;
import org.comm4j.operator.seismic.PoststackLinearModelling;
import org.comm4j.operator.seismic.Wavelets;
import org.comm4j.operator.solver.Cgls;
import org.comm4j.operator.solver.Solver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Migration with the sources divided among the ranks, and what seismic operators refuse. */
class SeismicTest {
    private static final double[] X = {0, 10, 20, 30, 40, 50};
    private static final double[] Z = {10, 20, 30, 40};
    private static final double[][] SOURCES = {{0, 0}, {15, 0}, {25, 0}, {35, 0}, {50, 0}};
    private static final double[][] RECEIVERS = {{5, 0}, {20, 0}, {40, 0}};

    /** The data of this rank's sources, and of none where there are more ranks than sources. */
    private static LinearOperator migration(Backend backend) {
        Layout divided = backend.scattered(0, SOURCES.length);
        int from = (int) divided.start(backend.rank());
        int count = (int) divided.localSize(backend.rank());
        LinearOperator[] own = new LinearOperator[count];
        for (int s = 0; s < count; s++) {
            own[s] = Kirchhoff.of(
                    backend,
                    backend.local(24),
                    DataType.FLOAT64,
                    Kirchhoff.times(1000, Arrays.copyOfRange(SOURCES, from + s, from + s + 1), X, Z),
                    Kirchhoff.times(1000, RECEIVERS, X, Z),
                    40,
                    0.004,
                    Wavelets.ricker(0.004, 5, 40),
                    5);
        }
        return VStack.of(backend, own);
    }

    /** One source, one receiver and no wavelet: each point is at the sample of its time, between two neighbours. */
    private static double[] spikes(double... image) {
        double[] data = new double[40];
        for (int p = 0; p < image.length; p++) {
            double down = Math.hypot(X[p / 4] - SOURCES[1][0], Z[p % 4]);
            double up = Math.hypot(X[p / 4] - RECEIVERS[2][0], Z[p % 4]);
            double at = (down + up) / 1000 / 0.004;
            int sample = (int) Math.floor(at);
            if (sample < 39) {
                data[sample] += image[p] * (sample + 1 - at);
                data[sample + 1] += image[p] * (at - sample);
            }
        }
        return data;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 6})
    void imagesAreFoundAgain(int ranks) {
        Ranks.run(ranks, backend -> {
            LinearOperator demigration = migration(backend);
            assertThat(demigration.dottest(3)).isLessThan(1e-13);
            assertThat(demigration.range().size()).isEqualTo(5 * 3 * 40);
            double[] image = new double[24];
            for (int p = 0; p < 24; p++) {
                image[p] = p % 4 == 2 ? 1 : p == 13 ? -1 : 0;
            }
            DistributedArray truth = backend.of(demigration.domain(), image);
            Solver solver = Cgls.of(demigration, demigration.times(truth))
                    .iterations(300)
                    .tolerance(1e-10);
            assertThat(solver.solve().minus(truth).norm() / truth.norm()).isLessThan(1e-3);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void samplesAreThoseOfTheTimes(int ranks) {
        Ranks.run(ranks, backend -> {
            double[] image = new double[24];
            Arrays.setAll(image, p -> p + 1);
            LinearOperator one = Kirchhoff.of(
                    backend,
                    backend.replicated(6, 4),
                    DataType.FLOAT64,
                    Kirchhoff.times(1000, new double[][] {SOURCES[1]}, X, Z),
                    Kirchhoff.times(1000, new double[][] {RECEIVERS[2]}, X, Z),
                    40,
                    0.004,
                    new double[] {1},
                    0);
            double[] data = ((DistributedArray) one.times(backend.of(one.domain(), image)))
                    .toHost()
                    .toDoubleArray();
            double[] expected = spikes(image);
            for (int t = 0; t < 40; t++) {
                assertThat(data[t]).as("sample %d", t).isEqualTo(expected[t], within(1e-12));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void wrongArguments(int ranks) {
        Ranks.run(ranks, backend -> {
            double[][] times = Kirchhoff.times(1000, SOURCES, X, Z);
            assertThatThrownBy(() -> Kirchhoff.of(
                            backend,
                            backend.scattered(0, 24),
                            DataType.FLOAT64,
                            times,
                            times,
                            40,
                            0.004,
                            new double[] {1},
                            0))
                    .hasMessageContaining("VStack");
            assertThatThrownBy(() -> Kirchhoff.of(
                            backend, backend.local(5), DataType.FLOAT64, times, times, 40, 0.004, new double[] {1}, 0))
                    .hasMessageContaining("24 times");
            assertThatThrownBy(() -> Kirchhoff.times(0, SOURCES, X, Z)).hasMessageContaining("velocity");
            assertThatThrownBy(() -> Kirchhoff.times(1, SOURCES, X)).hasMessageContaining("1 dimensions");
            assertThatThrownBy(() -> AvoLinearModelling.of(
                            backend,
                            backend.scattered(1, 2, 3, 4),
                            DataType.FLOAT64,
                            Linearization.FATTI,
                            new double[] {0, 10},
                            0.5,
                            0.5,
                            0.5,
                            0.5))
                    .hasMessageContaining("Redistribute");
            assertThatThrownBy(() -> PoststackLinearModelling.of(
                            backend, backend.scattered(0, 2, 3), new double[2][1], DataType.FLOAT64))
                    .hasMessageContaining("2 wavelets for 3");
            assertThat(PoststackLinearModelling.of(
                                    backend,
                                    backend.scattered(0, 5, 3),
                                    new double[][] {{1}, {2}, {3}},
                                    DataType.COMPLEX64)
                            .dottest(1))
                    .isLessThan(1e-5);
            assertThatThrownBy(() -> Wavelets.ormsby(0.004, 3, 5, 4, 10, 20)).hasMessageContaining("ascend");
        });
    }
}
