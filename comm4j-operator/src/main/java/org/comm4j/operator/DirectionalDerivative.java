// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.math.Band;
import org.jspecify.annotations.Nullable;

/**
 * The derivative in a direction (PyLops {@code FirstDirectionalDerivative} and {@code SecondDirectionalDerivative}):
 * the centred first derivatives along all axes, weighted by the direction's components. Along the divided axis each
 * direction exchanges ghost rows with the neighbours.
 */
public final class DirectionalDerivative {
    private DirectionalDerivative() {}

    /** The derivative in a direction that is the same everywhere: one pass over memory. */
    private static final class Constant extends BandOperator {
        Constant(Backend backend, Layout layout, DataType type, @Nullable Band[] bands) {
            super(backend, layout, type, bands);
        }
    }

    /**
     * Returns the first derivative in a direction that is the same everywhere.
     *
     * @param sampling distance of grid points, the same along all axes
     * @param edge whether the ends have one-sided differences instead of zero
     * @param direction for each axis its component
     */
    public static LinearOperator first(
            Backend backend, Layout layout, DataType type, double sampling, boolean edge, double... direction) {
        noNulls("DirectionalDerivative.first", "backend", backend, "layout", layout);
        noNulls("DirectionalDerivative.first", "type", type, "direction", direction);
        checkCount(layout, direction.length);
        @Nullable Band[] bands = new Band[direction.length];
        for (int axis = 0; axis < direction.length; axis++) {
            bands[axis] = Differences.first(layout.length(axis), sampling, DerivativeKind.CENTERED, 3, edge)
                    .times(direction[axis]);
        }
        return new Constant(backend, layout, type, bands);
    }

    /**
     * Returns the first derivative in a direction of its own at each point.
     *
     * @param sampling distance of grid points, the same along all axes
     * @param edge whether the ends have one-sided differences instead of zero
     * @param direction for each axis its components, with the layout of the arrays
     */
    public static LinearOperator first(double sampling, boolean edge, DistributedArray... direction) {
        nonNull(direction, "DirectionalDerivative.first", "direction");
        if (direction.length == 0) {
            throw new IllegalArgumentException("DirectionalDerivative: no components of a direction");
        }
        Layout layout = direction[0].layout();
        checkCount(layout, direction.length);
        LinearOperator sum = null;
        for (int axis = 0; axis < direction.length; axis++) {
            FirstDerivative.Builder derivative = FirstDerivative.of(direction[0].backend(), layout, axis)
                    .sampling(sampling)
                    .dtype(direction[0].type());
            LinearOperator term = Diagonal.of(direction[axis]).times((edge ? derivative.edge() : derivative).build());
            sum = sum == null ? term : sum.plus(term);
        }
        if (sum == null) {
            throw new AssertionError("no axes");
        }
        return sum;
    }

    /** Returns the second derivative in the direction of a first one D: −Dᴴ D. */
    public static LinearOperator second(LinearOperator first) {
        nonNull(first, "DirectionalDerivative.second", "first");
        return first.H().times(first).negate();
    }

    private static void checkCount(Layout layout, int count) {
        if (count != layout.ndim()) {
            throw new IllegalArgumentException(
                    "DirectionalDerivative: " + count + " components for the axes of " + layout);
        }
    }
}
