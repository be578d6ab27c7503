// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import java.util.List;
import org.comm4j.array.Dots;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Scalar;
import org.comm4j.math.Scalars;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * Least squares by bidiagonalisation (PyLops {@code lsqr}): the x that minimises |y − A x|² + damp² |x|², as {@link
 * Cgls} does, with less rounding where A is ill-conditioned. From a start x₀ the damping is that of x − x₀, as in
 * SciPy.
 *
 * <p>An iteration applies A and Aᴴ once each and makes two reductions over the ranks besides those of the operators. It
 * allocates nothing itself. The algorithm, its estimates and its stop tests are those of Paige and Saunders (1982). |y
 * − A x| and the gradient's norm are its estimates, too.
 */
public final class Lsqr {
    static final String NAME = "Lsqr";

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
        return new Solver(NAME, operator, data, (options, x) -> new Steps(options, x, limits));
    }

    /** The vectors and numbers of a run, with the names of Paige and Saunders. */
    private static final class Steps implements Algorithm {
        private final Solver options;
        private final Limits limits;
        private final LinearOperator a;
        private final double damp;
        private final Vector x;
        private final Vector u;
        private final Vector v;
        private final Vector w;
        private final Vector au;
        private final Vector av;
        private final Dots uu;
        private final Dots vw;
        private final Scalar factor;
        private double reference;
        private double alfa;
        private double rhobar;
        private double phibar;
        private double anorm;
        private double ddnorm;
        private double res2;
        private double xxnorm;
        private double z;
        private double cs2 = -1;
        private double sn2;
        private double bnorm;
        private double rnorm;
        private double r1norm;
        private double arnorm;
        private double arnorm0;
        private @Nullable End end;

        Steps(Solver options, Vector x, Limits limits) {
            this.options = options;
            this.x = x;
            this.limits = limits;
            a = options.operator();
            damp = options.dampFactor();
            u = options.data().like();
            av = u.like();
            v = x.like();
            w = x.like();
            au = x.like();
            uu = Dots.of(u, u);
            vw = Dots.of(v, v).and(w, w);
            Scalars scalars = a.backend().compute().scalars(1);
            factor = scalars.get(0);
        }

        @Override
        public void begin() {
            u.assign(options.data());
            boolean started = options.startModel() != null;
            if (started && options.stop().isRelative()) {
                a.rmatvec(u, v);
                reference = vw.reduce().real(0);
            }
            if (started) {
                u.axpy(Coefficient.MINUS_ONE, a.matvec(x, av));
            }
            double beta = Math.sqrt(uu.reduce().real(0));
            if (beta > 0) {
                scale(u, 1 / beta);
                a.rmatvec(u, v);
                alfa = Math.sqrt(vw.reduce().real(0));
                if (alfa > 0) {
                    scale(v, 1 / alfa);
                }
            }
            w.assign(v);
            arnorm = alfa * beta;
            arnorm0 = arnorm;
            reference = started ? reference : arnorm * arnorm;
            rhobar = alfa;
            phibar = beta;
            bnorm = beta;
            rnorm = beta;
            r1norm = beta;
        }

        private void scale(Vector vector, double by) {
            factor.set(by);
            vector.scale(factor);
        }

        /** target = source − by target. */
        private void subtract(Vector source, double by, Vector target) {
            factor.set(-by);
            target.axpby(Coefficient.ONE, source, factor);
        }

        @Override
        public boolean step() {
            // The next vectors of the bidiagonalisation.
            subtract(a.matvec(v, av), alfa, u);
            double beta = Math.sqrt(uu.reduce().real(0));
            double ww;
            if (beta > 0) {
                scale(u, 1 / beta);
                anorm = norm(norm(anorm, alfa), norm(beta, damp));
                subtract(a.rmatvec(u, au), beta, v);
                vw.reduce();
                alfa = Math.sqrt(vw.real(0));
                ww = vw.real(1);
                if (alfa > 0) {
                    scale(v, 1 / alfa);
                }
            } else {
                ww = vw.reduce().real(1);
            }
            // A rotation removes the damping, another one the element below the diagonal.
            double rhobar1 = norm(rhobar, damp);
            double psi = damp / rhobar1 * phibar;
            phibar = rhobar / rhobar1 * phibar;
            double rho = norm(rhobar1, beta);
            double cs = rhobar1 / rho;
            double sn = beta / rho;
            double theta = sn * alfa;
            rhobar = -cs * alfa;
            double phi = cs * phibar;
            phibar = sn * phibar;
            double tau = sn * phi;
            factor.set(phi / rho);
            x.axpy(factor, w);
            factor.set(-theta / rho);
            w.axpby(Coefficient.ONE, v, factor);
            ddnorm += ww / (rho * rho);
            estimate(rho, theta, phi, psi, tau);
            return true;
        }

        private static double norm(double a, double b) {
            return Math.hypot(a, b);
        }

        /** Estimates the norms of x, of the residual and of the gradient, and applies the stop tests. */
        private void estimate(double rho, double theta, double phi, double psi, double tau) {
            double delta = sn2 * rho;
            double gambar = -cs2 * rho;
            double rhs = phi - delta * z;
            double zbar = rhs / gambar;
            double xnorm = Math.sqrt(xxnorm + zbar * zbar);
            double gamma = norm(gambar, theta);
            cs2 = gambar / gamma;
            sn2 = theta / gamma;
            z = rhs / gamma;
            xxnorm += z * z;
            double acond = anorm * Math.sqrt(ddnorm);
            res2 += psi * psi;
            rnorm = Math.sqrt(phibar * phibar + res2);
            arnorm = alfa * Math.abs(tau);
            r1norm = Math.sqrt(Math.abs(rnorm * rnorm - damp * damp * xxnorm));
            double test1 = rnorm / bnorm;
            double test2 = arnorm / arnorm0;
            double test3 = 1 / acond;
            double rtol = limits.btol + limits.atol * anorm * xnorm / bnorm;
            double rounded = test1 / (1 + anorm * xnorm / bnorm);
            if (test1 <= rtol) {
                end = new End(StopReason.CONVERGED, ": y − A x is as small as atol and btol ask for");
            } else if (test2 <= limits.atol) {
                end = new End(StopReason.CONVERGED, ": the gradient is as small as atol asks for");
            } else if (limits.conlim > 0 && test3 <= 1 / limits.conlim || 1 + test3 <= 1) {
                end = new End(
                        StopReason.CONDITION,
                        ": the condition number is about %.1e, above the limit; damping lowers it".formatted(acond));
            } else if (1 + rounded <= 1 || 1 + test2 <= 1) {
                end = new End(StopReason.CONVERGED, ": as far as rounding allows");
            }
        }

        @Override
        public @Nullable End end() {
            return end;
        }

        @Override
        public double square() {
            return arnorm * arnorm;
        }

        @Override
        public double reference() {
            return reference;
        }

        @Override
        public double residualNorm() {
            return r1norm;
        }

        @Override
        public double objective() {
            return rnorm;
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
        public double[] numbers() {
            return new double[] {
                alfa, rhobar, phibar, anorm, ddnorm, res2, xxnorm, z, cs2, sn2, bnorm, rnorm, r1norm, arnorm, arnorm0
            };
        }

        @Override
        public void restore(double... numbers) {
            alfa = numbers[0];
            rhobar = numbers[1];
            phibar = numbers[2];
            anorm = numbers[3];
            ddnorm = numbers[4];
            res2 = numbers[5];
            xxnorm = numbers[6];
            z = numbers[7];
            cs2 = numbers[8];
            sn2 = numbers[9];
            bnorm = numbers[10];
            rnorm = numbers[11];
            r1norm = numbers[12];
            arnorm = numbers[13];
            arnorm0 = numbers[14];
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
