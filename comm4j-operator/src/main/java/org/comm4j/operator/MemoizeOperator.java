// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayDeque;
import java.util.Deque;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;

/**
 * An operator that remembers its last results (PyLops {@code MemoizeOperator}), where it costs much more than a
 * comparison of vectors. A vector is known if it is equal to one before, element by element; PyLops takes those that
 * are near, too. Each comparison is one reduction over the ranks.
 */
public final class MemoizeOperator extends LinearOperator {
    private record Known(boolean adjoint, Vector from, Vector to) {}

    private final LinearOperator operator;
    private final int most;
    private final Deque<Known> store = new ArrayDeque<>();
    private final Temporary difference = new Temporary();
    private int evaluations;

    private MemoizeOperator(LinearOperator operator, int most) {
        super(operator.backend(), operator.domain(), operator.range(), operator.type());
        this.operator = operator;
        this.most = most;
    }

    /**
     * Returns the operator.
     *
     * @param most number of results that are kept, the oldest of which goes first
     */
    public static MemoizeOperator of(LinearOperator operator, int most) {
        nonNull(operator, "MemoizeOperator.of", "operator");
        if (most < 1) {
            throw new IllegalArgumentException("MemoizeOperator: " + most + " results to keep are less than 1");
        }
        return new MemoizeOperator(operator, most);
    }

    /** Returns how often the operator or its adjoint was computed. */
    public int evaluations() {
        return evaluations;
    }

    @Override
    boolean isComplexLinear() {
        return operator.isComplexLinear();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        run(false, x, y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        run(true, y, x);
    }

    private void run(boolean adjoint, Vector from, Vector to) {
        for (Known known : store) {
            // What was computed in one direction is not known in the other one: Aᴴ (A x) is not x.
            if (known.adjoint == adjoint && known.from.type() == from.type() && isEqual(known.from, from)) {
                to.assign(known.to);
                return;
            }
        }
        if (adjoint) {
            operator.rmatvec(from, to);
        } else {
            operator.matvec(from, to);
        }
        evaluations++;
        if (store.size() == most) {
            Known oldest = store.removeFirst();
            oldest.from.close();
            oldest.to.close();
        }
        store.addLast(new Known(adjoint, from.like().assign(from), to.like().assign(to)));
    }

    private boolean isEqual(Vector a, Vector b) {
        return difference.like(a).assign(a).axpy(Coefficient.MINUS_ONE, b).norm(Double.POSITIVE_INFINITY) == 0;
    }
}
