// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.Vector;

/** The complex conjugate of an operator: conj(A conj(x)). */
final class ConjugateOperator extends LinearOperator {
    private final LinearOperator operator;
    private final Temporary conjugated = new Temporary();

    ConjugateOperator(LinearOperator operator) {
        super(operator.backend(), operator.domain(), operator.domainType(), operator.range(), operator.rangeType());
        this.operator = operator;
    }

    @Override
    boolean isComplexLinear() {
        return operator.isComplexLinear();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        operator.matvec(conjugated.like(x).assign(x).conjugate(), y).conjugate();
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        operator.rmatvec(conjugated.like(y).assign(y).conjugate(), x).conjugate();
    }

    @Override
    public LinearOperator conj() {
        return operator;
    }

    @Override
    public String toString() {
        return operator + ".conj()";
    }
}
