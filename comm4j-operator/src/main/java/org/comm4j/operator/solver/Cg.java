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
 * Conjugate gradients (PyLops {@code cg}): the solution of (A + damp I) x = y for a Hermitian positive definite A.
 *
 * <p>An iteration applies A once and makes two reductions over the ranks, besides those of the operator. It allocates
 * nothing. Every rank decides by the same reduced numbers, so that all stop at the same iteration. The algorithm is
 * that of Hestenes and Stiefel (1952).
 */
public final class Cg {
    private final LinearOperator operator;
    private final Vector data;
    private final StopRule stop = new StopRule("Cg");
    private double damp;
    private @Nullable Vector start;

    private @Nullable State state;

    private Cg(LinearOperator operator, Vector data) {
        this.operator = operator;
        this.data = data;
    }

    /** Returns a solver of the system of an operator and data, which it does not change. */
    public static Cg of(LinearOperator operator, Vector data) {
        if (!operator.domain().equals(operator.range())) {
            throw new IllegalArgumentException("Cg: " + operator + " must map its domain to itself; Cgls takes others");
        }
        if (!data.layout().equals(operator.range())) {
            throw new IllegalArgumentException("Cg: " + data + " must have the layout of the range of " + operator);
        }
        return new Cg(operator, data);
    }

    /** Sets the number that is added to the diagonal; 0 unless set. */
    public Cg damp(double damp) {
        if (!Double.isFinite(damp)) {
            throw new IllegalArgumentException("Cg: the damping factor " + damp + " is not a finite number");
        }
        this.damp = damp;
        return this;
    }

    /** Sets the largest number of iterations; 10 unless set. */
    public Cg iterations(int iterations) {
        stop.iterations(iterations);
        return this;
    }

    /** Stops when |y − A x| is at most {@code tolerance} times |y|; 0 unless set, which never stops it. */
    public Cg tolerance(double tolerance) {
        stop.tolerance(tolerance);
        return this;
    }

    /** Stops when |y − A x|² is at most {@code value}: the absolute {@code tol} of PyLops. */
    public Cg stopBelow(double value) {
        stop.stopBelow(value);
        return this;
    }

    /** Begins with a model instead of zeros; it is not changed. */
    public Cg start(Vector model) {
        if (!model.layout().equals(operator.domain()) || model.type() != data.type()) {
            throw new IllegalArgumentException(
                    "Cg: " + model + " must have the layout of the domain of " + operator + " and type " + data.type());
        }
        start = model;
        return this;
    }

    /** Collective: solves the system and returns the model, which is the caller's to close. */
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
            throw new IllegalStateException("Cg: nothing has been solved");
        }
        return solved.result();
    }

    /** The vectors and numbers of a run. */
    private static final class State {
        final LinearOperator a;
        final Cg options;
        final Vector x;
        final Vector p;
        final Vector q;
        final Vector r;
        final Dots curvature;
        final Dots residual;
        final Scalar step;
        final Scalar back;
        final Scalar direction;
        final Coefficient damp;
        final double[] costs;
        int iteration;
        double square;
        double limit;
        StopReason reason = StopReason.ITERATIONS;

        State(Cg options) {
            this.options = options;
            a = options.operator;
            damp = Coefficient.of(options.damp);
            costs = new double[options.stop.iterations() + 1];
            r = options.data.like().assign(options.data);
            x = r.like();
            p = r.like();
            q = r.like();
            curvature = Dots.of(p, q);
            residual = Dots.of(r, r);
            Scalars scalars = a.backend().compute().scalars(3);
            step = scalars.get(0);
            back = scalars.get(1);
            direction = scalars.get(2);
            setup();
        }

        private void setup() {
            Vector model = options.start;
            double reference = options.stop.isRelative() || model == null
                    ? residual.reduce().real(0)
                    : 0;
            square = reference;
            if (model != null) {
                x.assign(model);
                apply(x);
                r.axpy(Coefficient.MINUS_ONE, q);
                square = residual.reduce().real(0);
            }
            p.assign(r);
            costs[0] = Math.sqrt(square);
            limit = options.stop.limit(reference);
        }

        /** q = (A + damp I) v. */
        private void apply(Vector v) {
            a.matvec(v, q);
            if (options.damp != 0) {
                q.axpy(damp, v);
            }
        }

        void run() {
            StopReason now = options.stop.reason(square, limit, iteration);
            while (now == null) {
                step();
                now = options.stop.reason(square, limit, iteration);
            }
            reason = now;
        }

        private void step() {
            apply(p);
            double length = square / curvature.reduce().real(0);
            step.set(length);
            back.set(-length);
            x.axpy(step, p);
            r.axpy(back, q);
            double next = residual.reduce().real(0);
            direction.set(next / square);
            square = next;
            p.axpby(Coefficient.ONE, r, direction);
            iteration++;
            costs[iteration] = Math.sqrt(square);
        }

        SolverResult result() {
            return new SolverResult(reason, iteration, costs[iteration], Arrays.copyOf(costs, iteration + 1));
        }

        void close() {
            p.close();
            q.close();
            r.close();
        }
    }
}
