// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.array.Dots;
import org.comm4j.array.Updates;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm of {@link Cg#pipelined} (Ghysels and Vanroose 2014, algorithm 4): the products of r, u = M r and w = A
 * u are reduced while n = A M w is computed. All other images are recurrences: s = A p, q = M s, z = A q.
 */
final class PipelinedCg implements Algorithm {
    static final Calculation TURN = PipelinedCg::turn;

    // Dots: |r|² and uᴴ w, and rᴴ u with a preconditioner

    private static final int SQUARE = 0;
    private static final int DELTA = 1;
    private static final int DOTS = 2;

    private final Solver options;
    private final State state;
    private final LinearOperator a;
    private final @Nullable LinearOperator m;
    private final int every;
    private final Vector x;
    private final Vector p;
    private final Vector r;
    private final Vector w;
    private final Vector s;
    private final Vector z;
    private final Vector n;
    /** M r; r itself where there is no preconditioner. */
    private final Vector u;
    /** M s; s itself where there is no preconditioner. */
    private final Vector q;
    /** M w; w itself where there is no preconditioner. */
    private final Vector mw;

    private final Updates advance;
    private final Dots dots;
    private final Runnable turn;
    private final Coefficient damp;
    private final Renewal renewal;

    PipelinedCg(Solver options, Vector x, State state, int every) {
        this.options = options;
        this.state = state;
        this.every = every;
        this.x = x;
        a = options.operator();
        m = options.preconditioner();
        damp = Coefficient.of(options.dampFactor());
        p = x.like();
        r = x.like();
        w = x.like();
        s = x.like();
        z = x.like();
        n = x.like();
        u = m == null ? r : x.like();
        q = m == null ? s : x.like();
        mw = m == null ? w : x.like();
        renewal = new Renewal(state);
        dots = withProduct(Dots.of(r, r).and(u, w));
        Coefficient fresh = MergedDirection.fresh(state);
        Coefficient beta = MergedDirection.beta(state);
        Coefficient back = MergedDirection.back(state);
        Updates all = Updates.of(fresh, n, beta, z)
                .and(fresh, w, beta, s)
                .and(fresh, u, beta, p)
                .and(MergedDirection.step(state), p, Coefficient.ONE, x);
        if (m != null) {
            all.and(fresh, mw, beta, q).and(back, q, Coefficient.ONE, u);
        }
        advance = all.and(back, s, Coefficient.ONE, r).and(back, z, Coefficient.ONE, w);
        turn = dots.ending(TURN, state.buffer(), dots.numbers(), dots.numbers());
    }

    private Dots withProduct(Dots all) {
        return m == null ? all : all.and(r, u);
    }

    private static void turn(F64Ptr state, F64Ptr dots, F64Ptr none) {
        if (State.isStopped(state)) {
            MergedDirection.stay(state);
            Renewal.stay(state);
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
            Renewal.stay(state);
        } else {
            MergedDirection.go(state);
            Renewal.go(state);
        }
    }

    @Override
    public void begin() {
        r.assign(options.data());
        boolean started = options.startModel() != null;
        double reference = 0;
        if (started && options.stop().isRelative()) {
            reference = Dots.of(r, r).reduce().real(0);
        }
        if (started) {
            apply(x, n);
            r.axpy(Coefficient.MINUS_ONE, n);
        }
        precondition(r, u);
        apply(u, w);
        Dots all = withProduct(Dots.of(r, r).and(u, w)).reduce();
        ahead();
        double square = all.real(SQUARE);
        double delta = all.real(DELTA);
        MergedDirection.begin(state, m != null, m == null ? square : all.real(DOTS), delta);
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
        state.calculate(MergedDirection::go);
        state.calculate(Renewal::go);
    }

    /** Computes to = (A + damp I) v. */
    private void apply(Vector v, Vector to) {
        a.matvec(v, to);
        if (damp.real() != 0) {
            to.axpy(damp, v);
        }
    }

    private void precondition(Vector v, Vector to) {
        if (m != null) {
            m.matvec(v, to);
        }
    }

    /** Computes what the reduction does not need. */
    private void ahead() {
        precondition(w, mw);
        apply(mw, n);
    }

    @Override
    public void iterate() {
        advance.run();
        reduce();
    }

    private void reduce() {
        dots.begin();
        ahead();
        turn.run();
    }

    @Override
    public int renewal() {
        return every;
    }

    /** Computes all images anew, which takes four more applications of A. */
    @Override
    public void renew() {
        advance.run();
        apply(x, n);
        renewal.of(options.data(), n, r);
        renewed(r, u);
        renewedImage(u, w);
        renewedImage(p, s);
        renewed(s, q);
        renewedImage(q, z);
        reduce();
    }

    private void renewed(Vector v, Vector to) {
        if (m != null) {
            m.matvec(v, mw);
            renewal.of(mw, to);
        }
    }

    private void renewedImage(Vector v, Vector to) {
        apply(v, n);
        renewal.of(n, to);
    }

    @Override
    public double growth() {
        // As of the plain algorithm.
        return 1e5;
    }

    @Override
    public List<Vector> vectors() {
        List<Vector> all = new ArrayList<>(List.of(p, r, w, s, z, n));
        if (m != null) {
            all.addAll(List.of(u, q, mw));
        }
        return all;
    }

    @Override
    public void close() {
        List.of(p, r, w, s, z, n, u, q, mw).forEach(Vector::close);
    }
}
