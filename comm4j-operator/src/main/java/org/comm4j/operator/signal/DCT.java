// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.core.DataType;
import org.comm4j.operator.Identity;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.Redistribute;

/**
 * The cosine transform along any axes, divided among the ranks or not, which is orthogonal: the adjoint is the inverse
 * (PyLops {@code DCT}).
 *
 * <p>A divided axis comes together by one allToAllV and is divided again by another one. A one-dimensional array comes
 * together on one rank.
 */
@SuppressWarnings("AbbreviationAsWordInName") // PyLops' name
public final class DCT extends Chain {
    private DCT(LinearOperator chain) {
        super(chain);
    }

    /**
     * Returns the transform.
     *
     * @param layout of what it takes and of what it makes
     * @param kind 1 to 4 (PyLops and SciPy {@code type})
     * @param axes any axes, each once, or none for all; negative ones count from the end
     * @throws IllegalArgumentException if there is no such kind or axis, if an axis is named twice, or if it is too
     *     short: kind 1 takes at least two elements
     */
    public static DCT of(Backend backend, Layout layout, DataType type, int kind, int... axes) {
        noNulls("DCT.of", "backend", backend, "layout", layout, "type", type, "axes", axes);
        if (kind < 1 || kind > 4) {
            throw new IllegalArgumentException("DCT: kind " + kind + " is none of 1, 2, 3 and 4");
        }
        if (layout.partition() == Partition.STACKED) {
            throw new IllegalArgumentException("DCT: a stack has no axes: " + layout);
        }
        int[] along = new int[axes.length == 0 ? layout.ndim() : axes.length];
        Arrays.setAll(along, i -> layout.axis(axes.length == 0 ? i : axes[i]));
        if (Arrays.stream(along).distinct().count() < along.length) {
            throw new IllegalArgumentException("DCT: an axis is named twice in " + Arrays.toString(axes));
        }
        for (int axis : along) {
            if (kind == 1 && layout.length(axis) == 1) {
                throw new IllegalArgumentException("DCT of kind 1 along axis " + axis + " of " + layout
                        + ": its length is 1, and at least 2 are needed");
            }
        }
        List<LinearOperator> steps = new ArrayList<>();
        Layout at = layout;
        boolean plain = layout.partition() == Partition.SCATTERED && layout.groups().length == 0;
        if (layout.isDivided() && !plain) {
            at = add(steps, Redistribute.of(backend, at, backend.scattered(0, at.shape()), type));
        }
        for (int axis : along) {
            if (at.isDivided() && at.axis() == axis) {
                at = add(steps, Redistribute.of(backend, at, together(backend, at), type));
            }
            add(steps, new CosineTransform(backend, at, type, axis, kind));
        }
        if (!at.equals(layout)) {
            add(steps, Redistribute.of(backend, at, layout, type));
        }
        if (steps.isEmpty()) {
            steps.add(Identity.of(backend, layout, type, layout.shape()));
        }
        return new DCT(Chain.of(steps));
    }

    private static Layout add(List<LinearOperator> steps, LinearOperator step) {
        steps.add(step);
        return step.range();
    }

    /** Returns a layout that is divided along another axis, the longest, or not at all where there is no other. */
    private static Layout together(Backend backend, Layout at) {
        if (at.ndim() == 1) {
            long[] sizes = new long[backend.size()];
            sizes[0] = at.length(0);
            return Layout.scattered(sizes, 0, at.shape());
        }
        int best = at.axis() == 0 ? 1 : 0;
        for (int axis = 0; axis < at.ndim(); axis++) {
            best = axis != at.axis() && at.length(axis) > at.length(best) ? axis : best;
        }
        return backend.scattered(best, at.shape());
    }
}
