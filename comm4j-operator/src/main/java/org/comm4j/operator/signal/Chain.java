// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import java.util.List;
import org.comm4j.array.Vector;
import org.comm4j.operator.LinearOperator;

/** An operator under a name of its own that is a product of others. */
abstract class Chain extends LinearOperator {
    private final LinearOperator chain;

    Chain(LinearOperator chain) {
        super(chain.backend(), chain.domain(), chain.domainType(), chain.range(), chain.rangeType());
        this.chain = chain;
    }

    /**
     * Returns the product of operators.
     *
     * @param steps at least one, that which is applied first at first
     */
    static LinearOperator of(List<LinearOperator> steps) {
        LinearOperator chain = steps.getFirst();
        for (LinearOperator step : steps.subList(1, steps.size())) {
            chain = step.times(chain);
        }
        return chain;
    }

    @Override
    protected final void apply(Vector x, Vector y) {
        chain.matvec(x, y);
    }

    @Override
    protected final void applyAdjoint(Vector y, Vector x) {
        chain.rmatvec(y, x);
    }
}
