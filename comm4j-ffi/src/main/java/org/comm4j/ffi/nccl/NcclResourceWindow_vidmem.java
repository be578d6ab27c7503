// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclResourceWindow_vidmem_t} of NCCL 2.31.2 to 2.32.3: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclResourceWindow_vidmem {
    /** Size in bytes. */
    public static final long BYTES = 16;

    /** {@code char *lsaFlatBase} */
    public static final long lsaFlatBase = 0;

    /** {@code uint32_t stride4G} */
    public static final long stride4G = 8;

    /** {@code uint32_t mcOffset4K} */
    public static final long mcOffset4K = 12;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.ADDRESS.withName("lsaFlatBase"),
            ValueLayout.JAVA_INT.withName("stride4G"),
            ValueLayout.JAVA_INT.withName("mcOffset4K"));

    private NcclResourceWindow_vidmem() {}
}
