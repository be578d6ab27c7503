// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclCommProperties;

/**
 * What a communicator can do ({@code ncclCommProperties_t}): see {@link NcclCommunicator#properties}. What the loaded
 * NCCL does not tell yet is false, 0 or {@code "unknown"}.
 *
 * @param deviceApi whether kernels can communicate by themselves
 * @param multimem whether NVLink SHARP is usable from kernels
 * @param ginType how kernels reach the network: {@code NONE}, {@code PROXY}, {@code GDAKI}, …; a number if it is newer
 *     than this library
 * @param lsaTeams how many groups of GPUs there are that can load and store each other's memory
 * @param hostRma whether put and signal from the host work
 * @param railedGinType how kernels reach the same GPU of other machines
 * @param hash the same number on all ranks (NCCL 2.31.2)
 * @param ginMinStride the least stride of ranks that can be connected over the network (NCCL 2.31.2)
 * @param ginConnection which ranks kernels can reach over the network: {@code NONE}, {@code FULL}, {@code RAIL},
 *     {@code CUSTOM_STRIDE}; a number if it is newer than this library (NCCL 2.31.2)
 * @param ginTypes all ways in which kernels can reach the network, named as in {@code ginType} (NCCL 2.31.2)
 * @param deviceCommunicatorBytes the size of the struct for kernels that are compiled with the loaded NCCL's headers
 *     (NCCL 2.31.2)
 * @param cft whether Compute Fabric Transport (CFT) works (NCCL 2.32.3)
 * @param cftMulticast whether it reaches several ranks at once (NCCL 2.32.3)
 * @param cftCounted whether it can count what arrived (NCCL 2.32.3)
 */
public record CommProperties(
        int rank,
        int size,
        int cudaDevice,
        int nvmlDevice,
        boolean deviceApi,
        boolean multimem,
        String ginType,
        int lsaTeams,
        boolean hostRma,
        String railedGinType,
        long hash,
        int ginMinStride,
        String ginConnection,
        List<String> ginTypes,
        long deviceCommunicatorBytes,
        boolean cft,
        boolean cftMulticast,
        boolean cftCounted) {

    private static final int SMALLEST = 40;
    private static final String UNKNOWN = "unknown";

    /** The length of the struct's array. */
    private static final int GIN_TYPES = 64;

    /** Room for structs of versions to come. */
    private static final int ROOM = 1024;

    /** The struct's size in a version of NCCL. */
    static long bytes(int version) {
        if (version < 22907) {
            return SMALLEST;
        }
        if (version < 23102) {
            return 56;
        }
        return version < 23203 ? 144 : 152;
    }

    /** The version to name in the struct: NCCL refuses one newer than itself, and we know none newer than our own. */
    static int version(int loaded) {
        return Math.min(loaded, LibNccl.NCCL_VERSION_CODE);
    }

    static CommProperties of(NcclComm comm) {
        try (Arena arena = Arena.ofConfined()) {
            return read(query(comm, arena), version(Library.version()));
        }
    }

    private static MemorySegment query(NcclComm comm, Arena arena) {
        MemorySegment struct = arena.allocate(ROOM, 8);
        int version = version(Library.version());
        struct.set(JAVA_LONG, 0, bytes(version));
        struct.set(JAVA_INT, 8, LibNccl.NCCL_API_MAGIC);
        struct.set(JAVA_INT, 12, version);
        LibNccl.ncclCommQueryProperties(comm, struct);
        return struct;
    }

    static CommProperties read(MemorySegment struct, int version) {
        boolean full = version >= 22907;
        boolean since31 = version >= 23102;
        boolean since32 = version >= 23203;
        return new CommProperties(
                struct.get(JAVA_INT, NcclCommProperties.rank),
                struct.get(JAVA_INT, NcclCommProperties.nRanks),
                struct.get(JAVA_INT, NcclCommProperties.cudaDev),
                struct.get(JAVA_INT, NcclCommProperties.nvmlDev),
                struct.get(JAVA_BOOLEAN, NcclCommProperties.deviceApiSupport),
                struct.get(JAVA_BOOLEAN, NcclCommProperties.multimemSupport),
                // The first version had an enum of one byte here.
                ginType(full ? struct.get(JAVA_INT, NcclCommProperties.ginType) : struct.get(JAVA_BYTE, 34)),
                full ? struct.get(JAVA_INT, NcclCommProperties.nLsaTeams) : 0,
                full && struct.get(JAVA_BOOLEAN, NcclCommProperties.hostRmaSupport),
                full ? ginType(struct.get(JAVA_INT, NcclCommProperties.railedGinType)) : UNKNOWN,
                since31 ? struct.get(JAVA_LONG, NcclCommProperties.commHash) : 0,
                since31 ? struct.get(JAVA_INT, NcclCommProperties.ginMinStride) : 0,
                since31 ? ginConnection(struct.get(JAVA_INT, NcclCommProperties.ginConnectionType)) : UNKNOWN,
                since31 ? ginTypes(struct) : List.of(),
                since31 ? struct.get(JAVA_LONG, NcclCommProperties.devCommRuntimeVersionSize) : 0,
                since32 && struct.get(JAVA_BOOLEAN, NcclCommProperties.cftSupport),
                since32 && struct.get(JAVA_BOOLEAN, NcclCommProperties.cftMulticastSupport),
                since32 && struct.get(JAVA_BOOLEAN, NcclCommProperties.cftCountedSupport));
    }

    private static List<String> ginTypes(MemorySegment struct) {
        return IntStream.range(0, GIN_TYPES)
                .filter(code -> struct.get(JAVA_BOOLEAN, NcclCommProperties.ginSupport + code))
                .mapToObj(CommProperties::ginType)
                .toList();
    }

    private static String ginConnection(int code) {
        return switch (code) {
            case LibNccl.NCCL_GIN_CONNECTION_NONE -> "NONE";
            case LibNccl.NCCL_GIN_CONNECTION_FULL -> "FULL";
            case LibNccl.NCCL_GIN_CONNECTION_RAIL -> "RAIL";
            case LibNccl.NCCL_GIN_CONNECTION_CUSTOM_STRIDE -> "CUSTOM_STRIDE";
            default -> Integer.toString(code);
        };
    }

    static String ginType(int code) {
        return switch (code) {
            case LibNccl.NCCL_GIN_TYPE_NONE -> "NONE";
            case LibNccl.NCCL_GIN_TYPE_PROXY -> "PROXY";
            case LibNccl.NCCL_GIN_TYPE_GDAKI -> "GDAKI";
            case LibNccl.NCCL_GIN_TYPE_GPI -> "GPI";
            case LibNccl.NCCL_GIN_TYPE_EFA_GDA -> "EFA_GDA";
            default -> Integer.toString(code);
        };
    }
}
