// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclDevComm;
import org.comm4j.ffi.nccl.NcclDevCommV2_28_9;
import org.comm4j.ffi.nccl.NcclDevCommV2_30_7;
import org.comm4j.ffi.nccl.NcclLsaBarrierHandle;
import org.comm4j.ffi.nccl.NcclResourceWindow_vidmem;
import org.comm4j.ffi.nccl.NcclResourceWindow_vidmemV2_30_7;
import org.comm4j.ffi.nccl.NcclWindow_vidmemV2_28_9;
import org.jspecify.annotations.Nullable;

/**
 * What kernels need to communicate by themselves ({@code ncclDevComm_t}): made by {@link
 * NcclCommunicator#deviceCommunicator}, passed to kernels by value. Closed with its communicator at the latest, when no
 * kernel uses it.
 */
public final class DeviceCommunicator implements AutoCloseable {
    /** Room for the structs of all versions, those to come included. */
    static final long ROOM = 4096;

    /** In 2.29.7, of whose fields the bindings know nothing. */
    private static final long BYTES_IN_229 = 224;

    /**
     * Where the struct of some versions has what concerns memory; {@code base} and {@code stride} are those of the
     * window of resources.
     */
    private record Layout(long lsaRank, long lsaSize, long base, long stride, long barriers, Network network) {
        LsaMemory resources(MemorySegment struct) {
            return new LsaMemory(
                    struct.get(JAVA_LONG_UNALIGNED, base),
                    LsaMemory.stride(struct.get(JAVA_INT_UNALIGNED, stride)),
                    struct.get(JAVA_INT_UNALIGNED, lsaRank),
                    struct.get(JAVA_INT_UNALIGNED, lsaSize));
        }

        LsaBarrierHandle lsaBarriers(MemorySegment struct) {
            return new LsaBarrierHandle(
                    struct.get(JAVA_INT_UNALIGNED, barriers + NcclLsaBarrierHandle.bufHandle),
                    struct.get(JAVA_INT_UNALIGNED, barriers + NcclLsaBarrierHandle.nBarriers));
        }
    }

    /** Where it has what concerns the network; the number of contexts was a byte at first. */
    private record Network(long contexts, boolean inByte, long signals, long counters, long types) {
        DeviceNetwork read(MemorySegment struct) {
            int count = inByte
                    ? Byte.toUnsignedInt(struct.get(JAVA_BYTE, contexts))
                    : struct.get(JAVA_INT_UNALIGNED, contexts);
            return new DeviceNetwork(
                    count,
                    struct.get(JAVA_INT_UNALIGNED, signals),
                    struct.get(JAVA_INT_UNALIGNED, counters),
                    count == 0 ? "NONE" : CommProperties.ginType(struct.get(JAVA_BYTE, types)));
        }
    }

    private static final Layout IN_228 = new Layout(
            NcclDevCommV2_28_9.lsaRank,
            NcclDevCommV2_28_9.lsaSize,
            NcclDevCommV2_28_9.resourceWindow_inlined + NcclWindow_vidmemV2_28_9.lsaFlatBase,
            NcclDevCommV2_28_9.resourceWindow_inlined + NcclWindow_vidmemV2_28_9.stride4G,
            NcclDevCommV2_28_9.lsaBarrier,
            new Network(
                    NcclDevCommV2_28_9.ginContextCount,
                    true,
                    NcclDevCommV2_28_9.ginSignalCount,
                    NcclDevCommV2_28_9.ginCounterCount,
                    NcclDevCommV2_28_9.ginTypes));
    private static final Layout IN_230 = new Layout(
            NcclDevCommV2_30_7.lsaRank,
            NcclDevCommV2_30_7.lsaSize,
            NcclDevCommV2_30_7.resourceWindow_inlined + NcclResourceWindow_vidmemV2_30_7.lsaFlatBase,
            NcclDevCommV2_30_7.resourceWindow_inlined + NcclResourceWindow_vidmemV2_30_7.stride4G,
            NcclDevCommV2_30_7.lsaBarrier,
            new Network(
                    NcclDevCommV2_30_7.ginContextCount,
                    false,
                    NcclDevCommV2_30_7.ginSignalCount,
                    NcclDevCommV2_30_7.ginCounterCount,
                    NcclDevCommV2_30_7.ginNetDeviceTypes));
    private static final Layout SINCE_231 = new Layout(
            NcclDevComm.lsaRank,
            NcclDevComm.lsaSize,
            NcclDevComm.resourceWindow_inlined + NcclResourceWindow_vidmem.lsaFlatBase,
            NcclDevComm.resourceWindow_inlined + NcclResourceWindow_vidmem.stride4G,
            NcclDevComm.lsaBarrier,
            new Network(
                    NcclDevComm.ginContextCount,
                    false,
                    NcclDevComm.ginSignalCount,
                    NcclDevComm.ginCounterCount,
                    NcclDevComm.ginNetDeviceTypes));

    private final NcclHoldings communicator;
    private final DeviceRequirements.Written requirements;
    private final MemorySegment struct;
    private final long bytes;
    private volatile boolean closed;

    DeviceCommunicator(
            NcclHoldings communicator, DeviceRequirements.Written requirements, MemorySegment struct, long bytes) {
        this.communicator = communicator;
        this.requirements = requirements;
        this.struct = struct;
        this.bytes = bytes;
    }

    /**
     * The version whose layout is asked for: NCCL makes none newer than itself, and we know none newer than our own.
     */
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

    /**
     * Returns the struct, in host memory: a kernel takes its bytes as an argument. Its layout is that of the NCCL that
     * was asked for.
     */
    public MemorySegment struct() {
        if (!isOpen()) {
            throw new IllegalStateException(this + " is closed, or its communicator is");
        }
        return struct.asSlice(0, bytes).asReadOnly();
    }

    /** Whose it is. */
    public NcclCommunicator communicator() {
        return (NcclCommunicator) communicator;
    }

    /** Returns whether kernels can use it: neither it nor its communicator was closed, or aborted. */
    public boolean isOpen() {
        return !closed && !communicator.health.isEnded();
    }

    /** Where a version has its fields; null if that is not known. */
    private static @Nullable Layout layout(int version) {
        return version < 22900
                ? IN_228
                : version < 23003 || version > LibNccl.NCCL_VERSION_CODE ? null : version < 23102 ? IN_230 : SINCE_231;
    }

    private Layout layout() {
        int version = requirements.runtimeVersion() ? Library.version() : version(Library.version());
        Layout layout = layout(version);
        if (layout == null) {
            throw new UnsupportedOperationException("fields of " + this + ": those of NCCL " + NcclVersion.of(version)
                    + " are not known here, those of 2.28 and of 2.30.3 to " + NcclVersion.of(LibNccl.NCCL_VERSION_CODE)
                    + " are; loaded: " + Library.describe());
        }
        return layout;
    }

    /**
     * Returns where kernels find the memory that was required, on all ranks that they reach: that of an {@link
     * #allocation} is at its {@link DeviceAllocation#buffer} times 128 bytes.
     *
     * @throws UnsupportedOperationException with NCCL 2.29, whose struct is not known
     */
    public LsaMemory resources() {
        return layout().resources(struct());
    }

    /**
     * Returns the handle of the barriers of {@link DeviceRequirements#lsaBarriers} ({@code ncclLsaBarrierHandle_t}); of
     * no barriers if none were required.
     *
     * @throws UnsupportedOperationException with NCCL 2.29, whose struct is not known
     */
    public LsaBarrierHandle lsaBarriers() {
        return layout().lsaBarriers(struct());
    }

    /**
     * Returns what kernels got of the network (GIN); no contexts if nothing was required that needs it, or NCCL has not
     * connected the ranks.
     *
     * @throws UnsupportedOperationException with NCCL 2.29, whose struct is not known
     */
    public DeviceNetwork network() {
        return layout().network.read(struct());
    }

    /** For tests: what a struct of a version says. */
    static DeviceNetwork network(int version, MemorySegment struct) {
        return Objects.requireNonNull(layout(version)).network.read(struct);
    }

    /** For tests: what a struct of a version says. */
    static LsaMemory resources(int version, MemorySegment struct) {
        return Objects.requireNonNull(layout(version)).resources(struct);
    }

    /** For tests: what a struct of a version says. */
    static LsaBarrierHandle lsaBarriers(int version, MemorySegment struct) {
        return Objects.requireNonNull(layout(version)).lsaBarriers(struct);
    }

    /**
     * Returns what kernels got for a resource.
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
        if (!isOpen()) {
            throw new IllegalStateException(this + " is closed, or its communicator is");
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
        communicator.checkCanClose(this);
        closed = true;
        communicator.release(this, () -> LibNccl.ncclDevCommDestroy(communicator.handle, struct));
    }

    @Override
    public String toString() {
        return "DeviceCommunicator[" + communicator + "]";
    }
}
