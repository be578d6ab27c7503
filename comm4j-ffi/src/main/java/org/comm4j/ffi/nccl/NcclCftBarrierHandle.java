// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclCftBarrierHandle_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclCftBarrierHandle {
    /** Size in bytes. */
    public static final long BYTES = 8;

    /** {@code ncclDevResourceHandle_t bufHandle} */
    public static final long bufHandle = 0;

    /** {@code int nBarriers} */
    public static final long nBarriers = 4;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("bufHandle"), ValueLayout.JAVA_INT.withName("nBarriers"));

    private NcclCftBarrierHandle() {}
}
