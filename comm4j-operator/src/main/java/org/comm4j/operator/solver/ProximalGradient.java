// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Dots;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.math.Scalar;
import org.comm4j.operator.proximal.Proximal;
import org.comm4j.operator.proximal.Step;

/**
 * The proximal gradient method (Parikh and Boyd 2014, 4.2, PyProximal {@code ProximalGradient}): the x that minimises
 * f(x) + g(x), where f has a gradient with the Lipschitz constant L and g a proximal map.
 *
 * <p>An iteration is x = prox_(τ g)(y − τ ∇f(y)) with y = x; accelerated, y = x + ω (x − the x before). It converges
 * for τ &lt; 2 / L, accelerated for τ ≤ 1 / L. With back-tracking the step shrinks until f(x) ≤ f(y) + ∇f(y)ᴴ (x − y) +
 * |x − y|² / (2 τ), which needs the values of f on the host: such iterations are not recorded on a GPU.
 */
public final class ProximalGradient extends Splitting<ProximalGradient> {
    static final Calculation FISTA = ProximalGradient::fista;
    static final Calculation VANDENBERGHE = ProximalGradient::vandenberghe;

    private static final int CURVATURE_STEPS = 10;

    /** Tries of a step in an iteration, at most. */
    private static final int TRIES = 100;

    /** Rounding of a value of f, relative to it and to that of one element. */
    private static final double ROUNDING = 16;

    /** A number of the state. */
    private static final int T = State.OWN;

    // Factors

    private static final int TAU = 0;
    private static final int BACK = 1;
    private static final int FRESH = 2;
    private static final int OLD = 3;

    private final Proximal f;
    private final Proximal g;
    private double tau = 1;
    private double beta = 0.5;
    private boolean backtracking = true;
    private double eta = 1;
    private Calculation end = SplittingSteps.END;

    private ProximalGradient(Proximal f, Proximal g, Vector start) {
        super("ProximalGradient", start);
        this.f = f;
        this.g = g;
    }

    /**
     * Returns the solver of a problem.
     *
     * @param f function with a gradient
     * @param start where it begins; it is not changed
     */
    public static ProximalGradient of(Proximal f, Proximal g, Vector start) {
        noNulls("ProximalGradient.of", "f", f, "g", g, "start", start);
        return new ProximalGradient(f, g, start);
    }

    @Override
    ProximalGradient self() {
        return this;
    }

    /** Sets the step. Unless it is set, back-tracking finds it, from 1 on. */
    public ProximalGradient tau(double step) {
        tau = positive("tau", step);
        backtracking = false;
        return this;
    }

    /**
     * Finds the step by back-tracking, from {@link #tau} on, which is called before if at all.
     *
     * @param factor of the step for each further try, above 0 and below 1
     */
    public ProximalGradient backtracking(double factor) {
        if (!(factor > 0 && factor < 1)) {
            throw new IllegalArgumentException(name() + ": the factor " + factor + " is not above 0 and below 1");
        }
        beta = factor;
        backtracking = true;
        return this;
    }

    /** Accelerates by the sequence of Beck and Teboulle (2009): ω = (t − 1) / t' with t' = (1 + sqrt(1 + 4 t²)) / 2. */
    public ProximalGradient fista() {
        end = FISTA;
        return this;
    }

    /** Accelerates by ω = k / (k + 3) for iteration k from 0 (Vandenberghe). */
    public ProximalGradient vandenberghe() {
        end = VANDENBERGHE;
        return this;
    }

    /**
     * Makes x + η (the next x − x) the next x, for η above 0 and below 2; 1 unless set.
     *
     * @throws IllegalArgumentException for another factor
     */
    public ProximalGradient relaxation(double factor) {
        if (!(factor > 0 && factor < 2)) {
            throw new IllegalArgumentException(name() + ": eta " + factor + " is not above 0 and below 2");
        }
        eta = factor;
        return this;
    }

    private boolean isAccelerated() {
        return !end.equals(SplittingSteps.END);
    }

    @Override
    Algorithm algorithm(Solver options, Vector x, State state) {
        if (isAccelerated() && eta != 1) {
            throw new IllegalArgumentException(name() + ": relaxation and acceleration exclude each other");
        }
        return new Steps(options, x, state);
    }

    // Calculations

    private static void fista(F64Ptr state, F64Ptr sums, F64Ptr none) {
        if (State.isStopped(state)) {
            return;
        }
        SplittingSteps.end(state, sums, none);
        double t = state.get(T);
        double next = (1 + Math.sqrt(1 + 4 * t * t)) / 2;
        double after = (1 + Math.sqrt(1 + 4 * next * next)) / 2;
        state.set(T, next);
        extrapolate(state, (next - 1) / after);
    }

    private static void vandenberghe(F64Ptr state, F64Ptr sums, F64Ptr none) {
        if (State.isStopped(state)) {
            return;
        }
        SplittingSteps.end(state, sums, none);
        double made = state.get(State.MADE);
        extrapolate(state, made / (made + 3));
    }

    private static void extrapolate(F64Ptr state, double omega) {
        state.set(State.factorAt(SplittingSteps.FACTORS + FRESH), 1 + omega);
        state.set(State.factorAt(SplittingSteps.FACTORS + OLD), -omega);
    }

    private final class Steps extends SplittingSteps {
        private final Vector y;
        private final Vector slope;
        private final Vector next;
        private final Vector change;
        private final Step gradient;
        private final Step map;
        private final Runnable replace;
        private final Pointwise difference;
        private final Dots products;
        private final Scalar ofTau;
        private final Scalar back;
        /** The step and the value at y as the host knows them; NaN for not yet. */
        private double step = Double.NaN;

        private double value = Double.NaN;

        Steps(Solver options, Vector x, State state) {
            super(options, x, state);
            boolean separate = backtracking || eta != 1;
            y = isAccelerated() ? keep(scratch(x)) : x;
            slope = scratch(x);
            next = separate ? scratch(x) : x;
            change = backtracking ? scratch(x) : slope;
            ofTau = factor(TAU, tau);
            back = factor(BACK, -tau);
            state.set(T, 1);
            gradient = keep(f.prepareGrad(y, slope));
            Pointwise forward = Pointwise.of(Coefficient.ONE, y, back, slope);
            map = keep(g.prepare(separate ? forward.into(next) : following(forward), ofTau));
            replace = separate
                    ? following(Pointwise.of(Coefficient.of(eta), next, Coefficient.of(1 - eta), x))
                    : () -> {};
            difference = Pointwise.of(Coefficient.ONE, next, Coefficient.MINUS_ONE, y)
                    .into(change);
            products = Dots.of(slope, change).and(change, change);
            ending(end);
        }

        /** Makes an update replace the model, and y of what follows. */
        private Pointwise following(Pointwise update) {
            Pointwise described = model(update);
            return isAccelerated()
                    ? described.second(y, factor(FRESH, 1), factor(OLD, 0), Coefficient.ZERO)
                    : described;
        }

        @Override
        void start() {
            if (isAccelerated()) {
                y.assign(x);
            }
            if (!backtracking) {
                warn();
            }
        }

        /** Logs that a given step is too long, if a few looks along the gradient show it. */
        private void warn() {
            try (Vector at = x.like();
                    Vector direction = x.like();
                    Vector there = x.like();
                    Step slopeThere = f.prepareGrad(at, there)) {
                gradient.run();
                direction.assign(slope);
                double curvature = 0;
                for (int i = 0; i < CURVATURE_STEPS; i++) {
                    double norm = direction.norm();
                    if (!(norm > 0) || Double.isInfinite(norm)) {
                        break;
                    }
                    direction.scale(Coefficient.of(1 / norm));
                    at.assign(y).axpy(Coefficient.ONE, direction);
                    slopeThere.run();
                    direction.assign(there).axpy(Coefficient.MINUS_ONE, slope);
                    curvature = Math.max(curvature, direction.norm());
                }
                double bound = (isAccelerated() ? 1 : 2) / curvature;
                if (curvature > 0 && tau > 1.0001 * bound) {
                    ProximalGradient.this.warn("the step " + tau + " is not stable; it must be at most " + bound
                            + ", and without one back-tracking finds it");
                }
            }
        }

        @Override
        void advance() {
            gradient.run();
            if (backtracking) {
                shorten();
            } else {
                map.run();
            }
            replace.run();
        }

        @Override
        public boolean isRecordable() {
            return !backtracking;
        }

        /** Tries steps until one is short enough. */
        private void shorten() {
            if (Double.isNaN(step)) {
                step = state().get(State.factorAt(FACTORS + TAU));
            }
            double from = Double.isNaN(value) ? f.value(y) : value;
            for (int i = 0; i < TRIES; i++) {
                map.run();
                difference.run();
                products.reduce();
                double there = f.value(next);
                double excess = there - from - products.real(0);
                double rounding = (Compute.real(x.type()) == DataType.FLOAT64 ? 0x1p-52 : 0x1p-23)
                        * ROUNDING
                        * (Math.abs(from) + Math.abs(there));
                // Not a number ends the tries, too: the end of the iteration names it.
                if (!(excess > products.real(1) / (2 * step) + rounding)) {
                    value = isAccelerated() || eta != 1 ? Double.NaN : there;
                    return;
                }
                step *= beta;
                ofTau.set(step, 0);
                back.set(-step, 0);
            }
            value = Double.NaN;
        }
    }
}
