// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import java.util.List;
import org.comm4j.array.Dots;
import org.comm4j.array.Updates;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.LinearOperator;

/** The algorithm of {@link Cg#merged}. */
final class MergedCg implements Algorithm {
    static final Calculation TURN = MergedCg::turn;

    // Dots: |r|² and zᴴ A z, and rᴴ z with a preconditioner

    private static final int SQUARE = 0;
    private static final int DELTA = 1;
    private static final int DOTS = 2;

    private final Solver options;
    private final State state;
    private final LinearOperator a;
    private final Vector x;
    private final Vector w;
    private final Vector s;
    private final MergedDirection direction;
    private final Updates advance;
    private final Dots dots;
    private final Runnable turn;
    private final Coefficient damp;

    MergedCg(Solver options, Vector x, State state) {
        this.options = options;
        this.state = state;
        this.x = x;
        a = options.operator();
        damp = Coefficient.of(options.dampFactor());
        direction = new MergedDirection(options, x, state);
        w = x.like();
        s = x.like();
        dots = direction.withProduct(Dots.given(x.backend()).and(direction.z(), w));
        advance = direction.advance(w, s, direction.r()).squares(dots, SQUARE);
        turn = dots.reducing(TURN, state.buffer(), dots.numbers(), dots.numbers());
    }

    private static void turn(F64Ptr state, F64Ptr dots, F64Ptr none) {
        if (State.isStopped(state)) {
            MergedDirection.stay(state);
            return;
        }
        double square = Dots.real(dots, SQUARE);
        double delta = Dots.real(dots, DELTA);
        if (!MergedDirection.turn(state, MergedDirection.product(state, dots, DOTS, square), delta)) {
            state.set(State.OWN_REASON, StopRule.INDEFINITE);
            state.set(State.DETAIL, delta);
        }
        double norm = Math.sqrt(square);
        State.made(state, square, norm, norm);
        if (State.isStopped(state)) {
            MergedDirection.stay(state);
        } else {
            MergedDirection.go(state);
        }
    }

    @Override
    public void begin() {
        Vector r = direction.r();
        r.assign(options.data());
        boolean started = options.startModel() != null;
        double reference = 0;
        if (started && options.stop().isRelative()) {
            reference = Dots.of(r, r).reduce().real(0);
        }
        if (started) {
            apply(x);
            r.axpy(Coefficient.MINUS_ONE, w);
        }
        direction.precondition();
        apply(direction.z());
        Dots all = direction.withProduct(Dots.of(r, r).and(direction.z(), w)).reduce();
        double square = all.real(SQUARE);
        double delta = all.real(DELTA);
        direction.begin(options.preconditioner() == null ? square : all.real(DOTS), delta);
        if (square > 0 && delta <= 0) {
            state.set(State.OWN_REASON, StopRule.INDEFINITE);
            state.set(State.DETAIL, delta);
        }
        state.set(State.REFERENCE, started ? reference : square);
        state.set(State.BEGINNING, Math.sqrt(square));
        state.set(State.SQUARE, square);
        state.set(State.COST, Math.sqrt(square));
        state.set(State.OBJECTIVE, Math.sqrt(square));
    }

    @Override
    public void setOptions() {
        direction.setOptions();
    }

    /** w = (A + damp I) v. */
    private void apply(Vector v) {
        a.matvec(v, w);
        if (damp.real() != 0) {
            w.axpy(damp, v);
        }
    }

    @Override
    public void iterate() {
        advance.run();
        direction.precondition();
        apply(direction.z());
        turn.run();
    }

    @Override
    public double growth() {
        // As of the plain algorithm.
        return 1e5;
    }

    @Override
    public List<Vector> vectors() {
        return direction.z().equals(direction.r())
                ? List.of(direction.p(), direction.r(), w, s)
                : List.of(direction.p(), direction.r(), direction.z(), w, s);
    }

    @Override
    public void close() {
        direction.close();
        w.close();
        s.close();
    }
}
