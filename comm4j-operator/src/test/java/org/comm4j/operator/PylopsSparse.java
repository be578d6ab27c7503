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
import org.comm4j.operator.solver.Irls;
import org.comm4j.operator.solver.Ista;
import org.comm4j.operator.solver.Solver;
import org.comm4j.operator.solver.Sparse;
import org.comm4j.operator.solver.SplitBregman;
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
        for (Threshold kind : Threshold.values()) {
            both(
                    pylops,
                    type,
                    "eps=0.6, alpha=0.05, threshkind='%s-percentile', perc=55"
                            .formatted(kind.name().toLowerCase(Locale.ROOT)),
                    1e-12,
                    (sparse, a) -> sparse.threshold(kind).alpha(0.05).percentile(55));
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

    /** Reweighted least squares and the split Bregman method, with inner problems that are solved to rounding. */
    static void addOuter(Pylops pylops, DataType type) {
        String name = type == DataType.FLOAT64 ? "64" : "128";
        String op = "VStack([MatrixMult(M, dtype=M.dtype) for M in (A%1$s, B%1$s, A%1$s)])".formatted(name);
        String y = "d%s[:13]".formatted(name);
        String inner = ", iter_lim=40, atol=0, btol=0, conlim=0";
        for (String kind : List.of("data", "datamodel", "model")) {
            for (boolean threshold : new boolean[] {false, true}) {
                pylops.value(
                        "[irls(%s, %s, nouter=4, threshR=%s, epsR=0.2, epsI=0.3, tolIRLS=0, kind='%s'%s)[0]]"
                                .formatted(op, y, threshold ? "True" : "False", kind, inner),
                        1e-7,
                        backend -> {
                            LinearOperator a = PylopsTest.stack(backend, type);
                            Vector data = PylopsTest.data(backend, a, type);
                            Irls own = switch (kind) {
                                case "data" -> Irls.data(a, data).epsilon(0.3);
                                case "model" -> Irls.model(a, data).epsilon(0.3);
                                default -> Irls.dataAndModel(a, data, 0.3);
                            };
                            Irls solver = threshold ? own.threshold() : own;
                            return List.of(whole(
                                    solver.delta(0.2).inner(40).iterations(4).solve()));
                        });
            }
        }
        String d = "FirstDerivative(4, kind='forward', dtype=d%s.dtype)".formatted(name);
        for (String tau : List.of("1.0", "0.7")) {
            pylops.value(
                    "[splitbregman(%1$s, %2$s, [%3$s], niter_outer=4, niter_inner=2, mu=1.5, epsRL1s=[0.3], RegsL2=[%3$s], epsRL2s=[0.2], tol=1e-14, tau=%4$s%5$s)[0]]"
                            .formatted(op, y, d, tau, inner),
                    1e-7,
                    backend -> {
                        LinearOperator a = PylopsTest.stack(backend, type);
                        LinearOperator own = FirstDerivative.of(backend, a.domain(), 0)
                                .kind(DerivativeKind.FORWARD)
                                .dtype(type)
                                .build();
                        // PyLops' weight of a 1-norm is the root of the one that it minimises with.
                        return List.of(whole(SplitBregman.of(a, PylopsTest.data(backend, a, type))
                                .mu(1.5)
                                .l1(own, 0.09)
                                .l2(own, 0.2)
                                .tau(Double.parseDouble(tau))
                                .inner(2, 40)
                                .iterations(4)
                                .solve()));
                    });
        }
    }

    private static HostArray whole(Vector x) {
        return x.arrays().getFirst().toHost();
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
