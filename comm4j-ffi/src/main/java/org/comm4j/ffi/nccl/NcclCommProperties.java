// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclCommProperties_t} of NCCL 2.32.3: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclCommProperties {
    /** Size in bytes. */
    public static final long BYTES = 152;

    /** {@code size_t size} */
    public static final long size = 0;

    /** {@code unsigned int magic} */
    public static final long magic = 8;

    /** {@code unsigned int version} */
    public static final long version = 12;

    /** {@code int rank} */
    public static final long rank = 16;

    /** {@code int nRanks} */
    public static final long nRanks = 20;

    /** {@code int cudaDev} */
    public static final long cudaDev = 24;

    /** {@code int nvmlDev} */
    public static final long nvmlDev = 28;

    /** {@code bool deviceApiSupport} */
    public static final long deviceApiSupport = 32;

    /** {@code bool multimemSupport} */
    public static final long multimemSupport = 33;

    /** {@code ncclGinType_t ginType} */
    public static final long ginType = 36;

    /** {@code int nLsaTeams} */
    public static final long nLsaTeams = 40;

    /** {@code bool hostRmaSupport} */
    public static final long hostRmaSupport = 44;

    /** {@code ncclGinType_t railedGinType} */
    public static final long railedGinType = 48;

    /** {@code uint64_t commHash} */
    public static final long commHash = 56;

    /** {@code int ginMinStride} */
    public static final long ginMinStride = 64;

    /** {@code ncclGinConnectionType_t ginConnectionType} */
    public static final long ginConnectionType = 68;

    /** {@code bool[64] ginSupport} */
    public static final long ginSupport = 72;

    /** {@code size_t devCommRuntimeVersionSize} */
    public static final long devCommRuntimeVersionSize = 136;

    /** {@code bool cftSupport} */
    public static final long cftSupport = 144;

    /** {@code bool cftMulticastSupport} */
    public static final long cftMulticastSupport = 145;

    /** {@code bool cftCountedSupport} */
    public static final long cftCountedSupport = 146;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("size"),
            ValueLayout.JAVA_INT.withName("magic"),
            ValueLayout.JAVA_INT.withName("version"),
            ValueLayout.JAVA_INT.withName("rank"),
            ValueLayout.JAVA_INT.withName("nRanks"),
            ValueLayout.JAVA_INT.withName("cudaDev"),
            ValueLayout.JAVA_INT.withName("nvmlDev"),
            ValueLayout.JAVA_BOOLEAN.withName("deviceApiSupport"),
            ValueLayout.JAVA_BOOLEAN.withName("multimemSupport"),
            MemoryLayout.paddingLayout(2),
            ValueLayout.JAVA_INT.withName("ginType"),
            ValueLayout.JAVA_INT.withName("nLsaTeams"),
            ValueLayout.JAVA_BOOLEAN.withName("hostRmaSupport"),
            MemoryLayout.paddingLayout(3),
            ValueLayout.JAVA_INT.withName("railedGinType"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.JAVA_LONG.withName("commHash"),
            ValueLayout.JAVA_INT.withName("ginMinStride"),
            ValueLayout.JAVA_INT.withName("ginConnectionType"),
            MemoryLayout.sequenceLayout(64, ValueLayout.JAVA_BOOLEAN).withName("ginSupport"),
            ValueLayout.JAVA_LONG.withName("devCommRuntimeVersionSize"),
            ValueLayout.JAVA_BOOLEAN.withName("cftSupport"),
            ValueLayout.JAVA_BOOLEAN.withName("cftMulticastSupport"),
            ValueLayout.JAVA_BOOLEAN.withName("cftCountedSupport"),
            MemoryLayout.paddingLayout(5));

    private NcclCommProperties() {}

    /**
     * Size of the struct in a version of the library: newer ones add fields at the end. For a version between two whose
     * headers are known it is the size in the older of these.
     *
     * @param version as the library gives it (23203 for 2.32.3)
     * @throws IllegalArgumentException if the version is older than the first with such a layout
     */
    public static long bytes(int version) {
        if (version >= 23203) {
            return 152;
        }
        if (version >= 23102) {
            return 144;
        }
        if (version >= 23007) {
            return 56;
        }

        throw new IllegalArgumentException(
                "ncclCommProperties_t has this layout from NCCL 2.30.7 on, not in " + version);
    }
}
