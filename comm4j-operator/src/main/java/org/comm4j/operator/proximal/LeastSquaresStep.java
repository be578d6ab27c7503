// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.Dots;
import org.comm4j.array.Updates;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Scalar;
import org.comm4j.math.Scalars;
import org.comm4j.math.Sweep;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of iterations of conjugate gradients that make w |M x − b|² + v |A x − c|² smaller from the x that is
 * there: the inner problem of {@link L2} and of ADMM. It reads nothing on the host and allocates nothing, so that it is
 * part of a recorded iteration. An iteration applies the operators and their adjoints once each, and makes two
 * reductions.
 */
public final class LeastSquaresStep implements Runnable, AutoCloseable {
    private static final Calculation BEGIN = LeastSquaresStep::begin;
    private static final Calculation STEP = LeastSquaresStep::step;
    private static final Calculation TURN = LeastSquaresStep::turn;

    // Numbers, each with an imaginary part of 0

    private static final int FIRST_WEIGHT = 0;
    private static final int SECOND_WEIGHT = 1;
    private static final int LENGTH = 2;
    private static final int BACK = 3;
    private static final int BETA = 4;
    private static final int SQUARE = 5;
    private static final int NUMBERS = 6;

    /**
     * A weighted term w |M x − b|².
     *
     * @param operator M; null for the identity
     * @param right b
     */
    public record Term(@Nullable LinearOperator operator, Vector right) {}

    private final Vector x;
    private final Residual first;
    private final Residual second;
    private final Vector p;
    private final Vector gradient;
    private final Scalars numbers;
    private final Runnable weigh;
    private final Runnable begin;
    private final Runnable step;
    private final Runnable turn;
    private final Vector slope;
    private final Updates descent;
    private final Updates advance;
    private final Updates direction;
    private final Dots square;
    private final Dots lengths;
    private final int iterations;

    /** One term: what is left of its right side, and the image of the direction. */
    private final class Residual {
        private final Term term;
        private final Vector r;
        private final Vector q;

        Residual(Term term) {
            this.term = term;
            r = term.right.like();
            q = term.operator == null ? p : term.right.like();
        }

        void begin() {
            LinearOperator m = term.operator;
            if (m == null) {
                r.assign(term.right).axpy(Coefficient.MINUS_ONE, x);
            } else {
                m.matvec(x, q);
                r.assign(term.right).axpy(Coefficient.MINUS_ONE, q);
            }
        }

        void close() {
            r.close();
            q.close();
        }

        void image() {
            if (term.operator != null) {
                term.operator.matvec(p, q);
            }
        }

        /** Computes Mᴴ r. */
        void slope(Vector to) {
            if (term.operator == null) {
                to.assign(r);
            } else {
                term.operator.rmatvec(r, to);
            }
        }
    }

    /**
     * Makes the step.
     *
     * @param x where the iterations begin, and their result
     * @param weights calculates the weights w and v, numbers 0 and 2 of its first memory
     * @param tau the second memory of {@code weights}
     * @param parameters the third memory of {@code weights}
     * @param iterations number of them
     */
    public LeastSquaresStep(
            Vector x,
            Term first,
            Term second,
            Calculation weights,
            Coefficient tau,
            Buffer parameters,
            int iterations) {
        this.x = x;
        this.iterations = iterations;
        p = x.like();
        gradient = x.like();
        var compute = x.backend().compute();
        numbers = compute.scalars(NUMBERS);
        weigh = compute.prepare(new Sweep(), weights, numbers.buffer(), Steps.memory(compute, tau), parameters);
        this.first = new Residual(first);
        this.second = new Residual(second);
        // Of the identity the slope is the residual itself.
        slope = second.operator == null ? this.second.r : x.like();
        square = Dots.given(x.backend());
        descent = Updates.of(numbers.get(SECOND_WEIGHT), slope, numbers.get(FIRST_WEIGHT), gradient)
                .squares(square, 0);
        lengths = Dots.of(this.first.q, this.first.q)
                .and(this.second.q, this.second.q)
                .and(p, gradient);
        begin = square.reducing(BEGIN, numbers.buffer(), square.numbers(), lengths.numbers());
        step = lengths.reducing(STEP, numbers.buffer(), lengths.numbers(), square.numbers());
        turn = square.reducing(TURN, numbers.buffer(), square.numbers(), lengths.numbers());
        Scalar back = numbers.get(BACK);
        advance = Updates.of(numbers.get(LENGTH), p, Coefficient.ONE, x)
                .and(back, this.first.q, Coefficient.ONE, this.first.r)
                .and(back, this.second.q, Coefficient.ONE, this.second.r);
        direction = Updates.of(Coefficient.ONE, gradient, numbers.get(BETA), p);
    }

    // Calculations

    private static void begin(F64Ptr numbers, F64Ptr square, F64Ptr lengths) {
        numbers.set(2 * SQUARE, Dots.real(square, 0));
        numbers.set(2 * BETA, 0);
    }

    private static void step(F64Ptr numbers, F64Ptr lengths, F64Ptr square) {
        double length = numbers.get(2 * FIRST_WEIGHT) * Dots.real(lengths, 0)
                + numbers.get(2 * SECOND_WEIGHT) * Dots.real(lengths, 1);
        // Nothing is left to do where p is 0. By its product with p, and not by the square of the gradient, which is
        // the same but for rounding, no step makes the sum larger once rounding is all that is left of the gradient.
        double step = length == 0 ? 0 : Dots.real(lengths, 2) / length;
        numbers.set(2 * LENGTH, step);
        numbers.set(2 * BACK, -step);
    }

    private static void turn(F64Ptr numbers, F64Ptr square, F64Ptr lengths) {
        double old = numbers.get(2 * SQUARE);
        double next = Dots.real(square, 0);
        numbers.set(2 * BETA, old == 0 ? 0 : next / old);
        numbers.set(2 * SQUARE, next);
    }

    private void descend() {
        first.slope(gradient);
        if (second.term.operator != null) {
            second.slope(slope);
        }
        descent.run();
    }

    @Override
    public void close() {
        p.close();
        gradient.close();
        slope.close();
        first.close();
        second.close();
    }

    @Override
    public void run() {
        weigh.run();
        first.begin();
        second.begin();
        descend();
        begin.run();
        direction.run();
        for (int i = 0; i < iterations; i++) {
            first.image();
            second.image();
            step.run();
            advance.run();
            if (i < iterations - 1) {
                descend();
                turn.run();
                direction.run();
            }
        }
    }
}
