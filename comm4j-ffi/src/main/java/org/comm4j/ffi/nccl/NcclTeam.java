// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclTeam_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclTeam {
    /** Size in bytes. */
    public static final long BYTES = 12;

    /** {@code int nRanks} */
    public static final long nRanks = 0;

    /** {@code int rank} */
    public static final long rank = 4;

    /** {@code int stride} */
    public static final long stride = 8;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("nRanks"),
            ValueLayout.JAVA_INT.withName("rank"),
            ValueLayout.JAVA_INT.withName("stride"));

    private NcclTeam() {}
}
