// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Dots;
import org.comm4j.array.Layout;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.operator.DerivativeKind;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.Ranks;
import org.comm4j.operator.proximal.L1;
import org.comm4j.operator.proximal.L1Ball;
import org.comm4j.operator.proximal.L2;
import org.comm4j.operator.proximal.Simplex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reproducible sums: the same bits on 1, 2, 3 and 5 ranks, in norms, dot products and the histories of solvers. */
class ReproducibleTest {
    private static final int[] RANKS = {1, 2, 3, 5};

    /** Runs a program on the numbers of ranks, and compares the bits of what it notes. */
    static void compare(int[] counts, Consumer<Program> body) {
        Map<String, long[]> first = new HashMap<>();
        for (int ranks : counts) {
            Ranks.run(ranks, backend -> {
                Program program = new Program(backend.reproducible());
                body.accept(program);
                synchronized (first) {
                    program.notes.forEach((name, bits) -> assertThat(bits)
                            .as("%s on rank %d of %d", name, backend.rank(), ranks)
                            .isEqualTo(first.computeIfAbsent(name, _ -> bits)));
                }
            });
        }
        assertThat(first).isNotEmpty();
    }

    /** A program on one rank, and the bits it has noted. */
    record Program(Backend backend, Map<String, long[]> notes) {
        Program(Backend backend) {
            this(backend, new HashMap<>());
        }

        void note(String name, double... values) {
            notes.put(
                    name,
                    Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray());
        }

        void note(String name, Vector x) {
            var host = x.arrays().getFirst().toHost();
            double[] values = new double[(int) host.count() * 2];
            for (int i = 0; i < host.count(); i++) {
                boolean complex = host.type().isComplex();
                values[2 * i] = complex ? host.getReal(i) : host.getDouble(i);
                values[2 * i + 1] = complex ? host.getImaginary(i) : 0;
            }
            note(name, values);
        }
    }

    static void sums(Program program, DataType type) {
        Backend backend = program.backend();
        int n = 1543;
        // All elements on one rank and none on the others, too.
        long[] last = new long[backend.size()];
        last[last.length - 1] = n;
        List<Layout> layouts =
                new ArrayList<>(List.of(backend.scattered(0, n), Layout.scattered(last, 0, n), backend.replicated(n)));
        for (Layout layout : layouts) {
            Vector x = backend.random(layout, type, 1);
            Vector y = backend.random(layout, type, 2);
            // Terms of very different sizes that cancel.
            DistributedArray spread = backend.random(layout, type, 3);
            spread.multiply(spread.like().assign(spread).multiply(spread));
            spread.multiply(spread.like().assign(spread).multiply(spread));
            y.multiply(spread).axpy(-1e-9, x);
            Dots dots = Dots.of(x, y).andUnconjugated(y, x).and(y, y).reduce();
            program.note("dots", dots.real(0), dots.imaginary(0), dots.real(1), dots.imaginary(1), dots.real(2));
            program.note("norms", y.norm(), y.norm(1), y.norm(0), x.dot(y).real());
            Vector small = y.times(type == DataType.FLOAT64 || type == DataType.COMPLEX128 ? 0x1p-560 : 0x1p-120);
            program.note("small", small.norm());
            // The replicated half is added up with the other one, and rounded once.
            Vector stack = StackedArray.of(x, backend.random(backend.replicated(7), type, 4), y);
            program.note("stack", stack.norm(), stack.vdot(stack).real());
        }
        Vector big = backend.random(backend.scattered(0, n), type, 5);
        if (type == DataType.FLOAT64) {
            big.scale(org.comm4j.math.Coefficient.of(0x1p900));
            double norm = big.norm();
            assertThat(norm).isFinite().isGreaterThan(0x1p900);
            program.note("big", norm);
        }
    }

    static void solvers(Program program, DataType type) {
        Backend backend = program.backend();
        Layout line = backend.scattered(0, 97);
        LinearOperator d = FirstDerivative.of(backend, line, 0)
                .kind(DerivativeKind.FORWARD)
                .dtype(type)
                .build();
        DistributedArray weights = backend.random(line, type, 5);
        LinearOperator a = d.times(Diagonal.of(weights));
        Vector y = backend.random(line, type, 3);
        LinearOperator normal = a.H().times(a);
        Map<String, Solver> solvers = Map.of(
                "Cg", Cg.of(normal, y).damp(0.1),
                "Cg.merged", Cg.merged(normal, y).damp(0.1),
                "Cgls", Cgls.of(a, y).damp(0.1),
                "Cgls.merged", Cgls.merged(a, y),
                "Lsqr", Lsqr.of(a, y).damp(0.01));
        solvers.forEach((name, solver) -> {
            solver.iterations(12);
            program.note(name + " model", solver.solve());
            program.note(name + " costs", solver.result().costs());
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT32", "FLOAT64", "COMPLEX64", "COMPLEX128"})
    void sumsAreEqual(DataType type) {
        compare(RANKS, program -> sums(program, type));
    }

    /** Solvers whose sums are of functions of elements: thresholds, proximal maps and changes. */
    static void sparse(Program program, DataType type) {
        Backend backend = program.backend();
        Layout line = backend.scattered(0, 97);
        LinearOperator d = FirstDerivative.of(backend, line, 0)
                .kind(DerivativeKind.FORWARD)
                .dtype(type)
                .build();
        LinearOperator a = d.times(Diagonal.of(backend.random(line, type, 5)));
        Vector y = backend.random(line, type, 3);
        Map<String, Sparse> sparse = Map.of(
                "Ista", Ista.of(a, y),
                "Fista", Fista.of(a, y),
                "Fista, half", Fista.of(a, y).threshold(Threshold.HALF),
                "Fista, percentile", Fista.of(a, y).percentile(60));
        sparse.forEach((name, solver) -> {
            Solver run = solver.eps(0.01).iterations(9);
            program.note(name + " model", run.solve());
            program.note(name + " costs", run.result().costs());
        });
        L1 small = L1.of(0.02);
        Map<String, Splitting<?>> splittings = Map.of(
                "ProximalGradient",
                        ProximalGradient.of(L2.of(a, y), small, y.like()).tau(0.3),
                "back-tracking",
                        ProximalGradient.of(L2.of(a, y), small, y.like()).fista(),
                "Admm", Admm.of(L2.of(a, y).iterations(4), small, y.like()).tau(0.3),
                "AdmmL2", AdmmL2.of(small, a, y, d).tau(0.3),
                "PrimalDual",
                        PrimalDual.of(L2.of(a, y).iterations(4), small, d)
                                .tau(0.3)
                                .mu(0.1),
                "AdaptivePrimalDual",
                        AdaptivePrimalDual.of(L2.of(a, y).iterations(4), small, d)
                                .tau(0.3)
                                .mu(0.1));
        splittings.forEach((name, solver) -> {
            program.note(name, solver.iterations(6).solve());
        });
        program.note("L1 ball", L1Ball.of(3).prox(y, 1));
        program.note("simplex", type.isComplex() ? y : Simplex.of(2).prox(y, 1));
    }

    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT32", "COMPLEX128"})
    void sparseSolversAreEqual(DataType type) {
        compare(RANKS, program -> sparse(program, type));
    }

    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT32", "COMPLEX128"})
    void solversAreEqual(DataType type) {
        compare(RANKS, program -> solvers(program, type));
    }

    /** Plain sums differ here, so that the tests above would notice. */
    @Test
    void plainSumsDiffer() {
        List<List<Double>> all = new ArrayList<>();
        for (int ranks : RANKS) {
            List<Double> plain = new ArrayList<>();
            Ranks.run(ranks, backend -> {
                for (int seed = 0; seed < 20; seed++) {
                    Vector x = backend.random(backend.scattered(0, 1543), DataType.FLOAT64, seed);
                    double square = Dots.of(x, x).reduce().real(0);
                    double exact = Dots.of(x, x).reproducible().reduce().real(0);
                    assertThat(Math.abs(square - exact) / exact).isLessThan(1e-13);
                    if (backend.rank() == 0) {
                        plain.add(square);
                    }
                }
            });
            all.add(plain);
        }
        assertThat(all.stream().distinct().count()).isGreaterThan(1);
    }

    @Test
    void whatIsNotReproducibleIsRefused() {
        Ranks.run(2, backend -> {
            backend.reproducible();
            DistributedArray x = backend.random(backend.scattered(0, 4, 3), DataType.FLOAT64, 1);
            assertThatThrownBy(() -> x.norm(3)).hasMessageContaining("order 3.0 has no reproducible sum");
            assertThatThrownBy(() -> x.norm(2, 0)).hasMessageContaining("axis is divided");
            assertThat(x.norm(2, 1).layout().size()).isEqualTo(4);
        });
    }
}
