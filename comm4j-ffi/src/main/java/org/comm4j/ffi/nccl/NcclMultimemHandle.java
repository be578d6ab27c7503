// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code ncclMultimemHandle_t}. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclMultimemHandle {
    /** Size of the struct. */
    public static final long BYTES = 8;

    /** {@code void *mcBasePtr}, 8 bytes. */
    public static final long mcBasePtr = 0;

    public static final StructLayout LAYOUT = MemoryLayout.structLayout(ValueLayout.ADDRESS.withName("mcBasePtr"));

    private NcclMultimemHandle() {}
}
