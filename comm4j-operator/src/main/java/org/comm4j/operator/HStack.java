// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;

/**
 * Operators side by side (PyLops {@code HStack}): the adjoint of a {@link VStack} of their adjoints. Of the ranks' own
 * operators the model is scattered, the data are replicated, and the product ends with one allReduce of the data.
 */
public final class HStack {
    private HStack() {}

    /**
     * Collective: returns the operator of which this rank has the given ones, side by side; none, too.
     *
     * @param operators of this rank, with local domains and the same local range
     */
    public static LinearOperator of(Backend backend, LinearOperator... operators) {
        noNulls("HStack.of", "backend", backend, "operators", operators);
        return VStack.of(backend, adjoints(operators)).H();
    }

    /**
     * Returns the operator of which this rank has the given ones, side by side, for layouts that all ranks know. Does
     * not communicate.
     *
     * @param domain layout of the model, of which this rank's part has what its operators take, one behind the other
     * @param range layout of the data, replicated and of one dimension
     * @param type that the elements of the operators of all ranks fit
     * @param operators of this rank; none, too
     * @throws IllegalArgumentException if this rank's parts have other sizes, or if an operator is of a wider type
     */
    public static LinearOperator of(
            Backend backend, Layout domain, Layout range, DataType type, LinearOperator... operators) {
        noNulls("HStack.of", "backend", backend, "domain", domain, "range", range);
        noNulls("HStack.of", "type", type, "operators", operators);
        return VStack.of(backend, /* domain= */ range, /* range= */ domain, type, adjoints(operators))
                .H();
    }

    /**
     * Returns operators of all ranks together, side by side: their models are a stack, and their data are added. Does
     * not communicate.
     */
    public static LinearOperator of(LinearOperator... operators) {
        nonNull(operators, "HStack.of", "operators");
        return VStack.of(adjoints(operators)).H();
    }

    private static LinearOperator[] adjoints(LinearOperator... operators) {
        LinearOperator[] adjoints = new LinearOperator[operators.length];
        for (int i = 0; i < operators.length; i++) {
            adjoints[i] = operators[i].H();
        }
        return adjoints;
    }
}
