// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Vector;
import org.comm4j.operator.LinearOperator;

/**
 * Iterative shrinkage and thresholding (PyLops {@code ista}): the sparse x that minimises ½ |y − A x|² + ½ eps |x|₁, by
 * steps along the gradient and a threshold behind each. See {@link Sparse} for the options.
 */
public final class Ista {
    private Ista() {}

    /**
     * Returns a solver of a problem of an operator and data, which it does not change.
     *
     * @throws IllegalArgumentException if the data are not of the operator's range
     */
    public static Sparse of(LinearOperator operator, Vector data) {
        noNulls("Ista.of", "operator", operator, "data", data);
        return new Sparse("Ista", false, operator, data);
    }
}
