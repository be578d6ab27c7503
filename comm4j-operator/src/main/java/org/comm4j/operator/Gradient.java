// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;

/**
 * The gradient (PyLops {@code Gradient}): first derivatives along all axes, one above the other. Along the divided axis
 * each direction exchanges ghost rows with the neighbours once.
 */
public final class Gradient {
    private Gradient() {}

    /**
     * Returns the gradient of arrays of a layout, centred.
     *
     * @param sampling distance of grid points, the same along all axes
     * @param edge whether the ends have one-sided differences instead of zero
     */
    public static LinearOperator of(Backend backend, Layout layout, DataType type, double sampling, boolean edge) {
        LinearOperator[] derivatives = new LinearOperator[layout.ndim()];
        for (int axis = 0; axis < derivatives.length; axis++) {
            FirstDerivative.Builder derivative =
                    FirstDerivative.of(backend, layout, axis).sampling(sampling).dtype(type);
            derivatives[axis] = (edge ? derivative.edge() : derivative).build();
        }
        return VStack.of(derivatives);
    }

    /** Returns the gradient with sampling 1 and zero at the ends. */
    public static LinearOperator of(Backend backend, Layout layout, DataType type) {
        return of(backend, layout, type, 1, false);
    }
}
