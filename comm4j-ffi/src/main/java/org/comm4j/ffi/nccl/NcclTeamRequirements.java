// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclTeamRequirements_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclTeamRequirements {
    /** Size in bytes. */
    public static final long BYTES = 32;

    /** {@code ncclTeamRequirements_t *next} */
    public static final long next = 0;

    /** {@code ncclTeam_t team} */
    public static final long team = 8;

    /** {@code bool multimem} */
    public static final long multimem = 20;

    /** {@code ncclMultimemHandle_t *outMultimemHandle} */
    public static final long outMultimemHandle = 24;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.ADDRESS.withName("next"),
            NcclTeam.LAYOUT.withName("team"),
            ValueLayout.JAVA_BOOLEAN.withName("multimem"),
            MemoryLayout.paddingLayout(3),
            ValueLayout.ADDRESS.withName("outMultimemHandle"));

    private NcclTeamRequirements() {}
}
