// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code ncclSegmentWindow}. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclSegmentWindow {
    /** Size of the struct. */
    public static final long BYTES = 48;

    /** {@code ncclGinWindow_t[4] ginWins}, 32 bytes. */
    public static final long ginWins = 0;

    /** {@code size_t segmentSize}, 8 bytes. */
    public static final long segmentSize = 32;

    /** {@code CUmemLocationType memType}, 4 bytes. */
    public static final long memType = 40;

    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(4, ValueLayout.ADDRESS).withName("ginWins"),
            ValueLayout.JAVA_LONG.withName("segmentSize"),
            ValueLayout.JAVA_INT.withName("memType"),
            MemoryLayout.paddingLayout(4));

    private NcclSegmentWindow() {}
}
