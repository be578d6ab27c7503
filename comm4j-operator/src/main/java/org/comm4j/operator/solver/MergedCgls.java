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
import org.jspecify.annotations.Nullable;

/** The algorithm of {@link Cgls#merged}: zᴴ (AᴴA + damp² I) z is |A z|² + damp² |z|². */
final class MergedCgls implements Algorithm {
    static final Calculation TURN = MergedCgls::turn;

    private static final int DAMP2 = MergedDirection.OWN;

    // Dots: of the residual, A z, the gradient, z and the model, and of the gradient with z

    private static final int RESIDUAL = 0;
    private static final int IMAGE = 1;
    private static final int GRADIENT = 2;
    private static final int LENGTH = 3;
    private static final int MODEL = 4;
    private static final int DOTS = 5;

    private final Solver options;
    private final State state;
    private final LinearOperator a;
    private final Vector x;
    private final Vector s;
    private final Vector q;
    private final Vector t;
    private final MergedDirection direction;
    private final Updates advance;
    private final @Nullable Updates damping;
    private final Dots dots;
    private final Runnable turn;
    private final double damp2;

    MergedCgls(Solver options, Vector x, State state) {
        this.options = options;
        this.state = state;
        this.x = x;
        a = options.operator();
        damp2 = options.dampFactor() * options.dampFactor();
        direction = new MergedDirection(options, x, state);
        s = options.data().like();
        q = s.like();
        t = s.like();
        Vector r = direction.r();
        damping = damp2 == 0 ? null : Updates.of(Coefficient.of(-damp2), x, Coefficient.ONE, r);
        dots = products(Dots.given(x.backend()));
        advance = direction.advance(q, t, s).squares(dots, RESIDUAL);
        turn = dots.reducing(TURN, state.buffer(), dots.numbers(), dots.numbers());
    }

    /** Adds all products but that of the residual. */
    private Dots products(Dots residual) {
        Dots all = residual.and(q, q).and(direction.r(), direction.r());
        // Without damping the lengths are not needed.
        all = damp2 == 0
                ? all.andGiven().andGiven()
                : all.and(direction.z(), direction.z()).and(x, x);
        return direction.withProduct(all);
    }

    private static void turn(F64Ptr state, F64Ptr dots, F64Ptr none) {
        if (State.isStopped(state)) {
            MergedDirection.stay(state);
            return;
        }
        double damp2 = state.get(DAMP2);
        double gradient = Dots.real(dots, GRADIENT);
        double residual = Dots.real(dots, RESIDUAL);
        double delta = Dots.real(dots, IMAGE) + (damp2 == 0 ? 0 : damp2 * Dots.real(dots, LENGTH));
        boolean positive = MergedDirection.turn(state, MergedDirection.product(state, dots, DOTS, gradient), delta);
        if (!positive) {
            state.set(State.OWN_REASON, StopRule.INDEFINITE);
            state.set(State.DETAIL, delta);
        }
        double model = damp2 == 0 ? 0 : damp2 * Dots.real(dots, MODEL);
        State.made(state, gradient, Math.sqrt(residual), Math.sqrt(residual + model));
        if (State.isStopped(state)) {
            MergedDirection.stay(state);
        } else {
            MergedDirection.go(state);
        }
    }

    @Override
    public void begin() {
        Vector r = direction.r();
        s.assign(options.data());
        boolean started = options.startModel() != null;
        double reference = 0;
        if (started && options.stop().isRelative()) {
            a.rmatvec(s, r);
            reference = Dots.of(r, r).reduce().real(0);
        }
        if (started) {
            s.axpy(Coefficient.MINUS_ONE, a.matvec(x, q));
        }
        descend();
        Dots all = products(Dots.of(s, s)).reduce();
        double gradient = all.real(GRADIENT);
        double residual = all.real(RESIDUAL);
        double delta = all.real(IMAGE) + (damp2 == 0 ? 0 : damp2 * all.real(LENGTH));
        direction.begin(options.preconditioner() == null ? gradient : all.real(DOTS), delta);
        double objective = Math.sqrt(residual + (damp2 == 0 ? 0 : damp2 * all.real(MODEL)));
        state.set(DAMP2, damp2);
        state.set(State.REFERENCE, started ? reference : gradient);
        state.set(State.BEGINNING, objective);
        state.set(State.SQUARE, gradient);
        state.set(State.COST, Math.sqrt(residual));
        state.set(State.OBJECTIVE, objective);
    }

    /** Computes r = Aᴴ s − damp² x, z = M r and q = A z. */
    private void descend() {
        a.rmatvec(s, direction.r());
        if (damping != null) {
            damping.run();
        }
        direction.precondition();
        a.matvec(direction.z(), q);
    }

    @Override
    public void setOptions() {
        direction.setOptions();
    }

    @Override
    public void iterate() {
        advance.run();
        descend();
        turn.run();
    }

    @Override
    public double growth() {
        return 2;
    }

    @Override
    public List<Vector> vectors() {
        return List.of(direction.p(), direction.z(), s, q, t);
    }

    @Override
    public void close() {
        direction.close();
        s.close();
        q.close();
        t.close();
    }
}
