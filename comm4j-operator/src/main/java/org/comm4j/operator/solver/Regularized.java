// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.VStack;

/**
 * A least-squares problem with weight and regularisation as one stack (PyLops {@code regularized_inversion}): the x
 * that minimises |W (y − A x)|² + Σ |εᵢ (yᵢ − Rᵢ x)|².
 */
public final class Regularized {
    private final List<LinearOperator> operators = new ArrayList<>();
    private final List<Vector> data = new ArrayList<>();

    private Regularized(LinearOperator a, Vector y) {
        operators.add(a);
        data.add(y);
    }

    /** Returns the problem of an operator A and data y. */
    public static Regularized of(LinearOperator a, Vector y) {
        noNulls("Regularized.of", "a", a, "y", y);
        return new Regularized(a, y.like().assign(y));
    }

    /**
     * Collective where the weight is: returns the problem of an operator A and data y with a weight W of the residual.
     */
    public static Regularized of(LinearOperator a, Vector y, LinearOperator w) {
        noNulls("Regularized.of", "a", a, "y", y, "w", w);
        return new Regularized(w.times(a), w.times(y));
    }

    /** Adds |ε R x|² to what is minimised. */
    public Regularized regularization(LinearOperator r, double epsilon) {
        nonNull(r, "Regularized.regularization", "r");
        return add(r, epsilon, r.backend().vector(r.range(), data.getFirst().type()));
    }

    /** Adds |ε (data − R x)|² to what is minimised. */
    public Regularized regularization(LinearOperator r, double epsilon, Vector data) {
        noNulls("Regularized.regularization", "r", r, "data", data);
        return add(r, epsilon, data.like().assign(data).scale(Coefficient.of(epsilon)));
    }

    private Regularized add(LinearOperator r, double epsilon, Vector scaled) {
        operators.add(r.times(epsilon));
        data.add(scaled);
        return this;
    }

    /** Returns the stacked operator (PyLops {@code RegularizedOperator}). */
    public LinearOperator operator() {
        return VStack.of(operators.toArray(LinearOperator[]::new));
    }

    /** Returns the data of the stacked operator. */
    public Vector data() {
        return StackedArray.of(data.toArray(Vector[]::new));
    }

    /** Returns the solver of the stack by {@link Cgls}; {@link Lsqr} takes {@link #operator} and {@link #data}, too. */
    public Solver solver() {
        return Cgls.of(operator(), data());
    }
}
