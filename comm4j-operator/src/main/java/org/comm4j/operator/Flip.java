// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;

/** The reversal of an axis (PyLops {@code Flip}). */
public final class Flip extends AxisOperator {
    private Flip(Backend backend, Layout domain, DataType type, int axis) {
        super(backend, domain, type, axis, domain.length(axis), matrix -> {
            for (long i = domain.length(axis) - 1; i >= 0; i--) {
                matrix.element(i, 1).endRow();
            }
        });
    }

    /**
     * Returns the operator.
     *
     * @param domain layout of what it takes
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     */
    public static Flip of(Backend backend, Layout domain, DataType type, int axis) {
        noNulls("Flip.of", "backend", backend, "domain", domain, "type", type);
        return new Flip(backend, domain, type, axis);
    }
}
