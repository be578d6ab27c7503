// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.DataType;
import org.comm4j.ffi.nccl.LibNccl;

/**
 * A sum of which each rank multiplies its own part by a factor first ({@code ncclRedOpCreatePreMulSum}): made by
 * {@link NcclCommunicator#preMulSum}, used as {@code comm.with(sum).allReduce(send, recv, stream)}. Closed with its communicator at
 * the latest.
 */
public final class PreMulSum implements AutoCloseable {
    private final NcclHoldings communicator;
    private final DataType type;
    private final int op;
    private boolean closed;

    PreMulSum(NcclHoldings communicator, DataType type, int op) {
        this.communicator = communicator;
        this.type = type;
        this.op = op;
    }

    /** The element type for which it was made. */
    public DataType type() {
        return type;
    }

    NcclHoldings communicator() {
        return communicator;
    }

    int op() {
        if (closed || communicator.health.isEnded()) {
            throw new IllegalStateException(this + " is closed");
        }
        return op;
    }

    /** Closing twice is fine. */
    @Override
    public void close() {
        communicator.release(this, () -> {
            if (!closed) {
                closed = true;
                LibNccl.ncclRedOpDestroy(op, communicator.handle);
            }
        });
    }

    @Override
    public String toString() {
        return "PreMulSum[" + type + " of " + communicator + "]";
    }
}
