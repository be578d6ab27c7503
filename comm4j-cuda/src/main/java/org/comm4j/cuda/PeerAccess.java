// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import org.jspecify.annotations.Nullable;

/**
 * A communicator whose ranks may reach each other's memory by loads and stores, as over NVLink. Layers above it combine
 * numbers of all ranks within a kernel of their own, without knowing the engine.
 */
public interface PeerAccess extends StreamOrdered {
    /**
     * Collective: returns memory of every rank that kernels of all ranks read and write, or null on all ranks if some
     * rank does not reach another. The memory lives as long as the communicator. {@link StreamOrdered#synchronize}
     * tells of kernels that gave up waiting on it.
     *
     * @param count integers of 64 bits on each rank, zeroed; the same on all ranks
     */
    @Nullable
    PeerMemory peerMemory(long count);
}
