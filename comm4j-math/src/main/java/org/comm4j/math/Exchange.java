// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;

/**
 * Messages of every rank to every rank, of the same sizes each time, which ranks write into each other's memory: {@link
 * Compute#exchange} makes one. Every rank calls it, on the thread that computes, in the order of what is computed.
 */
public interface Exchange {
    /**
     * Returns the memory in which messages arrive: those of all ranks, one behind the other. Other exchanges of the
     * same communicator overwrite it.
     */
    Buffer landing(DataType type);

    /**
     * Sends and receives; on a GPU the host does not wait.
     *
     * @param send the messages to all ranks, one behind the other
     * @param recv where those of all ranks come, one behind the other: any memory, or {@link #landing}, which saves a
     *     copy
     */
    void run(Buffer send, Buffer recv);
}
