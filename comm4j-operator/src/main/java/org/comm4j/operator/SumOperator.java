// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;

/** The sum of two operators. The factor of a scaled second one is applied while its product is added. */
final class SumOperator extends LinearOperator {
    private final LinearOperator first;
    private final LinearOperator second;
    private final Temporary term = new Temporary();

    SumOperator(LinearOperator first, LinearOperator second) {
        super(
                first.backend(),
                first.domain(),
                Compute.promote(first.domainType(), second.domainType()),
                first.range(),
                Compute.promote(first.rangeType(), second.rangeType()));
        if (first.backend() != second.backend()
                || !first.domain().equals(second.domain())
                || !first.range().equals(second.range())) {
            throw new IllegalArgumentException(
                    "plus: " + first + " and " + second + " must have the same domain, range and backend");
        }
        if (first.changesType() != second.changesType() || changesType() && first.domainType() != domainType()) {
            throw new IllegalArgumentException("plus: " + first + " maps " + first.domainType() + " to "
                    + first.rangeType() + ", and " + second + " " + second.domainType() + " to " + second.rangeType());
        }
        this.first = first;
        this.second = second;
    }

    @Override
    boolean isComplexLinear() {
        return first.isComplexLinear() && second.isComplexLinear();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        first.matvec(x, y);
        if (second instanceof ScaledOperator scaled) {
            scaled.addProduct(x, y, term.like(y));
        } else {
            y.axpy(Coefficient.ONE, second.matvec(x, term.like(y)));
        }
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        first.rmatvec(y, x);
        if (second instanceof ScaledOperator scaled) {
            scaled.addAdjointProduct(y, x, term.like(x));
        } else {
            x.axpy(Coefficient.ONE, second.rmatvec(y, term.like(x)));
        }
    }

    @Override
    public String toString() {
        return "(" + first + " + " + second + ")";
    }
}
