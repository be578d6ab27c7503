// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.cuda.DeviceArray;
import org.comm4j.ffi.nccl.LibNccl;

/**
 * Memory that a communicator knows, so that it need not copy through buffers of its own where it can do without
 * ({@code ncclCommRegister}). Made by {@link NcclCommunicator#register}; closed with its communicator at the latest.
 * Its memory is not freed before, whoever closes the array: NCCL would take new memory at the same address for it.
 */
public final class Registration implements AutoCloseable {
    private final NcclHoldings communicator;
    private final DeviceArray memory;
    private final long handle;
    private final Runnable giveBack;

    /** @param giveBack ends the keeping of the memory */
    Registration(NcclHoldings communicator, DeviceArray memory, long handle, Runnable giveBack) {
        this.communicator = communicator;
        this.memory = memory;
        this.handle = handle;
        this.giveBack = giveBack;
    }

    /** Returns the registered memory. */
    public DeviceArray memory() {
        return memory;
    }

    /** Ends the registration ({@code ncclCommDeregister}); the memory stays. Closing twice is fine. */
    @Override
    public void close() {
        communicator.checkCanClose(this);
        if (communicator.release(this, () -> LibNccl.ncclCommDeregister(communicator.handle, handle))) {
            giveBack.run();
        }
    }

    @Override
    public String toString() {
        return "Registration[" + memory + " of " + communicator + "]";
    }
}
