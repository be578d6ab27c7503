// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.operator.LinearOperator;

/**
 * The constraint A x = b (PyProximal {@code AffineSet}): 0 there, ∞ elsewhere. Its map is the projection: iterations of
 * conjugate gradients for |A x − b|² that begin at what is projected. Without a solution of A x = b it is that of least
 * squares which is nearest. Values and maps are collective.
 */
public final class AffineSet extends Proximal {
    private static final Calculation WEIGHTS = AffineSet::weights;

    private final LinearOperator a;
    private final Vector b;
    private int iterations = 10;

    private AffineSet(LinearOperator a, Vector b) {
        this.a = a;
        this.b = b;
    }

    /**
     * Returns the constraint.
     *
     * @throws IllegalArgumentException if b is not of the operator's range
     */
    public static AffineSet of(LinearOperator a, Vector b) {
        noNulls("AffineSet.of", "a", a, "b", b);
        if (!b.layout().equals(a.range()) || b.backend() != a.backend()) {
            throw new IllegalArgumentException(
                    "AffineSet: " + b + " must have the layout and backend of the range of " + a);
        }
        return new AffineSet(a, b);
    }

    /** Sets the number of inner iterations; 10 unless set. */
    public AffineSet iterations(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("AffineSet: " + count + " iterations are less than 1");
        }
        iterations = count;
        return this;
    }

    private static void weights(F64Ptr numbers, F64Ptr tau, F64Ptr none) {
        numbers.set(0, 1);
        numbers.set(2, 0);
    }

    /** Collective: returns 0 where |A x − b| is at most 10⁻⁵ (|A x| + |b|), 10⁻³ of 32 bits; ∞ elsewhere. */
    @Override
    public double value(Vector x) {
        double tolerance = Compute.real(x.type()) == DataType.FLOAT64 ? 1e-5 : 1e-3;
        try (Vector image = a.times(x)) {
            double scale = image.norm() + b.norm();
            double residual = image.axpy(Coefficient.MINUS_ONE, b).norm();
            return residual <= tolerance * scale ? 0 : Double.POSITIVE_INFINITY;
        }
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        Vector u = update.vector().like();
        if (!u.layout().equals(a.domain())) {
            throw new IllegalArgumentException("AffineSet: " + u + " must have the layout of the domain of " + a);
        }
        Vector v = u.like();
        Buffer none = Steps.memory(u.backend().compute(), 0);
        LeastSquaresStep solve = new LeastSquaresStep(
                v, new LeastSquaresStep.Term(a, b), new LeastSquaresStep.Term(null, u), WEIGHTS, tau, none, iterations);
        Runnable all = update.around(
                u,
                () -> {
                    v.assign(u);
                    solve.run();
                },
                v);
        return new Step(all, u, v).closing(solve::close);
    }
}
