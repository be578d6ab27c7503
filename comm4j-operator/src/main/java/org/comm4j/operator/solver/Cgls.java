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
import org.jspecify.annotations.Nullable;

/**
 * Conjugate gradients for least squares (PyLops {@code cgls}): the x that minimises |y − A x|² + damp² |x|².
 *
 * <p>An iteration applies A and Aᴴ once each, and the preconditioner if there is one, and makes two reductions over the
 * ranks besides those of the operators. It allocates nothing itself, and on a GPU it is one graph. Every rank decides
 * by the same reduced numbers, so that all stop at the same iteration. The algorithm is that of Björck (Numerical
 * Methods for Least Squares Problems, 7.4), with damp² also in the first gradient.
 */
public final class Cgls {
    static final Calculation STEP = Cgls::step;
    static final Calculation TURN = Cgls::turn;

    /** The square of the damping factor in the state. */
    private static final int DAMP2 = Direction.OWN;

    // Norms of an iteration

    private static final int GRADIENT = 0;
    private static final int RESIDUAL = 1;
    private static final int MODEL = 2;
    private static final int NORMS = 3;

    private Cgls() {}

    /**
     * Returns a solver of the least-squares problem of an operator and data, which it does not change.
     *
     * @throws IllegalArgumentException if the data are not of the operator's range
     */
    public static Solver of(LinearOperator operator, Vector data) {
        noNulls("Cgls.of", "operator", operator, "data", data);
        return new Solver("Cgls", operator, data, Steps::new);
    }

    /**
     * Returns a solver that makes one reduction an iteration besides those of the operators (Chronopoulos and Gear
     * 1989). It has one more vector of the data, and applies A to what the iteration after it begins with. The image of
     * the direction is a recurrence, as of {@link Cg#merged}; the gradient is computed from the residual.
     *
     * @throws IllegalArgumentException if the data are not of the operator's range
     */
    public static Solver merged(LinearOperator operator, Vector data) {
        noNulls("Cgls.merged", "operator", operator, "data", data);
        return new Solver("Cgls.merged", operator, data, MergedCgls::new);
    }

    /**
     * Returns a solver that makes one reduction an iteration, which is under way while A and Aᴴ are applied, see {@link
     * Cg#pipelined(LinearOperator, Vector)}. It has four more vectors of the model and three more of the data, and
     * takes no preconditioner.
     *
     * <p>The gradient is a recurrence, too, and images are those of AᴴA: rounding counts by the square of A's condition
     * number between the iterations that compute them anew.
     *
     * @throws IllegalArgumentException if the data are not of the operator's range
     */
    public static Solver pipelined(LinearOperator operator, Vector data) {
        return pipelined(operator, data, Cg.RENEWAL);
    }

    /**
     * Returns the solver of {@link #pipelined(LinearOperator, Vector)} with another number of iterations after which
     * images are computed anew.
     *
     * @param renewal at least 1, or 0 for never
     * @throws IllegalArgumentException also if {@code renewal} is negative
     */
    public static Solver pipelined(LinearOperator operator, Vector data, int renewal) {
        noNulls("Cgls.pipelined", "operator", operator, "data", data);
        Cg.checkRenewal("Cgls.pipelined", renewal);
        return new Solver("Cgls.pipelined", operator, data, new Algorithm.Factory() {
            @Override
            public Algorithm of(Solver options, Vector x, State state) {
                return new PipelinedCgls(options, x, state, renewal);
            }

            @Override
            public String insteadOfPreconditioner() {
                return "Cgls and Cgls.merged take one";
            }
        });
    }

    // Calculations

    /** Calculates the length of the step. */
    private static void step(F64Ptr state, F64Ptr lengths, F64Ptr norms) {
        if (State.isStopped(state)) {
            Direction.step(state, 0);
            return;
        }
        double damp2 = state.get(DAMP2);
        // Without damping |p|² is not computed.
        double square = damp2 == 0 ? Dots.real(lengths, 0) : Dots.real(lengths, 0) + damp2 * Dots.real(lengths, 1);
        Direction.step(state, state.get(Direction.PRODUCT) / square);
    }

    /** Calculates the next direction, and ends the iteration. */
    private static void turn(F64Ptr state, F64Ptr lengths, F64Ptr norms) {
        if (State.isStopped(state)) {
            Direction.keep(state);
            return;
        }
        double gradient = Dots.real(norms, GRADIENT);
        double residual = Dots.real(norms, RESIDUAL);
        double model = Dots.real(norms, MODEL);
        Direction.turn(state, Direction.product(state, norms, NORMS, gradient));
        double objective = Math.sqrt(residual + state.get(DAMP2) * model);
        State.made(state, gradient, Math.sqrt(residual), objective);
    }

    /** The vectors of a run, and what it computes. */
    private static final class Steps implements Algorithm {
        private final Solver options;
        private final State state;
        private final LinearOperator a;
        private final Vector x;
        private final Vector q;
        private final Vector s;
        private final Direction direction;
        private final Dots lengths;
        private final Dots norms;
        private final Updates advance;
        private final @Nullable Updates damping;
        private final Runnable step;
        private final Runnable turn;
        private final double damp2;

        Steps(Solver options, Vector x, State state) {
            this.options = options;
            this.state = state;
            this.x = x;
            a = options.operator();
            damp2 = options.dampFactor() * options.dampFactor();
            direction = new Direction(options, x, state);
            Vector p = direction.p();
            Vector r = direction.r();
            s = options.data().like();
            q = s.like();
            boolean damped = damp2 != 0;
            lengths = damped ? Dots.of(q, q).and(p, p) : Dots.of(q, q);
            norms = direction.withProduct((damped ? Dots.given(x.backend()) : Dots.of(r, r))
                    .andGiven()
                    .andGiven());
            advance = Updates.of(direction.step(), p, Coefficient.ONE, x)
                    .squares(norms, MODEL)
                    .and(direction.back(), q, Coefficient.ONE, s)
                    .squares(norms, RESIDUAL);
            damping = damped
                    ? Updates.of(Coefficient.of(-damp2), x, Coefficient.ONE, r).squares(norms, GRADIENT)
                    : null;
            step = lengths.reducing(STEP, state.buffer(), lengths.numbers(), norms.numbers());
            turn = norms.reducing(TURN, state.buffer(), lengths.numbers(), norms.numbers());
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
            Dots all = direction.withProduct(Dots.of(r, r).and(s, s).and(x, x)).reduce();
            double gradient = all.real(GRADIENT);
            double residual = all.real(RESIDUAL);
            direction.begin(state, options.preconditioner() == null ? gradient : all.real(NORMS));
            double objective = Math.sqrt(residual + damp2 * all.real(MODEL));
            state.set(DAMP2, damp2);
            state.set(State.REFERENCE, started ? reference : gradient);
            state.set(State.BEGINNING, objective);
            state.set(State.SQUARE, gradient);
            state.set(State.COST, Math.sqrt(residual));
            state.set(State.OBJECTIVE, objective);
        }

        /** Computes r = Aᴴ s − damp² x and M r. */
        private void descend() {
            a.rmatvec(s, direction.r());
            if (damping != null) {
                damping.run();
            }
            direction.precondition();
        }

        @Override
        public void iterate() {
            a.matvec(direction.p(), q);
            step.run();
            advance.run();
            descend();
            turn.run();
            direction.turn();
        }

        @Override
        public double growth() {
            return 2;
        }

        @Override
        public List<Vector> vectors() {
            return List.of(direction.p(), s);
        }

        @Override
        public void close() {
            direction.close();
            q.close();
            s.close();
        }
    }
}
