// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclMultimemHandle_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclMultimemHandle {
    /** Size in bytes. */
    public static final long BYTES = 8;

    /** {@code void *mcBasePtr} */
    public static final long mcBasePtr = 0;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(ValueLayout.ADDRESS.withName("mcBasePtr"));

    private NcclMultimemHandle() {}
}
