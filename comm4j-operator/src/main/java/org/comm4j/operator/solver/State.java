// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Compute;
import org.comm4j.math.Scalar;
import org.comm4j.math.Scalars;
import org.comm4j.math.Snapshot;

/**
 * The numbers of a solver between two iterations, in memory beside the vectors. Calculations read and write them there;
 * the host sets them at the start, and later looks at copies. The static methods are parts of calculations.
 */
final class State implements AutoCloseable {
    /** Number of iterations that were made. */
    static final int MADE = 0;

    /** Why the solver has stopped, a number of {@link StopRule}; 0 if it goes on. */
    static final int REASON = 1;

    /** The algorithm's own reason to stop, likewise. */
    static final int OWN_REASON = 2;

    /** A number for the words about the reason. */
    static final int DETAIL = 3;

    /** Largest number of iterations. */
    static final int MOST = 4;

    /** Squared norm at which the solver stops. */
    static final int LIMIT = 5;

    /** Objective above which it diverges. */
    static final int LARGEST = 6;

    /** Squared norm that a relative tolerance of 1 stands for. */
    static final int REFERENCE = 7;

    /** The objective at the start. */
    static final int BEGINNING = 8;

    /** Squared norm that the stop rule looks at. */
    static final int SQUARE = 9;

    /** |y − A x|. */
    static final int COST = 10;

    /** The norm that the solver makes small. */
    static final int OBJECTIVE = 11;

    /** The first one of the algorithm's own numbers. */
    static final int OWN = 12;

    /** The first one of the factors of vector operations, each with an imaginary part of 0. */
    static final int FACTORS = 36;

    /** The first one of the latest costs: that of iteration i is at i modulo {@link #LATEST}. */
    static final int COSTS = 56;

    /** The number of costs that are kept. */
    static final int LATEST = 128;

    private static final int COUNT = COSTS + LATEST;

    private final Scalars scalars;
    private final HostArray host = HostArray.allocate(DataType.FLOAT64, COUNT);
    private final F64Ptr pointer = F64Ptr.of(host);
    private final Snapshot[] snapshots = new Snapshot[2];

    State(Compute compute) {
        scalars = compute.scalars(COUNT / 2);
        for (int i = 0; i < snapshots.length; i++) {
            snapshots[i] = compute.snapshot(scalars.buffer());
        }
    }

    /** Returns the memory of the numbers. */
    Buffer buffer() {
        return scalars.buffer();
    }

    /** Returns a factor of vector operations. */
    Scalar factor(int index) {
        return scalars.get(FACTORS / 2 + index);
    }

    /** Returns where a factor is. */
    static int factorAt(int index) {
        return FACTORS + 2 * index;
    }

    /** Returns a number as the host knows it. */
    double get(int at) {
        return host.getDouble(at);
    }

    /** Returns the numbers as the host knows them, but for the latest costs. */
    double[] numbers() {
        double[] numbers = new double[COSTS];
        for (int i = 0; i < COSTS; i++) {
            numbers[i] = host.getDouble(i);
        }
        return numbers;
    }

    /** Sets on the host what {@link #numbers} returned. */
    void restore(double... numbers) {
        for (int i = 0; i < Math.min(COSTS, numbers.length); i++) {
            host.setDouble(i, numbers[i]);
        }
    }

    /** Sets a number on the host, until {@link #upload}. */
    void set(int at, double value) {
        host.setDouble(at, value);
    }

    /** Makes a part of a calculation on the host. */
    void calculate(Consumer<F64Ptr> part) {
        part.accept(pointer);
    }

    /** Decides on the host whether the solver has stopped already, and gives its numbers to the calculations. */
    void upload() {
        decide(pointer);
        scalars.buffer().copyFrom(host);
    }

    /** Puts a copy for the host behind what was started so far; the one before the last is overwritten. */
    void take(int snapshot) {
        snapshots[snapshot].take();
    }

    /** Waits for a copy and lets the host know the numbers. */
    void look(int snapshot) {
        host.copyFrom(snapshots[snapshot].await());
    }

    // Parts of calculations

    /** Returns whether the solver has stopped. */
    static boolean isStopped(F64Ptr state) {
        return state.get(REASON) != 0;
    }

    /** Ends an iteration: counts it, keeps what it has reached, and decides whether it was the last one. */
    static void made(F64Ptr state, double square, double cost, double objective) {
        made(state, square, cost, objective, cost);
    }

    /** Ends an iteration of a solver that keeps another history than that of the residual's norm. */
    static void made(F64Ptr state, double square, double cost, double objective, double history) {
        double made = state.get(MADE) + 1;
        state.set(MADE, made);
        state.set(SQUARE, square);
        state.set(COST, cost);
        state.set(OBJECTIVE, objective);
        state.set(COSTS + (long) made % LATEST, history);
        decide(state);
    }

    private static void decide(F64Ptr state) {
        state.set(REASON, StopRule.reason(state));
    }

    @Override
    public void close() {
        for (Snapshot snapshot : snapshots) {
            snapshot.close();
        }
    }
}
