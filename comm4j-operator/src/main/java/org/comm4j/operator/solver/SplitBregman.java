// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.array.Layout;
import org.comm4j.array.Pointwise;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.VStack;
import org.comm4j.operator.proximal.L1;
import org.comm4j.operator.proximal.LeastSquaresStep;

/**
 * The split Bregman method (Goldstein and Osher 2009, PyLops {@code splitbregman}): the x that minimises μ / 2 |y − A
 * x|² + ½ Σ εᵢ |yᵢ − Rᵢ x|² + Σ εⱼ |Rⱼ x|₁.
 *
 * <p>An iteration makes {@link #inner} steps: a least-squares problem for x by iterations of conjugate gradients, and a
 * threshold for dⱼ, which stands for Rⱼ x. Behind them the multipliers are updated: bⱼ = bⱼ + τ (Rⱼ x − dⱼ).
 *
 * <p>PyLops' weight e of a 1-norm is its penalty, and its threshold, too: it minimises e² |R x|₁ instead of e |R x|₁.
 */
public final class SplitBregman extends Splitting<SplitBregman> {
    private static final Calculation WEIGHTS = SplitBregman::weights;

    /** A term ε |R x|₁ with the weight of |d − b − R x|² / 2. */
    private record Sparse(LinearOperator r, double epsilon, double penalty) {}

    /** A term ε |y − R x|² / 2. */
    private record Smooth(LinearOperator r, double epsilon, Vector y) {}

    private final Vector y;
    private final List<Sparse> sparse = new ArrayList<>();
    private final List<Smooth> smooth = new ArrayList<>();
    private double mu = 1;
    private double tau = 1;
    private int inner = 3;
    private int iterations = 10;

    private SplitBregman(LinearOperator a, Vector y) {
        super("SplitBregman", a);
        if (!y.layout().equals(a.range()) || y.backend() != a.backend()) {
            throw new IllegalArgumentException(
                    name() + ": " + y + " must have the layout and backend of the range of " + a);
        }
        this.y = y;
    }

    /** Returns the solver of the problem of an operator and data; {@link #l1} adds what makes it one of its own. */
    public static SplitBregman of(LinearOperator a, Vector y) {
        noNulls("SplitBregman.of", "a", a, "y", y);
        return new SplitBregman(a, y);
    }

    @Override
    SplitBregman self() {
        return this;
    }

    /** Adds ε |R x|₁ with the root of ε as penalty, PyLops' {@code epsRL1s}. */
    public SplitBregman l1(LinearOperator r, double epsilon) {
        return l1(r, epsilon, Math.sqrt(epsilon));
    }

    /**
     * Adds ε |R x|₁.
     *
     * @param penalty weight of the square of what R x and its stand-in differ by; the solution does not depend on it,
     *     the number of iterations does
     */
    public SplitBregman l1(LinearOperator r, double epsilon, double penalty) {
        nonNull(r, "SplitBregman.l1", "r");
        sparse.add(new Sparse(checked(r), positive("epsilon", epsilon), positive("the penalty", penalty)));
        return this;
    }

    /** Adds ε |R x|² / 2. */
    public SplitBregman l2(LinearOperator r, double epsilon) {
        nonNull(r, "SplitBregman.l2", "r");
        return l2(r, epsilon, r.backend().vector(r.range(), y.type()));
    }

    /** Adds ε |data − R x|² / 2. */
    public SplitBregman l2(LinearOperator r, double epsilon, Vector data) {
        noNulls("SplitBregman.l2", "r", r, "data", data);
        if (!data.layout().equals(r.range())) {
            throw new IllegalArgumentException(name() + ": " + data + " must have the layout of the range of " + r);
        }
        smooth.add(new Smooth(checked(r), positive("epsilon", epsilon), data));
        return this;
    }

    private LinearOperator checked(LinearOperator r) {
        if (!r.domain().equals(operator().domain())) {
            throw new IllegalArgumentException(name() + ": " + r + " must have the domain of " + operator());
        }
        return r;
    }

    /** Sets the weight of the data; 1 unless set. */
    public SplitBregman mu(double weight) {
        mu = positive("mu", weight);
        return this;
    }

    /** Sets the step of the multipliers, from 0; 1 unless set. It converges below 1.6. */
    public SplitBregman tau(double step) {
        tau = notNegative("tau", step);
        return this;
    }

    /**
     * Sets the inner iterations.
     *
     * @param steps least-squares problems with a threshold behind each, before multipliers are updated; 3 unless set
     * @param each iterations of conjugate gradients for each problem; 10 unless set
     */
    public SplitBregman inner(int steps, int each) {
        inner = atLeastOne("inner steps", steps);
        iterations = atLeastOne("inner iterations", each);
        return this;
    }

    @Override
    Algorithm algorithm(Solver options, Vector x, State state) {
        atLeastOne("terms with a 1-norm", sparse.size());
        return new Steps(options, x, state);
    }

    private static void weights(F64Ptr numbers, F64Ptr mu, F64Ptr none) {
        numbers.set(0, mu.get(0));
        numbers.set(2, 1);
    }

    private final class Steps extends SplittingSteps {
        private final Vector candidate;
        private final LeastSquaresStep solve;
        private final Pointwise replace;
        private final Runnable[] aims;
        private final Runnable[] shrinks;
        private final Pointwise[] turns;
        private final Vector[] images;

        Steps(Solver options, Vector x, State state) {
            super(options, x, state);
            int count = sparse.size();
            candidate = scratch(x);
            aims = new Runnable[count];
            shrinks = new Runnable[count];
            turns = new Pointwise[2 * count];
            images = new Vector[count];
            List<LinearOperator> operators = new ArrayList<>();
            List<Vector> rights = new ArrayList<>();
            for (Smooth term : smooth) {
                double weight = Math.sqrt(term.epsilon);
                operators.add(term.r.times(weight));
                rights.add(scratch(term.y).assign(term.y).scale(Coefficient.of(weight)));
            }
            for (int i = 0; i < count; i++) {
                Sparse term = sparse.get(i);
                Vector d = keep(own(term.r.range()));
                Vector b = keep(own(term.r.range()));
                Vector wanted = own(term.r.range());
                images[i] = own(term.r.range());
                double weight = Math.sqrt(term.penalty);
                operators.add(term.r.times(weight));
                rights.add(wanted);
                aims[i] = Pointwise.of(Coefficient.of(weight), d, Coefficient.of(-weight), b)
                        .into(wanted);
                shrinks[i] = keep(L1.of(term.epsilon)
                        .prepare(
                                active(Pointwise.of(Coefficient.ONE, images[i], Coefficient.ONE, b))
                                        .into(d),
                                Coefficient.of(1 / term.penalty)));
                turns[2 * i] = active(Pointwise.of(Coefficient.ONE, b, Coefficient.of(tau), images[i]))
                        .into(b);
                turns[2 * i + 1] = active(Pointwise.of(Coefficient.ONE, b, Coefficient.of(-tau), d))
                        .into(b);
            }
            boolean one = operators.size() == 1;
            solve = new LeastSquaresStep(
                    candidate,
                    new LeastSquaresStep.Term(a, y),
                    new LeastSquaresStep.Term(
                            one ? operators.getFirst() : VStack.of(operators.toArray(LinearOperator[]::new)),
                            one ? rights.getFirst() : StackedArray.of(rights.toArray(Vector[]::new))),
                    WEIGHTS,
                    factor(0, mu),
                    state.buffer(),
                    iterations);
            own(solve);
            replace = model(Pointwise.of(candidate));
            ending(END);
        }

        private Vector own(Layout layout) {
            Vector made = x.backend().vector(layout, y.type());
            own(made);
            return made;
        }

        @Override
        void start() {
            candidate.assign(x);
        }

        @Override
        void advance() {
            candidate.assign(x);
            for (int i = 0; i < inner; i++) {
                for (Runnable aim : aims) {
                    aim.run();
                }
                solve.run();
                for (int k = 0; k < shrinks.length; k++) {
                    sparse.get(k).r.matvec(candidate, images[k]);
                    shrinks[k].run();
                }
            }
            replace.run();
            for (Pointwise turn : turns) {
                turn.run();
            }
        }
    }
}
