// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import java.util.Arrays;
import org.comm4j.array.Dots;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Scalar;
import org.comm4j.math.Scalars;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * Conjugate gradients for least squares (PyLops {@code cgls}): the x that minimises |y − A x|² + damp² |x|².
 *
 * <p>An iteration applies A and Aᴴ once each and makes two reductions over the ranks, besides those of the operator. It
 * allocates nothing. Every rank decides by the same reduced numbers, so that all stop at the same iteration. The
 * algorithm is that of Björck (Numerical Methods for Least Squares Problems, 7.4.2), with damp² also in the first
 * gradient.
 */
public final class Cgls {
    private final LinearOperator operator;
    private final Vector data;
    private final StopRule stop = new StopRule("Cgls");
    private double damp;
    private @Nullable Vector start;

    private @Nullable State state;

    private Cgls(LinearOperator operator, Vector data) {
        this.operator = operator;
        this.data = data;
    }

    /** Returns a solver of the least-squares problem of an operator and data, which it does not change. */
    public static Cgls of(LinearOperator operator, Vector data) {
        if (!data.layout().equals(operator.range())) {
            throw new IllegalArgumentException("Cgls: " + data + " must have the layout of the range of " + operator);
        }
        return new Cgls(operator, data);
    }

    /** Sets the factor of the model's norm; 0 unless set. */
    public Cgls damp(double damp) {
        if (!Double.isFinite(damp)) {
            throw new IllegalArgumentException("Cgls: the damping factor " + damp + " is not a finite number");
        }
        this.damp = damp;
        return this;
    }

    /** Sets the largest number of iterations; 10 unless set. */
    public Cgls iterations(int iterations) {
        stop.iterations(iterations);
        return this;
    }

    /** Stops when |Aᴴ r − damp² x| is at most {@code tolerance} times |Aᴴ y|; 0 unless set, which never stops it. */
    public Cgls tolerance(double tolerance) {
        stop.tolerance(tolerance);
        return this;
    }

    /** Stops when |Aᴴ r − damp² x|² is at most {@code value}: the absolute {@code tol} of PyLops. */
    public Cgls stopBelow(double value) {
        stop.stopBelow(value);
        return this;
    }

    /** Begins with a model instead of zeros; it is not changed. */
    public Cgls start(Vector model) {
        if (!model.layout().equals(operator.domain()) || model.type() != data.type()) {
            throw new IllegalArgumentException("Cgls: " + model + " must have the layout of the domain of " + operator
                    + " and type " + data.type());
        }
        start = model;
        return this;
    }

    /** Collective: solves the problem and returns the model, which is the caller's to close. */
    public Vector solve() {
        State solving = new State(this);
        state = solving;
        try {
            solving.run();
            return solving.x;
        } finally {
            solving.close();
        }
    }

    /**
     * Returns the outcome of {@link #solve}.
     *
     * @throws IllegalStateException if nothing has been solved
     */
    public SolverResult result() {
        State solved = state;
        if (solved == null) {
            throw new IllegalStateException("Cgls: nothing has been solved");
        }
        return solved.result();
    }

    /** The vectors and numbers of a run. */
    private static final class State {
        final LinearOperator a;
        final Cgls options;
        final Vector x;
        final Vector p;
        final Vector q;
        final Vector s;
        final Vector r;
        final Dots lengths;
        final Dots norms;
        final Scalar step;
        final Scalar back;
        final Scalar direction;
        final Coefficient minusDamp;
        final double damp2;
        final double[] costs;
        int iteration;
        double gradient;
        double limit;
        StopReason reason = StopReason.ITERATIONS;

        State(Cgls options) {
            this.options = options;
            a = options.operator;
            damp2 = options.damp * options.damp;
            minusDamp = Coefficient.of(-damp2);
            costs = new double[options.stop.iterations() + 1];
            s = options.data.like().assign(options.data);
            x = a.backend().vector(a.domain(), options.data.type());
            q = s.like();
            r = x.like();
            p = x.like();
            lengths = Dots.of(q, q).and(p, p);
            norms = Dots.of(r, r).and(s, s).and(x, x);
            Scalars scalars = a.backend().compute().scalars(3);
            step = scalars.get(0);
            back = scalars.get(1);
            direction = scalars.get(2);
            setup();
        }

        private void setup() {
            Vector model = options.start;
            double reference = 0;
            if (model != null) {
                if (options.stop.isRelative()) {
                    a.rmatvec(s, r);
                    reference = norms.reduce().real(0);
                }
                x.assign(model);
                s.axpy(Coefficient.MINUS_ONE, a.matvec(x, q));
            }
            gradient();
            p.assign(r);
            norms.reduce();
            gradient = norms.real(0);
            costs[0] = Math.sqrt(norms.real(1));
            limit = options.stop.limit(model == null ? gradient : reference);
        }

        /** r = Aᴴ s − damp² x. */
        private void gradient() {
            a.rmatvec(s, r);
            if (damp2 != 0) {
                r.axpy(minusDamp, x);
            }
        }

        void run() {
            StopReason now = options.stop.reason(gradient, limit, iteration);
            while (now == null) {
                step();
                now = options.stop.reason(gradient, limit, iteration);
            }
            reason = now;
        }

        private void step() {
            a.matvec(p, q);
            lengths.reduce();
            double length = gradient / (lengths.real(0) + damp2 * lengths.real(1));
            step.set(length);
            back.set(-length);
            x.axpy(step, p);
            s.axpy(back, q);
            gradient();
            norms.reduce();
            direction.set(norms.real(0) / gradient);
            gradient = norms.real(0);
            p.axpby(Coefficient.ONE, r, direction);
            iteration++;
            costs[iteration] = Math.sqrt(norms.real(1));
        }

        SolverResult result() {
            return new SolverResult(reason, iteration, costs[iteration], Arrays.copyOf(costs, iteration + 1));
        }

        void close() {
            p.close();
            q.close();
            s.close();
            r.close();
        }
    }
}
