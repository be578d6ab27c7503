// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Communicators over an MPI library. Nothing is compiled where the program runs: the library is found and asked for its
 * binary interface, Open MPI's, MPICH's or the standard one.
 */
package org.comm4j.mpi;
