// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.proximal.Proximal;
import org.comm4j.operator.proximal.Step;

/**
 * The alternating direction method of multipliers (Boyd et al. 2011, PyProximal {@code ADMM}): the x that minimises
 * f(x) + g(x). {@link LinearizedAdmm} and {@link AdmmL2} have an operator before g.
 *
 * <p>An iteration is x = prox_(τ f)(z − u), z = prox_(τ g)(x + u), u = u + x − z.
 */
public final class Admm extends Splitting<Admm> {
    private final Proximal f;
    private final Proximal g;
    private double tau = 1;
    private boolean gFirst;

    private Admm(Proximal f, Proximal g, Vector start) {
        super("Admm", start);
        this.f = f;
        this.g = g;
    }

    /**
     * Returns the solver of a problem.
     *
     * @param start where it begins; it is not changed
     */
    public static Admm of(Proximal f, Proximal g, Vector start) {
        noNulls("Admm.of", "f", f, "g", g, "start", start);
        return new Admm(f, g, start);
    }

    @Override
    Admm self() {
        return this;
    }

    /** Sets the step; 1 unless set. It converges for every one. */
    public Admm tau(double step) {
        tau = positive("tau", step);
        return this;
    }

    /** Updates z before x, PyProximal's {@code gfirst}. */
    public Admm gFirst() {
        gFirst = true;
        return this;
    }

    @Override
    Algorithm algorithm(Solver options, Vector x, State state) {
        return new Steps(options, x, state);
    }

    private final class Steps extends SplittingSteps {
        private final Vector z;
        private final Step first;
        private final Step last;

        Steps(Solver options, Vector x, State state) {
            super(options, x, state);
            z = keep(scratch(x));
            Vector u = keep(scratch(x));
            Coefficient ofTau = factor(0, tau);
            Pointwise forX = model(Pointwise.of(Coefficient.ONE, z, Coefficient.MINUS_ONE, u));
            Pointwise forZ =
                    active(Pointwise.of(Coefficient.ONE, x, Coefficient.ONE, u)).into(z);
            // The map behind gives u + x − z, of its result and argument.
            if (gFirst) {
                forX.second(u, Coefficient.ONE, Coefficient.ZERO, Coefficient.MINUS_ONE);
            } else {
                forZ.second(u, Coefficient.MINUS_ONE, Coefficient.ZERO, Coefficient.ONE);
            }
            Step ofX = keep(f.prepare(forX, ofTau));
            Step ofZ = keep(g.prepare(forZ, ofTau));
            first = gFirst ? ofZ : ofX;
            last = gFirst ? ofX : ofZ;
            ending(END);
        }

        @Override
        void start() {
            z.assign(x);
        }

        @Override
        void advance() {
            first.run();
            last.run();
        }
    }
}
