// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/**
 * Operations that are collected and checked once and then done again and again, with the same buffers and the contents
 * that these have then (MPI persistent communication). {@link Communicator#persistent} makes it. Ranks call it in the
 * same order as they would call its operations. For one thread at a time.
 */
public interface PersistentGroup {

    /** Does the operations, as {@link Communicator#group} does. */
    void run();

    /**
     * Starts the operations, as {@link Communicator#groupAsync} does ({@code MPI_Startall}). Their buffers are in use
     * until {@link #await} returns.
     *
     * @throws IllegalStateException if they are under way
     */
    void start();

    /**
     * Waits for the end of the operations that were started ({@code MPI_Waitall}).
     *
     * @throws IllegalStateException if they were not started
     * @throws CommException if one failed; what it threw, thrown again
     */
    void await();
}
