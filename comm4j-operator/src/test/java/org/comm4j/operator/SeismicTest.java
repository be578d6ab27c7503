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
import org.junit.jupiter.api.Test;
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
            own[s] = Kirchhoff.of(backend, backend.local(24), X, Z)
                    .sources(SOURCES[from + s])
                    .receivers(RECEIVERS)
                    .velocity(1000)
                    .time(40, 0.004)
                    .wavelet(Wavelets.ricker(0.004, 5, 40), 5)
                    .build();
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
    @OnRanks({1, 2, 3, 5, 6})
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
            LinearOperator one = Kirchhoff.of(backend, backend.replicated(6, 4), X, Z)
                    .sources(SOURCES[1])
                    .receivers(RECEIVERS[2])
                    .velocity(1000)
                    .time(40, 0.004)
                    .build();
            double[] data = ((DistributedArray) one.times(backend.of(one.domain(), image)))
                    .toHost()
                    .toDoubleArray();
            double[] expected = spikes(image);
            for (int t = 0; t < 40; t++) {
                assertThat(data[t]).as("sample %d", t).isEqualTo(expected[t], within(1e-12));
            }
        });
    }

    /** Half a period of a cosine between two limits. */
    private static double taper(double value, double full, double limit) {
        double part = Math.clamp((value - full) / (limit - full), 0, 1);
        return (1 + Math.cos(Math.PI * part)) / 2;
    }

    /** In three dimensions, with times of the test's own, whose samples tell the points apart. */
    @Test
    void pointsBeyondTheApertureFade() {
        double[] y = {0, 10, 20};
        double[] source = {10, 5, 0};
        double[] receiver = {0, 35, 5};
        double[][] tables = new double[2][72];
        Arrays.setAll(tables[0], p -> 2 * p);
        Ranks.run(1, backend -> {
            Kirchhoff.Builder builder = Kirchhoff.of(backend, backend.local(72), y, X, Z)
                    .sources(source)
                    .receivers(receiver)
                    .times(new double[][] {tables[0]}, new double[][] {tables[1]})
                    .time(145, 1)
                    .aperture(0.8, 1.6)
                    .angle(50);
            LinearOperator faded = builder.build();
            assertThat(faded.dottest(5)).isLessThan(1e-13);
            double[] data = ((DistributedArray) faded.times(backend.full(faded.domain(), DataType.FLOAT64, 1)))
                    .toHost()
                    .toDoubleArray();
            double offset = Math.hypot(10, 30);
            int left = 0;
            for (int p = 0; p < 72; p++) {
                double depth = Z[p % 4];
                double down = Math.hypot(y[p / 24] - source[0], X[p / 4 % 6] - source[1]);
                double up = Math.hypot(y[p / 24] - receiver[0], X[p / 4 % 6] - receiver[1]);
                double expected = taper(offset / (depth - 5), 0.8, 1.6)
                        * taper(Math.toDegrees(Math.atan(down / depth)), 40, 50)
                        * taper(Math.toDegrees(Math.atan(up / (depth - 5))), 40, 50);
                assertThat(data[2 * p]).as("point %d", p).isEqualTo(expected, within(1e-12));
                assertThat(data[2 * p + 1]).isZero();
                left += expected > 0 ? 1 : 0;
            }
            assertThat(left).isBetween(1, 60);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void wrongArguments(int ranks) {
        Ranks.run(ranks, backend -> {
            assertThatThrownBy(() -> Kirchhoff.of(backend, backend.scattered(0, 24), X, Z))
                    .hasMessageContaining("VStack");
            assertThatThrownBy(() -> Kirchhoff.of(backend, backend.local(5), X, Z))
                    .hasMessageContaining("2 axes with 24 points for local [5]");
            assertThatThrownBy(() -> Kirchhoff.of(backend, backend.local(6), X)).hasMessageContaining("1 axes");
            Kirchhoff.Builder builder = Kirchhoff.of(backend, backend.local(24), X, Z);
            assertThatThrownBy(() -> builder.sources(new double[] {1})).hasMessageContaining("a source with 1 coord");
            assertThatThrownBy(() -> builder.velocity(0)).hasMessageContaining("velocity");
            assertThatThrownBy(() -> builder.time(3, 0)).hasMessageContaining("no sampling");
            assertThatThrownBy(() -> builder.times(new double[1][5], new double[0][]))
                    .hasMessageContaining("5 times for local [24], which has 24 points");
            assertThatThrownBy(() -> builder.aperture(2, 1)).hasMessageContaining("aperture from 2.0 to 1.0");
            assertThatThrownBy(() -> builder.angle(Double.NaN)).hasMessageContaining("angle");
            assertThatThrownBy(() -> builder.sources(SOURCES).build()).hasMessageContaining("time(nt, dt)");
            assertThatThrownBy(() -> builder.time(3, 1).build()).hasMessageContaining("neither velocity");
            assertThatThrownBy(() ->
                            builder.times(new double[2][24], new double[0][]).build())
                    .hasMessageContaining("2 tables of times for 5 sources");
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
