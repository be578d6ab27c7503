// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclDevComm_t} of NCCL 2.30.7: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclDevCommV2_30_7 {
    /** Size in bytes. */
    public static final long BYTES = 240;

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

    /** {@code ncclGinBarrierHandle_t hybridWorldGinBarrier} */
    public static final long hybridWorldGinBarrier = 112;

    /** {@code ncclMultimemHandle_t lsaMultimem} */
    public static final long lsaMultimem = 120;

    /** {@code ncclLsaBarrierHandle_t lsaBarrier} */
    public static final long lsaBarrier = 128;

    /** {@code ncclGinBarrierHandle_t railGinBarrier} */
    public static final long railGinBarrier = 136;

    /** {@code uint8_t ginConnectionCount} */
    public static final long ginConnectionCount = 144;

    /** {@code uint8_t[4] ginNetDeviceTypes} */
    public static final long ginNetDeviceTypes = 145;

    /** {@code void *[4] ginHandles} */
    public static final long ginHandles = 152;

    /** {@code int ginSignalCount} */
    public static final long ginSignalCount = 184;

    /** {@code int ginCounterCount} */
    public static final long ginCounterCount = 188;

    /** {@code uint64_t *ginSignalShadows} */
    public static final long ginSignalShadows = 192;

    /** {@code uint32_t ginContextCount} */
    public static final long ginContextCount = 200;

    /** {@code bool ginConnectionsRailed} */
    public static final long ginConnectionsRailed = 204;

    /** {@code bool ginStrongLegacySignals} */
    public static final long ginStrongLegacySignals = 205;

    /** {@code bool ginContextsRailed} */
    public static final long ginContextsRailed = 206;

    /** {@code uint32_t *abortFlag} */
    public static final long abortFlag = 208;

    /** {@code ncclLsaBarrierHandle_t hybridLsaBarrier} */
    public static final long hybridLsaBarrier = 216;

    /** {@code ncclGinBarrierHandle_t hybridRailGinBarrier} */
    public static final long hybridRailGinBarrier = 224;

    /** {@code ncclGinBarrierHandle_t worldGinBarrier} */
    public static final long worldGinBarrier = 232;

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
            NcclResourceWindow_vidmemV2_30_7.LAYOUT.withName("resourceWindow_inlined"),
            NcclGinBarrierHandle.LAYOUT.withName("hybridWorldGinBarrier"),
            NcclMultimemHandle.LAYOUT.withName("lsaMultimem"),
            NcclLsaBarrierHandle.LAYOUT.withName("lsaBarrier"),
            NcclGinBarrierHandle.LAYOUT.withName("railGinBarrier"),
            ValueLayout.JAVA_BYTE.withName("ginConnectionCount"),
            MemoryLayout.sequenceLayout(4, ValueLayout.JAVA_BYTE).withName("ginNetDeviceTypes"),
            MemoryLayout.paddingLayout(3),
            MemoryLayout.sequenceLayout(4, ValueLayout.ADDRESS).withName("ginHandles"),
            ValueLayout.JAVA_INT.withName("ginSignalCount"),
            ValueLayout.JAVA_INT.withName("ginCounterCount"),
            ValueLayout.ADDRESS.withName("ginSignalShadows"),
            ValueLayout.JAVA_INT.withName("ginContextCount"),
            ValueLayout.JAVA_BOOLEAN.withName("ginConnectionsRailed"),
            ValueLayout.JAVA_BOOLEAN.withName("ginStrongLegacySignals"),
            ValueLayout.JAVA_BOOLEAN.withName("ginContextsRailed"),
            MemoryLayout.paddingLayout(1),
            ValueLayout.ADDRESS.withName("abortFlag"),
            NcclLsaBarrierHandle.LAYOUT.withName("hybridLsaBarrier"),
            NcclGinBarrierHandle.LAYOUT.withName("hybridRailGinBarrier"),
            NcclGinBarrierHandle.LAYOUT.withName("worldGinBarrier"));

    private NcclDevCommV2_30_7() {}
}
