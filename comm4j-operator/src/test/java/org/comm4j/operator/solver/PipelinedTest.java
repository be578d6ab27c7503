// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Dots;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Scalars;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.DerivativeKind;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.OnRanks;
import org.comm4j.operator.Ranks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conjugate gradients whose reduction is under way meanwhile: the iterations of the plain ones, but for rounding. */
class PipelinedTest {
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
                                List.of(Cg.of(normal, b), Cg.pipelined(normal, b)),
                                List.of(Cg.of(normal, b), Cg.pipelined(normal, b, 2)),
                                List.of(Cgls.of(a, y), Cgls.pipelined(a, y)),
                                List.of(Cgls.of(a, y), Cgls.pipelined(a, y, 2)));
                        for (List<Solver> pair : pairs) {
                            for (Solver solver : pair) {
                                solver.damp(damp).iterations(4);
                                if (more) {
                                    solver.start(start);
                                }
                                if (more && pair.getFirst().name().equals("Cg")) {
                                    solver.preconditioner(Diagonal.of(scale));
                                }
                            }
                            Vector plain = pair.getFirst().solve();
                            Vector merged = pair.getLast().solve();
                            assertThat(merged.minus(plain).norm() / plain.norm())
                                    .as("%s, damp %s, %s", pair.getLast().name(), damp, more)
                                    .isLessThan(1e-8);
                            double[] costs = pair.getFirst().result().costs();
                            for (int i = 0; i < costs.length; i++) {
                                assertThat(Math.abs(pair.getLast().result().costs()[i] - costs[i]))
                                        .isLessThan(1e-8 * costs[0]);
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
            double[] left = new double[3];
            for (int i = 0; i < left.length; i++) {
                Solver solver = i == 0 ? Cg.of(a, y) : i == 1 ? Cg.pipelined(a, y) : Cg.pipelined(a, y, 0);
                Vector x = solver.damp(4e-4).iterations(900).solve();
                left[i] = a.times(x).axpy(4e-4, x).minus(y).norm() / y.norm();
            }
            assertThat(left[0]).isLessThan(1e-11);
            assertThat(left[1]).isLessThan(10 * left[0]);
            // Without computing images anew rounding is seen.
            assertThat(left[2]).isGreaterThan(left[1]);
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
                Solver whole = (least ? Cgls.pipelined(a, y, 3) : Cg.pipelined(normal, b, 3))
                        .damp(0.1)
                        .iterations(9);
                byte[] expected = bytes(whole.solve());
                Path file = folder.resolve("m" + least);
                Solver first = (least ? Cgls.pipelined(a, y, 3) : Cg.pipelined(normal, b, 3))
                        .damp(0.1)
                        .iterations(4);
                assertThat(first.checkpoint(file, 2).solve()).isNotNull();
                Solver second = (least ? Cgls.pipelined(a, y, 3) : Cg.pipelined(normal, b, 3))
                        .damp(0.1)
                        .iterations(9);
                assertThat(bytes(second.restart(file).solve())).isEqualTo(expected);
                assertThat(second.result().costs()).isEqualTo(whole.result().costs());
                Solver ahead = (least ? Cgls.pipelined(a, y, 3) : Cg.pipelined(normal, b, 3))
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
            Solver solver = Cg.pipelined(indefinite, y).iterations(20);
            solver.solve();
            assertThat(solver.result().reason()).isEqualTo(StopReason.DIVERGED);
            assertThat(solver.result().message()).contains("not positive definite");
            LinearOperator a = blocks(backend, DataType.FLOAT64);
            assertThatThrownBy(() -> Cgls.pipelined(a, backend.zeros(a.range(), DataType.FLOAT64), -1))
                    .hasMessageContaining("every -1 iterations");
            assertThatThrownBy(() -> Cgls.pipelined(a, backend.zeros(a.range(), DataType.FLOAT64))
                            .preconditioner(Diagonal.of(backend.zeros(a.domain(), DataType.FLOAT64))))
                    .hasMessageContaining("Cgls.merged take one");
            assertThatThrownBy(() -> Cg.pipelined(a, backend.zeros(a.range(), DataType.FLOAT64)))
                    .hasMessageContaining("Cgls takes others");
            Solver nothing = Cgls.pipelined(a, backend.zeros(a.range(), DataType.FLOAT64));
            assertThat(nothing.iterations(5).solve().norm()).isZero();
            assertThat(nothing.result().reason()).isEqualTo(StopReason.CONVERGED);
            Solver exact = Cg.pipelined(Diagonal.of(backend.of(line, 1, 2, 1, 2)), y)
                    .iterations(50)
                    .tolerance(1e-14);
            exact.solve();
            assertThat(exact.result().iterations()).isBetween(2, 3);
        });
    }

    /** A rank computes while another one has not come to the reduction yet. */
    @Test
    void theReductionIsUnderWay() {
        CountDownLatch computing = new CountDownLatch(1);
        Ranks.run(2, backend -> {
            Vector x = backend.full(backend.scattered(0, 6), DataType.FLOAT64, 2);
            Dots dots = Dots.of(x, x);
            Scalars numbers = backend.compute().scalars(1);
            Runnable end = dots.ending(HALVE, dots.numbers(), numbers.buffer(), numbers.buffer());
            // Makes the communicator of the background, which is collective.
            dots.begin();
            end.run();
            if (backend.rank() == 1) {
                await(computing);
            }
            dots.begin();
            if (backend.rank() == 0) {
                computing.countDown();
            }
            end.run();
            assertThat(dots.real(0)).isEqualTo(24);
            assertThat(numbers.get(0).real()).isEqualTo(12);
        });
    }

    private static final Calculation HALVE = PipelinedTest::halve;

    private static void halve(F64Ptr dots, F64Ptr half, F64Ptr none) {
        half.set(0, Dots.real(dots, 0) / 2);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS))
                    .as("rank 0 waits in begin()")
                    .isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
