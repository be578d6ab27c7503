// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclDevComm_t} of NCCL 2.31.2 to 2.32.3: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclDevComm {
    /** Size in bytes. */
    public static final long BYTES = 248;

    /** {@code unsigned int magic} */
    public static final long magic = 0;

    /** {@code unsigned int version} */
    public static final long version = 4;

    /** {@code int rank} */
    public static final long rank = 8;

    /** {@code int nRanks} */
    public static final long nRanks = 12;

    /** {@code uint32_t nRanks_rcp32} */
    public static final long nRanks_rcp32 = 16;

    /** {@code int lsaRank} */
    public static final long lsaRank = 20;

    /** {@code int lsaSize} */
    public static final long lsaSize = 24;

    /** {@code uint32_t lsaSize_rcp32} */
    public static final long lsaSize_rcp32 = 28;

    /** {@code ncclDevCommWindowTable_t windowTable} */
    public static final long windowTable = 32;

    /** {@code ncclWindow_t resourceWindow} */
    public static final long resourceWindow = 40;

    /** {@code ncclResourceWindow_vidmem_t resourceWindow_inlined} */
    public static final long resourceWindow_inlined = 48;

    /** {@code ncclGinBarrierHandle_t hybridDenseGinBarrier} */
    public static final long hybridDenseGinBarrier = 64;

    /** {@code ncclMultimemHandle_t lsaMultimem} */
    public static final long lsaMultimem = 72;

    /** {@code ncclLsaBarrierHandle_t lsaBarrier} */
    public static final long lsaBarrier = 80;

    /** {@code ncclGinBarrierHandle_t railGinBarrier} */
    public static final long railGinBarrier = 88;

    /** {@code uint8_t ginConnectionCount} */
    public static final long ginConnectionCount = 96;

    /** {@code uint8_t backendIndex} */
    public static final long backendIndex = 97;

    /** {@code uint8_t[4] ginNetDeviceTypes} */
    public static final long ginNetDeviceTypes = 98;

    /** {@code void *[4] ginHandles} */
    public static final long ginHandles = 104;

    /** {@code int ginSignalCount} */
    public static final long ginSignalCount = 136;

    /** {@code int ginCounterCount} */
    public static final long ginCounterCount = 140;

    /** {@code uint64_t *ginSignalShadows} */
    public static final long ginSignalShadows = 144;

    /** {@code uint32_t ginContextCount} */
    public static final long ginContextCount = 152;

    /** {@code int ginConnectionStride} */
    public static final long ginConnectionStride = 156;

    /** {@code int ginContextStride} */
    public static final long ginContextStride = 160;

    /** {@code bool ginStrongLegacySignals} */
    public static final long ginStrongLegacySignals = 164;

    /** {@code uint32_t *abortFlag} */
    public static final long abortFlag = 168;

    /** {@code ncclLsaBarrierHandle_t hybridLsaBarrier} */
    public static final long hybridLsaBarrier = 176;

    /** {@code ncclGinBarrierHandle_t hybridRailGinBarrier} */
    public static final long hybridRailGinBarrier = 184;

    /** {@code ncclGinBarrierHandle_t worldGinBarrier} */
    public static final long worldGinBarrier = 192;

    /** {@code uint32_t ginConnectionStride_rcp32} */
    public static final long ginConnectionStride_rcp32 = 200;

    /** {@code int cftRank} */
    public static final long cftRank = 204;

    /** {@code int cftSize} */
    public static final long cftSize = 208;

    /** {@code int cftMultimemRank} */
    public static final long cftMultimemRank = 212;

    /** {@code int cftMultimemSize} */
    public static final long cftMultimemSize = 216;

    /** {@code uint32_t cftMultimemSize_rcp32} */
    public static final long cftMultimemSize_rcp32 = 220;

    /** {@code ncclCftLeId ucLeId} */
    public static final long ucLeId = 224;

    /** {@code ncclCftLeId mcLeId} */
    public static final long mcLeId = 228;

    /** {@code ncclCftBarrierHandle_t cftBarrier} */
    public static final long cftBarrier = 232;

    /** {@code ncclCftBarrierHandle_t cftMultimemBarrier} */
    public static final long cftMultimemBarrier = 240;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("magic"),
            ValueLayout.JAVA_INT.withName("version"),
            ValueLayout.JAVA_INT.withName("rank"),
            ValueLayout.JAVA_INT.withName("nRanks"),
            ValueLayout.JAVA_INT.withName("nRanks_rcp32"),
            ValueLayout.JAVA_INT.withName("lsaRank"),
            ValueLayout.JAVA_INT.withName("lsaSize"),
            ValueLayout.JAVA_INT.withName("lsaSize_rcp32"),
            ValueLayout.ADDRESS.withName("windowTable"),
            ValueLayout.ADDRESS.withName("resourceWindow"),
            NcclResourceWindow_vidmem.LAYOUT.withName("resourceWindow_inlined"),
            NcclGinBarrierHandle.LAYOUT.withName("hybridDenseGinBarrier"),
            NcclMultimemHandle.LAYOUT.withName("lsaMultimem"),
            NcclLsaBarrierHandle.LAYOUT.withName("lsaBarrier"),
            NcclGinBarrierHandle.LAYOUT.withName("railGinBarrier"),
            ValueLayout.JAVA_BYTE.withName("ginConnectionCount"),
            ValueLayout.JAVA_BYTE.withName("backendIndex"),
            MemoryLayout.sequenceLayout(4, ValueLayout.JAVA_BYTE).withName("ginNetDeviceTypes"),
            MemoryLayout.paddingLayout(2),
            MemoryLayout.sequenceLayout(4, ValueLayout.ADDRESS).withName("ginHandles"),
            ValueLayout.JAVA_INT.withName("ginSignalCount"),
            ValueLayout.JAVA_INT.withName("ginCounterCount"),
            ValueLayout.ADDRESS.withName("ginSignalShadows"),
            ValueLayout.JAVA_INT.withName("ginContextCount"),
            ValueLayout.JAVA_INT.withName("ginConnectionStride"),
            ValueLayout.JAVA_INT.withName("ginContextStride"),
            ValueLayout.JAVA_BOOLEAN.withName("ginStrongLegacySignals"),
            MemoryLayout.paddingLayout(3),
            ValueLayout.ADDRESS.withName("abortFlag"),
            NcclLsaBarrierHandle.LAYOUT.withName("hybridLsaBarrier"),
            NcclGinBarrierHandle.LAYOUT.withName("hybridRailGinBarrier"),
            NcclGinBarrierHandle.LAYOUT.withName("worldGinBarrier"),
            ValueLayout.JAVA_INT.withName("ginConnectionStride_rcp32"),
            ValueLayout.JAVA_INT.withName("cftRank"),
            ValueLayout.JAVA_INT.withName("cftSize"),
            ValueLayout.JAVA_INT.withName("cftMultimemRank"),
            ValueLayout.JAVA_INT.withName("cftMultimemSize"),
            ValueLayout.JAVA_INT.withName("cftMultimemSize_rcp32"),
            ValueLayout.JAVA_INT.withName("ucLeId"),
            ValueLayout.JAVA_INT.withName("mcLeId"),
            NcclCftBarrierHandle.LAYOUT.withName("cftBarrier"),
            NcclCftBarrierHandle.LAYOUT.withName("cftMultimemBarrier"));

    private NcclDevComm() {}
}
