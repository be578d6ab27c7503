// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;

/**
 * Loops over vectors in host memory. Complex elements are pairs: an operation that treats both parts alike has one loop
 * for real and complex elements. Sums have four accumulators, so that their order depends on the length alone.
 */
final class VectorLoops {
    private VectorLoops() {}

    // y = a x + b y, parts alike

    static void axpby64(double a, MemorySegment x, double b, MemorySegment y, long n) {
        if (b == 0) {
            for (long i = 0; i < n; i++) {
                y.setAtIndex(JAVA_DOUBLE, i, a * x.getAtIndex(JAVA_DOUBLE, i));
            }
        } else if (b == 1) {
            for (long i = 0; i < n; i++) {
                y.setAtIndex(JAVA_DOUBLE, i, y.getAtIndex(JAVA_DOUBLE, i) + a * x.getAtIndex(JAVA_DOUBLE, i));
            }
        } else {
            for (long i = 0; i < n; i++) {
                y.setAtIndex(JAVA_DOUBLE, i, a * x.getAtIndex(JAVA_DOUBLE, i) + b * y.getAtIndex(JAVA_DOUBLE, i));
            }
        }
    }

    static void axpby32(float a, MemorySegment x, float b, MemorySegment y, long n) {
        if (b == 0) {
            for (long i = 0; i < n; i++) {
                y.setAtIndex(JAVA_FLOAT, i, a * x.getAtIndex(JAVA_FLOAT, i));
            }
        } else if (b == 1) {
            for (long i = 0; i < n; i++) {
                y.setAtIndex(JAVA_FLOAT, i, y.getAtIndex(JAVA_FLOAT, i) + a * x.getAtIndex(JAVA_FLOAT, i));
            }
        } else {
            for (long i = 0; i < n; i++) {
                y.setAtIndex(JAVA_FLOAT, i, a * x.getAtIndex(JAVA_FLOAT, i) + b * y.getAtIndex(JAVA_FLOAT, i));
            }
        }
    }

    /** Computes y += a x for numbers {@code from} and {@code at} on. */
    static void axpy64(double a, MemorySegment x, long from, MemorySegment y, long at, long n) {
        for (long i = 0; i < n; i++) {
            double old = y.getAtIndex(JAVA_DOUBLE, at + i);
            y.setAtIndex(JAVA_DOUBLE, at + i, old + a * x.getAtIndex(JAVA_DOUBLE, from + i));
        }
    }

    static void scale64(double b, MemorySegment y, long n) {
        for (long i = 0; i < n; i++) {
            y.setAtIndex(JAVA_DOUBLE, i, b * y.getAtIndex(JAVA_DOUBLE, i));
        }
    }

    /** Computes y += a x for numbers {@code from} and {@code at} on. */
    static void axpy32(float a, MemorySegment x, long from, MemorySegment y, long at, long n) {
        for (long i = 0; i < n; i++) {
            float old = y.getAtIndex(JAVA_FLOAT, at + i);
            y.setAtIndex(JAVA_FLOAT, at + i, old + a * x.getAtIndex(JAVA_FLOAT, from + i));
        }
    }

    static void scale32(float b, MemorySegment y, long n) {
        for (long i = 0; i < n; i++) {
            y.setAtIndex(JAVA_FLOAT, i, b * y.getAtIndex(JAVA_FLOAT, i));
        }
    }

    static void multiply64(MemorySegment x, MemorySegment y, MemorySegment z, long n) {
        for (long i = 0; i < n; i++) {
            z.setAtIndex(JAVA_DOUBLE, i, x.getAtIndex(JAVA_DOUBLE, i) * y.getAtIndex(JAVA_DOUBLE, i));
        }
    }

    static void multiply32(MemorySegment x, MemorySegment y, MemorySegment z, long n) {
        for (long i = 0; i < n; i++) {
            z.setAtIndex(JAVA_FLOAT, i, x.getAtIndex(JAVA_FLOAT, i) * y.getAtIndex(JAVA_FLOAT, i));
        }
    }

    /** y += a x; returns the sum of the squares of y. */
    static double axpySquares64(double a, MemorySegment x, MemorySegment y, long n) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        long i = 0;
        for (; i + 3 < n; i += 4) {
            double y0 = y.getAtIndex(JAVA_DOUBLE, i) + a * x.getAtIndex(JAVA_DOUBLE, i);
            double y1 = y.getAtIndex(JAVA_DOUBLE, i + 1) + a * x.getAtIndex(JAVA_DOUBLE, i + 1);
            double y2 = y.getAtIndex(JAVA_DOUBLE, i + 2) + a * x.getAtIndex(JAVA_DOUBLE, i + 2);
            double y3 = y.getAtIndex(JAVA_DOUBLE, i + 3) + a * x.getAtIndex(JAVA_DOUBLE, i + 3);
            y.setAtIndex(JAVA_DOUBLE, i, y0);
            y.setAtIndex(JAVA_DOUBLE, i + 1, y1);
            y.setAtIndex(JAVA_DOUBLE, i + 2, y2);
            y.setAtIndex(JAVA_DOUBLE, i + 3, y3);
            s0 += y0 * y0;
            s1 += y1 * y1;
            s2 += y2 * y2;
            s3 += y3 * y3;
        }
        for (; i < n; i++) {
            double last = y.getAtIndex(JAVA_DOUBLE, i) + a * x.getAtIndex(JAVA_DOUBLE, i);
            y.setAtIndex(JAVA_DOUBLE, i, last);
            s0 += last * last;
        }
        return s0 + s1 + (s2 + s3);
    }

    /** y += a x; returns the sum of the squares of y. */
    static double axpySquares32(float a, MemorySegment x, MemorySegment y, long n) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        long i = 0;
        for (; i + 3 < n; i += 4) {
            float y0 = y.getAtIndex(JAVA_FLOAT, i) + a * x.getAtIndex(JAVA_FLOAT, i);
            float y1 = y.getAtIndex(JAVA_FLOAT, i + 1) + a * x.getAtIndex(JAVA_FLOAT, i + 1);
            float y2 = y.getAtIndex(JAVA_FLOAT, i + 2) + a * x.getAtIndex(JAVA_FLOAT, i + 2);
            float y3 = y.getAtIndex(JAVA_FLOAT, i + 3) + a * x.getAtIndex(JAVA_FLOAT, i + 3);
            y.setAtIndex(JAVA_FLOAT, i, y0);
            y.setAtIndex(JAVA_FLOAT, i + 1, y1);
            y.setAtIndex(JAVA_FLOAT, i + 2, y2);
            y.setAtIndex(JAVA_FLOAT, i + 3, y3);
            s0 += (double) y0 * y0;
            s1 += (double) y1 * y1;
            s2 += (double) y2 * y2;
            s3 += (double) y3 * y3;
        }
        for (; i < n; i++) {
            float last = y.getAtIndex(JAVA_FLOAT, i) + a * x.getAtIndex(JAVA_FLOAT, i);
            y.setAtIndex(JAVA_FLOAT, i, last);
            s0 += (double) last * last;
        }
        return s0 + s1 + (s2 + s3);
    }

    // Sums; n counts real numbers.

    static double dot64(MemorySegment x, MemorySegment y, long n) {
        return dot64(x, 0, y, 0, n);
    }

    static double dot64(MemorySegment x, long from, MemorySegment y, long at, long n) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        long i = 0;
        for (; i + 3 < n; i += 4) {
            s0 += x.getAtIndex(JAVA_DOUBLE, from + i) * y.getAtIndex(JAVA_DOUBLE, at + i);
            s1 += x.getAtIndex(JAVA_DOUBLE, from + i + 1) * y.getAtIndex(JAVA_DOUBLE, at + i + 1);
            s2 += x.getAtIndex(JAVA_DOUBLE, from + i + 2) * y.getAtIndex(JAVA_DOUBLE, at + i + 2);
            s3 += x.getAtIndex(JAVA_DOUBLE, from + i + 3) * y.getAtIndex(JAVA_DOUBLE, at + i + 3);
        }
        for (; i < n; i++) {
            s0 += x.getAtIndex(JAVA_DOUBLE, from + i) * y.getAtIndex(JAVA_DOUBLE, at + i);
        }
        return s0 + s1 + (s2 + s3);
    }

    static double dot32(MemorySegment x, MemorySegment y, long n) {
        return dot32(x, 0, y, 0, n);
    }

    static double dot32(MemorySegment x, long from, MemorySegment y, long at, long n) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        long i = 0;
        for (; i + 3 < n; i += 4) {
            s0 += (double) x.getAtIndex(JAVA_FLOAT, from + i) * y.getAtIndex(JAVA_FLOAT, at + i);
            s1 += (double) x.getAtIndex(JAVA_FLOAT, from + i + 1) * y.getAtIndex(JAVA_FLOAT, at + i + 1);
            s2 += (double) x.getAtIndex(JAVA_FLOAT, from + i + 2) * y.getAtIndex(JAVA_FLOAT, at + i + 2);
            s3 += (double) x.getAtIndex(JAVA_FLOAT, from + i + 3) * y.getAtIndex(JAVA_FLOAT, at + i + 3);
        }
        for (; i < n; i++) {
            s0 += (double) x.getAtIndex(JAVA_FLOAT, from + i) * y.getAtIndex(JAVA_FLOAT, at + i);
        }
        return s0 + s1 + (s2 + s3);
    }

    /** The sum of re(x) im(y) − im(x) re(y) over pairs: the imaginary part of the sum of conj(x) y. */
    static double cross64(MemorySegment x, MemorySegment y, long pairs) {
        double s0 = 0;
        double s1 = 0;
        for (long i = 0; i < pairs; i++) {
            s0 += x.getAtIndex(JAVA_DOUBLE, 2 * i) * y.getAtIndex(JAVA_DOUBLE, 2 * i + 1);
            s1 += x.getAtIndex(JAVA_DOUBLE, 2 * i + 1) * y.getAtIndex(JAVA_DOUBLE, 2 * i);
        }
        return s0 - s1;
    }

    static double cross32(MemorySegment x, MemorySegment y, long pairs) {
        double s0 = 0;
        double s1 = 0;
        for (long i = 0; i < pairs; i++) {
            s0 += (double) x.getAtIndex(JAVA_FLOAT, 2 * i) * y.getAtIndex(JAVA_FLOAT, 2 * i + 1);
            s1 += (double) x.getAtIndex(JAVA_FLOAT, 2 * i + 1) * y.getAtIndex(JAVA_FLOAT, 2 * i);
        }
        return s0 - s1;
    }

    /** Adds the products of {@code count} numbers of two vectors, from number {@code at} on of all three. */
    static void addProduct(boolean wide, MemorySegment a, MemorySegment b, MemorySegment y, long at, long count) {
        if (wide) {
            addProduct64(a, b, y, at, count);
        } else {
            addProduct32(a, b, y, at, count);
        }
    }

    private static void addProduct64(MemorySegment a, MemorySegment b, MemorySegment y, long at, long count) {
        for (long i = at; i < at + count; i++) {
            double product = a.getAtIndex(JAVA_DOUBLE, i) * b.getAtIndex(JAVA_DOUBLE, i);
            y.setAtIndex(JAVA_DOUBLE, i, y.getAtIndex(JAVA_DOUBLE, i) + product);
        }
    }

    private static void addProduct32(MemorySegment a, MemorySegment b, MemorySegment y, long at, long count) {
        for (long i = at; i < at + count; i++) {
            float product = a.getAtIndex(JAVA_FLOAT, i) * b.getAtIndex(JAVA_FLOAT, i);
            y.setAtIndex(JAVA_FLOAT, i, y.getAtIndex(JAVA_FLOAT, i) + product);
        }
    }
}
