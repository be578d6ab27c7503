// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.DataType.COMPLEX128;
import static org.comm4j.core.DataType.FLOAT64;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.operator.seismic.PoststackLinearModelling;
import org.comm4j.operator.seismic.Wavelets;
import org.comm4j.operator.solver.Cg;
import org.comm4j.operator.solver.Cgls;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        for (DataType type : TYPES) {
            structure(type);
            axes(type);
            derivatives(type);
        }
        seismic();
        solvers();
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

    private void seismic() {
        double[] wavelet = Wavelets.ricker(0.004, 2, 20);
        pylops.operator(
                "(t := Transpose((4, 3, 6), (2, 0, 1))).H"
                        + " * PoststackLinearModelling(ricker(np.arange(3) * 0.004, f0=20)[0], nt0=6, spatdims=(4, 3)) * t",
                FLOAT64,
                VOLUME,
                (b, layout) -> PoststackLinearModelling.of(b, layout, wavelet, FLOAT64));
    }

    // Solvers

    private static HostArray whole(Vector x) {
        return x.arrays().getFirst().toHost();
    }

    private void solvers() {
        for (DataType type : TYPES) {
            String name = type == FLOAT64 ? "64" : "128";
            String stack = "VStack([MatrixMult(M, dtype=M.dtype) for M in (A%1$s, B%1$s, A%1$s)])".formatted(name);
            Function<Backend, LinearOperator> a = b -> VStack.of(b, matrices(b, type));
            for (double damp : new double[] {0, 0.3}) {
                pylops.value(
                        "[(r := cgls(%s, d%s[:13], niter=4, damp=%s, tol=0))[0], r[5], r[4]]"
                                .formatted(stack, name, damp),
                        1e-10,
                        b -> {
                            LinearOperator stacked = a.apply(b);
                            Cgls solver = Cgls.of(stacked, data(b, stacked, type))
                                    .damp(damp)
                                    .iterations(4);
                            Vector x = solver.solve();
                            return List.of(
                                    whole(x), HostArray.of(solver.result().costs()));
                        });
                pylops.value(
                        "[(r := cg(%1$s.H * %1$s, %1$s.H * d%2$s[:13], niter=4, damp=%3$s, tol=0))[0], r[2]]"
                                .formatted(stack, name, damp),
                        1e-10,
                        b -> {
                            LinearOperator stacked = a.apply(b);
                            Cg solver = Cg.of(
                                            stacked.H().times(stacked),
                                            stacked.H().times(data(b, stacked, type)))
                                    .damp(damp)
                                    .iterations(4);
                            Vector x = solver.solve();
                            return List.of(
                                    whole(x), HostArray.of(solver.result().costs()));
                        });
            }
        }
    }

    private static DistributedArray data(Backend backend, LinearOperator operator, DataType type) {
        return Pylops.input(backend, "d", operator.range(), type);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void operatorsAreThoseOfPylops(int ranks) {
        Ranks.run(ranks, pylops::compareOperators);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void solversAreThoseOfPylops(int ranks) {
        Ranks.run(ranks, pylops::compareValues);
    }
}
