// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import org.comm4j.array.Backend;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.operator.solver.Fista;
import org.comm4j.operator.solver.Ista;
import org.comm4j.operator.solver.Solver;
import org.comm4j.operator.solver.Sparse;
import org.comm4j.operator.solver.Threshold;

/** The sparse solvers' models and costs, beside PyLops. */
final class PylopsSparse {
    private static final int ITERATIONS = 6;

    private PylopsSparse() {}

    static void add(Pylops pylops, DataType type) {
        for (Threshold kind : Threshold.values()) {
            String options =
                    "eps=0.6, alpha=0.05, threshkind='%s'".formatted(kind.name().toLowerCase(Locale.ROOT));
            both(
                    pylops,
                    type,
                    options,
                    1e-12,
                    (sparse, a) -> sparse.threshold(kind).alpha(0.05));
        }
        // The largest eigenvalue by another method, to the tolerance of the power iteration.
        both(pylops, type, "eps=0.6", 1e-3, (sparse, a) -> sparse);
        both(
                pylops,
                type,
                "eps=0.6, alpha=0.05, decay=np.array([3.0, 2.5, 2, 1.5, 1, 1])",
                1e-12,
                (sparse, a) -> sparse.alpha(0.05).decay(3, 2.5, 2, 1.5, 1));
        both(
                pylops,
                type,
                "eps=0.6, alpha=0.05, SOp=Flip(4, dtype=dtype)",
                1e-12,
                (sparse, a) -> sparse.alpha(0.05).transform(Flip.of(a.backend(), a.domain(), type, 0)));
    }

    private static void both(
            Pylops pylops,
            DataType type,
            String options,
            double tolerance,
            BiFunction<Sparse, LinearOperator, Sparse> own) {
        String name = type == DataType.FLOAT64 ? "64" : "128";
        String op = "VStack([MatrixMult(M, dtype=M.dtype) for M in (A%1$s, B%1$s, A%1$s)])".formatted(name);
        String y = "d%s[:13]".formatted(name);
        String dtype = options.replace("dtype=dtype", "dtype=" + y + ".dtype");
        String call = "(%s, %s, niter=k, tol=0, %s)[0]".formatted(op, y, dtype);
        String cost = "0.5 * np.linalg.norm(%s - %s @ x) ** 2 + 0.6 * np.abs(x).sum()".formatted(y, op);
        for (String solver : List.of("ista", "fista")) {
            BiFunction<LinearOperator, Vector, Sparse> maker = solver.equals("ista") ? Ista::of : Fista::of;
            pylops.value(
                    "(lambda xs: [xs[-1], [%s for x in xs]])([%s%s for k in range(1, %d)])"
                            .formatted(cost, solver, call, ITERATIONS + 1),
                    tolerance,
                    backend -> history(backend, type, maker, own));
        }
    }

    private static List<HostArray> history(
            Backend backend,
            DataType type,
            BiFunction<LinearOperator, Vector, Sparse> maker,
            BiFunction<Sparse, LinearOperator, Sparse> own) {
        LinearOperator a = PylopsTest.stack(backend, type);
        Solver solver = own.apply(
                        maker.apply(a, PylopsTest.data(backend, a, type)).eps(0.6), a)
                .iterations(ITERATIONS);
        Vector x = solver.solve();
        double[] costs = solver.result().costs();
        return List.of(x.arrays().getFirst().toHost(), HostArray.of(Arrays.copyOfRange(costs, 1, costs.length)));
    }
}
