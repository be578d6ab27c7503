// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclSegmentWindow}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclSegmentWindow {
    /** Size in bytes. */
    public static final long BYTES = 48;

    /** {@code ncclGinWindow_t[4] ginWins} */
    public static final long ginWins = 0;

    /** {@code size_t segmentSize} */
    public static final long segmentSize = 32;

    /** {@code CUmemLocationType memType} */
    public static final long memType = 40;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(4, ValueLayout.ADDRESS).withName("ginWins"),
            ValueLayout.JAVA_LONG.withName("segmentSize"),
            ValueLayout.JAVA_INT.withName("memType"),
            MemoryLayout.paddingLayout(4));

    private NcclSegmentWindow() {}
}
