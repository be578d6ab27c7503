// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.array.Dots;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.math.PointFunction;
import org.comm4j.math.Scalar;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm of {@link Ista} and {@link Fista}.
 *
 * <p>An iteration is Aᴴ, the step with its threshold and the next z in one kernel, A, the residuals of x and z in one
 * kernel, and a reduction with a calculation.
 */
final class Shrinkage implements Algorithm {
    static final Calculation END = Shrinkage::end;

    // Numbers of the state

    private static final int T = State.OWN;
    private static final int EPS = State.OWN + 1;
    private static final int STEP = State.OWN + 2;
    private static final int FIRST_COST = State.OWN + 3;
    private static final int RTOL = State.OWN + 4;
    private static final int ENOUGH = State.OWN + 5;
    private static final int MONITORED = State.OWN + 6;
    private static final int ACCELERATED = State.OWN + 7;
    private static final int BOUND = State.OWN + 8;
    private static final int DECAYS = State.OWN + 9;

    // Factors

    private static final int ALPHA = 0;
    private static final int LEVEL = 1;
    private static final int FRESH = 2;
    private static final int OLD = 3;
    private static final int ACTIVE = 4;

    // Sums: of |x| and squares of its change, of |y − A x|² and squares of its change

    private static final int MODEL = 0;
    private static final int RESIDUAL = 1;

    /** Growth of the cost that no start explains. */
    private static final double GROWTH = 10;

    private final Sparse sparse;
    private final Solver options;
    private final State state;
    private final LinearOperator a;
    private final @Nullable LinearOperator s;
    private final Vector x;
    private final Vector gradient;
    private final Vector image;
    private final Vector r;
    /** The point where a step begins, and its residual; x and r themselves without acceleration. */
    private final Vector z;

    private final Vector rz;
    private final List<Vector> own = new ArrayList<>();
    private final Buffer decay;
    private final Runnable step;
    private final Runnable residual;
    private final Runnable end;

    Shrinkage(Sparse sparse, Solver options, Vector x, State state) {
        this.sparse = sparse;
        this.options = options;
        this.state = state;
        this.x = x;
        a = options.operator();
        s = sparse.transform();
        if (options.dampFactor() != 0 || options.preconditioner() != null) {
            throw new IllegalArgumentException(options.name()
                    + " has neither damping nor a preconditioner; eps weighs the model, transform S maps it");
        }
        gradient = like(x);
        image = like(options.data());
        r = like(image);
        z = sparse.isAccelerated() ? like(x) : x;
        rz = sparse.isAccelerated() ? like(r) : r;
        Compute compute = x.backend().compute();
        HostArray factors = HostArray.of(sparse.decays());
        decay = compute.buffer(DataType.FLOAT64, factors.count());
        decay.copyFrom(factors);
        Dots sums = Dots.given(x.backend()).andGiven();
        step = steps(sums);
        residual = following(Pointwise.of(Coefficient.ONE, options.data(), Coefficient.MINUS_ONE, image), r, rz)
                .sums(PointFunction.SQUARE, sums, RESIDUAL);
        end = sums.reducing(END, state.buffer(), sums.numbers(), decay);
    }

    private Vector like(Vector vector) {
        Vector made = vector.like();
        own.add(made);
        return made;
    }

    /** Replaces what the target was, and computes what follows it. */
    private Pointwise following(Pointwise update, Vector target, Vector next) {
        update.into(target).active(state.factor(ACTIVE));
        Scalar fresh = state.factor(FRESH);
        return next == target ? update : update.second(next, fresh, state.factor(OLD), Coefficient.ZERO);
    }

    /** Returns the step from z along the gradient with its threshold, and with S around that. */
    private Runnable steps(Dots sums) {
        PointFunction threshold = sparse.threshold().function();
        Pointwise forward = Pointwise.of(Coefficient.ONE, z, state.factor(ALPHA), gradient);
        if (s == null) {
            return following(forward.radial(threshold, state.factor(LEVEL), null), x, z)
                    .sums(PointFunction.IDENTITY, sums, MODEL);
        }
        LinearOperator transform = s;
        Vector coefficients = x.backend().vector(transform.domain(), x.type());
        own.add(coefficients);
        Runnable walk = forward.into(gradient);
        Runnable shrink = Pointwise.of(coefficients)
                .radial(threshold, state.factor(LEVEL), null)
                .into(coefficients);
        Runnable follow = following(Pointwise.of(gradient), x, z).sums(PointFunction.IDENTITY, sums, MODEL);
        return () -> {
            walk.run();
            transform.rmatvec(gradient, coefficients);
            shrink.run();
            transform.matvec(coefficients, gradient);
            follow.run();
        };
    }

    // Calculations

    private static void end(F64Ptr state, F64Ptr sums, F64Ptr decay) {
        if (State.isStopped(state)) {
            return;
        }
        double squares = Dots.real(sums, RESIDUAL);
        double change = Dots.imaginary(sums, MODEL);
        double cost = 0.5 * squares + state.get(EPS) * Dots.real(sums, MODEL);
        double norm = Math.sqrt(squares);
        if (state.get(State.MADE) == 0) {
            state.set(FIRST_COST, cost);
        }
        int reason = 0;
        if (cost < Math.max(state.get(RTOL) * state.get(FIRST_COST), state.get(ENOUGH))) {
            reason = StopRule.SMALL_COST;
        }
        if (state.get(MONITORED) != 0 && norm > state.get(State.COST)) {
            reason = StopRule.RESIDUAL_GREW;
        }
        if (change > 0) {
            state.set(BOUND, Math.min(state.get(BOUND), 2 * change / Dots.imaginary(sums, RESIDUAL)));
        }
        if (cost > GROWTH * state.get(State.BEGINNING)) {
            state.set(State.DETAIL, state.get(BOUND));
            reason = StopRule.LONG_STEP;
        }
        state.set(State.OWN_REASON, reason);
        State.made(state, change, norm, cost, cost);
        prepare(state, decay);
    }

    /** Sets the factors of the next iteration. */
    private static void prepare(F64Ptr state, F64Ptr decay) {
        double t = state.get(T);
        double next = state.get(ACCELERATED) == 0 ? 1 : (1 + Math.sqrt(1 + 4 * t * t)) / 2;
        double theta = (t - 1) / next;
        state.set(T, next);
        state.set(State.factorAt(FRESH), 1 + theta);
        state.set(State.factorAt(OLD), -theta);
        long last = (long) state.get(DECAYS) - 1;
        long number = (long) state.get(State.MADE);
        double factor = decay.get(number < last ? number : last);
        state.set(State.factorAt(LEVEL), 0.5 * state.get(EPS) * state.get(STEP) * factor);
        state.set(State.factorAt(ACTIVE), State.isStopped(state) ? 0 : 1);
    }

    // Runs

    @Override
    public void begin() {
        Vector y = options.data();
        r.assign(y);
        Dots data = Dots.of(r, r).reduce();
        if (options.startModel() != null) {
            r.axpy(Coefficient.MINUS_ONE, a.matvec(x, image));
        }
        if (sparse.isAccelerated()) {
            z.assign(x);
            rz.assign(r);
        }
        Dots norms = Dots.of(r, r).reduce();
        double cost = 0.5 * norms.real(0) + sparse.eps() * x.norm(1);
        double alpha = sparse.step();
        warn(alpha);
        double reference = 0;
        if (options.stop().isRelative()) {
            a.rmatvec(y, gradient);
            reference = alpha * gradient.norm();
        }
        state.set(STEP, alpha);
        state.set(T, 1);
        state.set(BOUND, Double.POSITIVE_INFINITY);
        state.set(State.REFERENCE, reference * reference);
        state.set(State.BEGINNING, Math.max(cost, 0.5 * data.real(0)));
        state.set(State.SQUARE, Double.isFinite(cost) ? Double.MAX_VALUE : cost);
        state.set(State.COST, Math.sqrt(norms.real(0)));
        state.set(State.OBJECTIVE, cost);
        state.set(ENOUGH, sparse.rtol1() * Math.sqrt(data.real(0)));
    }

    /** Logs that a given step is too long, if one look along the gradient shows it. */
    private void warn(double alpha) {
        if (!sparse.hasOwnStep()) {
            return;
        }
        a.rmatvec(r, gradient);
        a.matvec(gradient, image);
        Dots squares = Dots.of(gradient, gradient).and(image, image).reduce();
        double bound = 2 * squares.real(0) / squares.real(1);
        if (alpha >= bound && x.backend().rank() == 0) {
            System.getLogger("org.comm4j.operator")
                    .log(
                            System.Logger.Level.WARNING,
                            options.name() + ": the step " + alpha + " is not stable; it must be below " + bound
                                    + ", and without one the solver finds its own");
        }
    }

    @Override
    public void setOptions() {
        state.set(EPS, sparse.eps());
        state.set(RTOL, sparse.rtol());
        state.set(MONITORED, sparse.isMonitored() ? 1 : 0);
        state.set(ACCELERATED, sparse.isAccelerated() ? 1 : 0);
        state.set(DECAYS, (double) decay.count());
        state.set(State.factorAt(ALPHA), state.get(STEP));
        if (state.get(State.MADE) == 0) {
            state.calculate(numbers -> prepare(numbers, F64Ptr.of(HostArray.of(sparse.decays()))));
        }
        // A checkpoint may be of a run that had stopped.
        state.set(State.factorAt(ACTIVE), 1);
    }

    @Override
    public void iterate() {
        a.rmatvec(rz, gradient);
        step.run();
        a.matvec(x, image);
        residual.run();
        end.run();
    }

    @Override
    public int history() {
        return State.OBJECTIVE;
    }

    @Override
    public double growth() {
        // Its own calculation knows the bound of the step.
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public List<Vector> vectors() {
        return sparse.isAccelerated() ? List.of(r, z, rz) : List.of(r);
    }

    @Override
    public void close() {
        own.forEach(Vector::close);
    }
}
