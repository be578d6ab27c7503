// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.DataType.COMPLEX128;
import static org.comm4j.core.DataType.FLOAT64;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.operator.solver.Cg;
import org.comm4j.operator.solver.Cgls;
import org.comm4j.operator.solver.Lsqr;
import org.comm4j.operator.solver.NormalEquations;
import org.comm4j.operator.solver.Preconditioned;
import org.comm4j.operator.solver.Regularized;
import org.comm4j.operator.solver.Solver;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operators and solvers beside PyLops, which answers anew in each run. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PylopsTest {
    private static final DataType[] TYPES = {FLOAT64, COMPLEX128};
    private static final long[] LINE = {7};
    private static final long[] PLANE = {5, 4};
    private static final long[] VOLUME = {4, 3, 6};

    private Pylops pylops;

    @BeforeAll
    void ask(@TempDir Path folder) {
        pylops = new Pylops(folder);
        pylops.input("A", 5, 4);
        pylops.input("B", 3, 4);
        pylops.input("d", 20);
        // Complex numbers have everything that real ones have; by night both.
        for (DataType type : Nightly.variants(1, List.of(TYPES))) {
            structure(type);
            axes(type);
            derivatives(type);
            PylopsBasics.add(pylops, type);
            PylopsSparse.add(pylops, type);
            PylopsSparse.addOuter(pylops, type);
            PylopsProximal.add(pylops, type);
            PylopsTransforms.add(pylops, type);
        }
        PylopsSeismic.add(pylops);
        PylopsProximal.addSolvers(pylops);
        solvers();
        illConditioned();
        pylops.ask();
    }

    private static DistributedArray matrix(Backend backend, String name, DataType type) {
        return Pylops.input(backend, name, name.equals("A") ? backend.local(5, 4) : backend.local(3, 4), type);
    }

    /** The members of a list that are this rank's: consecutive ones. */
    private static LinearOperator[] own(Backend backend, LinearOperator... all) {
        Layout divided = backend.scattered(0, all.length);
        int from = (int) divided.start(backend.rank());
        LinearOperator[] own = new LinearOperator[(int) divided.localSize(backend.rank())];
        System.arraycopy(all, from, own, 0, own.length);
        return own;
    }

    private static LinearOperator[] matrices(Backend backend, DataType type) {
        return own(
                backend,
                MatrixMult.of(matrix(backend, "A", type)),
                MatrixMult.of(matrix(backend, "B", type)),
                MatrixMult.of(matrix(backend, "A", type)));
    }

    private void structure(DataType type) {
        long[] none = {};
        pylops.operator(
                "MatrixMult(A, dtype=dtype)",
                type,
                none,
                (b, layout) -> MatrixMult.of(Pylops.input(b, "A", b.replicated(5, 4), type)));
        pylops.operator(
                "Diagonal(d, dtype=dtype)",
                type,
                PLANE,
                (b, layout) -> Diagonal.of(Pylops.input(b, "d", layout, type)));
        pylops.operator("Identity(7, dtype=dtype)", type, LINE, (b, layout) -> Identity.of(b, layout, type));
        pylops.operator(
                "BlockDiag([MatrixMult(M, dtype=dtype) for M in (A, B, A)], dtype=dtype)",
                type,
                none,
                (b, layout) -> BlockDiag.of(b, matrices(b, type)));
        pylops.operator(
                "VStack([MatrixMult(M, dtype=dtype) for M in (A, B, A)], dtype=dtype)",
                type,
                none,
                (b, layout) -> VStack.of(b, matrices(b, type)));
        pylops.operator(
                "HStack([MatrixMult(M, dtype=dtype).H for M in (A, B, A)], dtype=dtype)",
                type,
                none,
                (b, layout) -> VStack.of(b, matrices(b, type)).H());
        Function<Backend, LinearOperator> blocks = b -> BlockDiag.of(b, matrices(b, type));
        String python = "BlockDiag([MatrixMult(M, dtype=dtype) for M in (A, B, A)], dtype=dtype)";
        pylops.operator(
                python + ".T", type, none, (b, layout) -> blocks.apply(b).T());
        pylops.operator(
                python + ".conj()", type, none, (b, layout) -> blocks.apply(b).conj());
        pylops.operator("2 * " + python + " - " + python + " * 0.5", type, none, (b, layout) -> {
            LinearOperator a = blocks.apply(b);
            return a.times(2).minus(a.times(0.5));
        });
        pylops.operator("(" + python + ".H * " + python + ") ** 2", type, none, (b, layout) -> {
            LinearOperator a = blocks.apply(b);
            return a.H().times(a).power(2);
        });
    }

    private void axes(DataType type) {
        for (int axis = 0; axis < 3; axis++) {
            int along = axis;
            pylops.operator(
                    "Flip((4, 3, 6), axis=%d, dtype=dtype)".formatted(axis),
                    type,
                    VOLUME,
                    (b, layout) -> Flip.of(b, layout, type, along));
            pylops.operator(
                    "Roll((4, 3, 6), axis=%d, shift=-2, dtype=dtype)".formatted(axis),
                    type,
                    VOLUME,
                    (b, layout) -> Roll.of(b, layout, type, along, -2));
            pylops.operator(
                    "Symmetrize((4, 3, 6), axis=%d, dtype=dtype)".formatted(axis),
                    type,
                    VOLUME,
                    (b, layout) -> Symmetrize.of(b, layout, type, along));
            pylops.operator(
                    "Restriction((4, 3, 6), [0, 2], axis=%d, dtype=dtype)".formatted(axis),
                    type,
                    VOLUME,
                    (b, layout) -> Restriction.of(b, layout, type, along, 0, 2));
            pylops.operator(
                    "Sum((4, 3, 6), axis=%d, dtype=dtype)".formatted(axis),
                    type,
                    VOLUME,
                    (b, layout) -> Sum.of(b, layout, type, along));
            int[][] margins = {{0, 0}, {0, 0}, {0, 0}};
            margins[axis] = new int[] {1, 2};
            pylops.operator(
                    "Pad((4, 3, 6), ((%d, %d), (%d, %d), (%d, %d)), dtype=dtype)"
                            .formatted(
                                    margins[0][0],
                                    margins[0][1],
                                    margins[1][0],
                                    margins[1][1],
                                    margins[2][0],
                                    margins[2][1]),
                    type,
                    VOLUME,
                    (b, layout) -> Pad.of(b, layout, type, along, 1, 2));
            pylops.operator(
                    "Convolve1D((4, 3, 6), np.array([1.0, -2, 3]), offset=2, axis=%d, dtype=dtype)".formatted(axis),
                    type,
                    VOLUME,
                    (b, layout) -> Convolve1D.of(b, layout, type, along, new double[] {1, -2, 3}, 2));
        }
        for (int offset = 0; offset < 4; offset++) {
            int origin = offset;
            pylops.operator(
                    "Convolve1D(7, np.array([1.0, -2, 3, 0.5]), offset=%d, dtype=dtype)".formatted(offset),
                    type,
                    LINE,
                    (b, layout) -> Convolve1D.of(b, layout, type, 0, new double[] {1, -2, 3, 0.5}, origin));
        }
    }

    private void derivatives(DataType type) {
        for (int axis = 0; axis < 3; axis++) {
            int along = axis;
            for (DerivativeKind kind : DerivativeKind.values()) {
                String options = "axis=%d, sampling=0.5, kind='%s', dtype=dtype"
                        .formatted(axis, kind.name().toLowerCase(Locale.ROOT));
                pylops.operator(
                        "FirstDerivative((4, 3, 6), " + options + ")",
                        type,
                        VOLUME,
                        (b, layout) -> FirstDerivative.of(b, layout, along)
                                .sampling(0.5)
                                .kind(kind)
                                .dtype(type)
                                .build());
                pylops.operator(
                        "SecondDerivative((4, 3, 6), " + options + ")",
                        type,
                        VOLUME,
                        (b, layout) -> SecondDerivative.of(b, layout, along)
                                .sampling(0.5)
                                .kind(kind)
                                .dtype(type)
                                .build());
            }
        }
        for (boolean edge : new boolean[] {false, true}) {
            String python = "edge=" + (edge ? "True" : "False") + ", dtype=dtype)";
            pylops.operator("FirstDerivative(7, order=5, " + python, type, LINE, (b, layout) -> {
                var builder = FirstDerivative.of(b, layout, 0).order(5).dtype(type);
                return (edge ? builder.edge() : builder).build();
            });
            pylops.operator("FirstDerivative((5, 4), axis=0, " + python, type, PLANE, (b, layout) -> {
                var builder = FirstDerivative.of(b, layout, 0).dtype(type);
                return (edge ? builder.edge() : builder).build();
            });
            pylops.operator("SecondDerivative((5, 4), axis=0, " + python, type, PLANE, (b, layout) -> {
                var builder = SecondDerivative.of(b, layout, 0).dtype(type);
                return (edge ? builder.edge() : builder).build();
            });
            pylops.operator(
                    "Laplacian((4, 3, 6), axes=(0, 2), weights=(1, 2), sampling=(0.5, 2), " + python,
                    type,
                    VOLUME,
                    (b, layout) -> {
                        var builder = Laplacian.of(b, layout, 0, 2)
                                .weights(1, 2)
                                .sampling(0.5, 2)
                                .dtype(type);
                        return (edge ? builder.edge() : builder).build();
                    });
            pylops.operator(
                    "Gradient((4, 3, 6), sampling=0.5, " + python,
                    type,
                    VOLUME,
                    (b, layout) -> Gradient.of(b, layout, type, 0.5, edge));
        }
    }

    // Solvers

    private static HostArray whole(Vector x) {
        return x.arrays().getFirst().toHost();
    }

    private static List<HostArray> history(Solver solver, int iterations) {
        Vector x = solver.iterations(iterations).solve();
        return List.of(whole(x), HostArray.of(solver.result().costs()));
    }

    private void solvers() {
        for (DataType type : TYPES) {
            String name = type == FLOAT64 ? "64" : "128";
            String a = "VStack([MatrixMult(M, dtype=M.dtype) for M in (A%1$s, B%1$s, A%1$s)])".formatted(name);
            String y = "d%s[:13]".formatted(name);
            Function<Backend, LinearOperator> stack = b -> VStack.of(b, matrices(b, type));
            for (double damp : new double[] {0, 0.3}) {
                pylops.value(
                        "[(r := cgls(%s, %s, niter=4, damp=%s, tol=0))[0], r[5]]".formatted(a, y, damp),
                        1e-10,
                        b -> history(
                                Cgls.of(stack.apply(b), data(b, stack.apply(b), type))
                                        .damp(damp),
                                4));
                pylops.value(
                        "[(r := cg(%1$s.H * %1$s, %1$s.H * %2$s, niter=4, damp=%3$s, tol=0))[0], r[2]]"
                                .formatted(a, y, damp),
                        1e-10,
                        b -> {
                            LinearOperator op = stack.apply(b);
                            return history(
                                    Cg.of(op.H().times(op), op.H().times(data(b, op, type)))
                                            .damp(damp),
                                    4);
                        });
                // PyLops' own test stops the solver, at the same iteration.
                for (double tolerance : new double[] {0, 1e-2}) {
                    pylops.value(
                            "[(r := lsqr(%s, %s, niter=4, damp=%s, atol=%s, btol=0, conlim=0))[0], r[10]]"
                                    .formatted(a, y, damp, tolerance),
                            1e-10,
                            b -> history(
                                    Lsqr.of(
                                                    stack.apply(b),
                                                    data(b, stack.apply(b), type),
                                                    new Lsqr.Limits(tolerance, 0, 0))
                                            .damp(damp),
                                    4));
                }
            }
            String d = "FirstDerivative(4, dtype=%1$s.dtype)".formatted(y);
            String w = "Diagonal(np.arange(1.0, 14))";
            pylops.value(
                    "[normal_equations_inversion(%s, %s, [%s], x0=np.zeros(4, %2$s.dtype), Weight=%s, epsI=0.5, epsRs=[2], engine='pylops', niter=3, tol=0)[0]]"
                            .formatted(a, y, d, w),
                    1e-10,
                    b -> {
                        LinearOperator op = stack.apply(b);
                        LinearOperator own = Diagonal.of(counted(b, op));
                        Solver solver = NormalEquations.of(op, data(b, op, type), own)
                                .regularization(derivative(b, op, type), 2)
                                .identity(0.5)
                                .solver();
                        return history(solver, 3).subList(0, 1);
                    });
            pylops.value(
                    "[regularized_inversion(%s, %s, [%s], x0=np.zeros(4, %2$s.dtype), Weight=%s, epsRs=[2], engine='pylops', niter=3, tol=0)[0]]"
                            .formatted(a, y, d, w),
                    1e-10,
                    b -> {
                        LinearOperator op = stack.apply(b);
                        Solver solver = Regularized.of(op, data(b, op, type), Diagonal.of(counted(b, op)))
                                .regularization(derivative(b, op, type), 2)
                                .solver();
                        return history(solver, 3).subList(0, 1);
                    });
            pylops.value(
                    "[preconditioned_inversion(%s, %s, %s.H, x0=np.zeros(4, %2$s.dtype), engine='pylops', niter=2, tol=0)[0]]"
                            .formatted(a, y, d),
                    1e-10,
                    b -> {
                        LinearOperator op = stack.apply(b);
                        Preconditioned problem =
                                Preconditioned.of(op, derivative(b, op, type).H(), data(b, op, type));
                        problem.solver().iterations(2);
                        return List.of(whole(problem.solve()));
                    });
        }
    }

    /** Hilbert's matrix, whose condition number is 1.5e7 for 6 rows: soon only rounding is left. */
    private void illConditioned() {
        int n = 6;
        double[] hilbert = new double[n * n];
        double[] ones = new double[n];
        for (int i = 0; i < n * n; i++) {
            hilbert[i] = 1.0 / (i / n + i % n + 1);
            ones[i % n] = 1;
        }
        Function<Backend, LinearOperator> matrix = b -> MatrixMult.of(b.of(b.replicated(n, n), hilbert));
        String h = "MatrixMult(1 / (np.arange(6)[:, None] + np.arange(6) + 1.0))";
        String y = "np.ones(6)";
        // From the fourth step on rounding decides: a change of the matrix by 2e-16 changes PyLops' own cost by 3e-5.
        pylops.value(
                "[cgls(%s, %s, niter=3, tol=0)[5]]".formatted(h, y),
                1e-6,
                b -> history(Cgls.of(matrix.apply(b), b.of(b.replicated(n), ones)), 3)
                        .subList(1, 2));
        pylops.value(
                "[cg(%s, %s, niter=4, tol=0)[2]]".formatted(h, y),
                1e-6,
                b -> history(Cg.of(matrix.apply(b), b.of(b.replicated(n), ones)), 4)
                        .subList(1, 2));
        pylops.value(
                "[lsqr(%s, %s, niter=3, atol=0, btol=0, conlim=0)[10]]".formatted(h, y),
                1e-6,
                b -> history(Lsqr.of(matrix.apply(b), b.of(b.replicated(n), ones), Lsqr.Limits.NONE), 3)
                        .subList(1, 2));
    }

    private static LinearOperator derivative(Backend backend, LinearOperator operator, DataType type) {
        return FirstDerivative.of(backend, operator.domain(), 0).dtype(type).build();
    }

    /** 1, 2, 3 … as data of an operator. */
    private static DistributedArray counted(Backend backend, LinearOperator operator) {
        double[] counted = new double[(int) operator.range().size()];
        for (int i = 0; i < counted.length; i++) {
            counted[i] = i + 1;
        }
        return backend.of(operator.range(), counted);
    }

    /** The stack of three matrices that solvers are tried with. */
    static LinearOperator stack(Backend backend, DataType type) {
        return VStack.of(backend, matrices(backend, type));
    }

    static DistributedArray data(Backend backend, LinearOperator operator, DataType type) {
        return Pylops.input(backend, "d", operator.range(), type);
    }

    static IntStream ranks() {
        return Nightly.isOn() ? IntStream.of(1, 2, 3, 5) : IntStream.of(3);
    }

    @ParameterizedTest
    @MethodSource("ranks")
    void operatorsAreThoseOfPylops(int ranks) {
        // Types and layouts are independent: complex numbers on fewer numbers of ranks.
        Set<DataType> types = ranks % 2 == 0 ? Set.of(FLOAT64) : ranks == 5 ? Set.of(COMPLEX128) : Set.of(TYPES);
        Ranks.run(ranks, backend -> pylops.compareOperators(backend, types));
    }

    @ParameterizedTest
    @MethodSource("ranks")
    void solversAreThoseOfPylops(int ranks) {
        Ranks.run(ranks, pylops::compareValues);
    }
}
