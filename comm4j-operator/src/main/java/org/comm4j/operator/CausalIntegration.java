// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;

/**
 * The integral from the first element on, along an axis (PyLops {@code CausalIntegration}). Along the divided axis each
 * direction is one allGather of the parts' sums; the trapezoidal kind also brings one slice to all ranks.
 */
public final class CausalIntegration {
    /** How the ends of an integral count. */
    public enum Kind {
        /** All elements count whole. */
        FULL,
        /** The last element counts half. */
        HALF,
        /** The first and last elements count half. */
        TRAPEZOIDAL
    }

    private CausalIntegration() {}

    /**
     * Returns the operator; arrays keep their layout.
     *
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     * @param sampling distance of grid points
     */
    public static LinearOperator of(
            Backend backend, Layout layout, DataType type, int axis, double sampling, Kind kind) {
        noNulls("CausalIntegration.of", "backend", backend, "layout", layout, "type", type, "kind", kind);
        LinearOperator sum = new Cumulation(backend, layout, type, axis);
        if (kind != Kind.FULL) {
            sum = sum.minus(Identity.of(backend, layout, type).times(0.5));
        }
        if (kind == Kind.TRAPEZOIDAL) {
            sum = sum.minus(first(backend, layout, type, axis));
        }
        return sum.times(sampling);
    }

    /** Returns the operator without its first element along the axis (PyLops {@code removefirst}). */
    public static LinearOperator withoutFirst(
            Backend backend, Layout layout, DataType type, int axis, double sampling, Kind kind) {
        noNulls("CausalIntegration.withoutFirst", "backend", backend, "layout", layout, "type", type, "kind", kind);
        long[] others = new long[Math.toIntExact(Math.max(0, layout.length(axis) - 1))];
        Arrays.setAll(others, i -> i + 1L);
        return Restriction.of(backend, layout, type, axis, others)
                .times(of(backend, layout, type, axis, sampling, kind));
    }

    /** Returns half the first element, for all elements but the first one. */
    private static LinearOperator first(Backend backend, Layout layout, DataType type, int axis) {
        return new AxisOperator(backend, layout, type, axis, layout.length(axis), matrix -> {
            for (long i = 0; i < layout.length(axis); i++) {
                if (i > 0) {
                    matrix.element(0, 0.5);
                }
                matrix.endRow();
            }
        });
    }
}
