// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.Coefficient;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Basic operators as dense matrices against plain loops, in every layout, and what they refuse. */
class BasicTest {
    private static final DataType REAL = DataType.FLOAT64;

    /** An element of a matrix, by row and column. */
    @FunctionalInterface
    private interface Element {
        double at(int row, int column);
    }

    private static void isMatrix(LinearOperator operator, Element expected) {
        HostArray matrix = operator.todense().part().toHost();
        int rows = (int) operator.range().size();
        int columns = (int) operator.domain().size();
        for (int r = 0; r < rows; r++) {
            for (int c = 0; c < columns; c++) {
                assertThat(matrix.getDouble((long) r * columns + c))
                        .as("%s, row %d, column %d", operator, r, c)
                        .isEqualTo(expected.at(r, c), within(1e-14));
            }
        }
        assertThat(operator.dottest(1)).as("%s", operator).isLessThan(1e-13);
        Vector x = operator.backend().vector(operator.domain(), REAL);
        x.assign(operator.H()
                .times(operator.backend().vector(operator.range(), REAL).fill(Coefficient.ONE)));
        Vector twice = operator.times(x.times(2));
        assertThat(twice.axpy(-2, operator.times(x)).norm())
                .as("linearity of %s", operator)
                .isLessThan(1e-11);
    }

    private static double[] random(int count) {
        return new Random(count).doubles(count).toArray();
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3, 5})
    void permutationsAndSums(int ranks) {
        Ranks.run(ranks, backend -> {
            for (Layout layout : Pylops.layouts(backend, 3, 2, 4)) {
                isMatrix(Transpose.of(backend, layout, REAL, 2, 0, 1), (row, column) -> {
                    int i = row / 6;
                    int j = row / 2 % 3;
                    int k = row % 2;
                    return column == (j * 2 + k) * 4 + i ? 1 : 0;
                });
                isMatrix(Transpose.of(backend, layout, REAL, 2, 1, 0), (row, column) -> {
                    int i = row / 6;
                    int j = row / 3 % 2;
                    int k = row % 3;
                    return column == (k * 2 + j) * 4 + i ? 1 : 0;
                });
                isMatrix(
                        CausalIntegration.of(backend, layout, REAL, 0, 0.5, CausalIntegration.Kind.HALF),
                        (row, column) -> row % 8 != column % 8 || column > row ? 0 : row == column ? 0.25 : 0.5);
                isMatrix(
                        CausalIntegration.of(backend, layout, REAL, -1, 1, CausalIntegration.Kind.FULL),
                        (row, column) -> row / 4 == column / 4 && column <= row ? 1 : 0);
                isMatrix(
                        Smoothing.of(backend, layout, REAL, 3, 1, 1),
                        (row, column) -> row % 8 == column % 8 && Math.abs(row - column) <= 8 ? 1 / 3.0 : 0);
                isMatrix(Zero.of(backend, layout, backend.replicated(3), REAL), (row, column) -> 0);
                isMatrix(
                        Identity.of(backend, layout, REAL, 2, 2, 5),
                        (row, column) ->
                                column / 8 == row / 10 && column / 4 % 2 == row / 5 % 2 && column % 4 == row % 5
                                        ? 1
                                        : 0);
            }
        });
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3, 5})
    void products(int ranks) {
        Ranks.run(ranks, backend -> {
            double[] a = random(15);
            double[] b = random(8);
            DistributedArray first = backend.of(backend.replicated(5, 3), a);
            DistributedArray second = backend.of(backend.replicated(2, 4), b);
            for (Layout layout : Pylops.layouts(backend, 3, 4)) {
                isMatrix(
                        MatrixMult.of(first, layout, 0),
                        (row, column) -> row % 4 == column % 4 ? a[row / 4 * 3 + column / 4] : 0);
                isMatrix(
                        MatrixMult.of(second, layout, 1),
                        (row, column) -> row / 2 == column / 4 ? b[row % 2 * 4 + column % 4] : 0);
                assertThatThrownBy(() -> MatrixMult.of(first, layout, 1)).hasMessageContaining("4 elements");
            }
            for (Layout layout : List.of(backend.scattered(0, 3, 4), backend.replicated(3, 4))) {
                isMatrix(
                        Kronecker.of(MatrixMult.of(first), MatrixMult.of(second), layout),
                        (row, column) -> a[row / 2 * 3 + column / 4] * b[row % 2 * 4 + column % 4]);
            }
            assertThatThrownBy(
                            () -> Kronecker.of(MatrixMult.of(first), MatrixMult.of(second), backend.scattered(1, 3, 4)))
                    .hasMessageContaining("first one");
            for (Layout layout : Pylops.layouts(backend, 8)) {
                isMatrix(Regression.of(backend.of(layout, b), 2), (row, column) -> Math.pow(b[row], column));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void functionsAndMemories(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 7);
            LinearOperator twice = FunctionOperator.of(
                    backend,
                    layout,
                    layout,
                    REAL,
                    (x, y) -> y.assign(x).scale(Coefficient.of(2)),
                    (y, x) -> x.assign(y).scale(Coefficient.of(2)));
            isMatrix(twice, (row, column) -> row == column ? 2 : 0);
            LinearOperator forward = FunctionOperator.of(backend, layout, layout, REAL, (x, y) -> y.assign(x));
            assertThatThrownBy(() -> forward.H().times(backend.zeros(layout, REAL)))
                    .isInstanceOf(UnsupportedOperationException.class);
            MemoizeOperator memory = MemoizeOperator.of(twice, 2);
            List<DistributedArray> vectors = new ArrayList<>();
            for (int seed = 0; seed < 3; seed++) {
                vectors.add(backend.random(layout, REAL, seed));
            }
            for (int pass = 0; pass < 2; pass++) {
                for (DistributedArray x : vectors.subList(0, 2)) {
                    assertThat(memory.times(x).minus(x.times(2)).norm()).isZero();
                }
            }
            assertThat(memory.evaluations()).isEqualTo(2);
            // The adjoint is not answered by what the operator was.
            memory.H().times(vectors.getFirst());
            assertThat(memory.evaluations()).isEqualTo(3);
            memory.times(vectors.getFirst());
            assertThat(memory.evaluations()).as("the oldest one was dropped").isEqualTo(4);
            assertThat(memory.dottest(4)).isLessThan(1e-14);
        });
    }

    /** The adjoint is the one of the real inner product, through compositions with complex factors, too. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void partsOfComplexNumbers(int ranks) {
        Ranks.run(ranks, backend -> {
            DataType type = DataType.COMPLEX128;
            Layout layout = backend.scattered(0, 5);
            for (LinearOperator part : List.of(
                    Conj.of(backend, layout, type),
                    Conj.real(backend, layout, type),
                    Conj.imaginary(backend, layout, type))) {
                LinearOperator diagonal = Diagonal.of(backend.random(layout, type, 1));
                for (LinearOperator composed : List.of(
                        part,
                        part.times(2, -3),
                        diagonal.times(part),
                        part.times(diagonal).times(0, 1),
                        part.H(),
                        part.T(),
                        part.plus(diagonal),
                        VStack.of(part, diagonal))) {
                    assertThat(composed.dottest(7)).as("%s", composed).isLessThan(1e-14);
                }
            }
            assertThatThrownBy(() -> Conj.imaginary(backend, layout, REAL)).hasMessageContaining("FLOAT64");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void eigenvalues(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 4);
            for (double largest : new double[] {5, -5}) {
                LinearOperator a = Diagonal.of(backend.of(layout, 1, largest, 2, -1));
                Eigenpair found = a.eigs(200, 1e-12, 3);
                assertThat(found.value().real()).isEqualTo(largest, within(1e-10));
                assertThat(found.iterations()).isLessThan(60);
                double[] vector = ((DistributedArray) found.vector()).toHost().toDoubleArray();
                assertThat(Math.abs(vector[1])).isEqualTo(1, within(1e-10));
            }
            assertThat(Zero.of(backend, layout, layout, REAL)
                            .eigs(10, 0, 1)
                            .value()
                            .abs())
                    .isZero();
            assertThatThrownBy(() -> Zero.of(backend, layout, backend.replicated(1), REAL)
                            .eigs(1, 0, 1))
                    .hasMessageContaining("itself");
            assertThatThrownBy(() -> Transpose.of(backend, layout, REAL, 0, 0)).hasMessageContaining("permutation");
        });
    }

    /** Stacks, complex elements and scattered ranges. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void denseMatricesOfStacks(int ranks) {
        Ranks.run(ranks, backend -> {
            DataType type = DataType.COMPLEX128;
            DistributedArray a = backend.random(backend.replicated(2, 3), type, 5);
            LinearOperator stack = HStack.of(MatrixMult.of(a), MatrixMult.of(a).times(0, 1));
            HostArray matrix = stack.todense().part().toHost();
            HostArray own = a.part().toHost();
            for (int r = 0; r < 2; r++) {
                for (int c = 0; c < 3; c++) {
                    assertThat(matrix.getReal(r * 6 + c)).isEqualTo(own.getReal(r * 3 + c));
                    assertThat(matrix.getReal(r * 6 + 3 + c)).isEqualTo(-own.getImaginary(r * 3 + c));
                }
            }
        });
    }
}
