// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclConfig_t} of NCCL 2.32.3: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclConfig {
    /** Size in bytes. */
    public static final long BYTES = 120;

    /** {@code size_t size} */
    public static final long size = 0;

    /** {@code unsigned int magic} */
    public static final long magic = 8;

    /** {@code unsigned int version} */
    public static final long version = 12;

    /** {@code int blocking} */
    public static final long blocking = 16;

    /** {@code int cgaClusterSize} */
    public static final long cgaClusterSize = 20;

    /** {@code int minCTAs} */
    public static final long minCTAs = 24;

    /** {@code int maxCTAs} */
    public static final long maxCTAs = 28;

    /** {@code const char *netName} */
    public static final long netName = 32;

    /** {@code int splitShare} */
    public static final long splitShare = 40;

    /** {@code int trafficClass} */
    public static final long trafficClass = 44;

    /** {@code const char *commName} */
    public static final long commName = 48;

    /** {@code int collnetEnable} */
    public static final long collnetEnable = 56;

    /** {@code int CTAPolicy} */
    public static final long CTAPolicy = 60;

    /** {@code int shrinkShare} */
    public static final long shrinkShare = 64;

    /** {@code int nvlsCTAs} */
    public static final long nvlsCTAs = 68;

    /** {@code int nChannelsPerNetPeer} */
    public static final long nChannelsPerNetPeer = 72;

    /** {@code int nvlinkCentricSched} */
    public static final long nvlinkCentricSched = 76;

    /** {@code int graphUsageMode} */
    public static final long graphUsageMode = 80;

    /** {@code int numRmaCtx} */
    public static final long numRmaCtx = 84;

    /** {@code int maxP2pPeers} */
    public static final long maxP2pPeers = 88;

    /** {@code int graphStreamOrdering} */
    public static final long graphStreamOrdering = 92;

    /** {@code int launchOrderImplicit} */
    public static final long launchOrderImplicit = 96;

    /** {@code int numRmaSig} */
    public static final long numRmaSig = 100;

    /** {@code int rmaEagerInit} */
    public static final long rmaEagerInit = 104;

    /** {@code int hostCftMode} */
    public static final long hostCftMode = 108;

    /** {@code int nvlsHostMode} */
    public static final long nvlsHostMode = 112;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("size"),
            ValueLayout.JAVA_INT.withName("magic"),
            ValueLayout.JAVA_INT.withName("version"),
            ValueLayout.JAVA_INT.withName("blocking"),
            ValueLayout.JAVA_INT.withName("cgaClusterSize"),
            ValueLayout.JAVA_INT.withName("minCTAs"),
            ValueLayout.JAVA_INT.withName("maxCTAs"),
            ValueLayout.ADDRESS.withName("netName"),
            ValueLayout.JAVA_INT.withName("splitShare"),
            ValueLayout.JAVA_INT.withName("trafficClass"),
            ValueLayout.ADDRESS.withName("commName"),
            ValueLayout.JAVA_INT.withName("collnetEnable"),
            ValueLayout.JAVA_INT.withName("CTAPolicy"),
            ValueLayout.JAVA_INT.withName("shrinkShare"),
            ValueLayout.JAVA_INT.withName("nvlsCTAs"),
            ValueLayout.JAVA_INT.withName("nChannelsPerNetPeer"),
            ValueLayout.JAVA_INT.withName("nvlinkCentricSched"),
            ValueLayout.JAVA_INT.withName("graphUsageMode"),
            ValueLayout.JAVA_INT.withName("numRmaCtx"),
            ValueLayout.JAVA_INT.withName("maxP2pPeers"),
            ValueLayout.JAVA_INT.withName("graphStreamOrdering"),
            ValueLayout.JAVA_INT.withName("launchOrderImplicit"),
            ValueLayout.JAVA_INT.withName("numRmaSig"),
            ValueLayout.JAVA_INT.withName("rmaEagerInit"),
            ValueLayout.JAVA_INT.withName("hostCftMode"),
            ValueLayout.JAVA_INT.withName("nvlsHostMode"),
            MemoryLayout.paddingLayout(4));

    private NcclConfig() {}

    /**
     * Size of the struct in a version of the library: newer ones add fields at the end. For a version between two whose
     * headers are known it is the size in the older of these.
     *
     * @param version as the library gives it (23203 for 2.32.3)
     * @throws IllegalArgumentException if the version is older than the first with such a layout
     */
    public static long bytes(int version) {
        if (version >= 23203) {
            return 120;
        }
        if (version >= 23102) {
            return 112;
        }
        if (version >= 23007) {
            return 96;
        }
        if (version >= 22809) {
            return 80;
        }

        throw new IllegalArgumentException("ncclConfig_t has this layout from NCCL 2.28.9 on, not in " + version);
    }
}
