// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

/**
 * A message that has come ({@code MPI_Status}).
 *
 * @param rank who sent it
 * @param tag what it was sent with
 * @param count how many elements it has, of the type of the buffer
 */
public record Received(int rank, int tag, long count) {}
