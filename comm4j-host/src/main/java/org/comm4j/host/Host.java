// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import org.comm4j.core.World;

/** The embedded engine: processes of one machine over shared memory, without any native library. */
public final class Host {
    private Host() {}

    /**
     * Collective over {@code world}: a communicator of all its ranks, with a symmetric heap of its own that
     * {@link HostCommunicator#shmem()} gives and that is closed with it.
     */
    public static HostCommunicator communicator(World world) {
        HostShmem shmem = HostShmem.init(world);
        return HostCommunicator.of(shmem, true);
    }

    /** Collective: a communicator of all PEs over a symmetric heap that stays open when the communicator is closed. */
    public static HostCommunicator communicator(HostShmem shmem) {
        return HostCommunicator.of(shmem, false);
    }
}
