// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Iterative solvers over linear operators: {@link org.comm4j.operator.solver.Cg} and {@link
 * org.comm4j.operator.solver.Cgls} for least squares, {@link org.comm4j.operator.solver.Fista} for sparse models,
 * splitting methods for total variation. All have the same options of when to stop, callbacks and checkpoints.
 */
package org.comm4j.operator.solver;
