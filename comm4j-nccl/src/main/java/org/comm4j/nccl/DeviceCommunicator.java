// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclDevComm;
import org.comm4j.ffi.nccl.NcclDevCommV2_28_9;
import org.comm4j.ffi.nccl.NcclDevCommV2_30_7;

/**
 * What kernels need to communicate by themselves ({@code ncclDevComm_t}): made by {@link NcclCommunicator#deviceCommunicator}, passed
 * to kernels by value. Closed with its communicator at the latest, when no kernel uses it.
 */
public final class DeviceCommunicator implements AutoCloseable {
    /** Room for the structs of all versions, those to come included. */
    static final long ROOM = 4096;

    /** In 2.29.7, of whose fields the bindings know nothing. */
    private static final long BYTES_IN_229 = 224;

    private final NcclHoldings communicator;
    private final DeviceRequirements.Written requirements;
    private final MemorySegment struct;
    private final long bytes;
    private boolean closed;

    DeviceCommunicator(
            NcclHoldings communicator, DeviceRequirements.Written requirements, MemorySegment struct, long bytes) {
        this.communicator = communicator;
        this.requirements = requirements;
        this.struct = struct;
        this.bytes = bytes;
    }

    /** The version whose layout is asked for: NCCL makes none newer than itself, and we know none newer than our own. */
    static int version(int loaded) {
        return Math.min(loaded, LibNccl.NCCL_VERSION_CODE);
    }

    /** The size of the struct in a version. */
    static long bytes(int version) {
        if (version < 22907) {
            return NcclDevCommV2_28_9.BYTES;
        }
        if (version < 23003) {
            return BYTES_IN_229;
        }
        return version < 23102 ? NcclDevCommV2_30_7.BYTES : NcclDevComm.BYTES;
    }

    /** Has NCCL fill it in, which waits for the other ranks. */
    void make() {
        LibNccl.ncclDevCommCreate(communicator.handle, requirements.struct(), struct);
    }

    /** The struct, in host memory: a kernel takes its bytes as an argument. Its layout is that of the NCCL that was asked for. */
    public MemorySegment struct() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        return struct.asSlice(0, bytes).asReadOnly();
    }

    /**
     * What kernels got for a resource.
     *
     * @throws IllegalArgumentException if it is not among those that were required
     */
    public DeviceAllocation allocation(DeviceResource resource) {
        DeviceResource.Cells cells = requirements.resources().get(resource);
        if (cells == null) {
            throw new IllegalArgumentException("allocation: " + resource + " was not required of " + this);
        }
        return cells.read();
    }

    /** Where all of a team are reached at once ({@code ncclMultimemHandle_t}). */
    MemorySegment multimem(RankTeam team) {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        MemorySegment handle = requirements.teams().get(team);
        if (handle == null) {
            throw new IllegalArgumentException("multimem: " + team + " was not required of " + this);
        }
        return handle;
    }

    /** Closing twice is fine. */
    @Override
    public void close() {
        communicator.release(this, () -> {
            if (!closed) {
                closed = true;
                LibNccl.ncclDevCommDestroy(communicator.handle, struct);
            }
        });
    }

    @Override
    public String toString() {
        return "DeviceCommunicator[" + communicator + "]";
    }
}
