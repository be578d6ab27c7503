// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Distributed arrays. A {@link org.comm4j.array.Backend} makes them on a communicator's ranks, a {@link
 * org.comm4j.array.Layout} says which rank has what. Their sums, products and norms are the same for any number of
 * ranks, on processors and on GPUs.
 *
 * {@snippet :
 * try (World world = World.join();
 *         Communicator comm = world.communicator();
 *         Backend backend = Backend.of(comm)) {
 *     Layout rows = backend.scattered(0, 1000, 300);
 *     DistributedArray x = backend.random(rows, DataType.FLOAT64, 42);
 *     DistributedArray y = backend.full(rows, DataType.FLOAT64, 1);
 *     y.axpy(-2, x);
 *     double norm = y.norm(); // collective
 * }
 * }
 */
package org.comm4j.array;
