// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.function.UnaryOperator;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators along one axis of any layout, against plain loops over lines of the whole array. */
class AxisTest {
    private static void agrees(LinearOperator operator, int axis, UnaryOperator<double[]> line) {
        Backend backend = operator.backend();
        long[] shape = operator.domain().shape();
        int inner = 1;
        for (int a = axis + 1; a < shape.length; a++) {
            inner *= (int) shape[a];
        }
        int n = (int) shape[axis];
        int m = (int) operator.range().length(axis);
        int lines = (int) operator.domain().size() / n;
        double[] x = new Random(3).doubles((long) lines * n).toArray();
        double[] expected = new double[lines * m];
        for (int at = 0; at < lines; at++) {
            double[] in = new double[n];
            for (int i = 0; i < n; i++) {
                in[i] = x[(at / inner * n + i) * inner + at % inner];
            }
            double[] out = line.apply(in);
            for (int i = 0; i < m; i++) {
                expected[(at / inner * m + i) * inner + at % inner] = out[i];
            }
        }
        double[] y = operator.times(backend.of(operator.domain(), x))
                .arrays()
                .getFirst()
                .toHost()
                .toDoubleArray();
        assertThat(y).hasSameSizeAs(expected);
        for (int i = 0; i < y.length; i++) {
            assertThat(y[i]).as("%s, element %d", operator, i).isEqualTo(expected[i], within(1e-13));
        }
        assertThat(operator.dottest(5)).as("%s", operator).isLessThan(1e-13);
    }

    private static double[] made(int length, IntToDoubleFunction element) {
        double[] made = new double[length];
        for (int i = 0; i < length; i++) {
            made[i] = element.applyAsDouble(i);
        }
        return made;
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3, 5})
    void everyOperatorAlongEveryAxisOfEveryLayout(int ranks) {
        Ranks.run(ranks, backend -> {
            DataType type = DataType.FLOAT64;
            long[] shape = {4, 3, 5};
            for (int divided = -1; divided < 3; divided++) {
                Layout layout = divided < 0 ? backend.replicated(shape) : backend.scattered(divided, shape);
                for (int axis = 0; axis < 3; axis++) {
                    int n = (int) shape[axis];
                    agrees(Flip.of(backend, layout, type, axis), axis, x -> made(n, i -> x[n - 1 - i]));
                    agrees(
                            Roll.of(backend, layout, type, axis, 2),
                            axis,
                            x -> made(n, i -> x[Math.floorMod(i - 2, n)]));
                    agrees(
                            Pad.of(backend, layout, type, axis, 1, 2),
                            axis,
                            x -> made(n + 3, i -> i < 1 || i > n ? 0 : x[i - 1]));
                    agrees(Restriction.of(backend, layout, type, axis, 2, 0, 2), axis, x ->
                            new double[] {x[2], x[0], x[2]});
                    agrees(
                            Symmetrize.of(backend, layout, type, axis),
                            axis,
                            x -> made(2 * n - 1, i -> x[Math.abs(i - n + 1)]));
                    agrees(Sum.of(backend, layout, type, axis), axis, x ->
                            new double[] {Arrays.stream(x).sum()});
                    agrees(Spread.of(backend, layout.resized(axis, 1), type, axis, 4), axis, x -> made(4, i -> x[0]));
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void otherTypesAndWrongArguments(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 4, 3);
            for (DataType type : new DataType[] {DataType.FLOAT32, DataType.COMPLEX64, DataType.COMPLEX128}) {
                assertThat(Roll.of(backend, layout, type, 0, -1).dottest(1)).isLessThan(1e-5);
                assertThat(Pad.of(backend, layout, type, 1, 1, 1).dottest(1)).isLessThan(1e-5);
            }
            assertThatThrownBy(() -> Restriction.of(backend, layout, DataType.FLOAT64, 0, 4))
                    .hasMessageContaining("column 4");
            assertThatThrownBy(() -> Pad.of(backend, layout, DataType.FLOAT64, 0, -1, 0))
                    .hasMessageContaining("-1");
            assertThatThrownBy(() -> Spread.of(backend, layout, DataType.FLOAT64, 0, 3))
                    .hasMessageContaining("length 1");
            assertThatThrownBy(() -> Flip.of(backend, layout, DataType.FLOAT64, 2))
                    .hasMessageContaining("axis 2");
        });
    }
}
