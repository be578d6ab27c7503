// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

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
    /** The one band, if it is wide. */
    private final @Nullable FilterLoops filter;

    private final int last;
    private final long[] shape;
    private final long[] strides;
    private final @Nullable Band[] bands;
    /** The axis that is divided among the ranks, or −1. */
    private final int divided;

    private final long start;
    private final long[] at;
    private final LineTerms terms;
    /** Whether the last axis is the only one with a band. */
    private final boolean alone;

    // Of a run

    private @Nullable MemorySegment d;
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
        alone = along.stream().filter(band -> band != null).count() == 1 && last >= 0 && bands[last] != null;
        filter = FilterLoops.of(stencil);
    }

    /** @param diagonal whose product with x is added, or null */
    void run(
            @Nullable HostArray diagonal,
            HostArray from,
            @Nullable HostArray front,
            @Nullable HostArray back,
            HostArray to) {
        if (filter != null) {
            filter.run(from, front, back, to);
            if (diagonal != null) {
                boolean isWide = to.type() == DataType.FLOAT64;
                VectorLoops.addProduct(isWide, diagonal.segment(), from.segment(), to.segment(), 0, to.count());
            }
            return;
        }
        d = diagonal == null ? null : diagonal.segment();
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
            if (d != null) {
                // While the line is in the caches.
                VectorLoops.addProduct(wide, given(d), given(x), given(y), base(), shape[last]);
            }
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

    private long base() {
        long base = 0;
        for (int a = 0; a < last; a++) {
            base += at[a] * strides[a];
        }
        return base;
    }

    private void line() {
        long base = base();
        long i = 0;
        while (i < shape[last]) {
            // Near the ends each element has a row of its own, and loops over one element cost more than they do.
            if (alone && isSingle(i)) {
                element(base, i++);
                continue;
            }
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

    private boolean isSingle(long i) {
        Band band = bands[last];
        long first = last == divided ? start : 0;
        return band != null && band.end(first + i) == first + i + 1;
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
                add(row[width + k], k, source < 0 ? before : after, (outer * width + ghostRow) * strides[axis] + inner);
            } else {
                add(row[width + k], k, x, element + k * strides[axis]);
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
                add(row[width + k], k, before, outer * width + i + k + width);
                end = Math.min(end, -k);
            } else if (i + k < shape[last]) {
                add(row[width + k], k, x, base + i + k);
                end = Math.min(end, shape[last] - k);
            } else {
                add(row[width + k], k, after, outer * width + i + k - shape[last]);
            }
        }
        return end;
    }

    /** Adds a term of an axis; that of the element itself may be there from another axis. */
    private void add(double factor, int k, @Nullable MemorySegment from, long element) {
        if (k == 0) {
            terms.add(factor, given(from), element * parts);
        } else {
            terms.append(factor, given(from), element * parts);
        }
    }

    private static <T> T given(@Nullable T from) {
        if (from == null) {
            throw new IllegalArgumentException("stencil: rows of the neighbours are needed and were not given");
        }
        return from;
    }

    /** Computes an element by its row, with the same roundings as terms would have. */
    private void element(long base, long i) {
        Band band = bands[last];
        if (band == null) {
            throw new AssertionError("no band");
        }
        int width = band.width();
        double[] row = band.row((last == divided ? start : 0) + i);
        long length = shape[last];
        long outer = base / length;
        int inside = (int) Math.max(-width, -i);
        int beyond = (int) Math.min(width, length - 1 - i);
        for (int part = 0; part < parts; part++) {
            double sum = 0;
            sum = sum(sum, row, 0, width + inside, before, (outer * width + i) * parts + part);
            sum = sum(sum, row, width + inside, width + beyond + 1, x, (base + i + inside) * parts + part);
            sum = sum(sum, row, width + beyond + 1, 2 * width + 1, after, outer * width * parts + part);
            if (wide) {
                given(y).setAtIndex(JAVA_DOUBLE, (base + i) * parts + part, sum);
            } else {
                given(y).setAtIndex(JAVA_FLOAT, (base + i) * parts + part, (float) sum);
            }
        }
    }

    /** Adds the products of coefficients {@code k} to {@code end} with numbers from {@code at} on. */
    private double sum(double before, double[] row, int k, int end, @Nullable MemorySegment from, long at) {
        double sum = before;
        long place = at;
        for (int c = k; c < end; c++, place += parts) {
            if (row[c] != 0) {
                sum = wide
                        ? sum + row[c] * given(from).getAtIndex(JAVA_DOUBLE, place)
                        : (float) sum + (float) row[c] * given(from).getAtIndex(JAVA_FLOAT, place);
            }
        }
        return sum;
    }
}
