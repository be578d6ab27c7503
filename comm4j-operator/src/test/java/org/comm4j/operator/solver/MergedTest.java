// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.DerivativeKind;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.OnRanks;
import org.comm4j.operator.Ranks;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conjugate gradients with one reduction an iteration: the iterations of those with two, but for rounding. */
class MergedTest {
    @TempDir
    Path folder;

    private static LinearOperator blocks(Backend backend, DataType type) {
        return BlockDiag.of(backend, MatrixMult.of(backend.random(backend.local(12, 5), type, 7 + backend.rank())));
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void iterationsAreThoseOfThePlainOnes(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type : new DataType[] {DataType.FLOAT64, DataType.COMPLEX128}) {
                LinearOperator a = blocks(backend, type);
                LinearOperator normal = a.H().times(a);
                Vector y = backend.random(a.range(), type, 3);
                Vector b = a.H().times(y);
                Vector start = backend.random(a.domain(), type, 9);
                DistributedArray scale = backend.random(a.domain(), type, 5);
                scale.multiply(scale.like().assign(scale).conjugate());
                scale.axpy(1, backend.full(a.domain(), type, 0.5));
                for (double damp : new double[] {0, 0.3}) {
                    for (boolean more : new boolean[] {false, true}) {
                        List<List<Solver>> pairs = List.of(
                                List.of(Cg.of(normal, b), Cg.merged(normal, b)),
                                List.of(Cgls.of(a, y), Cgls.merged(a, y)));
                        for (List<Solver> pair : pairs) {
                            for (Solver solver : pair) {
                                solver.damp(damp).iterations(4);
                                if (more) {
                                    solver.start(start).preconditioner(Diagonal.of(scale));
                                }
                            }
                            Vector plain = pair.getFirst().solve();
                            Vector merged = pair.getLast().solve();
                            assertThat(merged.minus(plain).norm() / plain.norm())
                                    .as("%s, damp %s, %s", pair.getLast().name(), damp, more)
                                    .isLessThan(1e-9);
                            double[] costs = pair.getFirst().result().costs();
                            for (int i = 0; i < costs.length; i++) {
                                assertThat(Math.abs(pair.getLast().result().costs()[i] - costs[i]))
                                        .isLessThan(1e-9 * costs[0]);
                            }
                        }
                    }
                }
            }
        });
    }

    /** (Dᴴ D + 0.0004 I) x = y: what rounding leaves of the residual, beside that of the plain algorithm. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void attainableAccuracyIsThatOfTheText(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout line = backend.scattered(0, 400);
            LinearOperator d = FirstDerivative.of(backend, line, 0)
                    .kind(DerivativeKind.FORWARD)
                    .dtype(DataType.FLOAT64)
                    .build();
            LinearOperator a = d.H().times(d);
            Vector y = backend.random(line, DataType.FLOAT64, 3);
            double[] left = new double[2];
            for (int i = 0; i < 2; i++) {
                Vector x = (i == 0 ? Cg.of(a, y) : Cg.merged(a, y))
                        .damp(4e-4)
                        .iterations(900)
                        .solve();
                left[i] = a.times(x).axpy(4e-4, x).minus(y).norm() / y.norm();
            }
            assertThat(left[0]).isLessThan(1e-11);
            assertThat(left[1]).isLessThan(3 * left[0]);
        });
    }

    private static byte[] bytes(Vector x) {
        return x.arrays().getFirst().part().toHost().segment().toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void restartsAndGroupsAreEqualToTheBit(int ranks) {
        Ranks.run(ranks, backend -> {
            LinearOperator a = blocks(backend, DataType.FLOAT64);
            Vector y = backend.random(a.range(), DataType.FLOAT64, 3);
            LinearOperator normal = a.H().times(a);
            for (boolean least : new boolean[] {false, true}) {
                Vector b = a.H().times(y);
                Solver whole = (least ? Cgls.merged(a, y) : Cg.merged(normal, b))
                        .damp(0.1)
                        .iterations(9);
                byte[] expected = bytes(whole.solve());
                Path file = folder.resolve("m" + least);
                Solver first = (least ? Cgls.merged(a, y) : Cg.merged(normal, b))
                        .damp(0.1)
                        .iterations(4);
                assertThat(first.checkpoint(file, 2).solve()).isNotNull();
                Solver second = (least ? Cgls.merged(a, y) : Cg.merged(normal, b))
                        .damp(0.1)
                        .iterations(9);
                assertThat(bytes(second.restart(file).solve())).isEqualTo(expected);
                assertThat(second.result().costs()).isEqualTo(whole.result().costs());
                Solver ahead = (least ? Cgls.merged(a, y) : Cg.merged(normal, b))
                        .damp(0.1)
                        .iterations(9);
                assertThat(bytes(ahead.ahead(4).solve())).isEqualTo(expected);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatCannotBeSolvedIsNamed(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout line = backend.scattered(0, 4);
            Vector y = backend.of(line, 1, 2, 3, 4);
            LinearOperator indefinite = Diagonal.of(backend.of(line, 1, -30, 2, 3));
            Solver solver = Cg.merged(indefinite, y).iterations(20);
            solver.solve();
            assertThat(solver.result().reason()).isEqualTo(StopReason.DIVERGED);
            assertThat(solver.result().message()).contains("not positive definite");
            LinearOperator a = blocks(backend, DataType.FLOAT64);
            assertThatThrownBy(() -> Cg.merged(a, backend.zeros(a.range(), DataType.FLOAT64)))
                    .hasMessageContaining("Cgls takes others");
            Solver nothing = Cgls.merged(a, backend.zeros(a.range(), DataType.FLOAT64));
            assertThat(nothing.iterations(5).solve().norm()).isZero();
            assertThat(nothing.result().reason()).isEqualTo(StopReason.CONVERGED);
            Solver exact = Cg.merged(Diagonal.of(backend.of(line, 1, 2, 1, 2)), y)
                    .iterations(50)
                    .tolerance(1e-14);
            exact.solve();
            assertThat(exact.result().iterations()).isBetween(2, 3);
        });
    }
}
