// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nvshmem;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code nvshmemx_region_attrs_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NvshmemxRegionAttrs {
    /** Size in bytes. */
    public static final long BYTES = 64;

    /** {@code uint32_t hints} */
    public static final long hints = 0;

    /** {@code char[60] reserved} */
    public static final long reserved = 4;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("hints"),
            MemoryLayout.sequenceLayout(60, ValueLayout.JAVA_BYTE).withName("reserved"));

    private NvshmemxRegionAttrs() {}
}
