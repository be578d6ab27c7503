// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclDevCommRequirements_t} of NCCL 2.28.9: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclDevCommRequirementsV2_28_9 {
    /** Size in bytes. */
    public static final long BYTES = 56;

    /** {@code ncclDevResourceRequirements_t *resourceRequirementsList} */
    public static final long resourceRequirementsList = 0;

    /** {@code ncclTeamRequirements_t *teamRequirementsList} */
    public static final long teamRequirementsList = 8;

    /** {@code bool lsaMultimem} */
    public static final long lsaMultimem = 16;

    /** {@code int barrierCount} */
    public static final long barrierCount = 20;

    /** {@code int lsaBarrierCount} */
    public static final long lsaBarrierCount = 24;

    /** {@code int railGinBarrierCount} */
    public static final long railGinBarrierCount = 28;

    /** {@code int lsaLLA2ABlockCount} */
    public static final long lsaLLA2ABlockCount = 32;

    /** {@code int lsaLLA2ASlotCount} */
    public static final long lsaLLA2ASlotCount = 36;

    /** {@code bool ginForceEnable} */
    public static final long ginForceEnable = 40;

    /** {@code int ginContextCount} */
    public static final long ginContextCount = 44;

    /** {@code int ginSignalCount} */
    public static final long ginSignalCount = 48;

    /** {@code int ginCounterCount} */
    public static final long ginCounterCount = 52;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
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
            ValueLayout.JAVA_INT.withName("ginCounterCount"));

    private NcclDevCommRequirementsV2_28_9() {}
}
