// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Vector;
import org.comm4j.operator.LinearOperator;

/**
 * A least-squares problem in another variable (PyLops {@code preconditioned_inversion}): the p that minimises |y − A P
 * p|², and the model x = P p.
 */
public final class Preconditioned {
    private final LinearOperator p;
    private final Solver solver;

    private Preconditioned(LinearOperator a, LinearOperator p, Vector y) {
        this.p = p;
        solver = Cgls.of(a.times(p), y);
    }

    /** Returns the problem of an operator A, a change P of the variable, and data y. */
    public static Preconditioned of(LinearOperator a, LinearOperator p, Vector y) {
        noNulls("Preconditioned.of", "a", a, "p", p, "y", y);
        return new Preconditioned(a, p, y);
    }

    /** Returns the solver for p, to set its options. */
    public Solver solver() {
        return solver;
    }

    /** Collective: solves the problem and returns the model x = P p, which is the caller's to close. */
    public Vector solve() {
        try (Vector found = solver.solve()) {
            return p.times(found);
        }
    }
}
