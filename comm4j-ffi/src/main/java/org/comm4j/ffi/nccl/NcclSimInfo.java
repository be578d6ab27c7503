// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclSimInfo_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclSimInfo {
    /** Size in bytes. */
    public static final long BYTES = 24;

    /** {@code size_t size} */
    public static final long size = 0;

    /** {@code unsigned int magic} */
    public static final long magic = 8;

    /** {@code unsigned int version} */
    public static final long version = 12;

    /** {@code float estimatedTime} */
    public static final long estimatedTime = 16;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("size"),
            ValueLayout.JAVA_INT.withName("magic"),
            ValueLayout.JAVA_INT.withName("version"),
            ValueLayout.JAVA_FLOAT.withName("estimatedTime"),
            MemoryLayout.paddingLayout(4));

    private NcclSimInfo() {}
}
