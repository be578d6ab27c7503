// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.Identity;
import org.comm4j.operator.LinearOperator;

/**
 * A least-squares problem with weight and regularisation as its normal equations (PyLops
 * {@code normal_equations_inversion}): (Aᴴ W A + Σ εᵢ² Rᵢᴴ Rᵢ + Σ εⱼ² Nⱼ + ε² I) x = Aᴴ W y + Σ εᵢ² Rᵢᴴ yᵢ.
 */
public final class NormalEquations {
    private final LinearOperator forward;
    private final Vector right;
    private LinearOperator left;

    private NormalEquations(LinearOperator forward, LinearOperator left, Vector right) {
        this.forward = forward;
        this.left = left;
        this.right = right;
    }

    /** Collective where the operator is: returns the equations of an operator A and data y. */
    public static NormalEquations of(LinearOperator a, Vector y) {
        noNulls("NormalEquations.of", "a", a, "y", y);
        return new NormalEquations(a, a.H().times(a), a.H().times(y));
    }

    /**
     * Collective where the operators are: returns the equations of an operator A and data y with a weight.
     *
     * @param w weight of the data, Hermitian and not negative
     */
    public static NormalEquations of(LinearOperator a, Vector y, LinearOperator w) {
        noNulls("NormalEquations.of", "a", a, "y", y, "w", w);
        return new NormalEquations(a, a.H().times(w).times(a), a.H().times(w).times(y));
    }

    /** Adds |ε R x|² to what is minimised (PyLops {@code Regs}). */
    public NormalEquations regularization(LinearOperator r, double epsilon) {
        nonNull(r, "NormalEquations.regularization", "r");
        return add(r.H().times(r), epsilon);
    }

    /** Collective where the operator is: adds |ε (R x − data)|² to what is minimised (PyLops {@code dataregs}). */
    public NormalEquations regularization(LinearOperator r, double epsilon, Vector data) {
        noNulls("NormalEquations.regularization", "r", r, "data", data);
        try (Vector term = r.H().times(data)) {
            right.axpy(Coefficient.of(epsilon * epsilon), term);
        }
        return add(r.H().times(r), epsilon);
    }

    /** Adds ε² N to the operator, where N is Hermitian and not negative (PyLops {@code NRegs}). */
    public NormalEquations normal(LinearOperator n, double epsilon) {
        nonNull(n, "NormalEquations.normal", "n");
        return add(n, epsilon);
    }

    /** Adds ε² I to the operator (PyLops {@code epsI}). */
    public NormalEquations identity(double epsilon) {
        return add(Identity.of(forward.backend(), forward.domain(), forward.type()), epsilon);
    }

    private NormalEquations add(LinearOperator n, double epsilon) {
        left = left.plus(n.times(epsilon * epsilon));
        return this;
    }

    /** Returns the solver of the equations; its residual and tolerances are theirs. */
    public Solver solver() {
        return Cg.of(left, right);
    }
}
