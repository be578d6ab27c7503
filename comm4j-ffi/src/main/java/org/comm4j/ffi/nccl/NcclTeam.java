// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code ncclTeam_t}. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclTeam {
    /** Size of the struct. */
    public static final long BYTES = 12;

    /** {@code int nRanks}, 4 bytes. */
    public static final long nRanks = 0;

    /** {@code int rank}, 4 bytes. */
    public static final long rank = 4;

    /** {@code int stride}, 4 bytes. */
    public static final long stride = 8;

    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("nRanks"),
            ValueLayout.JAVA_INT.withName("rank"),
            ValueLayout.JAVA_INT.withName("stride"));

    private NcclTeam() {}
}
