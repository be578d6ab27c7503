// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.List;
import org.comm4j.array.Dots;
import org.comm4j.array.Updates;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.LinearOperator;

/**
 * Conjugate gradients (PyLops {@code cg}): the solution of (A + damp I) x = y for a Hermitian positive definite A.
 *
 * <p>An iteration applies A once, and the preconditioner if there is one, and makes two reductions over the ranks
 * besides those of the operators. It allocates nothing itself, and on a GPU it is one graph. Every rank decides by the
 * same reduced numbers, so that all stop at the same iteration. The algorithm is that of Hestenes and Stiefel (1952).
 */
public final class Cg {
    static final Calculation STEP = Cg::step;
    static final Calculation TURN = Cg::turn;

    /** Iterations after which a pipelined solver computes anew what rounding has moved. */
    public static final int RENEWAL = 50;

    private Cg() {}

    /**
     * Returns a solver of the system of an operator and data, which it does not change.
     *
     * @throws IllegalArgumentException if the operator does not map its domain to itself, or if the data are not of its
     *     range
     */
    public static Solver of(LinearOperator operator, Vector data) {
        noNulls("Cg.of", "operator", operator, "data", data);
        return new Solver("Cg", checked(operator), data, Steps::new);
    }

    /**
     * Returns a solver that makes one reduction an iteration besides those of the operators (Chronopoulos and Gear
     * 1989, PETSc {@code KSPCGUseSingleReduction}). It has two more vectors, and applies A to what the iteration after
     * it begins with.
     *
     * <p>The image of the direction is a recurrence, so that rounding adds up. Of Laplacians with condition numbers
     * from 10² to 10⁸ the residual y − A x that it attains is at most 1.6 times that of {@link #of}.
     *
     * @throws IllegalArgumentException if the operator does not map its domain to itself, or if the data are not of its
     *     range
     */
    public static Solver merged(LinearOperator operator, Vector data) {
        noNulls("Cg.merged", "operator", operator, "data", data);
        return new Solver("Cg.merged", checked(operator), data, MergedCg::new);
    }

    /**
     * Returns a solver that makes one reduction an iteration, which is under way while A and the preconditioner are
     * applied (Ghysels and Vanroose 2014, PETSc {@code KSPPIPECG}). It is for many ranks, where a reduction takes as
     * long as an operator does. It has three more vectors, five with a preconditioner, and a communicator of its own.
     *
     * <p>All images of A are recurrences, so that rounding adds up: every {@link #RENEWAL} iterations they are computed
     * anew by four more applications. Ranks decide by the residual's recurrence.
     *
     * @throws IllegalArgumentException if the operator does not map its domain to itself, or if the data are not of its
     *     range
     */
    public static Solver pipelined(LinearOperator operator, Vector data) {
        return pipelined(operator, data, RENEWAL);
    }

    /**
     * Returns the solver of {@link #pipelined(LinearOperator, Vector)} with another number of iterations after which
     * images are computed anew.
     *
     * @param renewal at least 1, or 0 for never
     * @throws IllegalArgumentException also if {@code renewal} is negative
     */
    public static Solver pipelined(LinearOperator operator, Vector data, int renewal) {
        noNulls("Cg.pipelined", "operator", operator, "data", data);
        checkRenewal("Cg.pipelined", renewal);
        return new Solver(
                "Cg.pipelined",
                checked(operator),
                data,
                (options, x, state) -> new PipelinedCg(options, x, state, renewal));
    }

    static void checkRenewal(String name, int renewal) {
        if (renewal < 0) {
            throw new IllegalArgumentException(
                    name + ": images cannot be computed anew every " + renewal + " iterations; 0 is for never");
        }
    }

    private static LinearOperator checked(LinearOperator operator) {
        if (!operator.domain().equals(operator.range())) {
            throw new IllegalArgumentException("Cg: " + operator + " must map its domain to itself; Cgls takes others");
        }
        return operator;
    }

    // Calculations

    /** Calculates the length of the step. */
    private static void step(F64Ptr state, F64Ptr curvature, F64Ptr residual) {
        if (State.isStopped(state)) {
            Direction.step(state, 0);
            return;
        }
        double length = Dots.real(curvature, 0);
        if (length <= 0) {
            state.set(State.OWN_REASON, StopRule.INDEFINITE);
            state.set(State.REASON, StopRule.INDEFINITE);
            state.set(State.DETAIL, length);
            Direction.step(state, 0);
            return;
        }
        Direction.step(state, state.get(Direction.PRODUCT) / length);
    }

    /** Calculates the next direction, and ends the iteration. */
    private static void turn(F64Ptr state, F64Ptr curvature, F64Ptr residual) {
        if (State.isStopped(state)) {
            Direction.keep(state);
            return;
        }
        double square = Dots.real(residual, 0);
        Direction.turn(state, Direction.product(state, residual, 1, square));
        double norm = Math.sqrt(square);
        State.made(state, square, norm, norm);
    }

    /** The vectors of a run, and what it computes. */
    private static final class Steps implements Algorithm {
        private final Solver options;
        private final State state;
        private final LinearOperator a;
        private final Vector x;
        private final Vector q;
        private final Direction direction;
        private final Dots curvature;
        private final Dots residual;
        private final Updates advance;
        private final Runnable step;
        private final Runnable turn;
        private final Coefficient damp;

        Steps(Solver options, Vector x, State state) {
            this.options = options;
            this.state = state;
            this.x = x;
            a = options.operator();
            damp = Coefficient.of(options.dampFactor());
            direction = new Direction(options, x, state);
            q = x.like();
            curvature = Dots.of(direction.p(), q);
            residual = direction.withProduct(Dots.given(x.backend()));
            advance = Updates.of(direction.step(), direction.p(), Coefficient.ONE, x)
                    .and(direction.back(), q, Coefficient.ONE, direction.r())
                    .squares(residual, 0);
            step = curvature.reducing(STEP, state.buffer(), curvature.numbers(), residual.numbers());
            turn = residual.reducing(TURN, state.buffer(), curvature.numbers(), residual.numbers());
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
                r.axpy(Coefficient.MINUS_ONE, q);
            }
            direction.precondition();
            Dots norms = direction.withProduct(Dots.of(r, r)).reduce();
            double square = norms.real(0);
            direction.begin(state, options.preconditioner() == null ? square : norms.real(1));
            state.set(State.REFERENCE, started ? reference : square);
            state.set(State.BEGINNING, Math.sqrt(square));
            state.set(State.SQUARE, square);
            state.set(State.COST, Math.sqrt(square));
            state.set(State.OBJECTIVE, Math.sqrt(square));
        }

        /** q = (A + damp I) v. */
        private void apply(Vector v) {
            a.matvec(v, q);
            if (damp.real() != 0) {
                q.axpy(damp, v);
            }
        }

        @Override
        public void iterate() {
            apply(direction.p());
            step.run();
            advance.run();
            direction.precondition();
            turn.run();
            direction.turn();
        }

        @Override
        public double growth() {
            // The residual may grow before it falls: the limit of PETSc's KSPSetTolerances.
            return 1e5;
        }

        @Override
        public List<Vector> vectors() {
            return List.of(direction.p(), direction.r());
        }

        @Override
        public void close() {
            direction.close();
            q.close();
        }
    }
}
