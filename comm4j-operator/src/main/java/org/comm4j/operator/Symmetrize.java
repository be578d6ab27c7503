// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;

/**
 * The mirror image of an axis before it (PyLops {@code Symmetrize}): n elements become 2 n − 1, with the first one in
 * the middle.
 */
public final class Symmetrize extends AxisOperator {
    private Symmetrize(Backend backend, Layout domain, DataType type, int axis) {
        super(backend, domain, type, axis, Math.max(0, 2 * domain.length(axis) - 1), matrix -> {
            long n = domain.length(axis);
            for (long i = 1 - n; i < n; i++) {
                matrix.element(Math.abs(i), 1).endRow();
            }
        });
    }

    /**
     * Returns the operator.
     *
     * @param domain layout of what it takes
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     */
    public static Symmetrize of(Backend backend, Layout domain, DataType type, int axis) {
        noNulls("Symmetrize.of", "backend", backend, "domain", domain, "type", type);
        return new Symmetrize(backend, domain, type, axis);
    }
}
