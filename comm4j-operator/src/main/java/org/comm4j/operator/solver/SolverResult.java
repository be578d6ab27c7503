// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

/**
 * The outcome of a solver, equal on every rank.
 *
 * @param reason why it stopped
 * @param iterations that were made
 * @param residualNorm |y − A x|, PyLops' {@code r1norm}
 * @param dampedNorm sqrt(|y − A x|² + damp² |x|²) of least squares, PyLops' {@code r2norm}; of {@link Cg} the
 *     residual's norm; of {@link Ista} and {@link Fista} what they minimise
 * @param costs |y − A x| at the start and after each iteration; of {@link Ista} and {@link Fista} what they minimise
 * @param message what happened, for people
 */
public record SolverResult(
        StopReason reason, int iterations, double residualNorm, double dampedNorm, double[] costs, String message) {
    @Override
    public String toString() {
        return message;
    }
}
