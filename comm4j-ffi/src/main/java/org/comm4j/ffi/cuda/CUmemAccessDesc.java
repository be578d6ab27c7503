// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code CUmemAccessDesc}. */
@SuppressWarnings("MemberName") // names are C's
public final class CUmemAccessDesc {
    /** Size of the struct. */
    public static final long BYTES = 12;

    /** {@code CUmemLocation location}, 8 bytes. */
    public static final long location = 0;

    /** {@code CUmemAccess_flags flags}, 4 bytes. */
    public static final long flags = 8;

    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            CUmemLocation.LAYOUT.withName("location"), ValueLayout.JAVA_INT.withName("flags"));

    private CUmemAccessDesc() {}
}
