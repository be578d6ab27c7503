// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * Products with sparse matrices along an axis, in host memory: whole runs of elements where the axis is not the last
 * one.
 */
final class AxisLoops {
    private final AxisMatrix matrix;
    private final long outer;
    /** Real numbers in a run. */
    private final long run;

    private final boolean wide;
    private final int bytes;
    private final MemorySegment x;
    private final MemorySegment y;

    AxisLoops(AxisMatrix matrix, long outer, long inner, HostArray x, HostArray y) {
        this.matrix = matrix;
        this.outer = outer;
        run = x.type().isComplex() ? 2 * inner : inner;
        wide = Compute.real(x.type()) == DataType.FLOAT64;
        bytes = wide ? Double.BYTES : Float.BYTES;
        this.x = x.segment();
        this.y = y.segment();
    }

    void run() {
        y.fill((byte) 0);
        for (long o = 0; o < outer; o++) {
            long from = o * matrix.columnCount() * run;
            long to = o * matrix.rowCount() * run;
            for (int row = 0; row < matrix.rowCount(); row++) {
                for (int e = matrix.start(row); e < matrix.start(row + 1); e++) {
                    add(matrix.value(e), from + matrix.column(e) * run, to + row * run);
                }
            }
        }
    }

    private void add(double factor, long from, long to) {
        if (run > 2) {
            MemorySegment in = x.asSlice(from * bytes, run * bytes);
            MemorySegment out = y.asSlice(to * bytes, run * bytes);
            if (wide) {
                VectorLoops.axpby64(factor, in, 1, out, run);
            } else {
                VectorLoops.axpby32((float) factor, in, 1, out, run);
            }
            return;
        }
        for (long i = 0; i < run; i++) {
            if (wide) {
                double old = y.getAtIndex(JAVA_DOUBLE, to + i);
                y.setAtIndex(JAVA_DOUBLE, to + i, old + factor * x.getAtIndex(JAVA_DOUBLE, from + i));
            } else {
                float old = y.getAtIndex(JAVA_FLOAT, to + i);
                y.setAtIndex(JAVA_FLOAT, to + i, old + (float) factor * x.getAtIndex(JAVA_FLOAT, from + i));
            }
        }
    }
}
