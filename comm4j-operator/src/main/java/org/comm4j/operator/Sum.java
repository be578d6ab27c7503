// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;

/** The sum along an axis (PyLops {@code Sum}); the axis stays, with length 1. */
public final class Sum extends AxisOperator {
    private Sum(Backend backend, Layout domain, DataType type, int axis) {
        super(backend, domain, type, axis, 1, matrix -> {
            for (long i = 0; i < domain.length(axis); i++) {
                matrix.element(i, 1);
            }
            matrix.endRow();
        });
    }

    /**
     * Returns the operator.
     *
     * @param domain layout of what it takes
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     */
    public static Sum of(Backend backend, Layout domain, DataType type, int axis) {
        noNulls("Sum.of", "backend", backend, "domain", domain, "type", type);
        return new Sum(backend, domain, type, axis);
    }
}
