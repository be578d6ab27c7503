// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclWaitSignalDesc;
import org.comm4j.ffi.nccl.NcclWindow;

/**
 * A checked put, signal or wait.
 *
 * @param what it is, for messages
 * @param use checks that its memory is still there, and notes the use; with the lock held, before anything of a group is enqueued
 * @param call has NCCL enqueue it; with the lock of the communicator held
 */
record OneSidedCall(String what, Runnable use, Runnable call) {

    static OneSidedCall putSignal(
            NcclHoldings comm,
            DeviceArray source,
            int peer,
            Window window,
            long offset,
            int signal,
            int context,
            Stream stream) {
        comm.checkPeer("putSignal", peer);
        comm.checkMemory("putSignal", source);
        checkSignal(comm, "putSignal", signal, context);
        if (window.communicator() != comm) {
            throw new IllegalArgumentException(
                    "putSignal on " + comm.where() + ": " + window + " is of another communicator");
        }
        int bytes = source.type().bytes();
        if (offset < 0 || source.count() > window.memory().byteSize() / bytes - offset) {
            throw new IndexOutOfBoundsException("putSignal on " + comm.where() + ": " + source.count() + " elements at "
                    + offset + " leave " + window);
        }
        NcclWindow target = window.handle();
        int type = Types.of(source.type());
        long count = source.count() * Types.units(source.type());
        return new OneSidedCall(
                "putSignal(" + source + ", " + peer + ")",
                () -> {
                    // It may have been closed since.
                    window.handle();
                    comm.checkWhole("putSignal", source);
                    source.usedIn(stream);
                },
                () -> LibNccl.ncclPutSignal(
                        source.address(),
                        count,
                        type,
                        peer,
                        target,
                        offset * bytes,
                        signal,
                        context,
                        0,
                        comm.handle,
                        stream.handle()));
    }

    static OneSidedCall signal(NcclHoldings comm, int peer, int signal, int context, Stream stream) {
        comm.checkPeer("signal", peer);
        checkSignal(comm, "signal", signal, context);
        return new OneSidedCall(
                "signal(" + peer + ", " + signal + ")",
                () -> {},
                () -> LibNccl.ncclSignal(peer, signal, context, 0, comm.handle, stream.handle()));
    }

    static OneSidedCall waitSignals(NcclHoldings comm, List<SignalWait> waits, Stream stream) {
        List<SignalWait> all = List.copyOf(waits);
        if (all.isEmpty()) {
            throw new IllegalArgumentException("waitSignals on " + comm.where() + ": nothing to wait for");
        }
        for (SignalWait wait : all) {
            comm.checkPeer("waitSignals", wait.peer());
            checkSignal(comm, "waitSignals", wait.signal(), wait.context());
            if (wait.times() < 1) {
                throw new IllegalArgumentException(
                        "waitSignals on " + comm.where() + ": " + wait + ": at least 1 time");
            }
        }
        return new OneSidedCall("waitSignals(" + all + ")", () -> comm.useWindows(stream), () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment descriptors = arena.allocate(NcclWaitSignalDesc.LAYOUT, all.size());
                for (int i = 0; i < all.size(); i++) {
                    all.get(i).write(descriptors.asSlice(i * NcclWaitSignalDesc.BYTES));
                }
                LibNccl.ncclWaitSignal(all.size(), descriptors, comm.handle, stream.handle());
            }
        });
    }

    private static void checkSignal(NcclHoldings comm, String what, int signal, int context) {
        if (signal < 0 || context < 0) {
            throw new IllegalArgumentException(
                    what + " on " + comm.where() + ": signal " + signal + " of context " + context + " is negative");
        }
    }

    @Override
    public String toString() {
        return what;
    }
}
