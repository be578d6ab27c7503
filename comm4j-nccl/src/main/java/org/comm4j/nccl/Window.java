// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.ffi.handle.NcclWindow;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclWindow_vidmem;

/**
 * Memory that all ranks of a communicator have registered together ({@code ncclWindow_t}): collectives on it are
 * faster, and other ranks can write to it. Made by {@link NcclCommunicator#registerWindow}; closed with its
 * communicator at the latest. Its memory is not freed before, whoever closes the array: NCCL would take new memory at
 * the same address for the window's.
 */
public final class Window implements AutoCloseable {

    /** What a window is for. */
    public enum Flag {
        /**
         * The same part of every rank's window has the same offset: the fastest collectives ({@code
         * NCCL_WIN_COLL_SYMMETRIC}).
         */
        SYMMETRIC(LibNccl.NCCL_WIN_COLL_SYMMETRIC, 22800),
        /** Writes arrive in their order ({@code NCCL_WIN_STRICT_ORDERING}; NCCL 2.29.7). */
        STRICT_ORDERING(LibNccl.NCCL_WIN_STRICT_ORDERING, 22907),
        /**
         * For communication from kernels over the network only; not with {@link #SYMMETRIC} ({@code NCCL_WIN_GIN_ONLY};
         * NCCL 2.32.3).
         */
        GIN_ONLY(LibNccl.NCCL_WIN_GIN_ONLY, 23203),
        /** For CFT that counts what arrived, only ({@code NCCL_WIN_CFT_COUNTED}; NCCL 2.32.3). */
        CFT_COUNTED(LibNccl.NCCL_WIN_CFT_COUNTED, 23203);

        private final int bit;
        private final int since;

        Flag(int bit, int since) {
            this.bit = bit;
            this.since = since;
        }
    }

    /** Where a window's memory may begin: at multiples of this. */
    public static final int ALIGNMENT = LibNccl.NCCL_WIN_REQUIRED_ALIGNMENT;

    private static final int SYMMETRIC_GIN = LibNccl.NCCL_WIN_COLL_SYMMETRIC | LibNccl.NCCL_WIN_GIN_ONLY;

    private final NcclHoldings communicator;
    private final DeviceArray memory;
    private final long start;
    private final NcclWindow handle;
    private final Runnable giveBack;
    private volatile boolean closed;

    /** @param giveBack ends the keeping of the memory */
    Window(NcclHoldings communicator, DeviceArray memory, NcclWindow handle, Runnable giveBack) {
        this.communicator = communicator;
        this.memory = memory;
        this.start = memory.address();
        this.handle = handle;
        this.giveBack = giveBack;
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
        if ((bits & SYMMETRIC_GIN) == SYMMETRIC_GIN) {
            throw new IllegalArgumentException("registerWindow: GIN_ONLY excludes SYMMETRIC");
        }
        return bits;
    }

    /** Returns the memory behind this rank's part of the window. */
    public DeviceArray memory() {
        return memory;
    }

    /** Whether these bytes are memory of this rank's part. */
    boolean covers(long address, long bytes) {
        return address >= start && address + bytes <= start + memory.byteSize();
    }

    /** Whose it is. */
    public NcclCommunicator communicator() {
        return (NcclCommunicator) communicator;
    }

    /** Returns whether it can be used: neither it, its memory nor its communicator was closed, or aborted. */
    public boolean isOpen() {
        return !closed && memory.isAlive() && !communicator.health.isEnded();
    }

    /** Returns where kernels of this GPU find the windows of all ranks whose memory they can load and store. */
    public LsaMemory lsaMemory() {
        return communicator.ask("lsaMemory", () -> {
            // What NCCL's own device code reads.
            HostArray fields = DeviceArray.wrap(
                            memory.device(), DataType.INT8, handle().address(), NcclWindow_vidmem.ginOffset4K)
                    .toHost();
            return LsaMemory.ofWindow(fields.segment(), communicator.lsaTeam().size());
        });
    }

    /** NCCL's handle, to be passed to kernels: an address in the memory of the device. */
    public NcclWindow handle() {
        if (!isOpen()) {
            throw new IllegalStateException(this + " is closed, or its memory or communicator is");
        }
        return handle;
    }

    /**
     * Returns the address that was registered, as NCCL has it ({@code ncclWinGetUserPtr}; NCCL 2.29.2); 0 if the window
     * is for no kernel.
     */
    public long userAddress() {
        return number("userAddress", 0, cell -> LibNccl.ncclWinGetUserPtr(communicator.handle, handle(), cell));
    }

    /**
     * Returns where a kernel of this GPU finds byte {@code offset} of the window of {@code lsaRank}, a rank among those
     * whose memory it can load and store ({@code ncclGetLsaDevicePointer}; NCCL 2.29.2).
     */
    public long lsaAddress(int lsaRank, long offset) {
        return number("lsaAddress", offset, cell -> LibNccl.ncclGetLsaDevicePointer(handle(), offset, lsaRank, cell));
    }

    /**
     * {@link #lsaAddress} of {@code peer}, a rank of the communicator; 0 if it is not reachable ({@code
     * ncclGetPeerDevicePointer}; NCCL 2.29.2).
     */
    public long peerAddress(int peer, long offset) {
        communicator.checkPeer("peerAddress", peer);
        return number("peerAddress", offset, cell -> LibNccl.ncclGetPeerDevicePointer(handle(), offset, peer, cell));
    }

    /**
     * Returns where a kernel finds byte {@code offset} of the windows of all of {@link NcclCommunicator#lsaTeam} at
     * once ({@code ncclGetLsaMultimemDevicePointer}; NCCL 2.29.2; NVLink SHARP only).
     */
    public long multimemAddress(long offset) {
        return number(
                "multimemAddress", offset, cell -> LibNccl.ncclGetLsaMultimemDevicePointer(handle(), offset, cell));
    }

    /**
     * {@link #multimemAddress(long)} of another team ({@code ncclGetMultimemDevicePointer}; NCCL 2.29.2).
     *
     * @param kernels of which the team was {@linkplain DeviceRequirements#team required}
     */
    public long multimemAddress(DeviceCommunicator kernels, RankTeam team, long offset) {
        nonNull(kernels, "multimemAddress", "kernels");
        nonNull(team, "multimemAddress", "team");
        MemorySegment multimem = kernels.multimem(team);
        return number(
                "multimemAddress",
                offset,
                cell -> LibNccl.ncclGetMultimemDevicePointer(handle(), offset, multimem, cell));
    }

    /**
     * Returns where CFT finds byte {@code offset} of the window of {@code peer}, a rank of the communicator ({@code
     * ncclGetPeerDeviceLeInfo}; NCCL 2.31.2).
     */
    public CftAddress cftAddress(int peer, long offset) {
        communicator.checkPeer("cftAddress", peer);
        return cft("cftAddress", offset, (id, at) -> LibNccl.ncclGetPeerDeviceLeInfo(handle(), offset, peer, id, at));
    }

    /**
     * {@link #cftAddress(int, long)} of rank {@code rank} of a team of {@link NcclCommunicator#cftTeam} ({@code
     * ncclGetCftDeviceLeInfo}; NCCL 2.31.2).
     */
    public CftAddress cftAddress(RankTeam team, int rank, long offset) {
        nonNull(team, "cftAddress", "team");
        if (rank < 0 || rank >= team.size()) {
            throw new IllegalArgumentException("cftAddress of " + this + ": " + rank + " is not a rank of " + team);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ranks = team.write(arena);
            return cft(
                    "cftAddress",
                    offset,
                    (id, at) -> LibNccl.ncclGetCftDeviceLeInfo(handle(), offset, rank, ranks, id, at));
        }
    }

    /**
     * Returns where CFT finds byte {@code offset} of all windows at once ({@code ncclGetMultimemDeviceLeInfo}; NCCL
     * 2.31.2).
     */
    public CftAddress cftMultimemAddress(long offset) {
        return cft(
                "cftMultimemAddress",
                offset,
                (id, at) -> LibNccl.ncclGetMultimemDeviceLeInfo(handle(), offset, id, at));
    }

    private interface Query {
        void into(MemorySegment cell);
    }

    private interface CftQuery {
        void into(MemorySegment endpoint, MemorySegment offset);
    }

    private long number(String what, long offset, Query query) {
        if (offset < 0 || offset >= Math.max(1, memory.byteSize())) {
            throw new IndexOutOfBoundsException(what + ": byte " + offset + " is not inside " + this);
        }
        return communicator.ask(what + " of " + this, () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment cell = arena.allocate(ValueLayout.JAVA_LONG);
                query.into(cell);
                return cell.get(ValueLayout.JAVA_LONG, 0);
            }
        });
    }

    private CftAddress cft(String what, long offset, CftQuery query) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment endpoint = arena.allocate(ValueLayout.JAVA_INT);
            long at = number(what, offset, cell -> query.into(endpoint, cell));
            return new CftAddress(endpoint.get(ValueLayout.JAVA_INT, 0), at);
        }
    }

    /** Ends the registration ({@code ncclCommWindowDeregister}); the memory stays. Closing twice is fine. */
    @Override
    public void close() {
        communicator.checkCanClose(this);
        closed = true;
        if (communicator.release(this, () -> LibNccl.ncclCommWindowDeregister(communicator.handle, handle))) {
            giveBack.run();
        }
    }

    @Override
    public String toString() {
        return "Window[" + memory + " of " + communicator + "]";
    }
}
