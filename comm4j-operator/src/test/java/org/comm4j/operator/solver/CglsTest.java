// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.comm4j.array.DistributedArray;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.OnRanks;
import org.comm4j.operator.Ranks;
import org.comm4j.operator.VStack;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CGLS on systems whose solution is known in closed form, on 1 to 4 ranks. */
class CglsTest {
    @ParameterizedTest
    @OnRanks({1, 2, 3, 4})
    void aConsistentSystemIsSolved(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type : new DataType[] {DataType.FLOAT64, DataType.COMPLEX128}) {
                DistributedArray block = backend.random(backend.local(12, 8), type, 7 + backend.rank());
                LinearOperator a = BlockDiag.of(backend, MatrixMult.of(block));
                DistributedArray truth = backend.random(a.domain(), type, 42);
                Solver solver = Cgls.of(a, a.times(truth)).iterations(300).tolerance(1e-12);
                Vector x = solver.solve();
                SolverResult result = solver.result();
                assertThat(x.minus(truth).norm() / truth.norm())
                        .as("%s", result)
                        .isLessThan(1e-8);
                assertThat(result.reason()).isEqualTo(StopReason.CONVERGED);
                assertThat(result.costs()).hasSize(result.iterations() + 1);
                assertThat(result.costs()[0]).isEqualTo(a.times(truth).norm(), within(1e-10));
            }
        });
    }

    /** With a diagonal d, x is conj(d) y / (|d|² + damp²), from any start. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void dampingHasItsClosedForm(int ranks) {
        Ranks.run(ranks, backend -> {
            double[] d = {1, 2, 3, 4, 5};
            double[] y = {1, -1, 2, -2, 3};
            double[] expected = new double[5];
            double damp = 0.5;
            for (int i = 0; i < 5; i++) {
                expected[i] = d[i] * y[i] / (d[i] * d[i] + damp * damp);
            }
            var layout = backend.scattered(0, 5);
            LinearOperator a = Diagonal.of(backend.of(layout, d));
            for (boolean started : new boolean[] {false, true}) {
                Solver solver = Cgls.of(a, backend.of(layout, y))
                        .damp(damp)
                        .iterations(50)
                        .tolerance(1e-14);
                if (started) {
                    solver.start(backend.of(layout, 3, 3, 3, 3, 3));
                }
                double[] x = solver.solve().arrays().getFirst().toHost().toDoubleArray();
                for (int i = 0; i < 5; i++) {
                    assertThat(x[i]).as("%s, element %d", solver.result(), i).isEqualTo(expected[i], within(1e-12));
                }
                double residual = 0;
                for (int i = 0; i < 5; i++) {
                    residual += Math.pow(y[i] - d[i] * expected[i], 2);
                }
                assertThat(solver.result().residualNorm()).isEqualTo(Math.sqrt(residual), within(1e-12));
            }
        });
    }

    /** Distinct eigenvalues of AᴴA: as many iterations in exact arithmetic. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void iterationsAreThoseOfTheTheory(int ranks) {
        Ranks.run(ranks, backend -> {
            var layout = backend.scattered(0, 6);
            LinearOperator a = Diagonal.of(backend.of(layout, 1, 1, 2, 2, 3, 3));
            Solver solver = Cgls.of(a, backend.of(layout, 6, 5, 4, 3, 2, 1))
                    .iterations(50)
                    .stopBelow(1e-20);
            solver.solve();
            assertThat(solver.result().iterations()).isEqualTo(3);
            Solver limited = Cgls.of(a, backend.of(layout, 6, 5, 4, 3, 2, 1)).iterations(2);
            limited.solve();
            assertThat(limited.result().reason()).isEqualTo(StopReason.ITERATIONS);
            assertThat(limited.result().iterations()).isEqualTo(2);
        });
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void replicatedModelsOfStacks(int ranks) {
        Ranks.run(ranks, backend -> {
            LinearOperator a = VStack.of(
                    backend, MatrixMult.of(backend.random(backend.local(7, 5), DataType.FLOAT64, backend.rank())));
            DistributedArray truth = backend.random(a.domain(), DataType.FLOAT64, 3);
            Vector x =
                    Cgls.of(a, a.times(truth)).iterations(100).tolerance(1e-12).solve();
            assertThat(x.minus(truth).norm()).isLessThan(1e-8);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void wrongArguments(int ranks) {
        Ranks.run(ranks, backend -> {
            var layout = backend.scattered(0, 4);
            LinearOperator a = Diagonal.of(backend.of(layout, 1, 2, 3, 4));
            DistributedArray y = backend.of(layout, 1, 1, 1, 1);
            assertThatThrownBy(() -> Cgls.of(a, y).damp(Double.NaN)).hasMessageContaining("damping");
            assertThatThrownBy(() -> Cgls.of(a, y).iterations(0)).hasMessageContaining("less than 1");
            assertThatThrownBy(() -> Cgls.of(a, y).tolerance(-1)).hasMessageContaining("tolerance");
            assertThatThrownBy(() -> Cgls.of(a, y).result()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> Cgls.of(a, StackedArray.of(y))).hasMessageContaining("range");
            DistributedArray broken = backend.of(layout, 1, Double.NaN, 1, 1);
            Solver solver = Cgls.of(a, broken).iterations(5);
            solver.solve();
            assertThat(solver.result().reason()).isEqualTo(StopReason.DIVERGED);
        });
    }
}
