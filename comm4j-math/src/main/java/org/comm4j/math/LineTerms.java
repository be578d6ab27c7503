// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A sum of runs of numbers in host memory, each with a factor. Up to five of them take one loop; more take several, of
 * which each adds to what the one before it has written. For one thread at a time.
 */
final class LineTerms {
    /** Terms of a loop, at most. */
    private static final int MOST = 5;

    private final double[] factors;
    private final MemorySegment[] from;
    private final long[] at;
    private int count;
    /** Terms of the axes before this one. */
    private int before;

    /** Makes room for a number of terms. */
    LineTerms(int most) {
        factors = new double[most];
        from = new MemorySegment[most];
        at = new long[most];
    }

    /** Begins anew, without terms. */
    void clear() {
        count = 0;
        before = 0;
    }

    /** Begins the terms of another axis, which differ from each other. */
    void nextAxis() {
        before = count;
    }

    /**
     * Adds a run, which begins at number {@code start}; one that another axis has already gets the sum of the factors.
     */
    @SuppressWarnings({"MemorySegmentReferenceEquality", "ReferenceEquality"}) // these very segments
    void add(double factor, MemorySegment segment, long start) {
        for (int i = 0; i < before; i++) {
            if (from[i] == segment && at[i] == start) {
                factors[i] += factor;
                return;
            }
        }
        append(factor, segment, start);
    }

    /** Adds a run that is not there yet. */
    void append(double factor, MemorySegment segment, long start) {
        factors[count] = factor;
        from[count] = segment;
        at[count] = start;
        count++;
    }

    /** Computes {@code n} numbers from {@code to} on. */
    void run(boolean wide, @Nullable MemorySegment y, long to, long n) {
        if (y == null) {
            throw new AssertionError("no result");
        }
        int first = 0;
        while (true) {
            int terms = Math.min(MOST, count - first);
            if (wide) {
                run64(first, terms, y, to, n);
            } else {
                run32(first, terms, y, to, n);
            }
            if (first + terms == count) {
                return;
            }
            // What is there becomes the first term of the next loop.
            first += terms - 1;
            factors[first] = 1;
            from[first] = y;
            at[first] = to;
        }
    }

    private void run64(int first, int terms, MemorySegment y, long to, long n) {
        switch (terms) {
            case 0 -> {
                for (long i = 0; i < n; i++) {
                    y.setAtIndex(JAVA_DOUBLE, to + i, 0);
                }
            }
            case 1 -> sum64(factor64(first + 0), from[first + 0], at[first + 0], y, to, n);
            case 2 ->
                sum64(
                        factor64(first + 0),
                        from[first + 0],
                        at[first + 0],
                        factor64(first + 1),
                        from[first + 1],
                        at[first + 1],
                        y,
                        to,
                        n);
            case 3 ->
                sum64(
                        factor64(first + 0),
                        from[first + 0],
                        at[first + 0],
                        factor64(first + 1),
                        from[first + 1],
                        at[first + 1],
                        factor64(first + 2),
                        from[first + 2],
                        at[first + 2],
                        y,
                        to,
                        n);
            case 4 ->
                sum64(
                        factor64(first + 0),
                        from[first + 0],
                        at[first + 0],
                        factor64(first + 1),
                        from[first + 1],
                        at[first + 1],
                        factor64(first + 2),
                        from[first + 2],
                        at[first + 2],
                        factor64(first + 3),
                        from[first + 3],
                        at[first + 3],
                        y,
                        to,
                        n);
            case 5 ->
                sum64(
                        factor64(first + 0),
                        from[first + 0],
                        at[first + 0],
                        factor64(first + 1),
                        from[first + 1],
                        at[first + 1],
                        factor64(first + 2),
                        from[first + 2],
                        at[first + 2],
                        factor64(first + 3),
                        from[first + 3],
                        at[first + 3],
                        factor64(first + 4),
                        from[first + 4],
                        at[first + 4],
                        y,
                        to,
                        n);
            default -> throw new AssertionError(terms + " terms");
        }
    }

    private double factor64(int term) {
        return factors[term];
    }

    private static void sum64(double a, MemorySegment xa, long pa, MemorySegment y, long to, long n) {
        for (long i = 0; i < n; i++) {
            y.setAtIndex(JAVA_DOUBLE, to + i, a * xa.getAtIndex(JAVA_DOUBLE, pa + i));
        }
    }

    private static void sum64(
            double a,
            MemorySegment xa,
            long pa,
            double b,
            MemorySegment xb,
            long pb,
            MemorySegment y,
            long to,
            long n) {
        for (long i = 0; i < n; i++) {
            y.setAtIndex(
                    JAVA_DOUBLE,
                    to + i,
                    a * xa.getAtIndex(JAVA_DOUBLE, pa + i) + b * xb.getAtIndex(JAVA_DOUBLE, pb + i));
        }
    }

    private static void sum64(
            double a,
            MemorySegment xa,
            long pa,
            double b,
            MemorySegment xb,
            long pb,
            double c,
            MemorySegment xc,
            long pc,
            MemorySegment y,
            long to,
            long n) {
        for (long i = 0; i < n; i++) {
            y.setAtIndex(
                    JAVA_DOUBLE,
                    to + i,
                    a * xa.getAtIndex(JAVA_DOUBLE, pa + i)
                            + b * xb.getAtIndex(JAVA_DOUBLE, pb + i)
                            + c * xc.getAtIndex(JAVA_DOUBLE, pc + i));
        }
    }

    private static void sum64(
            double a,
            MemorySegment xa,
            long pa,
            double b,
            MemorySegment xb,
            long pb,
            double c,
            MemorySegment xc,
            long pc,
            double d,
            MemorySegment xd,
            long pd,
            MemorySegment y,
            long to,
            long n) {
        for (long i = 0; i < n; i++) {
            y.setAtIndex(
                    JAVA_DOUBLE,
                    to + i,
                    a * xa.getAtIndex(JAVA_DOUBLE, pa + i)
                            + b * xb.getAtIndex(JAVA_DOUBLE, pb + i)
                            + c * xc.getAtIndex(JAVA_DOUBLE, pc + i)
                            + d * xd.getAtIndex(JAVA_DOUBLE, pd + i));
        }
    }

    private static void sum64(
            double a,
            MemorySegment xa,
            long pa,
            double b,
            MemorySegment xb,
            long pb,
            double c,
            MemorySegment xc,
            long pc,
            double d,
            MemorySegment xd,
            long pd,
            double e,
            MemorySegment xe,
            long pe,
            MemorySegment y,
            long to,
            long n) {
        for (long i = 0; i < n; i++) {
            y.setAtIndex(
                    JAVA_DOUBLE,
                    to + i,
                    a * xa.getAtIndex(JAVA_DOUBLE, pa + i)
                            + b * xb.getAtIndex(JAVA_DOUBLE, pb + i)
                            + c * xc.getAtIndex(JAVA_DOUBLE, pc + i)
                            + d * xd.getAtIndex(JAVA_DOUBLE, pd + i)
                            + e * xe.getAtIndex(JAVA_DOUBLE, pe + i));
        }
    }

    private void run32(int first, int terms, MemorySegment y, long to, long n) {
        switch (terms) {
            case 0 -> {
                for (long i = 0; i < n; i++) {
                    y.setAtIndex(JAVA_FLOAT, to + i, 0);
                }
            }
            case 1 -> sum32(factor32(first + 0), from[first + 0], at[first + 0], y, to, n);
            case 2 ->
                sum32(
                        factor32(first + 0),
                        from[first + 0],
                        at[first + 0],
                        factor32(first + 1),
                        from[first + 1],
                        at[first + 1],
                        y,
                        to,
                        n);
            case 3 ->
                sum32(
                        factor32(first + 0),
                        from[first + 0],
                        at[first + 0],
                        factor32(first + 1),
                        from[first + 1],
                        at[first + 1],
                        factor32(first + 2),
                        from[first + 2],
                        at[first + 2],
                        y,
                        to,
                        n);
            case 4 ->
                sum32(
                        factor32(first + 0),
                        from[first + 0],
                        at[first + 0],
                        factor32(first + 1),
                        from[first + 1],
                        at[first + 1],
                        factor32(first + 2),
                        from[first + 2],
                        at[first + 2],
                        factor32(first + 3),
                        from[first + 3],
                        at[first + 3],
                        y,
                        to,
                        n);
            case 5 ->
                sum32(
                        factor32(first + 0),
                        from[first + 0],
                        at[first + 0],
                        factor32(first + 1),
                        from[first + 1],
                        at[first + 1],
                        factor32(first + 2),
                        from[first + 2],
                        at[first + 2],
                        factor32(first + 3),
                        from[first + 3],
                        at[first + 3],
                        factor32(first + 4),
                        from[first + 4],
                        at[first + 4],
                        y,
                        to,
                        n);
            default -> throw new AssertionError(terms + " terms");
        }
    }

    private float factor32(int term) {
        return (float) factors[term];
    }

    private static void sum32(float a, MemorySegment xa, long pa, MemorySegment y, long to, long n) {
        for (long i = 0; i < n; i++) {
            y.setAtIndex(JAVA_FLOAT, to + i, a * xa.getAtIndex(JAVA_FLOAT, pa + i));
        }
    }

    private static void sum32(
            float a, MemorySegment xa, long pa, float b, MemorySegment xb, long pb, MemorySegment y, long to, long n) {
        for (long i = 0; i < n; i++) {
            y.setAtIndex(
                    JAVA_FLOAT, to + i, a * xa.getAtIndex(JAVA_FLOAT, pa + i) + b * xb.getAtIndex(JAVA_FLOAT, pb + i));
        }
    }

    private static void sum32(
            float a,
            MemorySegment xa,
            long pa,
            float b,
            MemorySegment xb,
            long pb,
            float c,
            MemorySegment xc,
            long pc,
            MemorySegment y,
            long to,
            long n) {
        for (long i = 0; i < n; i++) {
            y.setAtIndex(
                    JAVA_FLOAT,
                    to + i,
                    a * xa.getAtIndex(JAVA_FLOAT, pa + i)
                            + b * xb.getAtIndex(JAVA_FLOAT, pb + i)
                            + c * xc.getAtIndex(JAVA_FLOAT, pc + i));
        }
    }

    private static void sum32(
            float a,
            MemorySegment xa,
            long pa,
            float b,
            MemorySegment xb,
            long pb,
            float c,
            MemorySegment xc,
            long pc,
            float d,
            MemorySegment xd,
            long pd,
            MemorySegment y,
            long to,
            long n) {
        for (long i = 0; i < n; i++) {
            y.setAtIndex(
                    JAVA_FLOAT,
                    to + i,
                    a * xa.getAtIndex(JAVA_FLOAT, pa + i)
                            + b * xb.getAtIndex(JAVA_FLOAT, pb + i)
                            + c * xc.getAtIndex(JAVA_FLOAT, pc + i)
                            + d * xd.getAtIndex(JAVA_FLOAT, pd + i));
        }
    }

    private static void sum32(
            float a,
            MemorySegment xa,
            long pa,
            float b,
            MemorySegment xb,
            long pb,
            float c,
            MemorySegment xc,
            long pc,
            float d,
            MemorySegment xd,
            long pd,
            float e,
            MemorySegment xe,
            long pe,
            MemorySegment y,
            long to,
            long n) {
        for (long i = 0; i < n; i++) {
            y.setAtIndex(
                    JAVA_FLOAT,
                    to + i,
                    a * xa.getAtIndex(JAVA_FLOAT, pa + i)
                            + b * xb.getAtIndex(JAVA_FLOAT, pb + i)
                            + c * xc.getAtIndex(JAVA_FLOAT, pc + i)
                            + d * xd.getAtIndex(JAVA_FLOAT, pd + i)
                            + e * xe.getAtIndex(JAVA_FLOAT, pe + i));
        }
    }
}
