// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclResourceWindow_vidmem_t} of NCCL 2.30.7: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclResourceWindow_vidmemV2_30_7 {
    /** Size in bytes. */
    public static final long BYTES = 64;

    /** {@code char[8] reserved1} */
    public static final long reserved1 = 0;

    /** {@code char *lsaFlatBase} */
    public static final long lsaFlatBase = 8;

    /** {@code char[8] reserved2} */
    public static final long reserved2 = 16;

    /** {@code uint32_t stride4G} */
    public static final long stride4G = 24;

    /** {@code uint32_t mcOffset4K} */
    public static final long mcOffset4K = 28;

    /** {@code char[32] reserved3} */
    public static final long reserved3 = 32;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(8, ValueLayout.JAVA_BYTE).withName("reserved1"),
            ValueLayout.ADDRESS.withName("lsaFlatBase"),
            MemoryLayout.sequenceLayout(8, ValueLayout.JAVA_BYTE).withName("reserved2"),
            ValueLayout.JAVA_INT.withName("stride4G"),
            ValueLayout.JAVA_INT.withName("mcOffset4K"),
            MemoryLayout.sequenceLayout(32, ValueLayout.JAVA_BYTE).withName("reserved3"));

    private NcclResourceWindow_vidmemV2_30_7() {}
}
