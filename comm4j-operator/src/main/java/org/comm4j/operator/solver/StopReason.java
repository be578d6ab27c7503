// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

/** Why a solver stopped. */
public enum StopReason {
    /** A tolerance was reached. */
    CONVERGED,
    /** The number of iterations was reached. */
    ITERATIONS,
    /** The operator's condition number was estimated to be above the limit of {@link Lsqr}. */
    CONDITION,
    /** A norm became NaN, infinite or very large, or the operator is not positive definite. */
    DIVERGED
}
