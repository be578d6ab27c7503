// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.cuda.DeviceArray;
import org.comm4j.ffi.nccl.LibNccl;

/**
 * Memory that a communicator knows, so that it need not copy through buffers of its own where it can do without
 * ({@code ncclCommRegister}). Made by {@link NcclCommunicator#register}; closed with its communicator at the latest, and before its
 * memory is freed.
 */
public final class Registration implements AutoCloseable {
    private final NcclHoldings communicator;
    private final DeviceArray memory;
    private final long handle;
    private boolean closed;

    Registration(NcclHoldings communicator, DeviceArray memory, long handle) {
        this.communicator = communicator;
        this.memory = memory;
        this.handle = handle;
    }

    /** The registered memory. */
    public DeviceArray memory() {
        return memory;
    }

    /** Ends the registration ({@code ncclCommDeregister}); the memory stays. Closing twice is fine. */
    @Override
    public void close() {
        communicator.release(this, () -> {
            if (!closed) {
                closed = true;
                LibNccl.ncclCommDeregister(communicator.handle, handle);
            }
        });
    }

    @Override
    public String toString() {
        return "Registration[" + memory + " of " + communicator + "]";
    }
}
