// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclWindow_vidmem_t} of NCCL 2.32.3: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclWindow_vidmem {
    /** Size in bytes. */
    public static final long BYTES = 96;

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

    /** {@code uint32_t winFlags} */
    public static final long winFlags = 36;

    /** {@code ncclGinWindow_t[4] ginWinsDefaultBackend} */
    public static final long ginWinsDefaultBackend = 40;

    /** {@code ncclSegmentWindow *ginMultiSegmentWins} */
    public static final long ginMultiSegmentWins = 72;

    /** {@code int numSegments} */
    public static final long numSegments = 80;

    /** {@code int cftFlatRank} */
    public static final long cftFlatRank = 84;

    /** {@code ncclCftLeId_t ucLeIdBase} */
    public static final long ucLeIdBase = 88;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.ADDRESS.withName("winHost"),
            ValueLayout.ADDRESS.withName("lsaFlatBase"),
            ValueLayout.JAVA_INT.withName("lsaRank"),
            ValueLayout.JAVA_INT.withName("worldRank"),
            ValueLayout.JAVA_INT.withName("stride4G"),
            ValueLayout.JAVA_INT.withName("mcOffset4K"),
            ValueLayout.JAVA_INT.withName("ginOffset4K"),
            ValueLayout.JAVA_INT.withName("winFlags"),
            MemoryLayout.sequenceLayout(4, ValueLayout.ADDRESS).withName("ginWinsDefaultBackend"),
            ValueLayout.ADDRESS.withName("ginMultiSegmentWins"),
            ValueLayout.JAVA_INT.withName("numSegments"),
            ValueLayout.JAVA_INT.withName("cftFlatRank"),
            ValueLayout.JAVA_INT.withName("ucLeIdBase"),
            MemoryLayout.paddingLayout(4));

    private NcclWindow_vidmem() {}

    /**
     * Size of the struct in a version of the library: newer ones add fields at the end. For a version between two whose
     * headers are known it is the size in the older of these.
     *
     * @param version as the library gives it (23203 for 2.32.3)
     * @throws IllegalArgumentException if the version is older than the first with such a layout
     */
    public static long bytes(int version) {
        if (version >= 23203) {
            return 96;
        }
        if (version >= 23102) {
            return 88;
        }

        throw new IllegalArgumentException(
                "ncclWindow_vidmem_t has this layout from NCCL 2.31.2 on, not in " + version);
    }
}
