// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Compute;

/** The product of two operators: the second one is applied first. */
final class ProductOperator extends LinearOperator {
    private final LinearOperator left;
    private final LinearOperator right;
    private final Temporary between = new Temporary();

    ProductOperator(LinearOperator left, LinearOperator right) {
        super(left.backend(), right.domain(), domainType(left, right), left.range(), rangeType(left, right));
        if (left.backend() != right.backend() || !left.domain().equals(right.range())) {
            throw new IllegalArgumentException("times: " + left + " takes vectors that are " + left.domain() + ", and "
                    + right + " returns vectors that are " + right.range() + "; put an operator between them that"
                    + " changes the layout");
        }
        boolean fit = right.changesType()
                ? takes(left, right.rangeType())
                : !left.changesType() || takes(right, left.domainType());
        if (!fit) {
            throw new IllegalArgumentException("times: " + left + " takes elements of " + left.domainType() + ", and "
                    + right + " returns those of " + right.rangeType());
        }
        this.left = left;
        this.right = right;
    }

    private static boolean takes(LinearOperator operator, DataType elements) {
        return operator.changesType()
                ? operator.domainType() == elements
                : elements.isComplex() || !operator.type().isComplex();
    }

    /** An operator that changes the type says what the other one is given. */
    private static DataType domainType(LinearOperator left, LinearOperator right) {
        if (right.changesType()) {
            return right.domainType();
        }
        return left.changesType() ? left.domainType() : Compute.promote(left.type(), right.type());
    }

    private static DataType rangeType(LinearOperator left, LinearOperator right) {
        if (left.changesType()) {
            return left.rangeType();
        }
        return right.changesType() ? right.rangeType() : Compute.promote(left.type(), right.type());
    }

    @Override
    boolean isComplexLinear() {
        return left.isComplexLinear() && right.isComplexLinear();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        left.matvec(right.matvec(x, between.of(backend(), right.range(), right.rangeType(x.type()))), y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        right.rmatvec(left.rmatvec(y, between.of(backend(), right.range(), left.domainType(y.type()))), x);
    }

    @Override
    public String toString() {
        return "(" + left + " * " + right + ")";
    }
}
