// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;

/** The selection of elements along an axis (PyLops {@code Restriction}). */
public final class Restriction extends AxisOperator {
    private Restriction(Backend backend, Layout domain, DataType type, int axis, long... indices) {
        super(backend, domain, type, axis, indices.length, matrix -> {
            for (long index : indices) {
                matrix.element(index, 1).endRow();
            }
        });
    }

    /**
     * Returns the operator.
     *
     * @param domain layout of what it takes
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     * @param indices of the elements, in any order, also repeated
     */
    public static Restriction of(Backend backend, Layout domain, DataType type, int axis, long... indices) {
        noNulls("Restriction.of", "backend", backend, "domain", domain, "type", type, "indices", indices);
        return new Restriction(backend, domain, type, axis, indices);
    }
}
