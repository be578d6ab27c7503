// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.proximal.LeastSquaresStep;
import org.comm4j.operator.proximal.Proximal;
import org.comm4j.operator.proximal.Step;

/**
 * The alternating direction method of multipliers with a least-squares term (PyProximal {@code ADMML2}): the x that
 * minimises ½ |M x − b|² + g(A x).
 *
 * <p>An iteration makes ½ |M x − b|² + |A x − z + u|² / (2 τ) smaller by iterations of conjugate gradients from the x
 * before, then z = prox_(τ g)(A x + u) and u = u + A x − z.
 */
public final class AdmmL2 extends Splitting<AdmmL2> {
    private static final Calculation WEIGHTS = AdmmL2::weights;

    private final Proximal g;
    private final LinearOperator m;
    private final Vector b;
    private double tau = 1;
    private int inner = 10;

    private AdmmL2(Proximal g, LinearOperator m, Vector b, LinearOperator a) {
        super("AdmmL2", a);
        if (!b.layout().equals(m.range())) {
            throw new IllegalArgumentException(name() + ": " + b + " must have the layout of the range of " + m);
        }
        if (!m.domain().equals(a.domain())) {
            throw new IllegalArgumentException(name() + ": " + m + " and " + a + " must have the same domain");
        }
        this.g = g;
        this.m = m;
        this.b = b;
    }

    /**
     * Returns the solver of a problem.
     *
     * @param m operator of the least-squares term
     * @param b its data
     * @param a operator before g
     */
    public static AdmmL2 of(Proximal g, LinearOperator m, Vector b, LinearOperator a) {
        noNulls("AdmmL2.of", "g", g, "m", m, "b", b, "a", a);
        return new AdmmL2(g, m, b, a);
    }

    @Override
    AdmmL2 self() {
        return this;
    }

    /** Sets the step; 1 unless set. It converges for every one. */
    public AdmmL2 tau(double step) {
        tau = positive("tau", step);
        return this;
    }

    /** Sets the number of inner iterations; 10 unless set. */
    public AdmmL2 inner(int iterations) {
        if (iterations < 1) {
            throw new IllegalArgumentException(name() + ": " + iterations + " inner iterations are less than 1");
        }
        inner = iterations;
        return this;
    }

    @Override
    Algorithm algorithm(Solver options, Vector x, State state) {
        return new Steps(options, x, state);
    }

    private static void weights(F64Ptr numbers, F64Ptr tau, F64Ptr none) {
        numbers.set(0, 1);
        numbers.set(2, 1 / tau.get(0));
    }

    private final class Steps extends SplittingSteps {
        private final Vector z;
        private final Vector u;
        private final Vector image;
        private final Vector wanted;
        private final LeastSquaresStep solve;
        private final Pointwise aim;
        private final Step ofZ;
        private final Pointwise ofModel;
        private final Vector candidate;

        Steps(Solver options, Vector x, State state) {
            super(options, x, state);
            z = keep(range());
            u = keep(range());
            image = range();
            wanted = range();
            candidate = keep(scratch(x));
            Coefficient ofTau = factor(0, tau);
            aim = active(
                    Pointwise.of(Coefficient.ONE, z, Coefficient.MINUS_ONE, u).into(wanted));
            solve = new LeastSquaresStep(
                    candidate,
                    new LeastSquaresStep.Term(m, b),
                    new LeastSquaresStep.Term(a, wanted),
                    WEIGHTS,
                    ofTau,
                    state.buffer(),
                    inner);
            own(solve);
            ofModel = model(Pointwise.of(candidate));
            ofZ = keep(g.prepare(
                    active(Pointwise.of(Coefficient.ONE, image, Coefficient.ONE, u)
                            .into(z)
                            .second(u, Coefficient.MINUS_ONE, Coefficient.ZERO, Coefficient.ONE)),
                    ofTau));
            ending(END);
        }

        @Override
        void start() {
            candidate.assign(x);
        }

        @Override
        void advance() {
            aim.run();
            solve.run();
            ofModel.run();
            a.matvec(x, image);
            ofZ.run();
        }
    }
}
