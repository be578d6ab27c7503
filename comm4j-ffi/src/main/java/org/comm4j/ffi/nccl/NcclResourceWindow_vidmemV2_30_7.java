// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code ncclResourceWindow_vidmem_t}, as of NCCL 2.30.7. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclResourceWindow_vidmemV2_30_7 {
    /** Size of the struct. */
    public static final long BYTES = 64;

    /** {@code char[8] reserved1}, 8 bytes. */
    public static final long reserved1 = 0;

    /** {@code char *lsaFlatBase}, 8 bytes. */
    public static final long lsaFlatBase = 8;

    /** {@code char[8] reserved2}, 8 bytes. */
    public static final long reserved2 = 16;

    /** {@code uint32_t stride4G}, 4 bytes. */
    public static final long stride4G = 24;

    /** {@code uint32_t mcOffset4K}, 4 bytes. */
    public static final long mcOffset4K = 28;

    /** {@code char[32] reserved3}, 32 bytes. */
    public static final long reserved3 = 32;

    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(8, ValueLayout.JAVA_BYTE).withName("reserved1"),
            ValueLayout.ADDRESS.withName("lsaFlatBase"),
            MemoryLayout.sequenceLayout(8, ValueLayout.JAVA_BYTE).withName("reserved2"),
            ValueLayout.JAVA_INT.withName("stride4G"),
            ValueLayout.JAVA_INT.withName("mcOffset4K"),
            MemoryLayout.sequenceLayout(32, ValueLayout.JAVA_BYTE).withName("reserved3"));

    private NcclResourceWindow_vidmemV2_30_7() {}
}
