// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.FunctionOperator;
import org.comm4j.operator.Identity;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.OnRanks;
import org.comm4j.operator.Ranks;
import org.comm4j.operator.VStack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What all solvers share: steps one by one, callbacks, checkpoints, preconditioners and the ways to end. */
class SolverTest {
    @TempDir
    Path folder;

    /** The three solvers of a problem whose operator is Hermitian for the first. */
    private static List<Solver> solvers(Backend backend, DataType type) {
        DistributedArray block = backend.random(backend.local(12, 8), type, 7 + backend.rank());
        LinearOperator a = BlockDiag.of(backend, MatrixMult.of(block));
        DistributedArray y = backend.random(a.range(), type, 42);
        LinearOperator stack =
                VStack.of(a, Identity.of(backend, a.domain(), type).times(0.1));
        Vector stacked = stack.times(backend.random(a.domain(), type, 3));
        return List.of(
                Cg.of(a.H().times(a), a.H().times(y)).damp(0.1),
                Cgls.of(a, y).damp(0.2),
                Lsqr.of(a, y).damp(0.2),
                Cgls.of(stack, stacked),
                Cgls.of(a, y)
                        .preconditioner(Identity.of(backend, a.domain(), type).times(0.5)));
    }

    private static long[] bits(double... values) {
        return Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray();
    }

    private static List<byte[]> bytes(Vector x) {
        return x.arrays().stream()
                .map(array -> array.part().toHost().segment().toArray(ValueLayout.JAVA_BYTE))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void restartsContinueToTheBit(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type : new DataType[] {DataType.FLOAT64, DataType.COMPLEX64}) {
                List<Solver> whole = solvers(backend, type);
                List<Solver> first = solvers(backend, type);
                List<Solver> second = solvers(backend, type);
                for (int i = 0; i < whole.size(); i++) {
                    Path file = folder.resolve(type + "-" + i);
                    Vector expected = whole.get(i).iterations(9).solve();
                    first.get(i).iterations(5).checkpoint(file, 2).solve();
                    Solver solver = second.get(i).iterations(9).restart(file);
                    Vector x = solver.solve();
                    assertThat(bits(solver.result().costs()))
                            .as("solver %d of %s", i, type)
                            .isEqualTo(bits(whole.get(i).result().costs()));
                    for (int a = 0; a < bytes(x).size(); a++) {
                        assertThat(bytes(x).get(a)).isEqualTo(bytes(expected).get(a));
                    }
                    Solver other = solvers(backend, type).get(i).damp(0.7).restart(file);
                    assertThatThrownBy(other::solve).hasMessageContaining("another problem");
                }
                assertThatThrownBy(() -> solvers(backend, type)
                                .getFirst()
                                .restart(folder.resolve("none"))
                                .solve())
                        .hasMessageContaining("restart with");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void stepsAndCallbacksSeeEachIteration(int ranks) {
        Ranks.run(ranks, backend -> {
            for (Solver solver : solvers(backend, DataType.FLOAT64)) {
                List<Double> seen = new ArrayList<>();
                solver.callback(run -> {
                            seen.add(run.residualNorm());
                            assertThatThrownBy(run::step).isInstanceOf(IllegalStateException.class);
                        })
                        .iterations(6);
                List<Integer> some = new ArrayList<>();
                solver.callback(4, run -> some.add(run.number()));
                assertThatThrownBy(() -> solver.callback(0, run -> {})).hasMessageContaining("every 0 iterations");
                Vector x = solver.solve();
                double[] costs = solver.result().costs();
                assertThat(some).isEqualTo(costs.length > 4 ? List.of(4) : List.of());
                assertThat(seen).hasSize(costs.length - 1);
                assertThat(seen.getLast()).isEqualTo(costs[costs.length - 1]);
                try (Iteration run = solver.setup()) {
                    while (run.step()) {
                        assertThat(run.residualNorm()).isEqualTo(costs[run.number()]);
                    }
                    assertThat(bytes(run.x())).hasSameSizeAs(bytes(x));
                    assertThat(run.result().costs()).isEqualTo(costs);
                    assertThat(bytes(run.x()).getFirst()).isEqualTo(bytes(x).getFirst());
                }
            }
        });
    }

    /** A preconditioner that is the inverse needs one iteration; any other gives the same solution. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void preconditioners(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 5);
            double[] d = {1, 10, 100, 1000, 10000};
            double[] y = {1, -2, 3, -4, 5};
            double damp = 0.5;
            LinearOperator a = Diagonal.of(backend.of(layout, d));
            double[] inverse = new double[5];
            double[] normalInverse = new double[5];
            double[] rough = new double[5];
            for (int i = 0; i < 5; i++) {
                inverse[i] = 1 / (d[i] + damp);
                normalInverse[i] = 1 / (d[i] * d[i] + damp * damp);
                rough[i] = normalInverse[i] * (i % 2 + 1);
            }
            DistributedArray data = backend.of(layout, y);
            for (boolean isRough : new boolean[] {false, true}) {
                Solver solver = Cgls.of(a, data)
                        .damp(damp)
                        .preconditioner(Diagonal.of(backend.of(layout, isRough ? rough : normalInverse)))
                        .iterations(20)
                        .tolerance(1e-13);
                double[] x = solver.solve().arrays().getFirst().toHost().toDoubleArray();
                assertThat(solver.result().iterations()).isEqualTo(isRough ? 2 : 1);
                for (int i = 0; i < 5; i++) {
                    assertThat(x[i]).isEqualTo(d[i] * y[i] * normalInverse[i], within(1e-12));
                }
            }
            Solver solver = Cg.of(a, data)
                    .damp(damp)
                    .preconditioner(Diagonal.of(backend.of(layout, inverse)))
                    .tolerance(1e-13);
            double[] x = solver.solve().arrays().getFirst().toHost().toDoubleArray();
            assertThat(solver.result().iterations()).isEqualTo(1);
            for (int i = 0; i < 5; i++) {
                assertThat(x[i]).isEqualTo(y[i] * inverse[i], within(1e-12));
            }
            assertThatThrownBy(() -> Lsqr.of(a, data).preconditioner(a)).hasMessageContaining("Preconditioned");
            LinearOperator wrong = Diagonal.of(backend.of(backend.scattered(0, 4), 1, 1, 1, 1));
            assertThatThrownBy(() -> Cg.of(a, data).preconditioner(wrong)).hasMessageContaining("domain");
        });
    }

    /** An operator whose adjoint is that of another one. */
    private static LinearOperator wrong(LinearOperator a, LinearOperator b) {
        return new LinearOperator(a.backend(), a.domain(), a.range(), a.type()) {
            @Override
            protected void apply(Vector x, Vector y) {
                a.matvec(x, y);
            }

            @Override
            protected void applyAdjoint(Vector y, Vector x) {
                b.rmatvec(y, x);
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatEndsASolverIsSaid(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 4);
            DistributedArray y = backend.of(layout, 1, 2, 3, 4);
            Solver diverging = Cgls.of(wrong(Diagonal.of(y), Diagonal.of(backend.of(layout, 1, -2, 3, -1))), y)
                    .iterations(1000);
            diverging.solve();
            assertThat(diverging.result().reason()).isEqualTo(StopReason.DIVERGED);
            assertThat(diverging.result().message()).contains("dottest");
            Solver indefinite = Cg.of(Diagonal.of(backend.of(layout, 1, -1, 1, -1)), y);
            indefinite.solve();
            assertThat(indefinite.result().message()).contains("not positive definite");
            assertThat(indefinite.result().iterations()).isZero();
            DistributedArray broken = backend.of(layout, 1, Double.NaN, 3, 4);
            for (Solver solver : List.of(Cg.of(Diagonal.of(y), broken), Cgls.of(Diagonal.of(y), broken))) {
                solver.solve();
                assertThat(solver.result().reason()).isEqualTo(StopReason.DIVERGED);
                assertThat(solver.result().message()).contains("NaN");
            }
            Solver conditioned = Lsqr.of(
                            Diagonal.of(backend.of(layout, 1, 1e-3, 1e-6, 1e-9)), y, new Lsqr.Limits(0, 0, 1e4))
                    .iterations(50);
            conditioned.solve();
            assertThat(conditioned.result().reason()).isEqualTo(StopReason.CONDITION);
            Solver none = Lsqr.of(Diagonal.of(y), backend.zeros(layout, DataType.FLOAT64));
            none.solve();
            assertThat(none.result().reason()).isEqualTo(StopReason.CONVERGED);
            assertThat(none.result().iterations()).isZero();
            assertThatThrownBy(() -> none.checkpoint(folder, 0)).hasMessageContaining("every 0");
        });
    }

    /** Residuals and norms are what their names say, computed anew from the solution. */
    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void normsAreTrue(int ranks) {
        Ranks.run(ranks, backend -> {
            DistributedArray block = backend.random(backend.local(12, 8), DataType.FLOAT64, 7 + backend.rank());
            LinearOperator a = BlockDiag.of(backend, MatrixMult.of(block));
            DistributedArray y = backend.random(a.range(), DataType.FLOAT64, 42);
            List<BiFunction<LinearOperator, Vector, Solver>> makers = List.of(Cgls::of, Lsqr::of);
            for (BiFunction<LinearOperator, Vector, Solver> maker : makers) {
                Solver solver = maker.apply(a, y).damp(0.5).iterations(60);
                Vector x = solver.solve();
                double residual = y.minus(a.times(x)).norm();
                assertThat(solver.result().residualNorm()).isEqualTo(residual, within(1e-6 * residual));
                assertThat(solver.result().dampedNorm())
                        .isEqualTo(Math.hypot(residual, 0.5 * x.norm()), within(1e-6 * residual));
            }
        });
    }

    /** Multiplies each array of a stack by a number of its own, and allocates nothing for that. */
    private static void scale(Vector from, Vector to, List<Coefficient> factors) {
        to.assign(from);
        for (int i = 0; i < factors.size(); i++) {
            to.arrays().get(i).scale(factors.get(i));
        }
    }

    /** Of one rank, whose reductions are no other module's, and with an operator that allocates nothing. */
    @Test
    void iterationsAllocateNothing() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        Ranks.run(1, backend -> {
            Layout[] members = new Layout[8];
            List<Coefficient> factors = new ArrayList<>();
            for (int i = 0; i < members.length; i++) {
                members[i] = backend.scattered(0, 30);
                factors.add(Coefficient.of(i + 1));
            }
            Layout layout = Layout.stacked(members);
            LinearOperator a = FunctionOperator.of(
                    backend,
                    layout,
                    layout,
                    DataType.FLOAT64,
                    (x, y) -> scale(x, y, factors),
                    (y, x) -> scale(y, x, factors));
            Vector y = backend.vector(layout, DataType.FLOAT64).fill(Coefficient.ONE);
            for (Solver solver : List.of(
                    Cg.of(a, y),
                    Cgls.of(a, y).preconditioner(a).damp(0.1),
                    Lsqr.of(a, y).damp(0.1))) {
                try (Iteration run = solver.iterations(30).setup()) {
                    // The second iteration is recorded.
                    assertThat(run.step() && run.step()).isTrue();
                    long before = threads.getCurrentThreadAllocatedBytes();
                    boolean made = run.step() && run.step() && run.step();
                    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
                    assertThat(made && !run.isStopped()).isTrue();
                    assertThat(bytes).as("%s", solver.result()).isZero();
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void progressIsShownByOneRank(int ranks) {
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(shown, true, UTF_8);
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 3);
            Solver solver = Cg.of(Diagonal.of(backend.of(layout, 1, 2, 3)), backend.of(layout, 1, 1, 1));
            solver.progress(out).tolerance(1e-12).solve();
        });
        assertThat(shown.toString(UTF_8)).contains("Cg: iteration 1 of 10, |r| ");
        assertThat(shown.toString(UTF_8)).containsOnlyOnce("converged after 3 iterations");
    }
}
