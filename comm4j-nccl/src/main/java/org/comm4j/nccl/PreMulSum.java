// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.DataType;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.nccl.LibNccl;
import org.jspecify.annotations.Nullable;

/**
 * A sum of which each rank multiplies its own part by a factor first ({@code ncclRedOpCreatePreMulSum}): made by
 * {@link NcclCommunicator#preMulSum}, used as {@code comm.with(sum).allReduce(send, recv, stream)}. Closed with its
 * communicator at the latest.
 */
public final class PreMulSum implements AutoCloseable {
    private final NcclHoldings communicator;
    private final DataType type;
    private final int op;
    /** The factor, where that is in device memory. */
    private final @Nullable DeviceArray factor;

    private final Runnable giveBack;
    private volatile boolean closed;

    PreMulSum(NcclHoldings communicator, DataType type, int op, @Nullable DeviceArray factor) {
        this.communicator = communicator;
        this.type = type;
        this.op = op;
        this.factor = factor;
        this.giveBack = factor == null ? () -> {} : factor.keep();
    }

    /** Returns the element type for which it was made. */
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

    /** Tells the factor in which stream it will be read. */
    void usedIn(Stream stream) {
        if (factor != null) {
            factor.usedIn(stream);
        }
    }

    /**
     * Ends it for calls to come ({@code ncclRedOpDestroy}); those that are under way are not concerned. Closing twice
     * is fine.
     */
    @Override
    public void close() {
        closed = true;
        if (communicator.release(this, () -> LibNccl.ncclRedOpDestroy(op, communicator.handle))) {
            giveBack.run();
        }
    }

    @Override
    public String toString() {
        return "PreMulSum[" + type + " of " + communicator + "]";
    }
}
