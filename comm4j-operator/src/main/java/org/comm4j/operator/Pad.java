// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;

/** The extension of an axis by zeros (PyLops {@code Pad}). */
public final class Pad extends AxisOperator {
    private Pad(Backend backend, Layout domain, DataType type, int axis, long before, long after) {
        super(backend, domain, type, axis, before + domain.length(axis) + after, matrix -> {
            for (long i = -before; i < domain.length(axis) + after; i++) {
                if (i >= 0 && i < domain.length(axis)) {
                    matrix.element(i, 1);
                }
                matrix.endRow();
            }
        });
    }

    /**
     * Returns the operator.
     *
     * @param domain layout of what it takes
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     * @param before number of zeros before the elements
     * @param after number of zeros after them
     */
    public static Pad of(Backend backend, Layout domain, DataType type, int axis, long before, long after) {
        noNulls("Pad.of", "backend", backend, "domain", domain, "type", type);
        if (before < 0 || after < 0) {
            throw new IllegalArgumentException(
                    "Pad: " + before + " zeros before and " + after + " after: not negative ones");
        }
        return new Pad(backend, domain, type, axis, before, after);
    }
}
