// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.List;
import java.util.function.Function;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.operator.proximal.Box;
import org.comm4j.operator.proximal.Euclidean;
import org.comm4j.operator.proximal.HalfSpace;
import org.comm4j.operator.proximal.Huber;
import org.comm4j.operator.proximal.L0;
import org.comm4j.operator.proximal.L0Ball;
import org.comm4j.operator.proximal.L1;
import org.comm4j.operator.proximal.L1Ball;
import org.comm4j.operator.proximal.L2;
import org.comm4j.operator.proximal.L21;
import org.comm4j.operator.proximal.Log;
import org.comm4j.operator.proximal.Proximal;
import org.comm4j.operator.proximal.Simplex;
import org.comm4j.operator.solver.AdaptivePrimalDual;
import org.comm4j.operator.solver.Admm;
import org.comm4j.operator.solver.AdmmL2;
import org.comm4j.operator.solver.ConsensusAdmm;
import org.comm4j.operator.solver.LinearizedAdmm;
import org.comm4j.operator.solver.PrimalDual;
import org.comm4j.operator.solver.ProximalGradient;
import org.comm4j.operator.solver.ProximalPoint;
import org.comm4j.operator.solver.Splitting;

/** Proximal maps and splitting solvers, beside PyProximal. */
final class PylopsProximal {
    private PylopsProximal() {}

    static void add(Pylops pylops, DataType type) {
        boolean real = type == DataType.FLOAT64;
        // Of complex numbers PyProximal maps the conjugate function otherwise.
        map(pylops, type, "pp.L1(0.3)", real, b -> L1.of(0.3));
        map(pylops, type, "pp.L0(0.3)", false, b -> L0.plain(0.3));
        map(pylops, type, "pp.Euclidean(0.3)", true, b -> Euclidean.of(0.3));
        map(pylops, type, "pp.EuclideanBall(np.zeros(20), 1.5)", false, b -> Euclidean.ball(1.5));
        map(pylops, type, "pp.L2(sigma=0.3)", true, b -> L2.of(0.3));
        map(pylops, type, "pp.L2(b=np.arange(20.0), sigma=0.3)", true, b -> L2.of(counted(b, type), 0.3));
        if (real) {
            map(pylops, type, "pp.Box(0.2, 0.6)", false, b -> Box.of(0.2, 0.6));
            map(pylops, type, "pp.Log(0.9, 1.7)", false, b -> Log.of(0.9, 1.7));
            map(pylops, type, "pp.Huber(0.3)", false, b -> Huber.plain(0.3));
            map(pylops, type, "pp.L1Ball(20, 1.5, xtol=1e-14)", false, b -> L1Ball.of(1.5));
            map(pylops, type, "pp.L0Ball(6)", false, b -> L0Ball.of(6));
            map(pylops, type, "pp.Simplex(20, 1.5, xtol=1e-14)", false, b -> Simplex.of(1.5));
            map(pylops, type, "pp.HalfSpace(np.arange(20.0), 1.5)", false, b -> HalfSpace.of(counted(b, type), 1.5));
        }
    }

    /** 0, 1, 2, … */
    private static DistributedArray counted(Backend backend, DataType type) {
        double[] numbers = new double[20];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i;
        }
        DistributedArray array = backend.zeros(backend.scattered(0, 20), type);
        array.assign(backend.of(backend.scattered(0, 20), numbers));
        return array;
    }

    private static HostArray whole(Vector x) {
        return x.arrays().getFirst().toHost();
    }

    private static void map(
            Pylops pylops, DataType type, String python, boolean dual, Function<Backend, Proximal> own) {
        String x = type == DataType.FLOAT64 ? "d64" : "d128";
        // PyProximal's number of elements that are not 0 is without its weight.
        String factor = python.contains("L0(") ? "0.3" : "1";
        String conjugate = dual ? ", (%s).proxdual(%s, 0.7)".formatted(python, x) : "";
        pylops.value(
                "[(%1$s).prox(%2$s, 0.7), [%4$s * (%1$s)(%2$s)]%3$s]".formatted(python, x, conjugate, factor),
                1e-12,
                backend -> {
                    Vector d = Pylops.input(backend, "d", backend.scattered(0, 20), type);
                    Proximal f = own.apply(backend);
                    HostArray value = HostArray.of(f.value(d));
                    // A constraint is false, which is 0, where it is broken.
                    HostArray known = value.getDouble(0) == Double.POSITIVE_INFINITY ? HostArray.of(0.0) : value;
                    return dual
                            ? List.of(whole(f.prox(d, 0.7)), known, whole(f.proxdual(d, 0.7)))
                            : List.of(whole(f.prox(d, 0.7)), known);
                });
    }

    /** Total variation of a plane, with steps that are numbers of 32 bits, as PyProximal makes them. */
    static void addSolvers(Pylops pylops) {
        String m = "Diagonal(np.arange(1.0, 21) / 8)";
        String d = "Gradient((5, 4), dtype='float64')";
        for (boolean warm : new boolean[] {false, true}) {
            String f = "pp.L2(Op=%s, b=d64, niter=3, warm=%s, solver='cg', kwargs_solver=dict(tol=0))"
                    .formatted(m, warm ? "True" : "False");
            for (boolean gFirst : new boolean[] {false, true}) {
                solver(
                        pylops,
                        "pp.optimization.primaldual.PrimalDual(%s, pp.L21(2, 0.25), %s, np.zeros(20), 0.125, 0.5, theta=0.75, niter=7, gfirst=%s)"
                                .formatted(f, d, gFirst ? "True" : "False"),
                        (b, plane) -> {
                            L2 misfit = misfit(b, plane);
                            LinearOperator a = Gradient.of(b, plane, DataType.FLOAT64);
                            PrimalDual solver = PrimalDual.of(warm ? misfit.warm() : misfit, L21.of(a.range(), 0.25), a)
                                    .tau(0.125)
                                    .mu(0.5)
                                    .theta(0.75);
                            return gFirst ? solver : solver.primalFirst();
                        },
                        7);
            }
        }
        solver(
                pylops,
                "pp.optimization.primal.ADMML2(pp.L21(2, 0.25), %s, d64, %s, np.zeros(20), 0.5, niter=6, iter_lim=5)[0]"
                        .formatted(m, d),
                (b, plane) -> {
                    LinearOperator a = Gradient.of(b, plane, DataType.FLOAT64);
                    return AdmmL2.of(L21.of(a.range(), 0.25), diagonal(b, plane), data(b, plane), a)
                            .tau(0.5)
                            .inner(5);
                },
                6);
        addOthers(pylops, m, d);
    }

    private static void addOthers(Pylops pylops, String m, String d) {
        String f = "pp.L2(Op=%s, b=d64, niter=30, solver='cg', kwargs_solver=dict(tol=0))".formatted(m);
        String solvers = "pp.optimization.primal.";
        for (String acceleration : List.of("None", "'fista'", "'vandenberghe'")) {
            for (String tau : List.of("0.125", "None")) {
                solver(
                        pylops,
                        solvers
                                + "ProximalGradient(%s, pp.L1(0.25), np.zeros(20), tau=%s, niter=7, acceleration=%s)"
                                        .formatted(f, tau, acceleration),
                        (b, plane) -> {
                            ProximalGradient own = ProximalGradient.of(misfit(b, plane), L1.of(0.25), zeros(b, plane));
                            ProximalGradient solver = tau.equals("None") ? own : own.tau(0.125);
                            return switch (acceleration) {
                                case "'fista'" -> solver.fista();
                                case "'vandenberghe'" -> solver.vandenberghe();
                                default -> solver;
                            };
                        },
                        7);
            }
        }
        solver(
                pylops,
                solvers + "ProximalGradient(%s, pp.L1(0.25), np.zeros(20), tau=0.125, eta=0.75, niter=7)".formatted(f),
                (b, plane) -> ProximalGradient.of(misfit(b, plane), L1.of(0.25), zeros(b, plane))
                        .tau(0.125)
                        .relaxation(0.75),
                7);
        solver(
                pylops,
                solvers + "ProximalPoint(%s, np.zeros(20), 0.5, niter=5)".formatted(f),
                (b, plane) -> ProximalPoint.of(misfit(b, plane).iterations(30), zeros(b, plane))
                        .tau(0.5),
                5);
        for (boolean gFirst : new boolean[] {false, true}) {
            solver(
                    pylops,
                    solvers
                            + "ADMM(%s, pp.L1(0.25), np.zeros(20), 0.5, niter=6, gfirst=%s)[0]"
                                    .formatted(f, gFirst ? "True" : "False"),
                    (b, plane) -> {
                        Admm own = Admm.of(misfit(b, plane).iterations(30), L1.of(0.25), zeros(b, plane))
                                .tau(0.5);
                        return gFirst ? own.gFirst() : own;
                    },
                    6);
        }
        solver(
                pylops,
                solvers
                        + "LinearizedADMM(%s, pp.L21(2, 0.25), %s, np.zeros(20), 0.5, 0.0625, niter=6)[0]"
                                .formatted(f, d),
                (b, plane) -> {
                    LinearOperator a = Gradient.of(b, plane, DataType.FLOAT64);
                    return LinearizedAdmm.of(misfit(b, plane).iterations(30), L21.of(a.range(), 0.25), a)
                            .tau(0.5)
                            .mu(0.0625);
                },
                6);
        solver(
                pylops,
                solvers
                        + "ConsensusADMM([%s, pp.L1(0.25), pp.Box(-0.5, 0.5)], np.zeros(20), 0.5, niter=6)"
                                .formatted(f),
                (b, plane) -> ConsensusAdmm.of(
                                zeros(b, plane), misfit(b, plane).iterations(30), L1.of(0.25), Box.of(-0.5, 0.5))
                        .tau(0.5),
                6);
        solver(
                pylops,
                "pp.optimization.primaldual.AdaptivePrimalDual(%s, pp.L21(2, 0.25), %s, np.zeros(20), 0.125, 0.5, niter=9)[0]"
                        .formatted(f, d),
                (b, plane) -> {
                    LinearOperator a = Gradient.of(b, plane, DataType.FLOAT64);
                    return AdaptivePrimalDual.of(misfit(b, plane).iterations(30), L21.of(a.range(), 0.25), a)
                            .tau(0.125)
                            .mu(0.5);
                },
                9);
    }

    private static DistributedArray zeros(Backend backend, Layout plane) {
        return backend.zeros(plane, DataType.FLOAT64);
    }

    /** Makes a solver of a problem in a plane. */
    @FunctionalInterface
    private interface Maker {
        Splitting<?> make(Backend backend, Layout plane);
    }

    private static void solver(Pylops pylops, String python, Maker own, int iterations) {
        pylops.value("[" + python + "]", 1e-9, backend -> {
            Layout plane = backend.scattered(backend.size() % 2, 5, 4);
            return List.of(whole(own.make(backend, plane).iterations(iterations).solve()));
        });
    }

    private static DistributedArray data(Backend backend, Layout plane) {
        return Pylops.input(backend, "d", plane, DataType.FLOAT64);
    }

    private static LinearOperator diagonal(Backend backend, Layout plane) {
        double[] numbers = new double[20];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (i + 1) / 8.0;
        }
        return Diagonal.of(backend.of(plane, numbers));
    }

    private static L2 misfit(Backend backend, Layout plane) {
        return L2.of(diagonal(backend, plane), data(backend, plane)).iterations(3);
    }
}
