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
    private AxisLoops() {}

    static void multiply(AxisMatrix matrix, long outer, long inner, HostArray x, HostArray y) {
        long run = x.type().isComplex() ? 2 * inner : inner;
        boolean wide = Compute.real(x.type()) == DataType.FLOAT64;
        for (long o = 0; o < outer; o++) {
            long from = o * matrix.columnCount() * run;
            long to = o * matrix.rowCount() * run;
            for (int row = 0; row < matrix.rowCount(); row++) {
                if (wide) {
                    row64(matrix, row, run, x.segment(), from, y.segment(), to + row * run);
                } else {
                    row32(matrix, row, run, x.segment(), from, y.segment(), to + row * run);
                }
            }
        }
    }

    private static void row64(
            AxisMatrix matrix, int row, long run, MemorySegment x, long from, MemorySegment y, long to) {
        int first = matrix.start(row);
        if (first == matrix.start(row + 1)) {
            for (long i = 0; i < run; i++) {
                y.setAtIndex(JAVA_DOUBLE, to + i, 0);
            }
        }
        for (int e = first; e < matrix.start(row + 1); e++) {
            double factor = matrix.value(e);
            long source = from + matrix.column(e) * run;
            if (e == first) {
                if (factor == 1) {
                    MemorySegment.copy(x, source * Double.BYTES, y, to * Double.BYTES, run * Double.BYTES);
                    continue;
                }
                for (long i = 0; i < run; i++) {
                    y.setAtIndex(JAVA_DOUBLE, to + i, factor * x.getAtIndex(JAVA_DOUBLE, source + i));
                }
                continue;
            }
            for (long i = 0; i < run; i++) {
                double old = y.getAtIndex(JAVA_DOUBLE, to + i);
                y.setAtIndex(JAVA_DOUBLE, to + i, old + factor * x.getAtIndex(JAVA_DOUBLE, source + i));
            }
        }
    }

    private static void row32(
            AxisMatrix matrix, int row, long run, MemorySegment x, long from, MemorySegment y, long to) {
        int first = matrix.start(row);
        if (first == matrix.start(row + 1)) {
            for (long i = 0; i < run; i++) {
                y.setAtIndex(JAVA_FLOAT, to + i, 0);
            }
        }
        for (int e = first; e < matrix.start(row + 1); e++) {
            float factor = (float) matrix.value(e);
            long source = from + matrix.column(e) * run;
            if (e == first) {
                if (factor == 1) {
                    MemorySegment.copy(x, source * Float.BYTES, y, to * Float.BYTES, run * Float.BYTES);
                    continue;
                }
                for (long i = 0; i < run; i++) {
                    y.setAtIndex(JAVA_FLOAT, to + i, factor * x.getAtIndex(JAVA_FLOAT, source + i));
                }
                continue;
            }
            for (long i = 0; i < run; i++) {
                float old = y.getAtIndex(JAVA_FLOAT, to + i);
                y.setAtIndex(JAVA_FLOAT, to + i, old + factor * x.getAtIndex(JAVA_FLOAT, source + i));
            }
        }
    }
}
