// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.List;
import org.comm4j.array.Dots;
import org.comm4j.array.Updates;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Complex;
import org.comm4j.operator.LinearOperator;

/**
 * Least squares by bidiagonalisation (PyLops {@code lsqr}): the x that minimises |y − A x|² + damp² |x|², as {@link
 * Cgls} does, with less rounding where A is ill-conditioned. From a start x₀ the damping is that of x − x₀, as in
 * SciPy.
 *
 * <p>An iteration applies A and Aᴴ once each and makes two reductions over the ranks besides those of the operators. It
 * allocates nothing itself, and on a GPU it is one graph. The algorithm, its estimates and its stop tests are those of
 * Paige and Saunders (1982). |y − A x| and the gradient's norm are its estimates, too.
 */
public final class Lsqr {
    private static final String NAME = "Lsqr";
    static final Calculation SCALE = Lsqr::scale;
    static final Calculation ROTATE = Lsqr::rotate;

    // Numbers of the state, with the names of Paige and Saunders

    private static final int ALFA = State.OWN;
    private static final int BETA = State.OWN + 1;
    private static final int RHOBAR = State.OWN + 2;
    private static final int PHIBAR = State.OWN + 3;
    private static final int ANORM = State.OWN + 4;
    private static final int DDNORM = State.OWN + 5;
    private static final int RES2 = State.OWN + 6;
    private static final int XXNORM = State.OWN + 7;
    private static final int Z = State.OWN + 8;
    private static final int CS2 = State.OWN + 9;
    private static final int SN2 = State.OWN + 10;
    private static final int BNORM = State.OWN + 11;
    private static final int ARNORM0 = State.OWN + 12;
    private static final int DAMP = State.OWN + 13;
    private static final int ATOL = State.OWN + 14;
    private static final int BTOL = State.OWN + 15;
    private static final int CONLIM = State.OWN + 16;

    // Factors of the updates: of what is new and of what is there

    private static final int U_FRESH = 0;
    private static final int U_KEEP = 1;
    private static final int U_SCALE = 2;
    private static final int V_FRESH = 3;
    private static final int V_KEEP = 4;
    private static final int V_SCALE = 5;
    private static final int X_STEP = 6;
    private static final int W_FRESH = 7;
    private static final int W_KEEP = 8;

    /**
     * The limits of the solver's own stop tests; 0 turns one off, down to the rounding error.
     *
     * @param atol relative error of the operator, PyLops' {@code atol}
     * @param btol relative error of the data, PyLops' {@code btol}
     * @param conlim largest condition number, PyLops' {@code conlim}
     */
    public record Limits(double atol, double btol, double conlim) {
        /** The limits of PyLops: 1e-8, 1e-8 and 1e8. */
        public static final Limits DEFAULT = new Limits(1e-8, 1e-8, 1e8);

        /** The limits of rounding. */
        public static final Limits NONE = new Limits(0, 0, 0);

        /** Checks the limits. */
        public Limits {
            if (!(atol >= 0) || !(btol >= 0) || !(conlim >= 0)) {
                throw new IllegalArgumentException(
                        NAME + ": the limits " + atol + ", " + btol + " and " + conlim + " must be at least 0");
            }
        }
    }

    private Lsqr() {}

    /** Returns a solver with PyLops' limits of a problem of an operator and data, which it does not change. */
    public static Solver of(LinearOperator operator, Vector data) {
        return of(operator, data, Limits.DEFAULT);
    }

    /**
     * Returns a solver of the least-squares problem of an operator and data, which it does not change.
     *
     * @throws IllegalArgumentException if the data are not of the operator's range
     */
    public static Solver of(LinearOperator operator, Vector data, Limits limits) {
        noNulls("Lsqr.of", "operator", operator, "data", data, "limits", limits);
        return new Solver(NAME, operator, data, new Factory(limits));
    }

    private record Factory(Limits limits) implements Algorithm.Factory {
        @Override
        public Algorithm of(Solver options, Vector x, State state) {
            return new Steps(options, x, state, limits);
        }

        @Override
        public String insteadOfPreconditioner() {
            return "Preconditioned changes the variable instead";
        }
    }

    // Calculations

    private static void factor(F64Ptr state, int index, double value) {
        state.set(State.factorAt(index), value);
    }

    /** Calculates what makes u a unit vector, and the next v from Aᴴ u. */
    private static void scale(F64Ptr state, F64Ptr uu, F64Ptr vw) {
        double beta = State.isStopped(state) ? 0 : Math.sqrt(Dots.real(uu, 0));
        if (!State.isStopped(state)) {
            state.set(BETA, beta);
        }
        boolean goesOn = beta > 0;
        if (goesOn) {
            state.set(
                    ANORM,
                    Complex.modulus(
                            Complex.modulus(state.get(ANORM), state.get(ALFA)),
                            Complex.modulus(beta, state.get(DAMP))));
        }
        factor(state, U_SCALE, goesOn ? 1 / beta : 1);
        factor(state, V_FRESH, goesOn ? 1 : 0);
        factor(state, V_KEEP, goesOn ? -beta : 1);
    }

    /** Calculates the rotations and what they make of x and w, estimates norms, and ends the iteration. */
    private static void rotate(F64Ptr state, F64Ptr uu, F64Ptr vw) {
        if (State.isStopped(state)) {
            factor(state, U_FRESH, 0);
            factor(state, U_KEEP, 1);
            factor(state, V_SCALE, 1);
            factor(state, X_STEP, 0);
            factor(state, W_FRESH, 0);
            factor(state, W_KEEP, 1);
            return;
        }
        double beta = state.get(BETA);
        double alfa = state.get(ALFA);
        double ww = Dots.real(vw, 1);
        factor(state, V_SCALE, 1);
        if (beta > 0) {
            alfa = Math.sqrt(Dots.real(vw, 0));
            state.set(ALFA, alfa);
            factor(state, V_SCALE, alfa > 0 ? 1 / alfa : 1);
        }
        // A rotation removes the damping, another one the element below the diagonal.
        double damp = state.get(DAMP);
        double rhobar = state.get(RHOBAR);
        double phibar = state.get(PHIBAR);
        double rhobar1 = Complex.modulus(rhobar, damp);
        double psi = damp / rhobar1 * phibar;
        phibar = rhobar / rhobar1 * phibar;
        double rho = Complex.modulus(rhobar1, beta);
        double cs = rhobar1 / rho;
        double sn = beta / rho;
        double theta = sn * alfa;
        state.set(RHOBAR, -cs * alfa);
        double phi = cs * phibar;
        phibar = sn * phibar;
        state.set(PHIBAR, phibar);
        factor(state, X_STEP, phi / rho);
        factor(state, W_FRESH, 1);
        factor(state, W_KEEP, -theta / rho);
        factor(state, U_FRESH, 1);
        factor(state, U_KEEP, -alfa);
        state.set(DDNORM, state.get(DDNORM) + ww / (rho * rho));
        estimate(state, rho, theta, phi, psi, alfa * Math.abs(sn * phi));
    }

    /** Estimates the norms of x, of the residual and of the gradient, and applies the stop tests. */
    private static void estimate(F64Ptr state, double rho, double theta, double phi, double psi, double arnorm) {
        double delta = state.get(SN2) * rho;
        double gambar = -state.get(CS2) * rho;
        double rhs = phi - delta * state.get(Z);
        double zbar = rhs / gambar;
        double xxnorm = state.get(XXNORM);
        double xnorm = Math.sqrt(xxnorm + zbar * zbar);
        double gamma = Complex.modulus(gambar, theta);
        state.set(CS2, gambar / gamma);
        state.set(SN2, theta / gamma);
        double z = rhs / gamma;
        state.set(Z, z);
        xxnorm += z * z;
        state.set(XXNORM, xxnorm);
        double anorm = state.get(ANORM);
        double acond = anorm * Math.sqrt(state.get(DDNORM));
        double res2 = state.get(RES2) + psi * psi;
        state.set(RES2, res2);
        double phibar = state.get(PHIBAR);
        double rnorm = Math.sqrt(phibar * phibar + res2);
        double damp = state.get(DAMP);
        double r1norm = Math.sqrt(Math.abs(rnorm * rnorm - damp * damp * xxnorm));
        double bnorm = state.get(BNORM);
        double test1 = rnorm / bnorm;
        double test2 = arnorm / state.get(ARNORM0);
        double test3 = 1 / acond;
        double atol = state.get(ATOL);
        double conlim = state.get(CONLIM);
        double rtol = state.get(BTOL) + atol * anorm * xnorm / bnorm;
        double rounded = test1 / (1 + anorm * xnorm / bnorm);
        int reason = 0;
        if (test1 <= rtol) {
            reason = StopRule.SMALL_RESIDUAL;
        } else if (test2 <= atol) {
            reason = StopRule.SMALL_GRADIENT;
        } else if (conlim > 0 && test3 <= 1 / conlim || 1 + test3 <= 1) {
            reason = StopRule.CONDITION;
        } else if (1 + rounded <= 1 || 1 + test2 <= 1) {
            reason = StopRule.ROUNDING;
        }
        state.set(State.OWN_REASON, reason);
        state.set(State.DETAIL, acond);
        State.made(state, arnorm * arnorm, r1norm, rnorm);
    }

    /** The vectors of a run, and what it computes. */
    private static final class Steps implements Algorithm {
        private final Solver options;
        private final Limits limits;
        private final State state;
        private final LinearOperator a;
        private final Vector x;
        private final Vector u;
        private final Vector v;
        private final Vector w;
        private final Vector au;
        private final Vector av;
        private final Dots uu;
        private final Dots vw;
        private final Updates nextU;
        private final Updates unitU;
        private final Updates nextV;
        private final Updates advance;
        private final Runnable scale;
        private final Runnable rotate;

        Steps(Solver options, Vector x, State state, Limits limits) {
            this.options = options;
            this.limits = limits;
            this.state = state;
            this.x = x;
            a = options.operator();
            u = options.data().like();
            av = u.like();
            v = x.like();
            w = x.like();
            au = x.like();
            uu = Dots.given(x.backend());
            vw = Dots.given(x.backend()).and(w, w);
            nextU = Updates.of(state.factor(U_FRESH), av, state.factor(U_KEEP), u)
                    .squares(uu, 0);
            unitU = Updates.of(Coefficient.ZERO, u, state.factor(U_SCALE), u);
            nextV = Updates.of(state.factor(V_FRESH), au, state.factor(V_KEEP), v)
                    .squares(vw, 0);
            advance = Updates.of(Coefficient.ZERO, v, state.factor(V_SCALE), v)
                    .and(state.factor(X_STEP), w, Coefficient.ONE, x)
                    .and(state.factor(W_FRESH), v, state.factor(W_KEEP), w);
            scale = uu.reducing(SCALE, state.buffer(), uu.numbers(), vw.numbers());
            rotate = vw.reducing(ROTATE, state.buffer(), uu.numbers(), vw.numbers());
        }

        @Override
        public void setOptions() {
            state.set(DAMP, options.dampFactor());
            state.set(ATOL, limits.atol);
            state.set(BTOL, limits.btol);
            state.set(CONLIM, limits.conlim);
        }

        @Override
        public void begin() {
            u.assign(options.data());
            boolean started = options.startModel() != null;
            double reference = 0;
            Dots vv = Dots.of(v, v);
            if (started && options.stop().isRelative()) {
                a.rmatvec(u, v);
                reference = vv.reduce().real(0);
            }
            if (started) {
                u.axpy(Coefficient.MINUS_ONE, a.matvec(x, av));
            }
            double beta = Math.sqrt(Dots.of(u, u).reduce().real(0));
            double alfa = 0;
            if (beta > 0) {
                u.scale(Coefficient.of(1 / beta));
                a.rmatvec(u, v);
                alfa = Math.sqrt(vv.reduce().real(0));
                if (alfa > 0) {
                    v.scale(Coefficient.of(1 / alfa));
                }
            }
            w.assign(v);
            double arnorm = alfa * beta;
            state.set(ALFA, alfa);
            state.set(RHOBAR, alfa);
            state.set(PHIBAR, beta);
            state.set(BNORM, beta);
            state.set(ARNORM0, arnorm);
            state.set(CS2, -1);
            state.set(State.factorAt(U_FRESH), 1);
            state.set(State.factorAt(U_KEEP), -alfa);
            state.set(State.REFERENCE, started ? reference : arnorm * arnorm);
            state.set(State.BEGINNING, beta);
            state.set(State.SQUARE, arnorm * arnorm);
            state.set(State.COST, beta);
            state.set(State.OBJECTIVE, beta);
        }

        @Override
        public void iterate() {
            a.matvec(v, av);
            nextU.run();
            scale.run();
            unitU.run();
            a.rmatvec(u, au);
            nextV.run();
            rotate.run();
            advance.run();
        }

        @Override
        public double growth() {
            return 2;
        }

        @Override
        public List<Vector> vectors() {
            return List.of(u, v, w);
        }

        @Override
        public void close() {
            u.close();
            v.close();
            w.close();
            au.close();
            av.close();
        }
    }
}
