// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Vector;
import org.comm4j.operator.LinearOperator;

/**
 * Fast iterative shrinkage and thresholding (PyLops {@code fista}; Beck and Teboulle 2009): {@link Ista} with steps
 * that begin at z = x + θ (x − the x before). An iteration applies A and Aᴴ once each: A z follows from A x.
 */
public final class Fista {
    private Fista() {}

    /**
     * Returns a solver of a problem of an operator and data, which it does not change.
     *
     * @throws IllegalArgumentException if the data are not of the operator's range
     */
    public static Sparse of(LinearOperator operator, Vector data) {
        noNulls("Fista.of", "operator", operator, "data", data);
        return new Sparse("Fista", true, operator, data);
    }
}
