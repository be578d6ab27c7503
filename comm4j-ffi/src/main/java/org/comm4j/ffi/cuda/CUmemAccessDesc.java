// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUmemAccessDesc}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUmemAccessDesc {
    /** Size in bytes. */
    public static final long BYTES = 12;

    /** {@code CUmemLocation location} */
    public static final long location = 0;

    /** {@code CUmemAccess_flags flags} */
    public static final long flags = 8;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            CUmemLocation.LAYOUT.withName("location"), ValueLayout.JAVA_INT.withName("flags"));

    private CUmemAccessDesc() {}
}
