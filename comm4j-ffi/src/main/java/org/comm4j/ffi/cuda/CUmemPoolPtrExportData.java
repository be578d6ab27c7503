// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code CUmemPoolPtrExportData}. */
@SuppressWarnings("MemberName") // names are C's
public final class CUmemPoolPtrExportData {
    /** Size of the struct. */
    public static final long BYTES = 64;

    /** {@code unsigned char[64] reserved}, 64 bytes. */
    public static final long reserved = 0;

    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(64, ValueLayout.JAVA_BYTE).withName("reserved"));

    private CUmemPoolPtrExportData() {}
}
