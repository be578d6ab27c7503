// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUgraphEdgeData}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUgraphEdgeData {
    /** Size in bytes. */
    public static final long BYTES = 8;

    /** {@code unsigned char from_port} */
    public static final long from_port = 0;

    /** {@code unsigned char to_port} */
    public static final long to_port = 1;

    /** {@code unsigned char type} */
    public static final long type = 2;

    /** {@code unsigned char[5] reserved} */
    public static final long reserved = 3;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_BYTE.withName("from_port"),
            ValueLayout.JAVA_BYTE.withName("to_port"),
            ValueLayout.JAVA_BYTE.withName("type"),
            MemoryLayout.sequenceLayout(5, ValueLayout.JAVA_BYTE).withName("reserved"));

    private CUgraphEdgeData() {}
}
