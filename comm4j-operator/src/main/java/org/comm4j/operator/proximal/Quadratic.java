// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Dots;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Updates;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * The function ½ xᴴ A x + bᴴ x + c for a Hermitian operator A that is not negative, of real parts where elements are
 * complex (PyProximal {@code Quadratic}). With an operator its map is a fixed number of iterations of conjugate
 * gradients for (I + τ A) v = x − τ b, from x or from the last result. Values, maps and gradients are collective.
 */
public final class Quadratic extends Proximal {
    private static final Calculation BEGIN = Quadratic::begin;
    private static final Calculation STEP = Quadratic::step;
    private static final Calculation TURN = Quadratic::turn;
    private static final Calculation FACTORS = Quadratic::factors;

    // Numbers, each with an imaginary part of 0

    private static final int TAU = 0;
    private static final int BACK_TAU = 1;
    private static final int LENGTH = 2;
    private static final int BACK = 3;
    private static final int BETA = 4;
    private static final int SQUARE = 5;
    private static final int NUMBERS = 6;

    private final @Nullable LinearOperator a;
    private final @Nullable Vector b;
    private final double c;
    private int iterations = 10;
    private boolean warm;

    private Quadratic(@Nullable LinearOperator a, @Nullable Vector b, double c) {
        if (!Double.isFinite(c)) {
            throw new IllegalArgumentException("Quadratic: c = " + c + " is not a finite number");
        }
        this.a = a;
        this.b = b;
        this.c = c;
    }

    /** Returns bᴴ x + c. */
    public static Quadratic of(Vector b, double c) {
        nonNull(b, "Quadratic.of", "b");
        return new Quadratic(null, b, c);
    }

    /** Returns ½ xᴴ A x. */
    public static Quadratic of(LinearOperator a) {
        nonNull(a, "Quadratic.of", "a");
        return new Quadratic(square(a), null, 0);
    }

    /**
     * Returns ½ xᴴ A x + bᴴ x + c.
     *
     * @throws IllegalArgumentException if A does not map its domain to itself, or b is not of it
     */
    public static Quadratic of(LinearOperator a, Vector b, double c) {
        noNulls("Quadratic.of", "a", a, "b", b);
        if (!b.layout().equals(a.domain()) || b.backend() != a.backend()) {
            throw new IllegalArgumentException(
                    "Quadratic: " + b + " must have the layout and backend of the domain of " + a);
        }
        return new Quadratic(square(a), b, c);
    }

    private static LinearOperator square(LinearOperator a) {
        if (!a.domain().equals(a.range())) {
            throw new IllegalArgumentException("Quadratic: " + a + " must map its domain to itself");
        }
        return a;
    }

    /** Sets the number of inner iterations of a map with an operator; 10 unless set. */
    public Quadratic iterations(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("Quadratic: " + count + " iterations are less than 1");
        }
        iterations = count;
        return this;
    }

    /** Begins inner iterations at the result of the solver's last map. */
    public Quadratic warm() {
        warm = true;
        return this;
    }

    @Override
    public double value(Vector x) {
        double sum = c;
        if (a != null) {
            try (Vector image = a.times(x)) {
                sum += x.vdot(image).real() / 2;
            }
        }
        return b == null ? sum : sum + b.vdot(x).real();
    }

    @Override
    public Vector grad(Vector x, Vector result) {
        Vector r = a == null ? result.fill(Coefficient.ZERO) : a.matvec(x, result);
        return b == null ? r : r.axpy(Coefficient.ONE, b);
    }

    // Calculations

    private static void factors(F64Ptr numbers, F64Ptr tau, F64Ptr none) {
        numbers.set(2 * TAU, tau.get(0));
        numbers.set(2 * BACK_TAU, -tau.get(0));
    }

    private static void begin(F64Ptr numbers, F64Ptr square, F64Ptr length) {
        numbers.set(2 * SQUARE, Dots.real(square, 0));
        numbers.set(2 * BETA, 0);
    }

    private static void step(F64Ptr numbers, F64Ptr length, F64Ptr square) {
        double curvature = Dots.real(length, 0);
        // Nothing is left to do where the residual is 0.
        double step = curvature == 0 ? 0 : numbers.get(2 * SQUARE) / curvature;
        numbers.set(2 * LENGTH, step);
        numbers.set(2 * BACK, -step);
    }

    private static void turn(F64Ptr numbers, F64Ptr square, F64Ptr length) {
        double old = numbers.get(2 * SQUARE);
        double next = Dots.real(square, 0);
        numbers.set(2 * BETA, old == 0 ? 0 : next / old);
        numbers.set(2 * SQUARE, next);
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        Vector u = update.vector().like();
        Vector v = u.like();
        Steps steps = new Steps(u.backend(), NUMBERS, FACTORS, tau);
        Pointwise right = b == null ? Pointwise.of(u) : Pointwise.of(Coefficient.ONE, u, steps.get(BACK_TAU), b);
        LinearOperator op = a;
        if (op == null) {
            right.into(v);
            return new Step(
                    update.around(
                            u,
                            () -> {
                                steps.calculate();
                                right.run();
                            },
                            v),
                    u,
                    v);
        }
        if (!u.layout().equals(op.domain())) {
            throw new IllegalArgumentException("Quadratic: " + u + " must have the layout of the domain of " + op);
        }
        Vector r = u.like();
        Vector p = u.like();
        Vector q = u.like();
        right.into(r);
        Dots square = Dots.of(r, r);
        Dots length = Dots.of(p, q);
        Runnable begin = square.reducing(BEGIN, steps.buffer(), square.numbers(), length.numbers());
        Runnable step = length.reducing(STEP, steps.buffer(), length.numbers(), square.numbers());
        Runnable turn = square.reducing(TURN, steps.buffer(), square.numbers(), length.numbers());
        Pointwise shift = Pointwise.of(Coefficient.ONE, p, steps.get(TAU), q).into(q);
        Pointwise shiftStart =
                Pointwise.of(Coefficient.ONE, v, steps.get(TAU), q).into(q);
        Updates residual = Updates.of(Coefficient.MINUS_ONE, q, Coefficient.ONE, r);
        Updates advance =
                Updates.of(steps.get(LENGTH), p, Coefficient.ONE, v).and(steps.get(BACK), q, Coefficient.ONE, r);
        Updates direction = Updates.of(Coefficient.ONE, r, steps.get(BETA), p);
        boolean keeps = warm;
        int count = iterations;
        Runnable all = update.around(
                u,
                () -> {
                    steps.calculate();
                    right.run();
                    if (!keeps) {
                        v.assign(u);
                    }
                    op.matvec(v, q);
                    shiftStart.run();
                    residual.run();
                    begin.run();
                    direction.run();
                    for (int i = 0; i < count; i++) {
                        op.matvec(p, q);
                        shift.run();
                        step.run();
                        advance.run();
                        turn.run();
                        direction.run();
                    }
                },
                v);
        Step made = new Step(all, u, v, r, p, q);
        return keeps ? made.keeping(v) : made;
    }
}
