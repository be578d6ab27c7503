// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclDevCommRequirements_t} of NCCL 2.31.2 to 2.32.3: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclDevCommRequirements {
    /** Size in bytes. */
    public static final long BYTES = 120;

    /** {@code size_t size} */
    public static final long size = 0;

    /** {@code unsigned int magic} */
    public static final long magic = 8;

    /** {@code unsigned int version} */
    public static final long version = 12;

    /** {@code ncclDevResourceRequirements_t *resourceRequirementsList} */
    public static final long resourceRequirementsList = 16;

    /** {@code ncclTeamRequirements_t *teamRequirementsList} */
    public static final long teamRequirementsList = 24;

    /** {@code bool lsaMultimem} */
    public static final long lsaMultimem = 32;

    /** {@code int barrierCount} */
    public static final long barrierCount = 36;

    /** {@code int lsaBarrierCount} */
    public static final long lsaBarrierCount = 40;

    /** {@code int railGinBarrierCount} */
    public static final long railGinBarrierCount = 44;

    /** {@code int lsaLLA2ABlockCount} */
    public static final long lsaLLA2ABlockCount = 48;

    /** {@code int lsaLLA2ASlotCount} */
    public static final long lsaLLA2ASlotCount = 52;

    /** {@code bool ginForceEnable} */
    public static final long ginForceEnable = 56;

    /** {@code int ginContextCount} */
    public static final long ginContextCount = 60;

    /** {@code int ginSignalCount} */
    public static final long ginSignalCount = 64;

    /** {@code int ginCounterCount} */
    public static final long ginCounterCount = 68;

    /** {@code ncclGinConnectionType_t ginConnectionType} */
    public static final long ginConnectionType = 72;

    /** {@code bool ginExclusiveContexts} */
    public static final long ginExclusiveContexts = 76;

    /** {@code int ginQueueDepth} */
    public static final long ginQueueDepth = 80;

    /** {@code int ginTrafficClass} */
    public static final long ginTrafficClass = 84;

    /** {@code int worldGinBarrierCount} */
    public static final long worldGinBarrierCount = 88;

    /** {@code bool ginStrongSignalsRequired} */
    public static final long ginStrongSignalsRequired = 92;

    /** {@code bool ginVaSignalsRequired} */
    public static final long ginVaSignalsRequired = 93;

    /** {@code int ginCustomStride} */
    public static final long ginCustomStride = 96;

    /** {@code ncclGinType_t ginType} */
    public static final long ginType = 100;

    /** {@code bool useRuntimeVersion} */
    public static final long useRuntimeVersion = 104;

    /** {@code int cftCaps} */
    public static final long cftCaps = 108;

    /** {@code int cftBarrierCount} */
    public static final long cftBarrierCount = 112;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("size"),
            ValueLayout.JAVA_INT.withName("magic"),
            ValueLayout.JAVA_INT.withName("version"),
            ValueLayout.ADDRESS.withName("resourceRequirementsList"),
            ValueLayout.ADDRESS.withName("teamRequirementsList"),
            ValueLayout.JAVA_BOOLEAN.withName("lsaMultimem"),
            MemoryLayout.paddingLayout(3),
            ValueLayout.JAVA_INT.withName("barrierCount"),
            ValueLayout.JAVA_INT.withName("lsaBarrierCount"),
            ValueLayout.JAVA_INT.withName("railGinBarrierCount"),
            ValueLayout.JAVA_INT.withName("lsaLLA2ABlockCount"),
            ValueLayout.JAVA_INT.withName("lsaLLA2ASlotCount"),
            ValueLayout.JAVA_BOOLEAN.withName("ginForceEnable"),
            MemoryLayout.paddingLayout(3),
            ValueLayout.JAVA_INT.withName("ginContextCount"),
            ValueLayout.JAVA_INT.withName("ginSignalCount"),
            ValueLayout.JAVA_INT.withName("ginCounterCount"),
            ValueLayout.JAVA_INT.withName("ginConnectionType"),
            ValueLayout.JAVA_BOOLEAN.withName("ginExclusiveContexts"),
            MemoryLayout.paddingLayout(3),
            ValueLayout.JAVA_INT.withName("ginQueueDepth"),
            ValueLayout.JAVA_INT.withName("ginTrafficClass"),
            ValueLayout.JAVA_INT.withName("worldGinBarrierCount"),
            ValueLayout.JAVA_BOOLEAN.withName("ginStrongSignalsRequired"),
            ValueLayout.JAVA_BOOLEAN.withName("ginVaSignalsRequired"),
            MemoryLayout.paddingLayout(2),
            ValueLayout.JAVA_INT.withName("ginCustomStride"),
            ValueLayout.JAVA_INT.withName("ginType"),
            ValueLayout.JAVA_BOOLEAN.withName("useRuntimeVersion"),
            MemoryLayout.paddingLayout(3),
            ValueLayout.JAVA_INT.withName("cftCaps"),
            ValueLayout.JAVA_INT.withName("cftBarrierCount"),
            MemoryLayout.paddingLayout(4));

    private NcclDevCommRequirements() {}

    /**
     * Size of the struct in a version of the library: newer ones add fields at the end. For a version between two whose
     * headers are known it is the size in the older of these.
     *
     * @param version as the library gives it (23203 for 2.32.3)
     * @throws IllegalArgumentException if the version is older than the first with such a layout
     */
    public static long bytes(int version) {
        if (version >= 23102) {
            return 120;
        }
        if (version >= 23007) {
            return 96;
        }

        throw new IllegalArgumentException(
                "ncclDevCommRequirements_t has this layout from NCCL 2.30.7 on, not in " + version);
    }
}
