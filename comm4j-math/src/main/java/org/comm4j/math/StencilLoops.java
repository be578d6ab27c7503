// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.jspecify.annotations.Nullable;

/**
 * Stencils in host memory: line by line along the last axis, so that each line is written while its neighbours are in
 * the caches, whatever the number of axes.
 */
final class StencilLoops {
    /** Elements of a line that are computed at once: they stay in the first-level cache for all their terms. */
    private static final long CHUNK = 1024;

    private final Stencil stencil;
    private final boolean wide;
    private final int parts;
    private final long bytes;
    private final long[] shape;
    private final long[] strides;
    private final int last;
    private final MemorySegment x;
    private final @Nullable MemorySegment before;
    private final @Nullable MemorySegment after;
    private final MemorySegment y;

    StencilLoops(Stencil stencil, HostArray x, @Nullable HostArray before, @Nullable HostArray after, HostArray y) {
        this.stencil = stencil;
        this.x = x.segment();
        this.before = before == null ? null : before.segment();
        this.after = after == null ? null : after.segment();
        this.y = y.segment();
        wide = Compute.real(x.type()) == DataType.FLOAT64;
        parts = x.type().isComplex() ? 2 : 1;
        bytes = x.type().bytes();
        shape = stencil.shape();
        last = shape.length - 1;
        strides = new long[shape.length];
        long stride = 1;
        for (int a = last; a >= 0; a--) {
            strides[a] = stride;
            stride *= shape[a];
        }
    }

    void run() {
        long[] at = new long[shape.length];
        do {
            line(at);
        } while (next(at));
    }

    /** Moves on to the next line; false after the last one. */
    private boolean next(long[] at) {
        for (int a = last - 1; a >= 0; a--) {
            at[a]++;
            if (at[a] < shape[a]) {
                return true;
            }
            at[a] = 0;
        }
        return false;
    }

    private void line(long[] at) {
        long base = 0;
        for (int a = 0; a < last; a++) {
            base += at[a] * strides[a];
        }
        for (long from = 0; from < shape[last]; from += CHUNK) {
            long count = Math.min(CHUNK, shape[last] - from);
            boolean begun = false;
            for (int a = 0; a < last; a++) {
                begun = across(a, at, base + from, count, begun);
            }
            begun = along(base, from, from + count, begun);
            if (!begun) {
                y.asSlice((base + from) * bytes, count * bytes).fill((byte) 0);
            }
        }
    }

    /** Adds the terms of an axis other than the last one: whole runs of other lines. */
    private boolean across(int axis, long[] at, long element, long count, boolean begun) {
        Band band = stencil.bands()[axis];
        if (band == null) {
            return begun;
        }
        int width = band.width();
        double[] row = band.row(at[axis] + (axis == stencil.axis() ? stencil.start() : 0));
        boolean written = begun;
        for (int k = -width; k <= width; k++) {
            double factor = row[width + k];
            if (factor == 0) {
                continue;
            }
            long source = at[axis] + k;
            if (source < 0 || source >= shape[axis]) {
                MemorySegment ghost = source < 0 ? before : after;
                long ghostRow = source < 0 ? source + width : source - shape[axis];
                long outer = element / (strides[axis] * shape[axis]);
                long inner = element % strides[axis];
                add(factor, ghost, (outer * width + ghostRow) * strides[axis] + inner, element, count, written);
            } else {
                add(factor, x, element + k * strides[axis], element, count, written);
            }
            written = true;
        }
        return written;
    }

    /** Adds the terms of the last axis for elements {@code from} to {@code to} of a line. */
    private boolean along(long base, long from, long to, boolean begun) {
        Band band = stencil.bands()[last];
        if (band == null) {
            return begun;
        }
        if (!begun) {
            y.asSlice((base + from) * bytes, (to - from) * bytes).fill((byte) 0);
        }
        int width = band.width();
        long start = last == stencil.axis() ? stencil.start() : 0;
        long outer = shape[last] == 0 ? 0 : base / shape[last];
        for (long i = from; i < to; ) {
            double[] row = band.row(start + i);
            long end = Math.min(to, band.end(start + i) - start);
            for (int k = -width; k <= width; k++) {
                double factor = row[width + k];
                if (factor == 0) {
                    continue;
                }
                long inside = Math.max(i, -k);
                long outside = Math.min(end, shape[last] - k);
                if (inside < outside) {
                    add(factor, x, base + inside + k, base + inside, outside - inside, true);
                }
                if (i < Math.min(end, inside)) {
                    add(factor, before, outer * width + i + k + width, base + i, Math.min(end, inside) - i, true);
                }
                long beyond = Math.max(i, outside);
                if (beyond < end) {
                    add(factor, after, outer * width + beyond + k - shape[last], base + beyond, end - beyond, true);
                }
            }
            i = end;
        }
        return true;
    }

    /** Computes y = factor from, or y += factor from, for elements that are contiguous in both. */
    private void add(double factor, @Nullable MemorySegment from, long source, long target, long count, boolean add) {
        if (from == null) {
            throw new IllegalArgumentException("stencil: rows of the neighbours are needed and were not given");
        }
        double old = add ? 1 : 0;
        MemorySegment in = from.asSlice(source * bytes, count * bytes);
        MemorySegment out = y.asSlice(target * bytes, count * bytes);
        if (wide) {
            VectorLoops.axpby64(factor, in, old, out, parts * count);
        } else {
            VectorLoops.axpby32((float) factor, in, (float) old, out, parts * count);
        }
    }
}
