// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.FunctionOperator;
import org.comm4j.operator.Identity;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.Ranks;
import org.comm4j.operator.VStack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ista and Fista by the conditions of their optimum, and what they say of bad input. */
class SparseTest {
    private static final List<BiFunction<LinearOperator, Vector, Sparse>> MAKERS = List.of(Ista::of, Fista::of);

    private static final DataType[] ALL = {DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX64, DataType.COMPLEX128};

    private static final DataType[] FEW = {DataType.FLOAT64, DataType.COMPLEX64};

    private static LinearOperator blocks(Backend backend, DataType type) {
        return BlockDiag.of(backend, MatrixMult.of(backend.random(backend.local(9, 6), type, 7 + backend.rank())));
    }

    private static double[][] numbers(DistributedArray array) {
        HostArray host = array.toHost();
        boolean complex = array.type().isComplex();
        double[][] numbers = new double[(int) host.count()][];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = complex
                    ? new double[] {host.getReal(i), host.getImaginary(i)}
                    : new double[] {host.getDouble(i), 0};
        }
        return numbers;
    }

    /** Where x is not 0 the gradient is eps / 2 along it, elsewhere it is not larger. */
    private static int[] assertOptimal(LinearOperator a, Vector y, Vector x, double eps, double tolerance) {
        Vector gradient = a.H().times(y.minus(a.times(x)));
        int zeros = 0;
        int others = 0;
        for (int k = 0; k < x.arrays().size(); k++) {
            double[][] model = numbers(x.arrays().get(k));
            double[][] slope = numbers(gradient.arrays().get(k));
            for (int i = 0; i < model.length; i++) {
                double modulus = Math.hypot(model[i][0], model[i][1]);
                if (modulus == 0) {
                    zeros++;
                    assertThat(Math.hypot(slope[i][0], slope[i][1])).isLessThan(eps / 2 + tolerance);
                } else {
                    others++;
                    assertThat(slope[i][0]).isEqualTo(eps / 2 * model[i][0] / modulus, within(tolerance));
                    assertThat(slope[i][1]).isEqualTo(eps / 2 * model[i][1] / modulus, within(tolerance));
                }
            }
        }
        return new int[] {zeros, others};
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void modelsAreOptimal(int ranks) {
        Ranks.run(ranks, backend -> {
            int zeros = 0;
            int others = 0;
            for (DataType type : ranks == 1 ? ALL : FEW) {
                boolean wide = Compute.real(type) == DataType.FLOAT64;
                LinearOperator own = blocks(backend, type);
                LinearOperator stack =
                        VStack.of(own, Identity.of(backend, own.domain(), type).times(0.5));
                for (LinearOperator a : List.of(own, stack, stack.H())) {
                    Vector y = a.times(random(backend, a.domain(), type));
                    for (BiFunction<LinearOperator, Vector, Sparse> maker : MAKERS) {
                        Solver solver = maker.apply(a, y).eps(2).iterations(3000);
                        Vector x = solver.stopBelow(wide ? 1e-24 : 1e-14).solve();
                        int[] counts = assertOptimal(a, y, x, 2, wide ? 2e-3 : 1e-2);
                        zeros += counts[0];
                        others += counts[1];
                        assertThat(solver.result().residualNorm())
                                .isEqualTo(y.minus(a.times(x)).norm(), within(wide ? 2e-3 : 1e-2));
                    }
                }
            }
            assertThat(zeros).isPositive();
            assertThat(others).isPositive();
        });
    }

    private static Vector random(Backend backend, Layout layout, DataType type) {
        Vector vector = backend.vector(layout, type);
        for (DistributedArray array : vector.arrays()) {
            array.assign(backend.random(array.layout(), type, 3));
        }
        return vector;
    }

    /** A negative eigenvalue of the operator is one of AᴴA without its sign. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void stepsOfAnIndefiniteOperator(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 4);
            LinearOperator a = Diagonal.of(backend.of(layout, -5, 1, 2, 3));
            Vector x = Fista.of(a, backend.of(layout, -5, 1, 0.1, 3))
                    .eps(0.5)
                    .iterations(2000)
                    .solve();
            assertThat(x.arrays().getFirst().toHost().toDoubleArray())
                    .containsExactly(new double[] {1 - 0.25 / 25, 0.75, 0, 1 - 0.25 / 9}, within(1e-9));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatEndsThemIsSaid(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 4);
            DistributedArray y = backend.of(layout, 1, 2, 3, 4);
            LinearOperator a = Diagonal.of(y);
            for (BiFunction<LinearOperator, Vector, Sparse> maker : MAKERS) {
                Solver unstable = maker.apply(a, y).alpha(0.2).iterations(200);
                unstable.solve();
                assertThat(unstable.result().reason()).isEqualTo(StopReason.DIVERGED);
                assertThat(unstable.result().message()).contains("the step must be below 0.12");
                int[] calls = {0};
                LinearOperator broken = FunctionOperator.of(
                        backend,
                        layout,
                        layout,
                        DataType.FLOAT64,
                        (u, v) -> v.assign(u).scale(Coefficient.of(++calls[0] > 4 ? Double.NaN : 1)),
                        (u, v) -> v.assign(u));
                Solver nan = maker.apply(broken, y).alpha(0.5).iterations(50);
                nan.solve();
                assertThat(nan.result().reason()).isEqualTo(StopReason.DIVERGED);
                // One call looks at the step, each other one is an iteration.
                assertThat(nan.result().message())
                        .contains("after 4 iterations")
                        .contains("NaN");
                Solver small = maker.apply(a, y).rtol(0.999).iterations(50);
                small.solve();
                assertThat(small.result().iterations()).isLessThan(10);
                assertThat(small.result().message()).contains("rtol");
                Solver nothing =
                        maker.apply(a, backend.zeros(layout, DataType.FLOAT64)).iterations(5);
                assertThat(nothing.solve().norm()).isZero();
                assertThat(nothing.result().iterations()).isOne();
                Solver grown = maker.apply(a, y)
                        .eps(30)
                        .monitorResidual()
                        .iterations(50)
                        .start(backend.full(layout, DataType.FLOAT64, 1));
                grown.solve();
                assertThat(grown.result().message()).contains("grew");
                assertThatThrownBy(() -> maker.apply(a, y).alpha(0)).hasMessageContaining("step 0.0");
                assertThatThrownBy(() -> maker.apply(a, y).eps(-1)).hasMessageContaining("eps -1.0");
                assertThatThrownBy(() -> maker.apply(a, y).decay()).hasMessageContaining("decay");
                assertThatThrownBy(() -> maker.apply(a, y).iterations(3).damp(1).solve())
                        .hasMessageContaining("damping");
            }
        });
    }

    /** More iterations take one product more in each direction; what Fista knows of others it derives. */
    @Test
    void anIterationHasOneProductInEachDirection() {
        Ranks.run(1, backend -> {
            Layout layout = backend.scattered(0, 4);
            int[] calls = new int[2];
            LinearOperator a = FunctionOperator.of(
                    backend,
                    layout,
                    layout,
                    DataType.FLOAT64,
                    (u, v) -> {
                        calls[0]++;
                        v.assign(u).scale(Coefficient.of(0.5));
                    },
                    (u, v) -> {
                        calls[1]++;
                        v.assign(u).scale(Coefficient.of(0.5));
                    });
            Vector y = random(backend, layout, DataType.FLOAT64);
            for (BiFunction<LinearOperator, Vector, Sparse> maker : MAKERS) {
                int[] before = new int[2];
                for (int iterations : new int[] {5, 18}) {
                    calls[0] = -before[0];
                    calls[1] = -before[1];
                    Solver solver = maker.apply(a, y).alpha(0.1).eps(1e-3).iterations(iterations);
                    solver.solve();
                    assertThat(solver.result().iterations()).isEqualTo(iterations);
                    System.arraycopy(calls, 0, before, 0, 2);
                }
                assertThat(calls).containsExactly(13, 13);
            }
        });
    }

    @Test
    void iterationsAllocateNothing() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        Ranks.run(1, backend -> {
            Layout layout = Layout.stacked(backend.scattered(0, 30), backend.scattered(0, 20));
            for (DataType type : new DataType[] {DataType.FLOAT64, DataType.COMPLEX64}) {
                LinearOperator a = FunctionOperator.of(
                        backend, layout, layout, type, (u, v) -> v.assign(u), (u, v) -> v.assign(u));
                Vector y = random(backend, layout, type);
                List<Solver> solvers = new ArrayList<>();
                for (BiFunction<LinearOperator, Vector, Sparse> maker : MAKERS) {
                    for (Threshold kind : Threshold.values()) {
                        solvers.add(maker.apply(a, y)
                                .threshold(kind)
                                .alpha(0.1)
                                .eps(1e-6)
                                .transform(a)
                                .iterations(30));
                    }
                }
                for (Solver solver : solvers) {
                    try (Iteration run = solver.setup()) {
                        assertThat(run.step() && run.step()).isTrue();
                        long before = threads.getCurrentThreadAllocatedBytes();
                        boolean made = run.step() && run.step() && run.step();
                        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
                        assertThat(made && !run.isStopped()).isTrue();
                        assertThat(bytes).as("%s", solver.result()).isZero();
                    }
                }
            }
        });
    }
}
