// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * Half the squared 2-norm σ / 2 |A x − b|² (PyProximal {@code L2}). With an operator its map is a fixed number of
 * iterations of conjugate gradients, from zeros or from the last result; values and maps are collective then.
 */
public final class L2 extends Proximal {
    private static final Calculation WEIGHTS = L2::weights;
    private static final Calculation SHARES = L2::shares;

    private final @Nullable LinearOperator a;
    private final @Nullable Vector b;
    private final double sigma;
    private int iterations = 10;
    private boolean warm;

    private L2(@Nullable LinearOperator a, @Nullable Vector b, double sigma) {
        this.a = a;
        this.b = b;
        this.sigma = Separable.checked("L2: sigma", sigma);
    }

    /** Returns σ / 2 |x|². */
    public static L2 of(double sigma) {
        return new L2(null, null, sigma);
    }

    /** Returns σ / 2 |x − b|². */
    public static L2 of(Vector b, double sigma) {
        nonNull(b, "L2.of", "b");
        return new L2(null, b, sigma);
    }

    /**
     * Returns ½ |A x − b|².
     *
     * @throws IllegalArgumentException if b is not of the operator's range
     */
    public static L2 of(LinearOperator a, Vector b) {
        return of(a, b, 1);
    }

    /**
     * Returns σ / 2 |A x − b|².
     *
     * @throws IllegalArgumentException if b is not of the operator's range
     */
    public static L2 of(LinearOperator a, Vector b, double sigma) {
        noNulls("L2.of", "a", a, "b", b);
        if (!b.layout().equals(a.range()) || b.backend() != a.backend()) {
            throw new IllegalArgumentException("L2: " + b + " must have the layout and backend of the range of " + a);
        }
        return new L2(a, b, sigma);
    }

    /** Sets the number of inner iterations of a map with an operator; 10 unless set. */
    public L2 iterations(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("L2: " + count + " iterations are less than 1");
        }
        iterations = count;
        return this;
    }

    /** Begins inner iterations at the result of the solver's last map instead of zeros. */
    public L2 warm() {
        warm = true;
        return this;
    }

    private static void weights(F64Ptr numbers, F64Ptr tau, F64Ptr sigma) {
        numbers.set(0, tau.get(0) * sigma.get(0));
        numbers.set(2, 1);
    }

    /** Calculates the shares of x and b. */
    private static void shares(F64Ptr numbers, F64Ptr tau, F64Ptr sigma) {
        double weight = tau.get(0) * sigma.get(0);
        numbers.set(0, 1 / (1 + weight));
        numbers.set(2, weight / (1 + weight));
    }

    @Override
    public double value(Vector x) {
        try (Vector r = residual(x)) {
            double norm = r.norm();
            return sigma / 2 * norm * norm;
        }
    }

    /** Returns a new vector, A x − b. */
    private Vector residual(Vector x) {
        LinearOperator op = a;
        Vector right = b;
        Vector r = op == null ? x.like().assign(x) : op.times(x);
        return right == null ? r : r.axpy(Coefficient.MINUS_ONE, right);
    }

    @Override
    public Vector grad(Vector x, Vector result) {
        try (Step step = prepareGrad(x, result)) {
            step.run();
        }
        return result;
    }

    @Override
    public Step prepareGrad(Vector x, Vector result) {
        LinearOperator op = a;
        Vector right = b;
        Coefficient weight = Coefficient.of(sigma);
        if (op == null || right == null) {
            return new Step((right == null
                            ? Pointwise.of(weight, x, Coefficient.ZERO, x)
                            : Pointwise.of(weight, x, Coefficient.of(-sigma), right))
                    .into(result));
        }
        Vector r = right.like();
        Pointwise residual =
                Pointwise.of(weight, r, Coefficient.of(-sigma), right).into(r);
        return new Step(
                () -> {
                    op.matvec(x, r);
                    residual.run();
                    op.rmatvec(r, result);
                },
                r);
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        Vector u = update.vector().like();
        LinearOperator op = a;
        Vector right = b;
        if (op != null && right != null) {
            if (!u.layout().equals(op.domain())) {
                throw new IllegalArgumentException("L2: " + u + " must have the layout of the domain of " + op);
            }
            Vector v = u.like();
            Buffer parameters = Steps.memory(u.backend().compute(), sigma);
            LeastSquaresStep solve = new LeastSquaresStep(
                    v,
                    new LeastSquaresStep.Term(op, right),
                    new LeastSquaresStep.Term(null, u),
                    WEIGHTS,
                    tau,
                    parameters,
                    iterations);
            boolean keeps = warm;
            Runnable all = update.around(
                    u,
                    () -> {
                        if (!keeps) {
                            v.fill(Coefficient.ZERO);
                        }
                        solve.run();
                    },
                    v);
            Step step = new Step(all, u, v).closing(solve::close);
            return keeps ? step.keeping(v) : step;
        }
        Steps steps = new Steps(u.backend(), 2, SHARES, tau, sigma);
        Vector v = u.like();
        Pointwise mix = right == null
                ? Pointwise.of(steps.get(0), u, Coefficient.ZERO, u)
                : Pointwise.of(steps.get(0), u, steps.get(1), right);
        mix.into(v);
        Runnable all = update.around(
                u,
                () -> {
                    steps.calculate();
                    mix.run();
                },
                v);
        return new Step(all, u, v);
    }
}
