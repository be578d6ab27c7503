// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operators that compute while elements travel, beside themselves when the elements travel first. */
class OverlapTest {
    static List<LinearOperator> operators(Backend backend, Layout layout, DataType type) {
        List<LinearOperator> all = new ArrayList<>();
        LinearOperator laplacian = Laplacian.of(backend, layout, allAxes(layout))
                .dtype(type)
                .edge()
                .build();
        all.add(laplacian);
        all.add(FirstDerivative.of(backend, layout, 0).order(5).dtype(type).build());
        all.add(SecondDerivative.of(backend, layout, 0)
                .kind(DerivativeKind.FORWARD)
                .dtype(type)
                .build());
        all.add(Gradient.of(backend, layout, type, 0.5, true));
        Diagonal diagonal = Diagonal.of(backend.random(layout, type, 3));
        all.add(diagonal.minus(laplacian));
        all.add(laplacian.plus(diagonal));
        return all;
    }

    private static int[] allAxes(Layout layout) {
        int[] axes = new int[layout.ndim()];
        for (int a = 0; a < axes.length; a++) {
            axes[a] = a;
        }
        return axes;
    }

    private static double[] numbers(DistributedArray x) {
        HostArray host = x.toHost();
        double[] numbers = new double[(int) host.count()];
        Arrays.setAll(numbers, host::getDouble);
        return numbers;
    }

    private static List<double[]> results(Backend backend, Layout layout, DataType type, boolean overlap) {
        backend.overlap(overlap).overlapFrom(0);
        List<double[]> results = new ArrayList<>();
        DistributedArray x = backend.random(layout, type, 1);
        for (LinearOperator operator : operators(backend, layout, type)) {
            Vector y = backend.random(layout, type, 2);
            Vector data = operator.times(x);
            // Again, with rows of the first time around.
            operator.matvec(x, data);
            data.arrays().forEach(each -> results.add(numbers(each)));
            Vector back = operator.rmatvec(data, y);
            results.add(numbers(back.arrays().getFirst()));
            assertThat(operator.dottest(5))
                    .as("%s", operator)
                    .isLessThan(Math.sqrt(type == DataType.FLOAT64 ? 1e-26 : 1e-10));
        }
        return results;
    }

    /** The sums have the same order, so that results are equal to the bit; on GPUs products may be rounded or not. */
    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void sameResults(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type : List.of(DataType.FLOAT64, DataType.FLOAT32)) {
                for (long[] shape : new long[][] {{31, 6}, {29}, {27, 4, 8}}) {
                    Layout layout = backend.scattered(0, shape);
                    List<double[]> first = results(backend, layout, type, false);
                    List<double[]> second = results(backend, layout, type, true);
                    double bar = type == DataType.FLOAT64 ? 1e-12 : 1e-3;
                    double tolerance = backend.compute().isAsynchronous() ? bar : 0;
                    for (int i = 0; i < first.size(); i++) {
                        assertThat(second.get(i))
                                .as("result %d of %s on rank %d", i, layout, backend.rank())
                                .containsExactly(first.get(i), within(tolerance));
                    }
                }
            }
        });
    }

    /** The sum of a diagonal and a stencil in one pass, beside both alone. */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64", "COMPLEX128"})
    void sumOfADiagonalAndAStencil(DataType type) {
        Ranks.run(2, backend -> {
            for (Layout layout : List.of(backend.scattered(0, 9, 7), backend.scattered(1, 4, 9), backend.local(6, 5))) {
                Diagonal diagonal = Diagonal.of(backend.random(layout, type, 3));
                LinearOperator laplacian =
                        Laplacian.of(backend, layout, 0, 1).dtype(type).build();
                Vector x = backend.random(layout, type, 4);
                double bar = type == DataType.FLOAT32 ? 1e-6 : 1e-14;
                Vector expected = diagonal.times(x).axpy(-0.5, laplacian.times(x));
                Vector adjoint = diagonal.rmatvec(x, x.like()).axpy(-0.5, laplacian.rmatvec(x, x.like()));
                for (LinearOperator sum : List.of(
                        diagonal.minus(laplacian.times(0.5)),
                        laplacian.times(-0.5).plus(diagonal))) {
                    assertThat(sum.times(x).minus(expected).norm())
                            .as("%s", sum)
                            .isLessThanOrEqualTo(bar * expected.norm());
                    assertThat(sum.rmatvec(x, x.like()).minus(adjoint).norm())
                            .as("adjoint of %s", sum)
                            .isLessThanOrEqualTo(bar * adjoint.norm());
                }
            }
        });
    }
}
