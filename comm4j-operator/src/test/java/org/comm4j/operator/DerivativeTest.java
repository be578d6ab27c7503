// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Derivatives along every axis of every layout, against PyLops' formulas applied to the whole array. */
class DerivativeTest {
    private static final long[][] SHAPES = {{7}, {1}, {2}, {3}, {5, 4}, {2, 6}, {1, 3}, {4, 3, 5}, {3, 1, 2}};

    private static List<Layout> layouts(Backend backend, long... shape) {
        List<Layout> layouts = new ArrayList<>(List.of(backend.replicated(shape)));
        for (int axis = 0; axis < shape.length; axis++) {
            layouts.add(backend.scattered(axis, shape));
        }
        // All rows on the last rank.
        long[] sizes = new long[backend.size()];
        sizes[backend.size() - 1] = shape[0];
        layouts.add(Layout.scattered(sizes, 0, shape));
        return layouts;
    }

    /** The derivative of one line of the array, in plain Java. */
    @FunctionalInterface
    private interface Line {
        double[] apply(double[] x);
    }

    private static double[] oracle(double[] x, long[] shape, int axis, Line line) {
        int inner = 1;
        for (int a = axis + 1; a < shape.length; a++) {
            inner *= (int) shape[a];
        }
        int n = (int) shape[axis];
        double[] y = new double[x.length];
        for (int start = 0; start < x.length; start++) {
            if (start / inner % n != 0) {
                continue;
            }
            double[] in = new double[n];
            for (int i = 0; i < n; i++) {
                in[i] = x[start + i * inner];
            }
            double[] out = line.apply(in);
            for (int i = 0; i < n; i++) {
                y[start + i * inner] = out[i];
            }
        }
        return y;
    }

    private static void agrees(LinearOperator operator, double[] whole, double... expected) {
        Backend backend = operator.backend();
        DistributedArray x = backend.of(operator.domain(), whole);
        double[] y = operator.times(x).arrays().getFirst().toHost().toDoubleArray();
        for (int i = 0; i < expected.length; i++) {
            assertThat(y[i]).as("%s, element %d", operator, i).isEqualTo(expected[i], within(1e-12));
        }
        assertThat(operator.dottest(3)).as("%s", operator).isLessThan(1e-13);
    }

    private static double[] random(int size) {
        return new Random(size).doubles(size).toArray();
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3, 5})
    void firstDerivatives(int ranks) {
        Ranks.run(ranks, backend -> {
            for (long[] shape : SHAPES) {
                double[] x = random((int) Arrays.stream(shape).reduce(1, (a, b) -> a * b));
                for (Layout layout : layouts(backend, shape)) {
                    for (int axis = 0; axis < shape.length; axis++) {
                        var of = FirstDerivative.of(backend, layout, axis).sampling(0.5);
                        agrees(of.kind(DerivativeKind.FORWARD).build(), x, oracle(x, shape, axis, line -> {
                            double[] y = new double[line.length];
                            for (int i = 0; i < line.length - 1; i++) {
                                y[i] = (line[i + 1] - line[i]) / 0.5;
                            }
                            return y;
                        }));
                        agrees(of.kind(DerivativeKind.BACKWARD).build(), x, oracle(x, shape, axis, line -> {
                            double[] y = new double[line.length];
                            for (int i = 1; i < line.length; i++) {
                                y[i] = (line[i] - line[i - 1]) / 0.5;
                            }
                            return y;
                        }));
                        of.kind(DerivativeKind.CENTERED);
                        agrees(of.build(), x, oracle(x, shape, axis, line -> centred(line, false)));
                        agrees(of.order(5).build(), x, oracle(x, shape, axis, line -> five(line, false)));
                        of.edge();
                        agrees(of.order(3).build(), x, oracle(x, shape, axis, line -> centred(line, true)));
                        agrees(of.order(5).build(), x, oracle(x, shape, axis, line -> five(line, true)));
                    }
                }
            }
        });
    }

    private static double[] centred(double[] x, boolean edge) {
        int n = x.length;
        double[] y = new double[n];
        for (int i = 1; i < n - 1; i++) {
            y[i] = (x[i + 1] - x[i - 1]) / (2 * 0.5);
        }
        if (edge && n > 1) {
            y[0] = (x[1] - x[0]) / 0.5;
            y[n - 1] = (x[n - 1] - x[n - 2]) / 0.5;
        }
        return y;
    }

    private static double[] five(double[] x, boolean edge) {
        int n = x.length;
        double[] y = edge ? centred(x, true) : new double[n];
        for (int i = 2; i < n - 2; i++) {
            y[i] = (x[i - 2] - 8 * x[i - 1] + 8 * x[i + 1] - x[i + 2]) / (12 * 0.5);
        }
        return y;
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3, 5})
    void secondDerivativesAndTheirSum(int ranks) {
        Ranks.run(ranks, backend -> {
            for (long[] shape : SHAPES) {
                double[] x = random((int) Arrays.stream(shape).reduce(1, (a, b) -> a * b));
                for (Layout layout : layouts(backend, shape)) {
                    for (boolean edge : new boolean[] {false, true}) {
                        double[] sum = new double[x.length];
                        int[] axes = new int[shape.length];
                        double[] weights = new double[shape.length];
                        for (int axis = 0; axis < shape.length; axis++) {
                            double[] expected = oracle(x, shape, axis, line -> second(line, edge));
                            var of = SecondDerivative.of(backend, layout, axis).sampling(0.5);
                            agrees((edge ? of.edge() : of).build(), x, expected);
                            agrees(of.kind(DerivativeKind.FORWARD).build(), x, oracle(x, shape, axis, line -> {
                                double[] y = new double[line.length];
                                for (int i = 0; i < line.length - 2; i++) {
                                    y[i] = (line[i] - 2 * line[i + 1] + line[i + 2]) / 0.25;
                                }
                                return y;
                            }));
                            agrees(of.kind(DerivativeKind.BACKWARD).build(), x, oracle(x, shape, axis, line -> {
                                double[] y = new double[line.length];
                                for (int i = 2; i < line.length; i++) {
                                    y[i] = (line[i] - 2 * line[i - 1] + line[i - 2]) / 0.25;
                                }
                                return y;
                            }));
                            axes[axis] = axis - shape.length;
                            weights[axis] = axis + 2;
                            for (int i = 0; i < x.length; i++) {
                                sum[i] += (axis + 2) * expected[i];
                            }
                        }
                        double[] samplings = new double[shape.length];
                        Arrays.fill(samplings, 0.5);
                        var laplacian = Laplacian.of(backend, layout, axes)
                                .weights(weights)
                                .sampling(samplings);
                        agrees((edge ? laplacian.edge() : laplacian).build(), x, sum);
                    }
                }
            }
        });
    }

    private static double[] second(double[] x, boolean edge) {
        int n = x.length;
        double[] y = new double[n];
        for (int i = 1; i < n - 1; i++) {
            y[i] = (x[i + 1] - 2 * x[i] + x[i - 1]) / 0.25;
        }
        if (edge && n > 2) {
            y[0] = (x[0] - 2 * x[1] + x[2]) / 0.25;
            y[n - 1] = (x[n - 1] - 2 * x[n - 2] + x[n - 3]) / 0.25;
        }
        return y;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void otherTypes(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type : new DataType[] {DataType.FLOAT32, DataType.COMPLEX64, DataType.COMPLEX128}) {
                double bar = type == DataType.COMPLEX128 ? 1e-13 : 1e-5;
                for (Layout layout : layouts(backend, 5, 4)) {
                    assertThat(Laplacian.of(backend, layout, 0, 1)
                                    .dtype(type)
                                    .build()
                                    .dottest(1))
                            .isLessThan(bar);
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void wrongArguments(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 5, 4);
            assertThatThrownBy(() -> FirstDerivative.of(backend, layout, 2)).hasMessageContaining("axis 2");
            assertThatThrownBy(() -> FirstDerivative.of(backend, layout, 0).order(4))
                    .hasMessageContaining("order 4");
            assertThatThrownBy(() -> Laplacian.of(backend, layout, 0, -2).build())
                    .hasMessageContaining("twice");
            assertThatThrownBy(() -> Laplacian.of(backend, layout, 0, 1).weights(1))
                    .hasMessageContaining("2 axes");
        });
    }
}
