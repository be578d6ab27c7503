// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.proximal.Proximal;

/**
 * The proximal point algorithm (Rockafellar 1976, PyProximal {@code ProximalPoint}): the x that minimises f(x), by x =
 * prox_(τ f)(x).
 */
public final class ProximalPoint extends Splitting<ProximalPoint> {
    private final Proximal f;
    private double tau = 1;

    private ProximalPoint(Proximal f, Vector start) {
        super("ProximalPoint", start);
        this.f = f;
    }

    /**
     * Returns the solver of a problem.
     *
     * @param start where it begins; it is not changed
     */
    public static ProximalPoint of(Proximal f, Vector start) {
        noNulls("ProximalPoint.of", "f", f, "start", start);
        return new ProximalPoint(f, start);
    }

    @Override
    ProximalPoint self() {
        return this;
    }

    /** Sets the step; 1 unless set. It converges for every one. */
    public ProximalPoint tau(double step) {
        tau = positive("tau", step);
        return this;
    }

    @Override
    Algorithm algorithm(Solver options, Vector x, State state) {
        return new Steps(options, x, state);
    }

    private final class Steps extends SplittingSteps {
        private final Runnable step;

        Steps(Solver options, Vector x, State state) {
            super(options, x, state);
            Coefficient ofTau = factor(0, tau);
            step = keep(f.prepare(model(Pointwise.of(x)), ofTau));
            ending(END);
        }

        @Override
        void start() {
            // x is all that there is.
        }

        @Override
        void advance() {
            step.run();
        }
    }
}
