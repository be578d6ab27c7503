// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;

/** The repetition of an axis of length 1 (the adjoint of {@link Sum}). */
public final class Spread extends AxisOperator {
    private Spread(Backend backend, Layout domain, DataType type, int axis, long length) {
        super(backend, domain, type, axis, length, matrix -> {
            for (long i = 0; i < length; i++) {
                matrix.element(0, 1).endRow();
            }
        });
    }

    /**
     * Returns the operator.
     *
     * @param domain layout of what it takes
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     * @param length of the axis in the range
     */
    public static Spread of(Backend backend, Layout domain, DataType type, int axis, long length) {
        noNulls("Spread.of", "backend", backend, "domain", domain, "type", type);
        if (domain.length(axis) != 1) {
            throw new IllegalArgumentException("Spread: axis " + axis + " of " + domain + " must have length 1");
        }
        return new Spread(backend, domain, type, axis, length);
    }
}
