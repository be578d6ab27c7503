// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.operator.seismic.PoststackLinearModelling;
import org.comm4j.operator.seismic.Wavelets;
import org.comm4j.operator.solver.Cgls;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators above and beside each other, convolutions, and a regularised inversion on them. */
class StackTest {
    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void stacksAreAdjoint(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 5, 4);
            LinearOperator gradient = Gradient.of(backend, layout, DataType.FLOAT64);
            LinearOperator laplacian = Laplacian.of(backend, layout, 0, 1).build();
            LinearOperator nested = VStack.of(gradient, laplacian);
            assertThat(gradient.dottest(1)).isLessThan(1e-13);
            assertThat(nested.dottest(2)).isLessThan(1e-13);
            assertThat(nested.minus(nested)
                            .times(backend.random(layout, DataType.FLOAT64, 1))
                            .norm())
                    .isZero();
            LinearOperator beside = HStack.of(laplacian, Identity.of(backend, layout, DataType.FLOAT64));
            assertThat(beside.dottest(3)).isLessThan(1e-13);
            LinearOperator own = HStack.of(
                    backend, MatrixMult.of(backend.random(backend.local(4, 2), DataType.FLOAT64, backend.rank())));
            assertThat(own.dottest(4)).isLessThan(1e-13);
            assertThatThrownBy(() -> VStack.of(laplacian, own)).hasMessageContaining("same domain");
        });
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void convolutionsAreSums(int ranks) {
        Ranks.run(ranks, backend -> {
            double[] filter = {1, -2, 3, 0.5};
            double[] values = {1, 2, -1, 4, 0, 3, -2};
            for (int offset = 0; offset < 4; offset++) {
                LinearOperator convolution =
                        Convolve1D.of(backend, backend.scattered(0, 7), DataType.FLOAT64, 0, filter, offset);
                double[] y = convolution
                        .times(backend.of(backend.scattered(0, 7), values))
                        .arrays()
                        .getFirst()
                        .toHost()
                        .toDoubleArray();
                for (int n = 0; n < 7; n++) {
                    double expected = 0;
                    for (int k = 0; k < 4; k++) {
                        int at = n - k + offset;
                        expected += at >= 0 && at < 7 ? filter[k] * values[at] : 0;
                    }
                    assertThat(y[n]).as("offset %d, element %d", offset, n).isEqualTo(expected, within(1e-13));
                }
                assertThat(convolution.dottest(5)).isLessThan(1e-13);
            }
        });
    }

    /** A layered model is found again, and better with a Laplacian that knows it to be smooth across traces. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void postStackInversion(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout volume = backend.scattered(0, 6, 5, 48);
            double[] impedance = new double[6 * 5 * 48];
            for (int i = 0; i < impedance.length; i++) {
                impedance[i] = Math.log(i % 48 < 16 ? 2000 : i % 48 < 32 ? 2600 : 2300);
            }
            DistributedArray truth = backend.of(volume, impedance);
            LinearOperator model =
                    PoststackLinearModelling.of(backend, volume, Wavelets.ricker(0.004, 10, 20), DataType.FLOAT64);
            assertThat(model.dottest(1)).isLessThan(1e-13);
            Vector data = model.times(truth);
            DistributedArray background = backend.full(volume, DataType.FLOAT64, Math.log(2300));
            double before = background.minus(truth).norm() / truth.norm();
            LinearOperator smooth = Laplacian.of(backend, volume, 0, 1).build().times(0.1);
            Vector found = Cgls.of(
                            VStack.of(model, smooth), StackedArray.of(data, backend.zeros(volume, DataType.FLOAT64)))
                    .start(background)
                    .iterations(200)
                    .solve();
            assertThat(model.times(found).minus(data).norm() / data.norm()).isLessThan(1e-3);
            assertThat(found.minus(truth).norm() / truth.norm()).isLessThan(before / 2);
        });
    }
}
