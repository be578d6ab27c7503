// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;

/** Basic operators beside PyLops': permutations, sums, averages, products. */
final class PylopsBasics {
    private static final long[] NONE = {};
    private static final long[] LINE = {7};
    private static final long[] PLANE = {5, 4};
    private static final long[] VOLUME = {4, 3, 6};

    private PylopsBasics() {}

    static void add(Pylops pylops, DataType type) {
        for (int[] axes : new int[][] {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}, {0, 2, 1}, {-2, 0, 2}}) {
            pylops.operator(
                    "Transpose((4, 3, 6), (%s), dtype=dtype)"
                            .formatted(Arrays.stream(axes)
                                    .mapToObj(Integer::toString)
                                    .collect(Collectors.joining(", "))),
                    type,
                    VOLUME,
                    (b, layout) -> Transpose.of(b, layout, type, axes));
        }
        for (int axis = 0; axis < 3; axis++) {
            for (CausalIntegration.Kind kind : CausalIntegration.Kind.values()) {
                int along = axis;
                String options = "axis=%d, sampling=0.5, kind='%s'"
                        .formatted(axis, kind.name().toLowerCase(Locale.ROOT));
                pylops.operator(
                        "CausalIntegration((4, 3, 6), " + options + ", dtype=dtype)",
                        type,
                        VOLUME,
                        (b, layout) -> CausalIntegration.of(b, layout, type, along, 0.5, kind));
                pylops.operator(
                        "CausalIntegration((4, 3, 6), " + options + ", removefirst=True, dtype=dtype)",
                        type,
                        VOLUME,
                        (b, layout) -> CausalIntegration.withoutFirst(b, layout, type, along, 0.5, kind));
            }
        }
        pylops.operator(
                "Smoothing1D(4, 7, dtype=dtype)", type, LINE, (b, layout) -> Smoothing.along(b, layout, type, 0, 4));
        pylops.operator(
                "Smoothing2D((3, 2), (4, 3, 6), axes=(0, 2), dtype=dtype)",
                type,
                VOLUME,
                (b, layout) -> Smoothing.of(b, layout, type, 3, 1, 2));
        pylops.operator(
                "SmoothingND((3, 3, 5), (4, 3, 6), axes=(0, 1, 2), dtype=dtype)",
                type,
                VOLUME,
                (b, layout) -> Smoothing.of(b, layout, type, 3, 3, 5));
        pylops.operator(
                "Zero((5, 4), (7, ), dtype=dtype)",
                type,
                LINE,
                (b, layout) -> Zero.of(b, layout, b.scattered(0, 5, 4), type));
        pylops.operator(
                "Identity((5, 3, 8), (4, 3, 6), dtype=dtype)",
                type,
                VOLUME,
                (b, layout) -> Identity.of(b, layout, type, 5, 3, 8));
        pylops.operator(
                "Identity((2, 3, 5), (4, 3, 6), dtype=dtype)",
                type,
                VOLUME,
                (b, layout) -> Identity.of(b, layout, type, 2, 3, 5));
        products(pylops, type);
        directions(pylops, type);
    }

    private static void directions(Pylops pylops, DataType type) {
        pylops.operator(
                "Block([[MatrixMult(A, dtype=dtype), MatrixMult(A, dtype=dtype)], [MatrixMult(B, dtype=dtype),"
                        + " MatrixMult(B, dtype=dtype)]], dtype=dtype)",
                type,
                NONE,
                (b, layout) -> {
                    LinearOperator above = MatrixMult.of(matrix(b, "A", type, 5));
                    LinearOperator below = MatrixMult.of(matrix(b, "B", type, 3));
                    return Block.of(new LinearOperator[] {above, above}, new LinearOperator[] {below, below});
                });
        for (boolean edge : new boolean[] {false, true}) {
            String options = "sampling=0.5, edge=%s, dtype=dtype)".formatted(edge ? "True" : "False");
            pylops.operator(
                    "FirstDirectionalDerivative((4, 3, 6), np.array([1.0, -2, 0.5]), " + options,
                    type,
                    VOLUME,
                    (b, layout) -> DirectionalDerivative.first(b, layout, type, 0.5, edge, 1, -2, 0.5));
            pylops.operator(
                    "SecondDirectionalDerivative((4, 3, 6), np.array([1.0, -2, 0.5]), " + options,
                    type,
                    VOLUME,
                    (b, layout) -> DirectionalDerivative.second(
                            DirectionalDerivative.first(b, layout, type, 0.5, edge, 1, -2, 0.5)));
            pylops.operator(
                    "FirstDirectionalDerivative((5, 4), np.stack([A, d.reshape(5, 4)]), " + options,
                    type,
                    PLANE,
                    (b, layout) -> DirectionalDerivative.first(
                            0.5, edge, Pylops.input(b, "A", layout, type), Pylops.input(b, "d", layout, type)));
        }
    }

    private static void products(Pylops pylops, DataType type) {
        pylops.operator(
                "MatrixMult(A, otherdims=(3, 2), dtype=dtype)",
                type,
                new long[] {4, 3, 2},
                (b, layout) -> MatrixMult.of(matrix(b, "A", type, 5), layout, 0));
        pylops.operator(
                "(t := Transpose((3, 4, 2), (1, 0, 2), dtype=dtype), s := Transpose((3, 5, 2), (1, 0, 2), dtype=dtype),"
                        + " s.H * MatrixMult(A, otherdims=(3, 2), dtype=dtype) * t)[2]",
                type,
                new long[] {3, 4, 2},
                (b, layout) -> MatrixMult.of(matrix(b, "A", type, 5), layout, 1));
        pylops.operator(
                "Kronecker(MatrixMult(B, dtype=dtype), MatrixMult(A, dtype=dtype), dtype=dtype)",
                type,
                NONE,
                (b, layout) -> kronecker(b, b.scattered(0, 4, 4), type));
        pylops.operator(
                "Kronecker(MatrixMult(B, dtype=dtype), MatrixMult(A, dtype=dtype), dtype=dtype)",
                type,
                NONE,
                (b, layout) -> kronecker(b, b.replicated(4, 4), type));
        if (!type.isComplex()) {
            pylops.operator(
                    "Regression(A.ravel(), 3)",
                    type,
                    new long[] {20},
                    (b, layout) -> Regression.of(Pylops.input(b, "A", layout, type), 3));
            pylops.operator(
                    "LinearRegression(A.ravel())",
                    type,
                    new long[] {20},
                    (b, layout) -> Regression.linear(Pylops.input(b, "A", layout, type)));
        } else {
            pylops.operator("Real((5, 4))", type, PLANE, (b, layout) -> Conj.real(b, layout, type));
            pylops.operator("Imag((5, 4))", type, PLANE, (b, layout) -> Conj.imaginary(b, layout, type));
            pylops.operator("Conj((5, 4))", type, PLANE, (b, layout) -> Conj.of(b, layout, type));
        }
    }

    private static DistributedArray matrix(Backend backend, String name, DataType type, int rows) {
        return Pylops.input(backend, name, backend.replicated(rows, 4), type);
    }

    private static LinearOperator kronecker(Backend backend, Layout layout, DataType type) {
        return Kronecker.of(
                MatrixMult.of(matrix(backend, "B", type, 3)), MatrixMult.of(matrix(backend, "A", type, 5)), layout);
    }
}
