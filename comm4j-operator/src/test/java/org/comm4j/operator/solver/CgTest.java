// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.Ranks;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conjugate gradients on systems whose solution is known in closed form, on 1 to 4 ranks. */
class CgTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void normalEquationsAreSolved(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type : new DataType[] {DataType.FLOAT64, DataType.COMPLEX128}) {
                DistributedArray block = backend.random(backend.local(12, 5), type, 7 + backend.rank());
                LinearOperator a = BlockDiag.of(backend, MatrixMult.of(block));
                LinearOperator normal = a.H().times(a);
                DistributedArray truth = backend.random(normal.domain(), type, 42);
                Solver solver =
                        Cg.of(normal, normal.times(truth)).iterations(200).tolerance(1e-13);
                Vector x = solver.solve();
                assertThat(x.minus(truth).norm() / truth.norm())
                        .as("%s", solver.result())
                        .isLessThan(1e-9);
                assertThat(solver.result().reason()).isEqualTo(StopReason.CONVERGED);
            }
        });
    }

    /** (d + damp) x = y, from any start, in as many iterations as d has values. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void dampingIsAddedToTheDiagonal(int ranks) {
        Ranks.run(ranks, backend -> {
            double[] d = {1, 2, 3, 4};
            double[] y = {1, -1, 2, -2};
            Layout layout = backend.scattered(0, 4);
            LinearOperator a = Diagonal.of(backend.of(layout, d));
            for (boolean started : new boolean[] {false, true}) {
                Solver solver =
                        Cg.of(a, backend.of(layout, y)).damp(0.5).iterations(20).tolerance(1e-14);
                if (started) {
                    solver.start(backend.of(layout, 1, 2, 1, 2));
                }
                double[] x = solver.solve().arrays().getFirst().toHost().toDoubleArray();
                for (int i = 0; i < 4; i++) {
                    assertThat(x[i]).isEqualTo(y[i] / (d[i] + 0.5), within(1e-13));
                }
                assertThat(solver.result().iterations()).isBetween(4, 5);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void wrongArguments(int ranks) {
        Ranks.run(ranks, backend -> {
            LinearOperator a =
                    BlockDiag.of(backend, MatrixMult.of(backend.random(backend.local(3, 2), DataType.FLOAT64, 1)));
            assertThatThrownBy(() -> Cg.of(a, backend.zeros(a.range(), DataType.FLOAT64)))
                    .hasMessageContaining("Cgls takes others");
            LinearOperator d = Diagonal.of(backend.of(backend.scattered(0, 2), 1, 1));
            assertThatThrownBy(() ->
                            Cg.of(d, backend.of(backend.scattered(0, 2), 1, 1)).damp(1 / 0.0))
                    .hasMessageContaining("damping");
        });
    }
}
