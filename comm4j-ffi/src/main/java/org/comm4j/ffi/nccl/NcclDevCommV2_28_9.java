// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclDevComm_t} of NCCL 2.28.9: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclDevCommV2_28_9 {
    /** Size in bytes. */
    public static final long BYTES = 200;

    /** {@code int rank} */
    public static final long rank = 0;

    /** {@code int nRanks} */
    public static final long nRanks = 4;

    /** {@code uint32_t nRanks_rcp32} */
    public static final long nRanks_rcp32 = 8;

    /** {@code int lsaRank} */
    public static final long lsaRank = 12;

    /** {@code int lsaSize} */
    public static final long lsaSize = 16;

    /** {@code uint32_t lsaSize_rcp32} */
    public static final long lsaSize_rcp32 = 20;

    /** {@code ncclDevCommWindowTable *windowTable} */
    public static final long windowTable = 24;

    /** {@code ncclWindow_t resourceWindow} */
    public static final long resourceWindow = 32;

    /** {@code ncclWindow_vidmem_t resourceWindow_inlined} */
    public static final long resourceWindow_inlined = 40;

    /** {@code ncclMultimemHandle_t lsaMultimem} */
    public static final long lsaMultimem = 112;

    /** {@code ncclLsaBarrierHandle_t lsaBarrier} */
    public static final long lsaBarrier = 120;

    /** {@code ncclGinBarrierHandle_t railGinBarrier} */
    public static final long railGinBarrier = 128;

    /** {@code uint8_t ginContextCount} */
    public static final long ginContextCount = 136;

    /** {@code uint8_t[4] ginTypes} */
    public static final long ginTypes = 137;

    /** {@code void *[4] ginHandles} */
    public static final long ginHandles = 144;

    /** {@code uint32_t ginSignalBase} */
    public static final long ginSignalBase = 176;

    /** {@code int ginSignalCount} */
    public static final long ginSignalCount = 180;

    /** {@code uint32_t ginCounterBase} */
    public static final long ginCounterBase = 184;

    /** {@code int ginCounterCount} */
    public static final long ginCounterCount = 188;

    /** {@code uint64_t *ginSignalShadows} */
    public static final long ginSignalShadows = 192;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("rank"),
            ValueLayout.JAVA_INT.withName("nRanks"),
            ValueLayout.JAVA_INT.withName("nRanks_rcp32"),
            ValueLayout.JAVA_INT.withName("lsaRank"),
            ValueLayout.JAVA_INT.withName("lsaSize"),
            ValueLayout.JAVA_INT.withName("lsaSize_rcp32"),
            ValueLayout.ADDRESS.withName("windowTable"),
            ValueLayout.ADDRESS.withName("resourceWindow"),
            NcclWindow_vidmemV2_28_9.LAYOUT.withName("resourceWindow_inlined"),
            NcclMultimemHandle.LAYOUT.withName("lsaMultimem"),
            NcclLsaBarrierHandle.LAYOUT.withName("lsaBarrier"),
            NcclGinBarrierHandleV2_28_9.LAYOUT.withName("railGinBarrier"),
            ValueLayout.JAVA_BYTE.withName("ginContextCount"),
            MemoryLayout.sequenceLayout(4, ValueLayout.JAVA_BYTE).withName("ginTypes"),
            MemoryLayout.paddingLayout(3),
            MemoryLayout.sequenceLayout(4, ValueLayout.ADDRESS).withName("ginHandles"),
            ValueLayout.JAVA_INT.withName("ginSignalBase"),
            ValueLayout.JAVA_INT.withName("ginSignalCount"),
            ValueLayout.JAVA_INT.withName("ginCounterBase"),
            ValueLayout.JAVA_INT.withName("ginCounterCount"),
            ValueLayout.ADDRESS.withName("ginSignalShadows"));

    private NcclDevCommV2_28_9() {}
}
