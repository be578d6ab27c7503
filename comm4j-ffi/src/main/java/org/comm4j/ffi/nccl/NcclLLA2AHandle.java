// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code ncclLLA2AHandle_t}. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclLLA2AHandle {
    /** Size of the struct. */
    public static final long BYTES = 8;

    /** {@code ncclDevResourceHandle_t bufHandle}, 4 bytes. */
    public static final long bufHandle = 0;

    /** {@code uint32_t nSlots}, 4 bytes. */
    public static final long nSlots = 4;

    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("bufHandle"), ValueLayout.JAVA_INT.withName("nSlots"));

    private NcclLLA2AHandle() {}
}
