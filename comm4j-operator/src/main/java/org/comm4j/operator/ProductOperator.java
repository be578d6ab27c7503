// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.Vector;
import org.comm4j.math.Compute;

/** The product of two operators: the second one is applied first. */
final class ProductOperator extends LinearOperator {
    private final LinearOperator left;
    private final LinearOperator right;
    private final Temporary between = new Temporary();

    ProductOperator(LinearOperator left, LinearOperator right) {
        super(left.backend(), right.domain(), left.range(), Compute.promote(left.type(), right.type()));
        if (left.backend() != right.backend() || !left.domain().equals(right.range())) {
            throw new IllegalArgumentException("times: " + left + " takes vectors that are " + left.domain() + ", and "
                    + right + " returns vectors that are " + right.range() + "; put an operator between them that"
                    + " changes the layout");
        }
        this.left = left;
        this.right = right;
    }

    @Override
    boolean isComplexLinear() {
        return left.isComplexLinear() && right.isComplexLinear();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        left.matvec(right.matvec(x, between.of(backend(), right.range(), x.type())), y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        right.rmatvec(left.rmatvec(y, between.of(backend(), right.range(), y.type())), x);
    }

    @Override
    public String toString() {
        return "(" + left + " * " + right + ")";
    }
}
