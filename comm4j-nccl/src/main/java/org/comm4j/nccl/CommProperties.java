// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclComm;
import org.comm4j.ffi.nccl.NcclCommProperties;

/**
 * What a communicator can do ({@code ncclCommProperties_t}): see {@link NcclCommunicator#properties}. What the loaded NCCL does
 * not tell yet is false, 0 or {@code "unknown"}.
 *
 * @param deviceApi whether kernels can communicate by themselves
 * @param multimem whether NVLink SHARP is usable from kernels
 * @param ginType how kernels reach the network: {@code NONE}, {@code PROXY}, {@code GDAKI}, …; a number if it is newer than this
 *     library
 * @param lsaTeams how many groups of GPUs there are that can load and store each other's memory
 * @param hostRma whether put and signal from the host work
 * @param railedGinType how kernels reach the same GPU of other machines
 * @param hash the same number on all ranks (NCCL 2.31.2)
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
        long hash) {

    private static final int SMALLEST = 40;

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

    /** The size of the struct that kernels compiled with the loaded NCCL's headers take (NCCL 2.31.2). */
    static long deviceCommunicatorBytes(NcclComm comm) {
        try (Arena arena = Arena.ofConfined()) {
            return query(comm, arena).get(JAVA_LONG, NcclCommProperties.devCommRuntimeVersionSize);
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
        return new CommProperties(
                struct.get(JAVA_INT, 16),
                struct.get(JAVA_INT, 20),
                struct.get(JAVA_INT, 24),
                struct.get(JAVA_INT, 28),
                struct.get(JAVA_BOOLEAN, 32),
                struct.get(JAVA_BOOLEAN, 33),
                // The first version had an enum of one byte here.
                ginType(full ? struct.get(JAVA_INT, 36) : struct.get(JAVA_BYTE, 34)),
                full ? struct.get(JAVA_INT, 40) : 0,
                full && struct.get(JAVA_BOOLEAN, 44),
                full ? ginType(struct.get(JAVA_INT, 48)) : "unknown",
                version >= 23102 ? struct.get(JAVA_LONG, 56) : 0);
    }

    private static String ginType(int code) {
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
