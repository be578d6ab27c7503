// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

/** Why a solver stopped. */
public enum StopReason {
    /** A tolerance was reached. */
    CONVERGED,
    /** The number of iterations was reached. */
    ITERATIONS,
    /** A residual became NaN or infinite. */
    DIVERGED
}
