// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.operator.signal.Convolution;
import org.comm4j.operator.signal.Convolution.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Convolutions by both methods against plain sums, and which method is chosen. */
class ConvolutionTest {
    private static double[] numbers(int n) {
        return new Random(n).doubles(n, -1, 1).toArray();
    }

    /** Convolves an array of three axes along axes 2 and 0, in this order. */
    private static double[] convolved(int[] n, double[] x, double[] filter, int[] shape, int[] origin) {
        double[] y = new double[x.length];
        for (int i = 0; i < n[0]; i++) {
            for (int j = 0; j < n[1]; j++) {
                for (int k = 0; k < n[2]; k++) {
                    double sum = 0;
                    for (int a = 0; a < shape[0]; a++) {
                        for (int b = 0; b < shape[1]; b++) {
                            int from = k - a + origin[0];
                            int row = i - b + origin[1];
                            if (from >= 0 && from < n[2] && row >= 0 && row < n[0]) {
                                sum += filter[a * shape[1] + b] * x[(row * n[1] + j) * n[2] + from];
                            }
                        }
                    }
                    y[(i * n[1] + j) * n[2] + k] = sum;
                }
            }
        }
        return y;
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3, 5})
    void bothMethodsAreSums(int ranks) {
        int[] n = {4, 3, 7};
        int[] shape = {3, 2};
        double[] x = numbers(84);
        Ranks.run(ranks, backend -> {
            for (int[] origin : new int[][] {{0, 0}, {2, 1}, {1, 1}}) {
                for (double[] filter : List.of(numbers(6), new double[6], new double[] {0, 0, 1, 2, 0, 0})) {
                    double[] expected = convolved(n, x, filter, shape, origin);
                    for (Layout layout : List.of(
                            backend.scattered(0, 4, 3, 7),
                            backend.scattered(2, 4, 3, 7),
                            backend.replicated(4, 3, 7))) {
                        for (Method method : Method.values()) {
                            Convolution c = Convolution.of(
                                    method, backend, layout, DataType.FLOAT64, filter, shape, origin, 2, 0);
                            assertThat(c.method()).isEqualTo(method);
                            assertThat(c.dottest(3)).isLessThan(1e-12);
                            HostArray y = ((DistributedArray) c.times(backend.of(layout, x))).toHost();
                            for (int i = 0; i < expected.length; i++) {
                                assertThat(y.getDouble(i))
                                        .as("%s on %s at %d", method, layout, i)
                                        .isEqualTo(expected[i], within(1e-13));
                            }
                        }
                    }
                }
            }
        });
    }

    @Test
    void shortFiltersAreAppliedDirectly() {
        Ranks.run(2, backend -> {
            for (int axis = 0; axis < 2; axis++) {
                Layout layout = axis == 0 ? backend.scattered(1, 1000, 4) : backend.scattered(0, 4, 1000);
                Method last = Method.DIRECT;
                for (int length = 3; length < 1000; length = 2 * length - 1) {
                    Method chosen = method(backend, layout, new int[] {length}, axis);
                    assertThat(chosen == Method.DIRECT && last == Method.FOURIER)
                            .as("direct again at %d", length)
                            .isFalse();
                    last = chosen;
                }
                assertThat(method(backend, layout, new int[] {17}, axis)).isEqualTo(Method.DIRECT);
                assertThat(last).isEqualTo(Method.FOURIER);
            }
            Layout layout = backend.scattered(0, 60, 250);
            assertThat(method(backend, layout, new int[] {2, 3}, 0, 1)).isEqualTo(Method.DIRECT);
            assertThat(method(backend, layout, new int[] {31, 31}, 0, 1)).isEqualTo(Method.FOURIER);
        });
    }

    private static Method method(org.comm4j.array.Backend backend, Layout layout, int[] shape, int... axes) {
        int size = shape.length == 1 ? shape[0] : shape[0] * shape[1];
        return Convolution.of(backend, layout, DataType.FLOAT32, numbers(size), shape, new int[shape.length], axes)
                .method();
    }

    @Test
    void wrongFiltersAreNamed() {
        Ranks.run(1, backend -> {
            Layout layout = backend.scattered(0, 6, 5);
            assertThatThrownBy(() -> Convolution.of(
                            backend, layout, DataType.FLOAT64, numbers(5), new int[] {2, 3}, new int[] {0, 0}, 0, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("5 samples with the shape [2, 3]");
            assertThatThrownBy(() -> Convolution.of(
                            backend, layout, DataType.FLOAT64, numbers(3), new int[] {3}, new int[] {3}, 0))
                    .hasMessageContaining("origin [3]");
        });
    }
}
