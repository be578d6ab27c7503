// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

/**
 * The outcome of a solver, equal on every rank.
 *
 * @param reason why it stopped
 * @param iterations that were made
 * @param residualNorm |y − A x|
 * @param costs |y − A x| at the start and after each iteration
 */
public record SolverResult(StopReason reason, int iterations, double residualNorm, double[] costs) {
    @Override
    public String toString() {
        String how = switch (reason) {
            case CONVERGED -> "converged";
            case ITERATIONS -> "stopped";
            case DIVERGED -> "diverged";
        };
        return "%s after %d iterations, |r| %.3g".formatted(how, iterations, residualNorm);
    }
}
