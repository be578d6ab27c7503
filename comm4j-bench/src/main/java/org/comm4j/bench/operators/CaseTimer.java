// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import org.comm4j.array.Backend;
import org.comm4j.array.Vector;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.solver.Solver;

/**
 * The clock of the cases that are laid beside PyLops: it prints a line of name and microseconds for each, on rank 0.
 * Every rank calls it.
 */
final class CaseTimer {
    private static final int ROUNDS = 5;
    private static final double NANOS = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Nanoseconds of runs that are timed together. */
    private static final double RUNS_NANOS = 0.05e9;

    private static final int MOST_CALLS = 1000;

    /** Calls before those that are measured: the second compiler waits for thousands, and its time is no call. */
    private static final int FEWEST_CALLS = 20_000;

    /** Nanoseconds of these calls. */
    private static final double WARM_NANOS = 0.3e9;

    /** Time after which fewer calls are enough, as a multiple of the time that is wanted; also that of a round's. */
    private static final int MOST_WARM = 5;

    private final Backend backend;

    CaseTimer(Backend backend) {
        this.backend = backend;
    }

    /** Prints the fastest of rounds, each as long as the last rank's. */
    void measure(String name, Runnable call, double seconds) {
        int calls = warmUp(call, seconds * NANOS, WARM_NANOS);
        double[] rounds = new double[ROUNDS];
        for (int r = 0; r < ROUNDS; r++) {
            rounds[r] = time(call, calls);
        }
        Arrays.sort(rounds);
        print(name, rounds[0]);
    }

    /**
     * Checks options of a measurement.
     *
     * @throws IllegalArgumentException if one of them is below 1
     */
    static void check(int rounds, int millis) {
        if (rounds < 1 || millis < 1) {
            throw new IllegalArgumentException(
                    "--rounds " + rounds + ", --millis " + millis + ": at least 1 is needed of both");
        }
    }

    /**
     * Returns the nanoseconds of each of several calls, whose rounds alternate.
     *
     * @param rounds of which the fastest counts
     * @param millis that the calls of a round take together, about
     */
    double[] fastest(int rounds, int millis, Runnable... calls) {
        int[] counts = new int[calls.length];
        double[] least = new double[calls.length];
        Arrays.fill(least, Double.MAX_VALUE);
        for (int i = 0; i < calls.length; i++) {
            counts[i] = warmUp(calls[i], millis * NANOS_PER_MILLI, MOST_WARM * millis * NANOS_PER_MILLI);
        }
        for (int r = 0; r < rounds; r++) {
            for (int i = 0; i < calls.length; i++) {
                least[i] = Math.min(least[i], time(calls[i], counts[i]));
            }
        }
        return least;
    }

    /** Calls until the host's code is compiled, for a third of a second. */
    void warmUp(Runnable call) {
        int _ = warmUp(call, 1, WARM_NANOS);
    }

    /**
     * Calls until the host's code, loops and kernels are compiled. The first call, which may compile kernels and make
     * plans for a second, does not count.
     *
     * @param warm nanoseconds of calls at least; there are 20 000 of them unless they take five times as long
     * @return how many calls take about so many nanoseconds, at most 1000
     */
    int warmUp(Runnable call, double nanos, double warm) {
        double _ = time(call, 1);
        int calls = 1;
        int made = 0;
        double spent = 0;
        do {
            double each = time(call, calls);
            spent += each * calls;
            made += calls;
            calls = (int) Math.clamp(nanos / each, 1, MOST_CALLS);
        } while (spent < warm || made < FEWEST_CALLS && spent < MOST_WARM * warm);
        return calls;
    }

    /** Measures an operator in both directions. */
    void both(String name, LinearOperator operator, Vector x, Vector y, double seconds) {
        measure(name + ", forward", () -> operator.matvec(x, y), seconds);
        measure(name + ", adjoint", () -> operator.rmatvec(y, x), seconds);
    }

    /**
     * Prints the time of an iteration: the median of what runs of 2 n iterations take longer than runs of n beside
     * them, divided by n. Says so instead if that is lost in what disturbs the runs.
     */
    void iterations(String name, int n, Supplier<Solver> make) {
        Runnable few = () -> solve(make, n);
        Runnable many = () -> solve(make, 2 * n);
        // Short runs are timed together, since what disturbs one is as long as they are.
        int calls = warmUp(few, RUNS_NANOS, WARM_NANOS);
        double[] differences = new double[2 * ROUNDS + 1];
        for (int r = 0; r < differences.length; r++) {
            double less = time(few, calls);
            differences[r] = time(many, calls) - less;
        }
        double median = median(differences);
        if (Double.isNaN(median)) {
            say(name + ": no time, since twice as many iterations take as long; differences in ns: "
                    + Arrays.toString(differences));
        } else {
            print(name, median / n);
        }
    }

    /** Returns the median of differences that ought to be positive; NaN if more than a quarter of them is not. */
    static double median(double... differences) {
        double[] sorted = differences.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 4] > 0 ? sorted[sorted.length / 2] : Double.NaN;
    }

    private static void solve(Supplier<Solver> make, int iterations) {
        Solver solver = make.get().iterations(iterations);
        solver.solve().close();
        int made = solver.result().iterations();
        if (made < iterations) {
            throw new IllegalStateException(solver.result().message());
        }
    }

    /** Returns nanoseconds of a call on the slowest rank. */
    double time(Runnable call, int calls) {
        backend.communicator().barrier();
        backend.compute().synchronize();
        long begin = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            call.run();
        }
        backend.compute().synchronize();
        long mine = System.nanoTime() - begin;
        return Math.max(1, Arrays.stream(backend.exchange(mine)).max().orElse(mine)) / (double) calls;
    }

    private void say(String line) {
        if (backend.rank() == 0) {
            System.err.println(line);
        }
    }

    /** Prints a line on rank 0. */
    void print(String name, double nanos) {
        if (backend.rank() == 0) {
            System.out.printf(Locale.ROOT, "%s %.2f%n", name, nanos * 1e-3);
        }
    }
}
