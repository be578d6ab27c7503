// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.List;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;

/** Operators of all ranks together, one above the other: they share a model, and their data are a stack. */
final class OperatorColumn extends LinearOperator {
    private final List<LinearOperator> operators;
    private final Temporary term = new Temporary();

    OperatorColumn(LinearOperator... operators) {
        super(
                operators[0].backend(),
                operators[0].domain(),
                OperatorDiagonal.type(LinearOperator::domainType, operators),
                OperatorDiagonal.stacked(LinearOperator::range, operators),
                OperatorDiagonal.type(LinearOperator::rangeType, operators));
        this.operators = List.of(operators);
        for (LinearOperator operator : operators) {
            if (operator.backend() != backend() || !operator.domain().equals(domain())) {
                throw new IllegalArgumentException("VStack: " + operator + " and " + operators[0]
                        + " must have the same domain and backend to be one above the other");
            }
            if (operator.changesType() != operators[0].changesType()
                    || changesType() && operator.domainType() != domainType()) {
                throw new IllegalArgumentException("VStack: " + operator + " maps " + operator.domainType() + " to "
                        + operator.rangeType() + ", and " + operators[0] + " " + operators[0].domainType() + " to "
                        + operators[0].rangeType());
            }
        }
    }

    @Override
    boolean isComplexLinear() {
        return operators.stream().allMatch(LinearOperator::isComplexLinear);
    }

    @Override
    protected void apply(Vector x, Vector y) {
        for (int i = 0; i < operators.size(); i++) {
            operators.get(i).matvec(x, member(y, i));
        }
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        operators.getFirst().rmatvec(member(y, 0), x);
        for (int i = 1; i < operators.size(); i++) {
            x.axpy(Coefficient.ONE, operators.get(i).rmatvec(member(y, i), term.like(x)));
        }
    }

    private static Vector member(Vector stack, int i) {
        return ((StackedArray) stack).members().get(i);
    }

    @Override
    public String toString() {
        return "VStack" + operators;
    }
}
