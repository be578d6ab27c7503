// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code ncclLsaBarrierHandle_t}. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclLsaBarrierHandle {
    /** Size of the struct. */
    public static final long BYTES = 8;

    /** {@code ncclDevResourceHandle_t bufHandle}, 4 bytes. */
    public static final long bufHandle = 0;

    /** {@code int nBarriers}, 4 bytes. */
    public static final long nBarriers = 4;

    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("bufHandle"), ValueLayout.JAVA_INT.withName("nBarriers"));

    private NcclLsaBarrierHandle() {}
}
