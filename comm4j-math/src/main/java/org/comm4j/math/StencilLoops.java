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
 * A stencil in host memory: some lines along the last axis at a time, all terms of these in one loop, so that each line
 * is written once, while its neighbours are in the caches. Ends of lines are computed again, by rows of their own. Axes
 * without a band are merged with those beside them. Made once for a stencil; a run allocates nothing. For one thread at
 * a time.
 */
final class StencilLoops {
    /** Elements of the lines that are computed at a time, unless one line has more. */
    private static final int TOGETHER = 4096;

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
    /** The first element of a line whose terms are those of the interior and within the part. */
    private final long plainFrom;

    /** The first element behind these. */
    private final long plainTo;

    /** The first one of neighbouring lines with such terms of the axis before the last one. */
    private final long sameFrom;

    /** The first line behind these. */
    private final long sameTo;

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
        plainFrom = plainFrom(last);
        plainTo = plainTo(last);
        sameFrom = plainFrom(last - 1);
        sameTo = plainTo(last - 1);
        filter = FilterLoops.of(stencil);
    }

    /** Returns the first row of an axis whose terms are those of the interior and within the part. */
    private long plainFrom(int axis) {
        Band band = axis < 0 ? null : bands[axis];
        return band == null ? 0 : Math.clamp(Math.max(band.plainFrom() - first(axis), band.width()), 0, shape[axis]);
    }

    /** Returns the first row behind these. */
    private long plainTo(int axis) {
        Band band = axis < 0 ? null : bands[axis];
        if (band == null) {
            return axis < 0 ? 0 : shape[axis];
        }
        long behind = Math.min(band.plainTo() - first(axis), shape[axis] - band.width());
        return Math.clamp(behind, plainFrom(axis), shape[axis]);
    }

    /** Returns the number in the whole array of the first row along an axis. */
    private long first(int axis) {
        return axis == divided ? start : 0;
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
        long lines;
        do {
            lines = lines();
            block(lines);
            if (d != null) {
                // While the lines are in the caches.
                VectorLoops.addProduct(wide, given(d), given(x), given(y), base(), lines * shape[last]);
            }
        } while (next(lines));
    }

    /** Returns how many lines, from this one on, have the same terms of all axes but the last one. */
    private long lines() {
        int axis = last - 1;
        if (axis < 0 || last == divided) {
            return 1;
        }
        long most = Math.max(1, TOGETHER / Math.max(1, shape[last]));
        return at[axis] < sameFrom ? 1 : Math.clamp(sameTo - at[axis], 1, most);
    }

    /** Moves on by some lines; false after the last one. */
    private boolean next(long lines) {
        long step = lines;
        for (int a = last - 1; a >= 0; a--) {
            at[a] += step;
            if (at[a] < shape[a]) {
                return true;
            }
            at[a] = 0;
            step = 1;
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

    private void block(long lines) {
        long base = base();
        long length = shape[last];
        MemorySegment to = given(y);
        terms.clear();
        for (int a = 0; a < last; a++) {
            across(a, base);
            terms.nextAxis();
        }
        if (plainFrom < plainTo) {
            along(base, plainFrom);
            // From the first line's interior to the last one's, with the ends between them.
            long count = (lines - 1) * length + plainTo - plainFrom;
            terms.run(wide, to, base * parts, plainFrom * parts, count * parts);
        }
        for (long i = plainFrom == 0 ? plainTo : 0; i < length; i = i + 1 == plainFrom ? plainTo : i + 1) {
            along(base, i);
            terms.single(wide, to, base * parts, i * parts, parts, length * parts, lines);
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
                add(row[width + k], k, source < 0 ? before : after, (outer * width + ghostRow) * strides[axis] + inner);
            } else {
                add(row[width + k], k, x, element + k * strides[axis]);
            }
        }
    }

    /** Sets the terms of the last axis to those of an element, as if they were those of the line's first element. */
    private void along(long base, long i) {
        terms.endAxes();
        Band band = bands[last];
        if (band == null) {
            return;
        }
        int width = band.width();
        long outer = base / shape[last];
        double[] row = band.row((last == divided ? start : 0) + i);
        for (int k = -width; k <= width; k++) {
            if (row[width + k] == 0) {
                continue;
            }
            if (i + k < 0) {
                add(row[width + k], k, before, outer * width + k + width);
            } else if (i + k < shape[last]) {
                add(row[width + k], k, x, base + k);
            } else {
                add(row[width + k], k, after, outer * width + k - shape[last]);
            }
        }
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
}
