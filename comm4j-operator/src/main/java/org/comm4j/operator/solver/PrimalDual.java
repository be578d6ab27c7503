// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.proximal.Proximal;
import org.comm4j.operator.proximal.Step;
import org.jspecify.annotations.Nullable;

/**
 * The primal-dual algorithm of Chambolle and Pock (2011, PyProximal {@code PrimalDual}): the x that minimises f(x) +
 * g(A x), such as a misfit f with total variation, g an {@link org.comm4j.operator.proximal.L21} and A a gradient.
 *
 * <p>An iteration is y = prox_(μ g*)(y + μ A x̂), x = prox_(τ f)(x − τ (Aᴴ y + z)), x̂ = x + θ (x − the x before). It
 * applies A and Aᴴ once each, besides what the maps do, and makes one reduction. It converges for τ μ |A|² ≤ 1.
 */
public final class PrimalDual extends Splitting<PrimalDual> {
    private final Proximal f;
    private final Proximal g;
    private double tau = 1;
    private double mu = 1;
    private double theta = 1;
    private boolean primalFirst;
    private @Nullable Vector dual;
    private @Nullable Vector shift;

    private PrimalDual(Proximal f, Proximal g, LinearOperator a) {
        super("PrimalDual", a);
        this.f = f;
        this.g = g;
    }

    /** Returns the solver of a problem. */
    public static PrimalDual of(Proximal f, Proximal g, LinearOperator a) {
        noNulls("PrimalDual.of", "f", f, "g", g, "a", a);
        return new PrimalDual(f, g, a);
    }

    @Override
    PrimalDual self() {
        return this;
    }

    /** Sets the step of the model; 1 unless set. */
    public PrimalDual tau(double step) {
        tau = positive("tau", step);
        return this;
    }

    /** Sets the step of the dual vector; 1 unless set. */
    public PrimalDual mu(double step) {
        mu = positive("mu", step);
        return this;
    }

    /** Sets the extrapolation, from 0 to 1; 1 unless set. */
    public PrimalDual theta(double factor) {
        if (!(factor >= 0 && factor <= 1)) {
            throw new IllegalArgumentException(name() + ": theta " + factor + " is not between 0 and 1");
        }
        theta = factor;
        return this;
    }

    /** Begins with a dual vector instead of zeros; it is not changed. */
    public PrimalDual dual(Vector y) {
        nonNull(y, "PrimalDual.dual", "y");
        if (!y.layout().equals(operator().range())) {
            throw new IllegalArgumentException(
                    name() + ": " + y + " must have the layout of the range of " + operator());
        }
        dual = y;
        return this;
    }

    /** Adds the real part of zᴴ x to what is minimised, PyProximal's {@code z}. */
    public PrimalDual linear(Vector z) {
        nonNull(z, "PrimalDual.linear", "z");
        if (!z.layout().equals(operator().domain())) {
            throw new IllegalArgumentException(
                    name() + ": " + z + " must have the layout of the domain of " + operator());
        }
        shift = z;
        return this;
    }

    /** Updates the model before the dual vector, PyProximal's {@code gfirst=False}. */
    public PrimalDual primalFirst() {
        primalFirst = true;
        return this;
    }

    @Override
    Algorithm algorithm(Solver options, Vector x, State state) {
        return new Steps(options, x, state);
    }

    private final class Steps extends SplittingSteps {
        private final Vector next;
        private final Vector y;
        private final Vector image;
        private final Vector slope;
        private final Step ofDual;
        private final Step ofModel;

        Steps(Solver options, Vector x, State state) {
            super(options, x, state);
            next = keep(scratch(x));
            y = keep(range());
            image = range();
            slope = scratch(x);
            Coefficient ofTau = factor(0, tau);
            Coefficient back = factor(1, -tau);
            Coefficient ofMu = factor(2, mu);
            ofDual = keep(g.prepareDual(
                    active(Pointwise.of(Coefficient.ONE, y, ofMu, image).into(y)), ofMu));
            ofModel = keep(f.prepare(
                    model(Pointwise.of(Coefficient.ONE, x, back, slope))
                            .second(next, factor(3, 1 + theta), factor(4, -theta), Coefficient.ZERO),
                    ofTau));
            ending(END);
        }

        @Override
        void start() {
            next.assign(x);
            if (dual != null) {
                y.assign(dual);
            }
            warnOfSteps(PrimalDual.this, a, tau * mu, "tau mu");
        }

        private void ofDual() {
            a.matvec(next, image);
            ofDual.run();
        }

        @Override
        void advance() {
            if (!primalFirst) {
                ofDual();
            }
            a.rmatvec(y, slope);
            if (shift != null) {
                slope.axpy(Coefficient.ONE, shift);
            }
            ofModel.run();
            if (primalFirst) {
                ofDual();
            }
        }
    }
}
