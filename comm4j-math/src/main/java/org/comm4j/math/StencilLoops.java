// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.jspecify.annotations.Nullable;

/**
 * A stencil in host memory: line by line along the last axis, all terms of a line in one loop, so that each line is
 * written once, while its neighbours are in the caches. Axes without a band are merged with those beside them. Made
 * once for a stencil; a run allocates nothing. For one thread at a time.
 */
final class StencilLoops {
    private final int last;
    private final long[] shape;
    private final long[] strides;
    private final @Nullable Band[] bands;
    /** The axis that is divided among the ranks, or −1. */
    private final int divided;

    private final long start;
    private final long[] at;
    private final LineTerms terms;

    // Of a run

    private @Nullable MemorySegment x;
    private @Nullable MemorySegment before;
    private @Nullable MemorySegment after;
    private @Nullable MemorySegment y;
    private boolean wide;
    private int parts;

    StencilLoops(Stencil stencil) {
        List<Long> lengths = new ArrayList<>();
        List<@Nullable Band> along = new ArrayList<>();
        int split = -1;
        int widths = 1;
        for (int a = 0; a < stencil.shape().length; a++) {
            Band band = stencil.bands()[a];
            if (band == null && !along.isEmpty() && along.getLast() == null) {
                lengths.set(lengths.size() - 1, lengths.getLast() * stencil.shape()[a]);
            } else {
                split = band != null && a == stencil.axis() ? lengths.size() : split;
                lengths.add(stencil.shape()[a]);
                along.add(band);
                widths += band == null ? 0 : 2 * band.width() + 1;
            }
        }
        shape = lengths.stream().mapToLong(Long::longValue).toArray();
        bands = along.toArray(Band[]::new);
        last = shape.length - 1;
        divided = split;
        start = stencil.start();
        at = new long[shape.length];
        strides = new long[shape.length];
        long stride = 1;
        for (int a = last; a >= 0; a--) {
            strides[a] = stride;
            stride *= shape[a];
        }
        terms = new LineTerms(widths);
    }

    void run(HostArray from, @Nullable HostArray front, @Nullable HostArray back, HostArray to) {
        x = from.segment();
        before = front == null ? null : front.segment();
        after = back == null ? null : back.segment();
        y = to.segment();
        wide = Compute.real(to.type()) == DataType.FLOAT64;
        parts = to.type().isComplex() ? 2 : 1;
        if (last < 0) {
            return;
        }
        do {
            line();
        } while (next());
    }

    /** Moves on to the next line; false after the last one. */
    private boolean next() {
        for (int a = last - 1; a >= 0; a--) {
            at[a]++;
            if (at[a] < shape[a]) {
                return true;
            }
            at[a] = 0;
        }
        return false;
    }

    private void line() {
        long base = 0;
        for (int a = 0; a < last; a++) {
            base += at[a] * strides[a];
        }
        long i = 0;
        while (i < shape[last]) {
            terms.clear();
            for (int a = 0; a < last; a++) {
                across(a, base + i);
                terms.nextAxis();
            }
            long end = along(base, i);
            terms.run(wide, y, (base + i) * parts, (end - i) * parts);
            i = end;
        }
    }

    /** Adds the terms of an axis other than the last one, for elements from {@code element} on. */
    private void across(int axis, long element) {
        Band band = bands[axis];
        if (band == null) {
            return;
        }
        int width = band.width();
        double[] row = band.row(at[axis] + (axis == divided ? start : 0));
        for (int k = -width; k <= width; k++) {
            long source = at[axis] + k;
            if (row[width + k] == 0) {
                continue;
            }
            if (source < 0 || source >= shape[axis]) {
                long ghostRow = source < 0 ? source + width : source - shape[axis];
                long outer = element / (strides[axis] * shape[axis]);
                long inner = element % strides[axis];
                add(row[width + k], source < 0 ? before : after, (outer * width + ghostRow) * strides[axis] + inner);
            } else {
                add(row[width + k], x, element + k * strides[axis]);
            }
        }
    }

    /** Adds the terms of the last axis for elements from {@code i} on; returns the element where they change. */
    private long along(long base, long i) {
        Band band = bands[last];
        if (band == null) {
            return shape[last];
        }
        int width = band.width();
        long first = last == divided ? start : 0;
        long outer = base / shape[last];
        double[] row = band.row(first + i);
        long end = Math.min(shape[last], band.end(first + i) - first);
        for (int k = -width; k <= width; k++) {
            if (row[width + k] == 0) {
                continue;
            }
            if (i + k < 0) {
                add(row[width + k], before, outer * width + i + k + width);
                end = Math.min(end, -k);
            } else if (i + k < shape[last]) {
                add(row[width + k], x, base + i + k);
                end = Math.min(end, shape[last] - k);
            } else {
                add(row[width + k], after, outer * width + i + k - shape[last]);
            }
        }
        return end;
    }

    private void add(double factor, @Nullable MemorySegment from, long element) {
        if (from == null) {
            throw new IllegalArgumentException("stencil: rows of the neighbours are needed and were not given");
        }
        terms.add(factor, from, element * parts);
    }
}
