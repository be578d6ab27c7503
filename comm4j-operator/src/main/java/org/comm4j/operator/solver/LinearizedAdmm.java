// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.proximal.Proximal;
import org.comm4j.operator.proximal.Step;

/**
 * The linearised alternating direction method of multipliers (Parikh and Boyd 2014, 4.4.2, PyProximal
 * {@code LinearizedADMM}): the x that minimises f(x) + g(A x).
 *
 * <p>An iteration is x = prox_(μ f)(x − (μ / τ) Aᴴ (A x − z + u)), z = prox_(τ g)(A x + u), u = u + A x − z. It applies
 * A and Aᴴ once each, and makes one reduction besides those of the maps. It converges for μ |A|² ≤ τ.
 */
public final class LinearizedAdmm extends Splitting<LinearizedAdmm> {
    private final Proximal f;
    private final Proximal g;
    private double tau = 1;
    private double mu = 1;

    private LinearizedAdmm(Proximal f, Proximal g, LinearOperator a) {
        super("LinearizedAdmm", a);
        this.f = f;
        this.g = g;
    }

    /** Returns the solver of a problem. */
    public static LinearizedAdmm of(Proximal f, Proximal g, LinearOperator a) {
        noNulls("LinearizedAdmm.of", "f", f, "g", g, "a", a);
        return new LinearizedAdmm(f, g, a);
    }

    @Override
    LinearizedAdmm self() {
        return this;
    }

    /** Sets the step of g; 1 unless set. */
    public LinearizedAdmm tau(double step) {
        tau = positive("tau", step);
        return this;
    }

    /** Sets the step of f; 1 unless set. */
    public LinearizedAdmm mu(double step) {
        mu = positive("mu", step);
        return this;
    }

    @Override
    Algorithm algorithm(Solver options, Vector x, State state) {
        return new Steps(options, x, state);
    }

    private final class Steps extends SplittingSteps {
        private final Vector image;
        private final Vector z;
        private final Vector gap;
        private final Vector slope;
        private final Pointwise difference;
        private final Pointwise gathered;
        private final Step ofModel;
        private final Step ofZ;

        Steps(Solver options, Vector x, State state) {
            super(options, x, state);
            image = range();
            z = range();
            Vector u = keep(range());
            gap = keep(range());
            slope = scratch(x);
            Coefficient ofTau = factor(0, tau);
            Coefficient ofMu = factor(1, mu);
            Coefficient back = factor(2, -mu / tau);
            ofModel = keep(f.prepare(model(Pointwise.of(Coefficient.ONE, x, back, slope)), ofMu));
            ofZ = keep(g.prepare(
                    active(Pointwise.of(Coefficient.ONE, image, Coefficient.ONE, u))
                            .into(z)
                            .second(u, Coefficient.MINUS_ONE, Coefficient.ZERO, Coefficient.ONE),
                    ofTau));
            // A x − z + u, which the next iteration begins with.
            difference = active(Pointwise.of(Coefficient.ONE, image, Coefficient.MINUS_ONE, z))
                    .into(gap);
            gathered = active(Pointwise.of(Coefficient.ONE, gap, Coefficient.ONE, u))
                    .into(gap);
            ending(END);
        }

        @Override
        void start() {
            // z = A x and u = 0, so that the gap is 0.
            warnOfSteps(LinearizedAdmm.this, a, mu / tau, "mu / tau");
        }

        @Override
        void advance() {
            a.rmatvec(gap, slope);
            ofModel.run();
            a.matvec(x, image);
            ofZ.run();
            difference.run();
            gathered.run();
        }
    }
}
