// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;

/** The cyclic shift of an axis (PyLops {@code Roll}). */
public final class Roll extends AxisOperator {
    private Roll(Backend backend, Layout domain, DataType type, int axis, long shift) {
        super(backend, domain, type, axis, domain.length(axis), matrix -> {
            long n = domain.length(axis);
            for (long i = 0; i < n; i++) {
                matrix.element(Math.floorMod(i - shift, n), 1).endRow();
            }
        });
    }

    /**
     * Returns the operator.
     *
     * @param domain layout of what it takes
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     * @param shift number of places by which elements move up
     */
    public static Roll of(Backend backend, Layout domain, DataType type, int axis, long shift) {
        noNulls("Roll.of", "backend", backend, "domain", domain, "type", type);
        return new Roll(backend, domain, type, axis, shift);
    }
}
