// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.comm4j.core.spi.Arguments.nonNull;

/**
 * The shape of an array as three axes, which operations along one axis take.
 *
 * @param outer number of slices before the axis
 * @param length of the axis
 * @param inner number of contiguous elements behind it
 */
public record AxisShape(long outer, long length, long inner) {
    /**
     * Returns the shape of an array as seen from an axis.
     *
     * @param axis from 0 on
     */
    public static AxisShape of(int axis, long... shape) {
        nonNull(shape, "AxisShape.of", "shape");
        long outer = 1;
        long inner = 1;
        for (int a = 0; a < shape.length; a++) {
            outer *= a < axis ? shape[a] : 1;
            inner *= a > axis ? shape[a] : 1;
        }
        return new AxisShape(outer, shape[axis], inner);
    }
}
