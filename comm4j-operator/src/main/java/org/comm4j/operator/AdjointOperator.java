// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.Vector;

/** The adjoint of an operator. */
final class AdjointOperator extends LinearOperator {
    private final LinearOperator operator;

    AdjointOperator(LinearOperator operator) {
        super(
                operator.backend(),
                /* domain= */ operator.range(),
                operator.rangeType(),
                /* range= */ operator.domain(),
                operator.domainType());
        this.operator = operator;
    }

    @Override
    boolean isComplexLinear() {
        return operator.isComplexLinear();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        operator.rmatvec(x, y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        operator.matvec(y, x);
    }

    @Override
    public LinearOperator H() {
        return operator;
    }

    @Override
    public String toString() {
        return operator + ".H()";
    }
}
