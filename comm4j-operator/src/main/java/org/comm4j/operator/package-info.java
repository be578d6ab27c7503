// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Linear operators over distributed arrays, in PyLops' words. A {@link org.comm4j.operator.LinearOperator} applies
 * itself and its adjoint; sums, products and stacks of operators are operators.
 *
 * {@snippet :
 * try (World world = World.join();
 *         Communicator comm = world.communicator();
 *         Backend backend = Backend.of(comm)) {
 *     Layout rows = backend.scattered(0, 1000, 300);
 *     LinearOperator slope = FirstDerivative.of(backend, rows, 0).build();
 *     Vector x = backend.random(rows, DataType.FLOAT64, 42);
 *     Vector y = slope.times(x); // collective
 *     Vector back = slope.H().times(y);
 * }
 * }
 */
package org.comm4j.operator;
