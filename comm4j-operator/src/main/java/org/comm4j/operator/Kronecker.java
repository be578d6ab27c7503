// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.core.DataType;
import org.comm4j.math.Compute;

/**
 * The Kronecker product A ⊗ B (PyLops {@code Kronecker}) of arrays with two axes: B along the second axis, then A along
 * the first one. Scattered arrays change the divided axis in between, with two allToAllVs a direction.
 */
public final class Kronecker {
    private Kronecker() {}

    /**
     * Returns the product for arrays of a layout.
     *
     * @param a operator with a replicated or local domain of n₁ elements
     * @param b operator with a replicated or local domain of n₂ elements
     * @param domain of n₁ × n₂ elements: replicated, local, or scattered along the first axis
     */
    public static LinearOperator of(LinearOperator a, LinearOperator b, Layout domain) {
        noNulls("Kronecker.of", "a", a, "b", b, "domain", domain);
        boolean scattered = domain.isDivided();
        if (domain.ndim() != 2
                || domain.length(0) != a.domain().size()
                || domain.length(1) != b.domain().size()
                || domain.isDivided(1)) {
            throw new IllegalArgumentException(
                    "Kronecker: " + domain + " must have " + a.domain().size() + " x "
                            + b.domain().size() + " elements, and no other axis than the first one may be divided");
        }
        if (!isWhole(a) || !isWhole(b)) {
            throw new IllegalArgumentException(
                    "Kronecker: " + a + " and " + b + " must have replicated or local vectors, not divided ones");
        }
        Backend backend = a.backend();
        DataType type = Compute.real(Compute.promote(a.type(), b.type()));
        LinearOperator second = new Lines(b, domain);
        Layout rows = second.range();
        Layout columns = scattered ? backend.scattered(1, rows.shape()) : rows;
        Transpose there = Transpose.of(backend, columns, type, 1, 0);
        LinearOperator first = new Lines(a, there.range());
        LinearOperator back = Transpose.of(backend, first.range(), type, 1, 0);
        if (!scattered) {
            return back.times(first).times(there).times(second);
        }
        Layout result = backend.scattered(0, back.range().shape());
        return Redistribute.of(backend, back.range(), result, type)
                .times(back)
                .times(first)
                .times(there)
                .times(Redistribute.of(backend, rows, columns, type))
                .times(second);
    }

    private static boolean isWhole(LinearOperator operator) {
        return !operator.domain().isDivided()
                && operator.domain().partition() != Partition.STACKED
                && !operator.range().isDivided()
                && operator.range().partition() != Partition.STACKED;
    }
}
