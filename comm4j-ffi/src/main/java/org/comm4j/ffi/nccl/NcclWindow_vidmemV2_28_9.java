// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclWindow_vidmem_t} of NCCL 2.28.9: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclWindow_vidmemV2_28_9 {
    /** Size in bytes. */
    public static final long BYTES = 72;

    /** {@code void *winHost} */
    public static final long winHost = 0;

    /** {@code char *lsaFlatBase} */
    public static final long lsaFlatBase = 8;

    /** {@code int lsaRank} */
    public static final long lsaRank = 16;

    /** {@code int worldRank} */
    public static final long worldRank = 20;

    /** {@code uint32_t stride4G} */
    public static final long stride4G = 24;

    /** {@code uint32_t mcOffset4K} */
    public static final long mcOffset4K = 28;

    /** {@code uint32_t ginOffset4K} */
    public static final long ginOffset4K = 32;

    /** {@code ncclGinWindow_t[4] ginWins} */
    public static final long ginWins = 40;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.ADDRESS.withName("winHost"),
            ValueLayout.ADDRESS.withName("lsaFlatBase"),
            ValueLayout.JAVA_INT.withName("lsaRank"),
            ValueLayout.JAVA_INT.withName("worldRank"),
            ValueLayout.JAVA_INT.withName("stride4G"),
            ValueLayout.JAVA_INT.withName("mcOffset4K"),
            ValueLayout.JAVA_INT.withName("ginOffset4K"),
            MemoryLayout.paddingLayout(4),
            MemoryLayout.sequenceLayout(4, ValueLayout.ADDRESS).withName("ginWins"));

    private NcclWindow_vidmemV2_28_9() {}
}
