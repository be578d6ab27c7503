// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.comm4j.array.Layout;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Compute;

/** Operators of all ranks together, each on a model of its own: model and data are stacks. */
final class OperatorDiagonal extends LinearOperator {
    private final List<LinearOperator> operators;

    OperatorDiagonal(LinearOperator... operators) {
        super(
                operators[0].backend(),
                stacked(LinearOperator::domain, operators),
                type(LinearOperator::domainType, operators),
                stacked(LinearOperator::range, operators),
                type(LinearOperator::rangeType, operators));
        this.operators = List.of(operators);
        for (LinearOperator operator : operators) {
            if (operator.backend() != backend()) {
                throw new IllegalArgumentException(
                        "BlockDiag: " + operator + " and " + operators[0] + " must have the same backend");
            }
            if (operator.changesType() != operators[0].changesType()
                    || changesType()
                            && (operator.domainType() != domainType() || operator.rangeType() != rangeType())) {
                throw new IllegalArgumentException("BlockDiag: " + operator + " maps " + operator.domainType() + " to "
                        + operator.rangeType() + ", and " + operators[0] + " " + operators[0].domainType() + " to "
                        + operators[0].rangeType());
            }
        }
    }

    /** Returns the stack of what operators take, or of what they return. */
    static Layout stacked(Function<LinearOperator, Layout> side, LinearOperator... operators) {
        return Layout.stacked(Arrays.stream(operators).map(side).toArray(Layout[]::new));
    }

    /** Returns the type that one side of all operators fits. */
    static DataType type(Function<LinearOperator, DataType> side, LinearOperator... operators) {
        return Arrays.stream(operators).map(side).reduce(Compute::promote).orElseThrow();
    }

    @Override
    boolean isComplexLinear() {
        return operators.stream().allMatch(LinearOperator::isComplexLinear);
    }

    @Override
    protected void apply(Vector x, Vector y) {
        for (int i = 0; i < operators.size(); i++) {
            operators.get(i).matvec(member(x, i), member(y, i));
        }
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        for (int i = 0; i < operators.size(); i++) {
            operators.get(i).rmatvec(member(y, i), member(x, i));
        }
    }

    private static Vector member(Vector stack, int i) {
        return ((StackedArray) stack).members().get(i);
    }

    @Override
    public String toString() {
        return "BlockDiag" + operators;
    }
}
