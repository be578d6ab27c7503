// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.spi.Events;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.handle.NcclWindow;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclWaitSignalDesc;

/** A put, signal or wait, checked when it is made. */
abstract sealed class OneSidedCall {
    final NcclHoldings comm;
    final Stream stream;
    private final String operation;
    private final int peer;

    private OneSidedCall(NcclHoldings comm, String operation, int peer, Stream stream) {
        this.comm = comm;
        this.operation = operation;
        this.peer = peer;
        this.stream = stream;
    }

    String operation() {
        return operation;
    }

    /**
     * Checks that its memory is still there, and notes the use; with the lock held, before anything of a group is
     * enqueued.
     */
    abstract void use();

    /** Has NCCL enqueue it; with the lock of the communicator held. */
    final void enqueue() {
        enqueue(comm.handle, stream.handle());
    }

    abstract void enqueue(NcclComm handle, CUstream queue);

    final void record(CommunicationEvent event) {
        if (Events.end(event, comm)) {
            event.operation = operation;
            event.peer = peer;
            event.stream = stream.toString();
            event.reduceOp = "";
            describe(event);
            event.commit();
        }
    }

    /** What is moved. */
    void describe(CommunicationEvent event) {
        event.dataType = "";
        event.bytes = 0;
    }

    static final class PutSignal extends OneSidedCall {
        private final DeviceArray source;
        private final Window window;
        private final long address;
        private final NcclWindow target;
        private final int peer;
        private final long offset;
        private final int signal;
        private final int context;

        PutSignal(
                NcclHoldings comm,
                DeviceArray source,
                int peer,
                Window window,
                long offset,
                int signal,
                int context,
                Stream stream) {
            super(comm, "putSignal", peer, stream);
            comm.checkPeer("putSignal", peer);
            comm.checkMemory("putSignal", source);
            checkSignal(comm, "putSignal", signal, context);
            if (window == null) {
                throw new NullPointerException("putSignal on " + comm.where() + ": window is null");
            }
            if (window.communicator() != comm) {
                throw new IllegalArgumentException(
                        "putSignal on " + comm.where() + ": " + window + " is of another communicator");
            }
            int bytes = source.type().bytes();
            if (offset < 0 || source.count() > window.memory().byteSize() / bytes - offset) {
                throw new IndexOutOfBoundsException("putSignal on " + comm.where() + ": " + source.count()
                        + " elements at " + offset + " leave " + window);
            }
            this.source = source;
            this.window = window;
            this.address = source.address();
            this.target = window.handle();
            this.peer = peer;
            this.offset = offset * bytes;
            this.signal = signal;
            this.context = context;
        }

        @Override
        void use() {
            // It may have been closed since.
            NcclWindow ignored = window.handle();
            comm.checkWhole("putSignal", source);
            source.usedIn(stream);
        }

        @Override
        void enqueue(NcclComm handle, CUstream queue) {
            LibNccl.ncclPutSignal(
                    address,
                    source.count() * Types.units(source.type()),
                    Types.of(source.type()),
                    peer,
                    target,
                    offset,
                    signal,
                    context,
                    0,
                    handle,
                    queue);
        }

        @Override
        void describe(CommunicationEvent event) {
            event.dataType = source.type().name();
            event.bytes = source.byteSize();
        }

        @Override
        public String toString() {
            return "putSignal(" + source + ", peer " + peer + ")";
        }
    }

    static final class Signal extends OneSidedCall {
        private final int peer;
        private final int signal;
        private final int context;

        Signal(NcclHoldings comm, int peer, int signal, int context, Stream stream) {
            super(comm, "signal", peer, stream);
            comm.checkPeer("signal", peer);
            checkSignal(comm, "signal", signal, context);
            this.peer = peer;
            this.signal = signal;
            this.context = context;
        }

        @Override
        void use() {}

        @Override
        void enqueue(NcclComm handle, CUstream queue) {
            LibNccl.ncclSignal(peer, signal, context, 0, handle, queue);
        }

        @Override
        public String toString() {
            return "signal(peer " + peer + ", signal " + signal + " of context " + context + ")";
        }
    }

    static final class WaitSignals extends OneSidedCall {
        private final List<SignalWait> waits;

        WaitSignals(NcclHoldings comm, List<SignalWait> waits, Stream stream) {
            super(comm, "waitSignals", -1, stream);
            this.waits = List.copyOf(waits);
            if (this.waits.isEmpty()) {
                throw new IllegalArgumentException("waitSignals on " + comm.where() + ": nothing to wait for");
            }
            for (SignalWait wait : this.waits) {
                comm.checkPeer("waitSignals", wait.peer());
                checkSignal(comm, "waitSignals", wait.signal(), wait.context());
                if (wait.times() < 1) {
                    throw new IllegalArgumentException(
                            "waitSignals on " + comm.where() + ": " + wait + ": at least 1 time");
                }
            }
        }

        @Override
        void use() {
            comm.useWindows(stream);
        }

        @Override
        void enqueue(NcclComm handle, CUstream queue) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment descriptors = arena.allocate(NcclWaitSignalDesc.LAYOUT, waits.size());
                for (int i = 0; i < waits.size(); i++) {
                    waits.get(i).write(descriptors.asSlice(i * NcclWaitSignalDesc.BYTES));
                }
                LibNccl.ncclWaitSignal(waits.size(), descriptors, handle, queue);
            }
        }

        @Override
        public String toString() {
            return "waitSignals(" + waits + ")";
        }
    }

    private static void checkSignal(NcclHoldings comm, String what, int signal, int context) {
        if (signal < 0 || context < 0) {
            throw new IllegalArgumentException(
                    what + " on " + comm.where() + ": signal " + signal + " of context " + context + " is negative");
        }
    }
}
