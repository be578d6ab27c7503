// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.Dots;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Compute;
import org.comm4j.math.PointFunction;
import org.comm4j.math.Scalar;
import org.comm4j.math.Scalars;
import org.comm4j.math.Sweep;

/**
 * The number θ with Σ max(u − θ, 0) = r that projections on a simplex and on a 1-norm ball subtract, found by Newton's
 * method from below. Each step is two passes over memory and one reduction.
 *
 * <p>The sum is convex in θ, so that each step makes the product of what is left and of the slope at least four times
 * smaller: {@value #MOST} steps reach the rounding of 2⁴⁰ elements. A processor ends with the first step that changes
 * nothing; a GPU takes all, without the host.
 */
final class SimplexThreshold {
    static final int MOST = 48;

    private static final Calculation ZERO = SimplexThreshold::zero;
    private static final Calculation MEAN = SimplexThreshold::mean;
    private static final Calculation IMPROVE = SimplexThreshold::improve;
    private static final PointFunction ABOVE = SimplexThreshold::above;
    private static final PointFunction ACTIVE = SimplexThreshold::active;

    // Numbers, each with an imaginary part of 0

    private static final int LEVEL = 0;
    private static final int DONE = 1;

    private final Compute compute;
    private final Scalars numbers;
    private final boolean positive;
    private final Runnable begin;
    private final Pointwise total;
    private final Pointwise excess;
    private final Pointwise count;
    private final Runnable improve;

    /**
     * Makes the search.
     *
     * @param u real, or of any type where moduli are meant
     * @param moduli whether |u| has the sum, and θ is at least 0
     */
    SimplexThreshold(Vector u, boolean moduli, double radius) {
        compute = u.backend().compute();
        positive = moduli;
        numbers = compute.scalars(2);
        Buffer parameters = Steps.memory(compute, radius, (double) u.layout().size());
        Dots sums = Dots.given(u.backend()).andGiven();
        excess = described(u, ABOVE, numbers.get(LEVEL)).sums(PointFunction.IDENTITY, sums, 0);
        count = described(u, ACTIVE, numbers.get(LEVEL)).sums(PointFunction.IDENTITY, sums, 1);
        Dots all = Dots.given(u.backend());
        total = described(u, PointFunction.IDENTITY, numbers.get(LEVEL)).sums(PointFunction.IDENTITY, all, 0);
        begin = moduli
                ? compute.prepare(new Sweep(), ZERO, numbers.buffer(), parameters, parameters)
                : all.reducing(MEAN, numbers.buffer(), all.numbers(), parameters);
        improve = sums.reducing(IMPROVE, numbers.buffer(), sums.numbers(), parameters);
    }

    private Pointwise described(Vector u, PointFunction f, Scalar level) {
        return positive
                ? Pointwise.of(u).radial(f, level, null)
                : Pointwise.of(u).real(f, level, null);
    }

    /** Returns what is left of a number above a level. */
    static double above(double value, double level, F64Ptr none) {
        return value > level ? value - level : 0 * value;
    }

    private static double active(double value, double level, F64Ptr none) {
        return value > level ? 1 : 0;
    }

    private static void zero(F64Ptr numbers, F64Ptr parameters, F64Ptr same) {
        numbers.set(2 * LEVEL, 0);
        numbers.set(2 * DONE, 0);
    }

    /** Begins where all elements are taken for active: the sum there is at least r. */
    private static void mean(F64Ptr numbers, F64Ptr total, F64Ptr parameters) {
        numbers.set(2 * LEVEL, (Dots.real(total, 0) - parameters.get(0)) / parameters.get(1));
        numbers.set(2 * DONE, 0);
    }

    private static void improve(F64Ptr numbers, F64Ptr sums, F64Ptr parameters) {
        double level = numbers.get(2 * LEVEL);
        double excess = Dots.real(sums, 0) - parameters.get(0);
        double count = Dots.real(sums, 1);
        double next = excess > 0 && count > 0 ? level + excess / count : level + 0 * excess;
        numbers.set(2 * DONE, next > level ? 0 : 1);
        numbers.set(2 * LEVEL, next);
    }

    /** Returns θ, as the last run has found it. */
    Scalar level() {
        return numbers.get(LEVEL);
    }

    void run() {
        if (!positive) {
            total.run();
        }
        begin.run();
        for (int i = 0; i < MOST; i++) {
            excess.run();
            count.run();
            improve.run();
            if (!compute.isAsynchronous() && numbers.get(DONE).real() != 0) {
                return;
            }
        }
    }
}
