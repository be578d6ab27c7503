// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;

/**
 * A sum of runs of numbers in host memory, each with a factor. Up to five of them take one loop; more take several, of
 * which each adds to what the one before it has written. The terms of several axes are kept while those of the last one
 * change. For one thread at a time.
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
    /** The factors of these, to which another axis may add. */
    private final double[] kept;

    // Of a loop

    private final double[] f = new double[MOST];
    private final float[] g = new float[MOST];
    private final MemorySegment[] x = new MemorySegment[MOST];
    private final long[] p = new long[MOST];

    /** Makes room for a number of terms. */
    LineTerms(int most) {
        factors = new double[most];
        from = new MemorySegment[most];
        at = new long[most];
        kept = new double[most];
    }

    /** Begins anew, without terms. */
    void clear() {
        count = 0;
        before = 0;
    }

    /** Begins the terms of another axis, which differ from each other. */
    void nextAxis() {
        before = count;
        System.arraycopy(factors, 0, kept, 0, count);
    }

    /** Forgets the terms since the last {@link #nextAxis}. */
    void endAxes() {
        count = before;
        System.arraycopy(kept, 0, factors, 0, count);
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

    /**
     * Computes {@code n} numbers.
     *
     * @param to place of the first result where the runs begin
     * @param shift from there, and in all runs, to the first number
     */
    void run(boolean wide, MemorySegment y, long to, long shift, long n) {
        int first = 0;
        int terms = 0;
        do {
            int taken = Math.min(MOST - terms, count - first);
            for (int i = 0; i < taken; i++) {
                set(terms + i, factors[first + i], from[first + i], at[first + i] + shift);
            }
            terms += taken;
            first += taken;
            if (wide) {
                run64(terms, y, to + shift, n);
            } else {
                run32(terms, y, to + shift, n);
            }
            // What is there becomes the first term of the next loop.
            set(0, 1, y, to + shift);
            terms = 1;
        } while (first < count);
    }

    private void set(int term, double factor, MemorySegment segment, long start) {
        f[term] = factor;
        g[term] = (float) factor;
        x[term] = segment;
        p[term] = start;
    }

    /** Computes {@code n} numbers in each of some lines, of which each begins {@code step} numbers behind the last. */
    void single(boolean wide, MemorySegment y, long to, long shift, int n, long step, long lines) {
        for (long line = 0; line < lines; line++) {
            for (int i = 0; i < n; i++) {
                long place = shift + line * step + i;
                if (wide) {
                    y.setAtIndex(JAVA_DOUBLE, to + place, sum64(place));
                } else {
                    y.setAtIndex(JAVA_FLOAT, to + place, sum32(place));
                }
            }
        }
    }

    /** Returns one number, with the roundings of a run. */
    private double sum64(long place) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            double product = factors[i] * from[i].getAtIndex(JAVA_DOUBLE, at[i] + place);
            sum = i == 0 ? product : sum + product;
        }
        return sum;
    }

    private float sum32(long place) {
        float sum = 0;
        for (int i = 0; i < count; i++) {
            float product = (float) factors[i] * from[i].getAtIndex(JAVA_FLOAT, at[i] + place);
            sum = i == 0 ? product : sum + product;
        }
        return sum;
    }

    private void run64(int terms, MemorySegment y, long to, long count) {
        switch (terms) {
            case 0 -> {
                for (long i = 0; i < count; i++) {
                    y.setAtIndex(JAVA_DOUBLE, to + i, 0);
                }
            }
            case 1 -> sum64(f[0], x[0], p[0], y, to, count);
            case 2 -> sum64(f[0], x[0], p[0], f[1], x[1], p[1], y, to, count);
            case 3 -> sum64(f[0], x[0], p[0], f[1], x[1], p[1], f[2], x[2], p[2], y, to, count);
            case 4 -> sum64(f[0], x[0], p[0], f[1], x[1], p[1], f[2], x[2], p[2], f[3], x[3], p[3], y, to, count);
            case 5 ->
                sum64(
                        f[0], x[0], p[0], f[1], x[1], p[1], f[2], x[2], p[2], f[3], x[3], p[3], f[4], x[4], p[4], y, to,
                        count);
            default -> throw new AssertionError(terms + " terms");
        }
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

    private void run32(int terms, MemorySegment y, long to, long count) {
        switch (terms) {
            case 0 -> {
                for (long i = 0; i < count; i++) {
                    y.setAtIndex(JAVA_FLOAT, to + i, 0);
                }
            }
            case 1 -> sum32(g[0], x[0], p[0], y, to, count);
            case 2 -> sum32(g[0], x[0], p[0], g[1], x[1], p[1], y, to, count);
            case 3 -> sum32(g[0], x[0], p[0], g[1], x[1], p[1], g[2], x[2], p[2], y, to, count);
            case 4 -> sum32(g[0], x[0], p[0], g[1], x[1], p[1], g[2], x[2], p[2], g[3], x[3], p[3], y, to, count);
            case 5 ->
                sum32(
                        g[0], x[0], p[0], g[1], x[1], p[1], g[2], x[2], p[2], g[3], x[3], p[3], g[4], x[4], p[4], y, to,
                        count);
            default -> throw new AssertionError(terms + " terms");
        }
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
