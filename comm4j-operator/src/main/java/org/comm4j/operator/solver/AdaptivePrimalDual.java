// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Dots;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Updates;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Scalar;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.proximal.Proximal;
import org.comm4j.operator.proximal.Step;
import org.jspecify.annotations.Nullable;

/**
 * The primal-dual algorithm with steps that adapt (Goldstein et al. 2015, PyProximal {@code AdaptivePrimalDual}): the x
 * that minimises f(x) + g(A x).
 *
 * <p>An iteration is x = prox_(τ f)(x − τ (Aᴴ y + z)), y = prox_(μ g*)(y + μ A (2 x − the x before)). It applies A and
 * Aᴴ once each, and makes one reduction besides those of the maps. Behind it the residuals of both problems are
 * compared: the step of the larger one grows and the other one shrinks, by less each time. τ μ stays what it is, so
 * that the algorithm converges for τ μ |A|² &lt; 1.
 */
public final class AdaptivePrimalDual extends Splitting<AdaptivePrimalDual> {
    static final Calculation ADAPT = AdaptivePrimalDual::adapt;

    // Numbers of the state

    private static final int ALPHA = State.OWN;
    private static final int ETA = State.OWN + 1;
    private static final int SCALE = State.OWN + 2;
    private static final int DELTA = State.OWN + 3;

    // Factors

    private static final int TAU = 0;
    private static final int BACK = 1;
    private static final int MU = 2;
    private static final int BY_TAU = 3;
    private static final int BY_MU = 4;
    private static final int DOUBLE_MU = 5;
    private static final int MINUS_MU = 6;

    // Sums

    private static final int PRIMAL = 1;
    private static final int DUAL = 2;

    private final Proximal f;
    private final Proximal g;
    private double tau = 1;
    private double mu = 1;
    private double alpha = 0.5;
    private double eta = 0.95;
    private double scale = 1;
    private double delta = 1.5;
    private @Nullable Vector shift;

    private AdaptivePrimalDual(Proximal f, Proximal g, LinearOperator a) {
        super("AdaptivePrimalDual", a);
        this.f = f;
        this.g = g;
    }

    /** Returns the solver of a problem. */
    public static AdaptivePrimalDual of(Proximal f, Proximal g, LinearOperator a) {
        noNulls("AdaptivePrimalDual.of", "f", f, "g", g, "a", a);
        return new AdaptivePrimalDual(f, g, a);
    }

    @Override
    AdaptivePrimalDual self() {
        return this;
    }

    /** Sets the first step of the model; 1 unless set. */
    public AdaptivePrimalDual tau(double step) {
        tau = positive("tau", step);
        return this;
    }

    /** Sets the first step of the dual vector; 1 unless set. */
    public AdaptivePrimalDual mu(double step) {
        mu = positive("mu", step);
        return this;
    }

    /**
     * Sets how steps adapt.
     *
     * @param first share by which they change, above 0 and below 1; 0.5 unless set
     * @param decay factor of that share after each change, from 0 to 1; 0.95 unless set
     */
    public AdaptivePrimalDual adaption(double first, double decay) {
        if (!(first > 0 && first < 1 && decay >= 0 && decay <= 1)) {
            throw new IllegalArgumentException(name() + ": the share " + first
                    + " must be above 0 and below 1, and its decay " + decay + " between 0 and 1");
        }
        alpha = first;
        eta = decay;
        return this;
    }

    /**
     * Sets which residuals are equal enough to keep the steps.
     *
     * @param weight of the dual residual, above 0; 1 unless set
     * @param factor between the two, at least 1; 1.5 unless set
     */
    public AdaptivePrimalDual balance(double weight, double factor) {
        scale = positive("the weight", weight);
        if (!(factor >= 1) || Double.isInfinite(factor)) {
            throw new IllegalArgumentException(name() + ": the factor " + factor + " is not a finite number from 1");
        }
        delta = factor;
        return this;
    }

    /** Adds the real part of zᴴ x to what is minimised, PyProximal's {@code z}. */
    public AdaptivePrimalDual linear(Vector z) {
        nonNull(z, "AdaptivePrimalDual.linear", "z");
        if (!z.layout().equals(operator().domain())) {
            throw new IllegalArgumentException(
                    name() + ": " + z + " must have the layout of the domain of " + operator());
        }
        shift = z;
        return this;
    }

    @Override
    Algorithm algorithm(Solver options, Vector x, State state) {
        return new Steps(options, x, state);
    }

    /** Ends an iteration and sets the steps of the next one. */
    private static void adapt(F64Ptr state, F64Ptr sums, F64Ptr none) {
        if (State.isStopped(state)) {
            return;
        }
        SplittingSteps.end(state, sums, none);
        double primal = Math.sqrt(Dots.real(sums, PRIMAL));
        double dual = state.get(SCALE) * Math.sqrt(Dots.real(sums, DUAL));
        double share = state.get(ALPHA);
        double delta = state.get(DELTA);
        double ratio = 1;
        if (primal > dual * delta) {
            ratio = 1 / (1 - share);
        } else if (primal < dual / delta) {
            ratio = 1 - share;
        }
        if (ratio != 1) {
            state.set(ALPHA, share * state.get(ETA));
            steps(state, state.get(at(TAU)) * ratio, state.get(at(MU)) / ratio);
        }
    }

    private static int at(int factor) {
        return State.factorAt(SplittingSteps.FACTORS + factor);
    }

    private static void steps(F64Ptr state, double tau, double mu) {
        state.set(at(TAU), tau);
        state.set(at(BACK), -tau);
        state.set(at(MU), mu);
        state.set(at(BY_TAU), 1 / tau);
        state.set(at(BY_MU), 1 / mu);
        state.set(at(DOUBLE_MU), 2 * mu);
        state.set(at(MINUS_MU), -mu);
    }

    private final class Steps extends SplittingSteps {
        private final Vector y;
        private final Vector image;
        private final Vector last;
        private final Vector slope;
        private final Vector aim;
        private final Step ofModel;
        private final Step ofDual;
        private final Pointwise ahead;
        private final Updates residuals;

        Steps(Solver options, Vector x, State state) {
            super(options, x, state);
            y = keep(range());
            image = keep(range());
            last = range();
            aim = range();
            slope = keep(scratch(x));
            Vector primal = scratch(x);
            Vector dual = range();
            sums.andGiven().andGiven();
            Scalar ofTau = factor(TAU, tau);
            Scalar ofMu = factor(MU, mu);
            ofModel = keep(f.prepare(
                    model(Pointwise.of(Coefficient.ONE, x, factor(BACK, -tau), slope))
                            .second(primal, Coefficient.MINUS_ONE, Coefficient.ZERO, Coefficient.ONE),
                    ofTau));
            ahead = Pointwise.of(factor(DOUBLE_MU, 2 * mu), image, factor(MINUS_MU, -mu), last)
                    .into(aim);
            ofDual = keep(g.prepareDual(
                    active(Pointwise.of(Coefficient.ONE, y, Coefficient.ONE, aim))
                            .into(y)
                            .second(dual, Coefficient.MINUS_ONE, Coefficient.ZERO, Coefficient.ONE),
                    ofMu));
            residuals = Updates.of(Coefficient.ONE, slope, factor(BY_TAU, 1 / tau), primal)
                    .squares(sums, PRIMAL)
                    .and(Coefficient.MINUS_ONE, image, factor(BY_MU, 1 / mu), dual)
                    .squares(sums, DUAL);
            state.set(ALPHA, alpha);
            state.set(ETA, eta);
            state.set(SCALE, scale);
            state.set(DELTA, delta);
            ending(ADAPT);
        }

        @Override
        void start() {
            // PyProximal begins with images of 0 whatever the start is; those of x and y are needed here.
            if (options.startModel() != null) {
                a.matvec(x, image);
            }
            if (shift != null) {
                slope.assign(shift);
            }
            warnOfSteps(AdaptivePrimalDual.this, a, tau * mu, "tau mu");
        }

        @Override
        void advance() {
            last.assign(image);
            ofModel.run();
            a.matvec(x, image);
            ahead.run();
            ofDual.run();
            a.rmatvec(y, slope);
            if (shift != null) {
                slope.axpy(Coefficient.ONE, shift);
            }
            residuals.run();
        }
    }
}
