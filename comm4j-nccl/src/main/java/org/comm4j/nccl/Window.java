// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclWindow;

/**
 * Memory that all ranks of a communicator have registered together ({@code ncclWindow_t}): collectives on it are faster, and other
 * ranks can write to it. Made by {@link NcclCommunicator#registerWindow}; closed with its communicator at the latest, and before
 * its memory is freed.
 */
public final class Window implements AutoCloseable {

    /** What a window is for. */
    public enum Flag {
        /** The same part of every rank's window has the same offset: the fastest collectives ({@code NCCL_WIN_COLL_SYMMETRIC}). */
        SYMMETRIC(0x01, 22800),
        /** Writes arrive in their order ({@code NCCL_WIN_STRICT_ORDERING}; NCCL 2.29.7). */
        STRICT_ORDERING(0x02, 22907),
        /** For communication from kernels over the network only; not with {@link #SYMMETRIC} (NCCL 2.32.3). */
        GIN_ONLY(0x04, 23203),
        /** {@code NCCL_WIN_CFT_COUNTED} (NCCL 2.32.3). */
        CFT_COUNTED(0x08, 23203);

        private final int bit;
        private final int since;

        Flag(int bit, int since) {
            this.bit = bit;
            this.since = since;
        }
    }

    /** Where a window's memory may begin: at multiples of this. */
    public static final int ALIGNMENT = 4096;

    private final NcclHoldings communicator;
    private final DeviceArray memory;
    private final NcclWindow handle;
    private boolean closed;

    Window(NcclHoldings communicator, DeviceArray memory, NcclWindow handle) {
        this.communicator = communicator;
        this.memory = memory;
        this.handle = handle;
    }

    static int bits(Flag... flags) {
        int bits = 0;
        for (Flag flag : flags) {
            if (flag.since > Library.version()) {
                throw new UnsupportedOperationException("registerWindow: " + flag + " needs NCCL "
                        + NcclVersion.of(flag.since) + " or newer; loaded: " + Library.describe());
            }
            bits |= flag.bit;
        }
        return bits;
    }

    /** The memory behind this rank's part of the window. */
    public DeviceArray memory() {
        return memory;
    }

    /** NCCL's handle, to be passed to kernels: an address in the memory of the device. */
    public NcclWindow handle() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        return handle;
    }

    /**
     * Where a kernel of this GPU finds byte {@code offset} of the window of {@code lsaRank}, a rank among those whose memory it
     * can load and store ({@code ncclGetLsaDevicePointer}; NCCL 2.29.2).
     */
    public long lsaAddress(int lsaRank, long offset) {
        return address("lsaAddress", cell -> LibNccl.ncclGetLsaDevicePointer(handle(), offset, lsaRank, cell));
    }

    /** {@link #lsaAddress} of {@code peer}, a rank of the communicator; 0 if it is not reachable ({@code ncclGetPeerDevicePointer}). */
    public long peerAddress(int peer, long offset) {
        return address("peerAddress", cell -> LibNccl.ncclGetPeerDevicePointer(handle(), offset, peer, cell));
    }

    /** Where a kernel finds byte {@code offset} of all windows at once ({@code ncclGetLsaMultimemDevicePointer}; NVLink SHARP only). */
    public long multimemAddress(long offset) {
        return address("multimemAddress", cell -> LibNccl.ncclGetLsaMultimemDevicePointer(handle(), offset, cell));
    }

    private interface Query {
        void into(MemorySegment cell);
    }

    private long address(String what, Query query) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_LONG);
            query.into(cell);
            return cell.get(ValueLayout.JAVA_LONG, 0);
        } catch (NativeCallException e) {
            throw new NcclException(what + " of " + this, e);
        }
    }

    /** Ends the registration ({@code ncclCommWindowDeregister}); the memory stays. Closing twice is fine. */
    @Override
    public void close() {
        communicator.release(this, () -> {
            if (!closed) {
                closed = true;
                LibNccl.ncclCommWindowDeregister(communicator.handle, handle);
            }
        });
    }

    @Override
    public String toString() {
        return "Window[" + memory + " of " + communicator + "]";
    }
}
