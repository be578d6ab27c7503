// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclDevResourceRequirements;
import org.jspecify.annotations.Nullable;

/**
 * Memory, signals and counters that kernels get in addition to what {@link DeviceRequirements} counts
 * ({@code ncclDevResourceRequirements_t}): asked for by {@link DeviceRequirements#resource}, found by
 * {@link DeviceCommunicator#allocation}. All ranks ask for the same ones in the same order.
 */
public final class DeviceResource {
    /** The size of the structs by which kernels know barriers and exchanges. */
    private static final int HANDLE_BYTES = 8;

    /** Has NCCL fill in the struct, and what it knows of the handle. */
    private interface Maker {
        void make(NcclComm comm, SegmentAllocator allocator, MemorySegment handle, MemorySegment struct);
    }

    /** What kernels get. */
    public enum Kind {
        /** {@link #of}: {@code size} bytes; {@code signals} and {@code counters}. */
        MEMORY,
        /** {@link #lsaBarriers}: {@code count} of {@code team}. */
        LSA_BARRIERS,
        /** {@link #networkBarriers}: {@code count} of {@code team}. */
        NETWORK_BARRIERS,
        /** {@link #lowLatencyAllToAll}: {@code count} blocks with {@code size} slots. */
        LOW_LATENCY_ALL_TO_ALL
    }

    private final String what;
    private final Kind kind;
    private final @Nullable RankTeam team;
    private final int count;
    private final long size;
    private final int signals;
    private final int counters;
    private final int handleBytes;
    private final Maker maker;

    private DeviceResource(
            String what, Kind kind, @Nullable RankTeam team, int count, long size, int handleBytes, Maker maker) {
        this(what, kind, team, count, size, 0, 0, handleBytes, maker);
    }

    private DeviceResource(
            String what,
            Kind kind,
            @Nullable RankTeam team,
            int count,
            long size,
            int signals,
            int counters,
            int handleBytes,
            Maker maker) {
        this.what = what;
        this.kind = kind;
        this.team = team;
        this.count = count;
        this.size = size;
        this.signals = signals;
        this.counters = counters;
        this.handleBytes = handleBytes;
        this.maker = maker;
    }

    public Kind kind() {
        return kind;
    }

    /** Whose barriers they are; null for other kinds. */
    public @Nullable RankTeam team() {
        return team;
    }

    /** As {@link #kind} says. */
    public int count() {
        return count;
    }

    /** As {@link #kind} says. */
    public long size() {
        return size;
    }

    /**
     * Signals for the network, of {@link #of} as asked for; of {@link #networkBarriers}, one for each rank of the team
     * and barrier.
     */
    public int signals() {
        return signals;
    }

    /** Counters for the network, of {@link #of}. */
    public int counters() {
        return counters;
    }

    boolean needsNetwork() {
        return signals > 0 || counters > 0;
    }

    /**
     * As it is in C.
     *
     * @param bytes of each rank's memory
     * @param alignment of the memory, a power of two in bytes
     * @param signals for the network
     * @param counters for the network
     */
    public static DeviceResource of(long bytes, long alignment, int signals, int counters) {
        if (bytes < 0 || signals < 0 || counters < 0 || Long.bitCount(alignment) != 1 || alignment < 0) {
            throw new IllegalArgumentException("DeviceResource: " + bytes + " bytes aligned to " + alignment + ", "
                    + signals + " signals and " + counters
                    + " counters: none may be negative, and the alignment is a power of two");
        }
        return new DeviceResource(
                bytes + " bytes, " + signals + " signals, " + counters + " counters",
                Kind.MEMORY,
                null,
                1,
                bytes,
                signals,
                counters,
                0,
                (_, _, _, struct) -> {
                    struct.set(JAVA_LONG, NcclDevResourceRequirements.bufferSize, bytes);
                    struct.set(JAVA_LONG, NcclDevResourceRequirements.bufferAlign, alignment);
                    struct.set(JAVA_INT, NcclDevResourceRequirements.ginSignalCount, signals);
                    struct.set(JAVA_INT, NcclDevResourceRequirements.ginCounterCount, counters);
                });
    }

    /**
     * Barriers of a team of ranks that can load and store each other's memory ({@code
     * ncclLsaBarrierCreateRequirement}). The handle is an {@code ncclLsaBarrierHandle_t}.
     */
    public static DeviceResource lsaBarriers(RankTeam team, int count) {
        team.check("lsaBarriers");
        checkBlocks("lsaBarriers", count);
        return new DeviceResource(
                count + " barriers of " + team,
                Kind.LSA_BARRIERS,
                team,
                count,
                0,
                HANDLE_BYTES,
                (_, allocator, handle, struct) ->
                        LibNccl.ncclLsaBarrierCreateRequirement(team.write(allocator), count, handle, struct));
    }

    /**
     * Barriers of a team of ranks over the network ({@code ncclGinBarrierCreateRequirement}). The handle is an
     * {@code ncclGinBarrierHandle_t}.
     */
    public static DeviceResource networkBarriers(RankTeam team, int count) {
        team.check("networkBarriers");
        checkBlocks("networkBarriers", count);
        return new DeviceResource(
                count + " network barriers of " + team,
                Kind.NETWORK_BARRIERS,
                team,
                count,
                0,
                Math.multiplyExact(count, team.size()),
                0,
                HANDLE_BYTES,
                (comm, allocator, handle, struct) ->
                        LibNccl.ncclGinBarrierCreateRequirement(comm, team.write(allocator), count, handle, struct));
    }

    /**
     * A low-latency exchange of all with all ({@code ncclLLA2ACreateRequirement}). The handle is an {@code
     * ncclLLA2AHandle_t}.
     *
     * @param blocks that use it at a time
     * @param slots of each: see {@link #lowLatencySlots}
     */
    public static DeviceResource lowLatencyAllToAll(int blocks, int slots) {
        checkBlocks("lowLatencyAllToAll", blocks);
        checkPositive("lowLatencyAllToAll", slots);
        checkExchange("lowLatencyAllToAll", blocks, slots);
        return new DeviceResource(
                "exchange of " + blocks + " blocks with " + slots + " slots",
                Kind.LOW_LATENCY_ALL_TO_ALL,
                null,
                blocks,
                slots,
                HANDLE_BYTES,
                (_, _, handle, struct) -> LibNccl.ncclLLA2ACreateRequirement(blocks, slots, handle, struct));
    }

    /**
     * The slots of a low-latency exchange of at most {@code elements} elements of at most {@code bytes} bytes ({@code
     * ncclLLA2ACalcSlots}).
     */
    public static int lowLatencySlots(int elements, int bytes) {
        checkPositive("lowLatencySlots", elements);
        checkPositive("lowLatencySlots", bytes);
        if ((long) elements * ((bytes + 7L) / 8) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("lowLatencySlots: " + elements + " elements of " + bytes
                    + " bytes need more than " + Integer.MAX_VALUE + " slots of 8 bytes");
        }
        return LibNccl.ncclLLA2ACalcSlots(elements, bytes);
    }

    private static void checkBlocks(String what, int count) {
        checkPositive(what, count);
        if (count > DeviceRequirements.MOST_BLOCKS) {
            throw new IllegalArgumentException(what + ": " + count + " is not possible; at most "
                    + DeviceRequirements.MOST_BLOCKS + ", which is more than thread blocks run at a time");
        }
    }

    /**
     * Checks the memory of a low-latency exchange, which NCCL computes in 32 bits: 16 bytes for each slot, in two
     * halves.
     */
    static void checkExchange(String what, int blocks, int slots) {
        if (16L * blocks * (1 + 2L * slots) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(what + ": " + blocks + " blocks with " + slots + " slots need more than "
                    + Integer.MAX_VALUE + " bytes");
        }
    }

    private static void checkPositive(String what, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(what + ": " + number + " is not possible; at least 1");
        }
    }

    /** Where NCCL writes what kernels get, when the communicator for them is made. */
    record Cells(MemorySegment struct, MemorySegment handle) {
        DeviceAllocation read() {
            return new DeviceAllocation(
                    handle.asReadOnly(),
                    at(NcclDevResourceRequirements.outBufferHandle),
                    at(NcclDevResourceRequirements.outGinSignalStart),
                    at(NcclDevResourceRequirements.outGinCounterStart));
        }

        private int at(long pointer) {
            return NativeMemory.at(struct.get(JAVA_LONG, pointer), Integer.BYTES)
                    .get(JAVA_INT, 0);
        }
    }

    /** The struct, before {@code next} in the list of all. */
    Cells write(NcclComm comm, MemorySegment next, SegmentAllocator allocator) {
        MemorySegment struct =
                allocator.allocate(NcclDevResourceRequirements.LAYOUT).fill((byte) 0);
        MemorySegment handle = allocator.allocate(handleBytes, 8).fill((byte) 0);
        maker.make(comm, allocator, handle, struct);
        struct.set(ADDRESS, NcclDevResourceRequirements.next, next);
        for (long pointer : new long[] {
            NcclDevResourceRequirements.outBufferHandle,
            NcclDevResourceRequirements.outGinSignalStart,
            NcclDevResourceRequirements.outGinCounterStart
        }) {
            if (struct.get(JAVA_LONG, pointer) == 0) {
                struct.set(ADDRESS, pointer, allocator.allocate(JAVA_INT).fill((byte) 0));
            }
        }
        return new Cells(struct, handle);
    }

    @Override
    public String toString() {
        return "DeviceResource[" + what + "]";
    }
}
