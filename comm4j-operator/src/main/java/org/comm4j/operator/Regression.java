// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.ReduceOp;
import org.comm4j.math.Blas;

/**
 * The values of a polynomial at given points (PyLops {@code Regression}): y(t) = Σ xₖ tᵏ. The coefficients are
 * replicated, the points have any layout. Where they are scattered, the adjoint ends with one allReduce of the
 * coefficients.
 */
public final class Regression extends LinearOperator {
    private final DistributedArray powers;
    private final long points;

    private Regression(DistributedArray t, DistributedArray powers, int order) {
        super(t.backend(), coefficients(t.layout(), order), t.layout(), t.type());
        this.powers = powers;
        points = t.part().count();
    }

    private static Layout coefficients(Layout points, int order) {
        return points.partition() == Partition.LOCAL ? Layout.local(order + 1) : Layout.replicated(order + 1);
    }

    /**
     * Returns the operator.
     *
     * @param t points, real
     * @param order highest power, the number of coefficients less 1
     */
    public static Regression of(DistributedArray t, int order) {
        nonNull(t, "Regression.of", "t");
        if (order < 0 || t.type().isComplex()) {
            throw new IllegalArgumentException(
                    "Regression: the order " + order + " must be at least 0, and " + t + " real");
        }
        long n = t.part().count();
        // Row k has the powers k, so that each row is the one before times t.
        DistributedArray powers = t.backend().full(Layout.local(order + 1, n), t.type(), 1);
        for (int k = 1; k <= order; k++) {
            t.backend()
                    .compute()
                    .multiply(
                            powers.part().slice((k - 1) * n, n),
                            t.part(),
                            powers.part().slice(k * n, n));
        }
        return new Regression(t, powers, order);
    }

    /** Returns the values of a straight line at given points (PyLops {@code LinearRegression}). */
    public static Regression linear(DistributedArray t) {
        nonNull(t, "Regression.linear", "t");
        return of(t, 1);
    }

    @Override
    protected void apply(Vector x, Vector y) {
        Blas blas = backend().compute().blas();
        blas.gemm(
                org.comm4j.math.Transpose.TRANSPOSE, points, 1, domain().size(), 1, powers.part(), part(x), 0, part(y));
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        Blas blas = backend().compute().blas();
        blas.gemm(org.comm4j.math.Transpose.NONE, domain().size(), 1, points, 1, powers.part(), part(y), 0, part(x));
        if (range().isDivided() && backend().size() > 1) {
            backend().operations(range()).allReduce(part(x), part(x), ReduceOp.SUM);
        }
    }

    private static Buffer part(Vector x) {
        return x.arrays().getFirst().part();
    }
}
