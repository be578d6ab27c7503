// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/** Transpositions and sums along lines, in host memory. */
final class LineLoops {
    /** Rows and columns that are transposed at once: both sides stay in the first-level cache. */
    private static final long TILE = 32;

    private LineLoops() {}

    static void transpose(HostArray from, HostArray to, long outer, long rows, long columns, long inner) {
        MemorySegment x = from.segment();
        MemorySegment y = to.segment();
        long run = inner * from.type().bytes();
        for (long o = 0; o < outer; o++) {
            long base = o * rows * columns * run;
            for (long r0 = 0; r0 < rows; r0 += TILE) {
                for (long c0 = 0; c0 < columns; c0 += TILE) {
                    long r1 = Math.min(rows, r0 + TILE);
                    long c1 = Math.min(columns, c0 + TILE);
                    for (long c = c0; c < c1; c++) {
                        for (long r = r0; r < r1; r++) {
                            move(x, base + (r * columns + c) * run, y, base + (c * rows + r) * run, run);
                        }
                    }
                }
            }
        }
    }

    private static void move(MemorySegment x, long from, MemorySegment y, long to, long run) {
        if (run == Long.BYTES) {
            y.set(JAVA_LONG, to, x.get(JAVA_LONG, from));
        } else {
            MemorySegment.copy(x, from, y, to, run);
        }
    }

    static void cumulate(HostArray x, HostArray y, boolean backward, long outer, long length, long inner) {
        boolean wide = Compute.real(x.type()) == DataType.FLOAT64;
        long run = x.type().isComplex() ? 2 * inner : inner;
        for (long o = 0; o < outer; o++) {
            long base = o * length * run;
            for (long k = 0; k < length; k++) {
                long to = base + (backward ? length - 1 - k : k) * run;
                long last = k == 0 ? -1 : backward ? to + run : to - run;
                if (wide) {
                    add64(x.segment(), y.segment(), to, last, run);
                } else {
                    add32(x.segment(), y.segment(), to, last, run);
                }
            }
        }
    }

    /** y[to] = x[to] + y[last] for a run, where there is a last one. */
    private static void add64(MemorySegment x, MemorySegment y, long to, long last, long run) {
        for (long i = 0; i < run; i++) {
            double sum = last < 0 ? 0 : y.getAtIndex(JAVA_DOUBLE, last + i);
            y.setAtIndex(JAVA_DOUBLE, to + i, sum + x.getAtIndex(JAVA_DOUBLE, to + i));
        }
    }

    private static void add32(MemorySegment x, MemorySegment y, long to, long last, long run) {
        for (long i = 0; i < run; i++) {
            float sum = last < 0 ? 0 : y.getAtIndex(JAVA_FLOAT, last + i);
            y.setAtIndex(JAVA_FLOAT, to + i, sum + x.getAtIndex(JAVA_FLOAT, to + i));
        }
    }
}
