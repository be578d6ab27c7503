// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.array.Dots;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.PointFunction;
import org.comm4j.math.Scalar;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.proximal.Step;

/**
 * What the algorithms of {@link Splitting} share: vectors, the sums of the model's update, and the end of an iteration.
 */
abstract class SplittingSteps implements Algorithm {
    static final Calculation END = SplittingSteps::end;

    /** The factor that is 0 once the solver has stopped. */
    private static final int ACTIVE = 0;

    /** The first one of the algorithm's own factors. */
    static final int FACTORS = 1;

    final Solver options;
    final LinearOperator a;
    final Vector x;
    private final State state;
    private final Dots sums;
    private final List<AutoCloseable> own = new ArrayList<>();
    private final List<Vector> kept = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private Runnable end = () -> {};

    SplittingSteps(Solver options, Vector x, State state) {
        this.options = options;
        this.x = x;
        this.state = state;
        a = options.operator();
        sums = Dots.given(x.backend());
    }

    /** Returns a vector that the next iteration does not need. */
    final Vector scratch(Vector like) {
        Vector made = like.like();
        own.add(made);
        return made;
    }

    /** Returns a vector of the operator's range. */
    final Vector range() {
        DataType type = a.rangeType() == a.domainType() ? x.type() : a.rangeType();
        Vector made = x.backend().vector(a.range(), type);
        own.add(made);
        return made;
    }

    /** Says that the next iteration begins with a vector. */
    final Vector keep(Vector vector) {
        kept.add(vector);
        return vector;
    }

    final Step keep(Step step) {
        steps.add(step);
        return step;
    }

    final void own(AutoCloseable closeable) {
        own.add(closeable);
    }

    final State state() {
        return state;
    }

    /** Returns a factor, and sets it on the host. */
    final Scalar factor(int number, double value) {
        state.set(State.factorAt(FACTORS + number), value);
        return state.factor(FACTORS + number);
    }

    /** Returns an update with what an end has. */
    final Pointwise active(Pointwise update) {
        return update.active(state.factor(ACTIVE));
    }

    /** Returns the update that replaces the model, with the sums of its change. */
    final Pointwise model(Pointwise update) {
        return active(update.into(x)).sums(PointFunction.SQUARE, sums, 0);
    }

    /** Computes the vectors of the start. */
    abstract void start();

    /** Computes an iteration but for its end. */
    abstract void advance();

    static void end(F64Ptr state, F64Ptr sums, F64Ptr none) {
        if (State.isStopped(state)) {
            return;
        }
        double norm = Dots.real(sums, 0);
        double change = norm == 0 ? 0 : Dots.imaginary(sums, 0) / norm;
        double fraction = Math.sqrt(change);
        // A model that rests for an iteration is no solution yet: only a tolerance ends it.
        State.made(state, Math.max(change, Double.MIN_NORMAL), fraction, fraction);
        if (State.isStopped(state)) {
            state.set(State.factorAt(ACTIVE), 0);
        }
    }

    /** Makes {@link #end} of a solver that calculates more. */
    void ending(Calculation calculation) {
        end = sums.reducing(calculation, state.buffer(), sums.numbers(), sums.numbers());
    }

    @Override
    public final void begin() {
        start();
        state.set(State.REFERENCE, 1);
        state.set(State.SQUARE, Double.MAX_VALUE);
        state.set(State.COST, 1);
        state.set(State.BEGINNING, 0);
    }

    @Override
    public void setOptions() {
        // A checkpoint may be of a run that had stopped.
        state.set(State.factorAt(ACTIVE), 1);
    }

    @Override
    public void iterate() {
        advance();
        end.run();
    }

    @Override
    public String measure() {
        return "change";
    }

    @Override
    public double growth() {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public List<Vector> vectors() {
        List<Vector> all = new ArrayList<>(kept);
        steps.forEach(step -> all.addAll(step.vectors()));
        return all;
    }

    @Override
    public void close() {
        steps.forEach(Step::close);
        for (AutoCloseable each : own) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
