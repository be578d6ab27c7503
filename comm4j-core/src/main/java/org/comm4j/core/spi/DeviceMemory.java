// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;

/**
 * Memory of a device, for engines whose library reads and writes such memory by its address, as MPI does where it is
 * CUDA-aware, and for those that copy it to the host and back.
 */
public interface DeviceMemory extends Buffer {
    /**
     * Runs {@code body}, a call of a library that uses the memory and has finished with it when it returns. It runs
     * after the work so far that uses the memory, with the device as the current one of this thread; the memory is
     * there until it ends, whoever closes it.
     *
     * @throws IllegalStateException if the memory was freed
     */
    void during(Runnable body);

    /**
     * Keeps the memory until the result runs, or for ever, for a library that may still use it.
     *
     * @throws IllegalStateException if the memory was freed
     */
    Runnable keep();

    /**
     * Returns bytes of host memory that the device copies to and from at full speed ({@code cuMemHostAlloc}); it is
     * {@link AutoCloseable}.
     */
    HostArray pinned(long bytes);
}
