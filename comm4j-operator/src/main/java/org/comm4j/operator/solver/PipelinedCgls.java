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

/**
 * The algorithm of {@link Cgls#pipelined}: that of {@link PipelinedCg} for B = AᴴA + damp² I, with the images of the
 * model's vectors in the data beside them, so that norms are those of the residual and of A g. While they are reduced,
 * A w and B w are computed.
 */
final class PipelinedCgls implements Algorithm {
    static final Calculation TURN = PipelinedCgls::turn;

    private static final int DAMP2 = MergedDirection.OWN;

    // Dots: of the residual, A g, the gradient and the model

    private static final int RESIDUAL = 0;
    private static final int IMAGE = 1;
    private static final int GRADIENT = 2;
    private static final int MODEL = 3;

    private final Solver options;
    private final State state;
    private final LinearOperator a;
    private final int every;
    private final double damp2;
    private final Vector x;
    // Of the model: the gradient and the direction, B times each, and B times those.
    private final Vector g;
    private final Vector p;
    private final Vector w;
    private final Vector s;
    private final Vector n;
    private final Vector z;
    // Of the data: the residual, and A g, A p, A w, A s.
    private final Vector r;
    private final Vector ag;
    private final Vector ap;
    private final Vector aw;
    private final Vector as;

    private final Updates advance;
    private final Dots dots;
    private final Runnable turn;
    private final Renewal renewal;

    PipelinedCgls(Solver options, Vector x, State state, int every) {
        this.options = options;
        this.state = state;
        this.every = every;
        this.x = x;
        a = options.operator();
        damp2 = options.dampFactor() * options.dampFactor();
        g = x.like();
        p = x.like();
        w = x.like();
        s = x.like();
        n = x.like();
        z = x.like();
        r = options.data().like();
        ag = r.like();
        ap = r.like();
        aw = r.like();
        as = r.like();
        renewal = new Renewal(state);
        dots = products();
        Coefficient fresh = MergedDirection.fresh(state);
        Coefficient beta = MergedDirection.beta(state);
        Coefficient back = MergedDirection.back(state);
        Coefficient one = Coefficient.ONE;
        advance = Updates.of(fresh, n, beta, z)
                .and(fresh, w, beta, s)
                .and(fresh, g, beta, p)
                .and(fresh, ag, beta, ap)
                .and(fresh, aw, beta, as)
                .and(MergedDirection.step(state), p, one, x)
                .and(back, ap, one, r)
                .and(back, s, one, g)
                .and(back, as, one, ag)
                .and(back, z, one, w);
        turn = dots.ending(TURN, state.buffer(), dots.numbers(), dots.numbers());
    }

    private Dots products() {
        Dots all = Dots.of(r, r).and(ag, ag).and(g, g);
        // Without damping the length of the model is not needed.
        return damp2 == 0 ? all.andGiven() : all.and(x, x);
    }

    private static double delta(double image, double gradient, double damp2) {
        return damp2 == 0 ? image : image + damp2 * gradient;
    }

    private static void turn(F64Ptr state, F64Ptr dots, F64Ptr none) {
        if (State.isStopped(state)) {
            MergedDirection.stay(state);
            Renewal.stay(state);
            return;
        }
        double damp2 = state.get(DAMP2);
        double gradient = Dots.real(dots, GRADIENT);
        double residual = Dots.real(dots, RESIDUAL);
        double delta = delta(Dots.real(dots, IMAGE), gradient, damp2);
        if (!MergedDirection.turn(state, gradient, delta)) {
            state.set(State.OWN_REASON, StopRule.INDEFINITE);
            state.set(State.DETAIL, delta);
        }
        double model = damp2 == 0 ? 0 : damp2 * Dots.real(dots, MODEL);
        State.made(state, gradient, Math.sqrt(residual), Math.sqrt(residual + model));
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
            a.rmatvec(r, g);
            reference = Dots.of(g, g).reduce().real(0);
        }
        if (started) {
            r.axpy(Coefficient.MINUS_ONE, a.matvec(x, ap));
        }
        adjoint(r, -damp2, x, g);
        a.matvec(g, ag);
        adjoint(ag, damp2, g, w);
        Dots all = products().reduce();
        ahead();
        double gradient = all.real(GRADIENT);
        double residual = all.real(RESIDUAL);
        MergedDirection.begin(state, false, gradient, delta(all.real(IMAGE), gradient, damp2));
        double objective = Math.sqrt(residual + (damp2 == 0 ? 0 : damp2 * all.real(MODEL)));
        state.set(DAMP2, damp2);
        state.set(State.REFERENCE, started ? reference : gradient);
        state.set(State.BEGINNING, objective);
        state.set(State.SQUARE, gradient);
        state.set(State.COST, Math.sqrt(residual));
        state.set(State.OBJECTIVE, objective);
    }

    /** Computes to = Aᴴ data + factor model. */
    private void adjoint(Vector data, double factor, Vector model, Vector to) {
        a.rmatvec(data, to);
        if (factor != 0) {
            to.axpy(factor, model);
        }
    }

    @Override
    public void setOptions() {
        state.calculate(MergedDirection::go);
        state.calculate(Renewal::go);
    }

    /** Computes what the reduction does not need. */
    private void ahead() {
        a.matvec(w, aw);
        adjoint(aw, damp2, w, n);
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

    /** Computes all images anew, which takes four more applications of A and of Aᴴ. */
    @Override
    public void renew() {
        advance.run();
        renewal.of(options.data(), a.matvec(x, aw), r);
        adjoint(r, -damp2, x, n);
        renewal.of(n, g);
        renewed(g, ag, w);
        renewed(p, ap, s);
        renewed(s, as, z);
        reduce();
    }

    /** Computes A v and B v anew. */
    private void renewed(Vector v, Vector image, Vector normal) {
        renewal.of(a.matvec(v, aw), image);
        adjoint(image, damp2, v, n);
        renewal.of(n, normal);
    }

    @Override
    public double growth() {
        return 2;
    }

    @Override
    public List<Vector> vectors() {
        return List.of(g, p, w, s, n, z, r, ag, ap, aw, as);
    }

    @Override
    public void close() {
        vectors().forEach(Vector::close);
    }
}
