// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code ncclResourceWindow_vidmem_t}, as of NCCL 2.31.2. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclResourceWindow_vidmem {
    /** Size of the struct. */
    public static final long BYTES = 16;

    /** {@code char *lsaFlatBase}, 8 bytes. */
    public static final long lsaFlatBase = 0;

    /** {@code uint32_t stride4G}, 4 bytes. */
    public static final long stride4G = 8;

    /** {@code uint32_t mcOffset4K}, 4 bytes. */
    public static final long mcOffset4K = 12;

    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.ADDRESS.withName("lsaFlatBase"),
            ValueLayout.JAVA_INT.withName("stride4G"),
            ValueLayout.JAVA_INT.withName("mcOffset4K"));

    private NcclResourceWindow_vidmem() {}
}
