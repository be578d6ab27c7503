// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import static org.comm4j.core.spi.Arguments.nonNull;

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
 * A number between two of the moduli of a vector in their order, such as a percentile: exact to the bit, without
 * sorting. It halves the interval of 64-bit floating-point numbers that has each of the two, so that a run counts at
 * most {@value #HALVINGS} times, with one reduction each. A GPU runs it without the host; nothing is allocated.
 */
public final class OrderStatistic implements Runnable {
    static final int HALVINGS = 64;

    private static final Calculation BEGIN = OrderStatistic::begin;
    private static final Calculation HALVE = OrderStatistic::halve;
    private static final PointFunction UP_TO = OrderStatistic::upTo;

    // Numbers, each with an imaginary part of 0; those of the second bracket are behind those of the first one

    private static final int RESULT = 0;
    private static final int DONE = 1;
    private static final int BRACKETS = 2;
    private static final int TRIED = 0;
    private static final int LOW = 1;
    private static final int HIGH = 2;
    private static final int BRACKET = 3;

    private final Compute compute;
    private final Scalars numbers;
    private final Pointwise[] counts;
    private final Runnable begin;
    private final Runnable halve;

    private OrderStatistic(Vector x, long lower, double share) {
        long size = x.layout().size();
        if (lower < 0 || lower >= size || !(share >= 0 && share < 1)) {
            throw new IllegalArgumentException(
                    "OrderStatistic: number " + (lower + share) + " of the " + size + " moduli of " + x);
        }
        compute = x.backend().compute();
        int brackets = share == 0 ? 1 : 2;
        numbers = compute.scalars(BRACKETS + brackets * BRACKET);
        counts = new Pointwise[brackets];
        Dots sums = Dots.given(x.backend());
        for (int i = 1; i < brackets; i++) {
            sums.andGiven();
        }
        for (int i = 0; i < brackets; i++) {
            counts[i] = Pointwise.of(x)
                    .radial(UP_TO, numbers.get(at(i, TRIED)), null)
                    .sums(PointFunction.IDENTITY, sums, i);
        }
        Buffer parameters = Steps.memory(compute, (double) (lower + 1), share, brackets);
        begin = compute.prepare(new Sweep(), BEGIN, numbers.buffer(), parameters, parameters);
        halve = sums.reducing(HALVE, numbers.buffer(), sums.numbers(), parameters);
    }

    /**
     * Collective unless the vector is replicated: returns what finds the modulus with a number in ascending order.
     *
     * @param number from 0
     */
    public static OrderStatistic of(Vector x, long number) {
        nonNull(x, "OrderStatistic.of", "x");
        return new OrderStatistic(x, number, 0);
    }

    /**
     * Collective unless the vector is replicated: returns what finds a percentile of the moduli, linear between two of
     * them (NumPy {@code percentile}).
     *
     * @param percent from 0 to 100
     */
    public static OrderStatistic percentile(Vector x, double percent) {
        nonNull(x, "OrderStatistic.percentile", "x");
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException("OrderStatistic: percentile " + percent + " is not between 0 and 100");
        }
        double number = (x.layout().size() - 1) * (percent / 100);
        long lower = (long) number;
        return new OrderStatistic(x, lower, number - lower);
    }

    private static int at(int bracket, int number) {
        return BRACKETS + bracket * BRACKET + number;
    }

    private static double upTo(double modulus, double level, F64Ptr none) {
        return modulus <= level ? 1 : 0;
    }

    // A number below all moduli stands for −1 among the bits of numbers, which grow with them.

    private static long bits(double number) {
        return number < 0 ? -1 : Double.doubleToRawLongBits(number);
    }

    private static double between(double low, double high) {
        long middle = bits(low) + (bits(high) - bits(low)) / 2;
        return middle < 0 ? high : Double.longBitsToDouble(middle);
    }

    private static void begin(F64Ptr numbers, F64Ptr parameters, F64Ptr same) {
        int brackets = (int) parameters.get(2);
        numbers.set(2 * DONE, 0);
        for (int i = 0; i < brackets; i++) {
            long bracket = 2L * (BRACKETS + i * BRACKET);
            numbers.set(bracket + 2 * LOW, -1);
            numbers.set(bracket + 2 * HIGH, Double.POSITIVE_INFINITY);
            numbers.set(bracket + 2 * TRIED, 0);
        }
    }

    private static void halve(F64Ptr numbers, F64Ptr sums, F64Ptr parameters) {
        int brackets = (int) parameters.get(2);
        boolean done = true;
        for (int i = 0; i < brackets; i++) {
            long bracket = 2L * (BRACKETS + i * BRACKET);
            double low = numbers.get(bracket + 2 * LOW);
            double high = numbers.get(bracket + 2 * HIGH);
            double tried = numbers.get(bracket + 2 * TRIED);
            if (Dots.real(sums, i) >= parameters.get(0) + i) {
                high = tried;
            } else {
                low = Math.max(low, tried);
            }
            boolean found = bits(high) - bits(low) <= 1;
            numbers.set(bracket + 2 * LOW, low);
            numbers.set(bracket + 2 * HIGH, high);
            numbers.set(bracket + 2 * TRIED, found ? high : between(low, high));
            done = done && found;
        }
        double first = numbers.get(2 * (BRACKETS + HIGH));
        double result = first;
        if (brackets > 1) {
            double share = parameters.get(1);
            double second = numbers.get(2 * (BRACKETS + BRACKET + HIGH));
            double difference = second - first;
            result = share < 0.5 ? first + difference * share : second - difference * (1 - share);
        }
        numbers.set(2 * RESULT, result);
        numbers.set(2 * DONE, done ? 1 : 0);
    }

    /** Returns the number as the last run has found it, which stays where the vector is. */
    public Scalar result() {
        return numbers.get(RESULT);
    }

    /** Collective unless the vector is replicated: finds the number for what it is now. */
    @Override
    public void run() {
        begin.run();
        for (int i = 0; i <= HALVINGS; i++) {
            for (Pointwise count : counts) {
                count.run();
            }
            halve.run();
            if (!compute.isAsynchronous() && numbers.get(DONE).real() != 0) {
                return;
            }
        }
    }
}
