// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.Arrays;
import java.util.IdentityHashMap;
import org.comm4j.core.Buffer;
import org.comm4j.math.Stencil;
import org.jspecify.annotations.Nullable;

/**
 * The rows of this rank's part along its divided first axis, in three parts: the inner ones, for which a stencil needs
 * no rows of the neighbours, and those at both ends. The rows beside each part stand for the neighbours'.
 */
final class SplitRows {
    /** Buffers whose slices are kept. */
    private static final int MOST_KEPT = 16;

    private final long width;
    private final long rows;
    private final long inner;
    private final IdentityHashMap<Buffer, Slices> known = new IdentityHashMap<>();

    /**
     * Slices of one buffer.
     *
     * @param top as many rows at the beginning as the band is wide
     * @param middle the rows between the ends
     * @param bottom as many rows at the end
     * @param belowTop rows behind those at the beginning
     * @param aboveBottom rows before those at the end
     */
    record Slices(Buffer top, Buffer middle, Buffer bottom, Buffer belowTop, Buffer aboveBottom) {}

    private SplitRows(long width, long rows, long inner) {
        this.width = width;
        this.rows = rows;
        this.inner = inner;
    }

    /** Returns the three parts, or null where the rows are not contiguous or too few. */
    static @Nullable SplitRows of(Stencil stencil) {
        int axis = stencil.axis();
        long width = stencil.ghosts();
        if (axis < 0 || width == 0) {
            return null;
        }
        long outer = Arrays.stream(stencil.shape(), 0, axis).reduce(1, (a, b) -> a * b);
        long rows = stencil.shape()[axis];
        long inner =
                Arrays.stream(stencil.shape(), axis + 1, stencil.shape().length).reduce(1, (a, b) -> a * b);
        return outer == 1 && rows >= 4 * width && inner > 0 ? new SplitRows(width, rows, inner) : null;
    }

    Stencil top(Stencil stencil) {
        return part(stencil, 0, width);
    }

    Stencil middle(Stencil stencil) {
        return part(stencil, width, rows - 2 * width);
    }

    Stencil bottom(Stencil stencil) {
        return part(stencil, rows - width, width);
    }

    private static Stencil part(Stencil stencil, long first, long count) {
        long[] shape = stencil.shape().clone();
        shape[stencil.axis()] = count;
        return new Stencil(shape, stencil.bands(), stencil.axis(), stencil.start() + first);
    }

    /** Returns the slices of a part; the same objects for the same buffer. */
    Slices of(Buffer part) {
        Slices slices = known.get(part);
        if (slices == null) {
            if (known.size() >= MOST_KEPT) {
                known.clear();
            }
            slices = new Slices(
                    slice(part, 0, width),
                    slice(part, width, rows - 2 * width),
                    slice(part, rows - width, width),
                    slice(part, width, width),
                    slice(part, rows - 2 * width, width));
            known.put(part, slices);
        }
        return slices;
    }

    private Buffer slice(Buffer part, long first, long count) {
        return part.slice(first * inner, count * inner);
    }
}
