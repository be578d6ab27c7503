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

    private final MemorySegment x;
    private final MemorySegment y;
    private final int bytes;
    private final boolean wide;
    private final int parts;

    LineLoops(HostArray x, HostArray y) {
        this.x = x.segment();
        this.y = y.segment();
        bytes = x.type().bytes();
        wide = Compute.real(x.type()) == DataType.FLOAT64;
        parts = x.type().isComplex() ? 2 : 1;
    }

    void transpose(long outer, long rows, long columns, long inner) {
        long run = inner * bytes;
        for (long o = 0; o < outer; o++) {
            long base = o * rows * columns * run;
            for (long r0 = 0; r0 < rows; r0 += TILE) {
                for (long c0 = 0; c0 < columns; c0 += TILE) {
                    long r1 = Math.min(rows, r0 + TILE);
                    long c1 = Math.min(columns, c0 + TILE);
                    for (long c = c0; c < c1; c++) {
                        for (long r = r0; r < r1; r++) {
                            move(base + (r * columns + c) * run, base + (c * rows + r) * run, run);
                        }
                    }
                }
            }
        }
    }

    private void move(long from, long to, long run) {
        if (run == Long.BYTES) {
            y.set(JAVA_LONG, to, x.get(JAVA_LONG, from));
        } else {
            MemorySegment.copy(x, from, y, to, run);
        }
    }

    void cumulate(boolean backward, long outer, long length, long inner) {
        long run = inner * parts;
        for (long o = 0; o < outer; o++) {
            long base = o * length * run;
            for (long k = 0; k < length; k++) {
                long to = base + (backward ? length - 1 - k : k) * run;
                long last = k == 0 ? -1 : backward ? to + run : to - run;
                for (long i = 0; i < run; i++) {
                    add(to + i, last < 0 ? -1 : last + i);
                }
            }
        }
    }

    /** y[to] = x[to] + y[last], where there is a last one. */
    private void add(long to, long last) {
        if (wide) {
            double sum = last < 0 ? 0 : y.getAtIndex(JAVA_DOUBLE, last);
            y.setAtIndex(JAVA_DOUBLE, to, sum + x.getAtIndex(JAVA_DOUBLE, to));
        } else {
            float sum = last < 0 ? 0 : y.getAtIndex(JAVA_FLOAT, last);
            y.setAtIndex(JAVA_FLOAT, to, sum + x.getAtIndex(JAVA_FLOAT, to));
        }
    }
}
