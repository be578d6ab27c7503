// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.nccl.NcclWaitSignalDesc;

/**
 * What {@link NcclCommunicator#waitSignals} waits for ({@code ncclWaitSignalDesc_t}): that {@code peer} has raised a
 * signal of this rank {@code times} more times.
 *
 * @param peer the rank that raises it
 * @param times how often, at least once
 * @param signal which signal, from 0 to one less than {@link CommConfig#rmaSignals}
 * @param context in which context, from 0 to one less than {@link CommConfig#rmaContexts}
 */
public record SignalWait(int peer, int times, int signal, int context) {

    /** Signal 0 of context 0, once. */
    public SignalWait(int peer) {
        this(peer, 1, 0, 0);
    }

    void write(MemorySegment struct) {
        struct.set(JAVA_INT, NcclWaitSignalDesc.opCnt, times);
        struct.set(JAVA_INT, NcclWaitSignalDesc.peer, peer);
        struct.set(JAVA_INT, NcclWaitSignalDesc.sigIdx, signal);
        struct.set(JAVA_INT, NcclWaitSignalDesc.ctx, context);
    }
}
