// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclCollConfig_t} of NCCL 2.32.3: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclCollConfig {
    /** Size in bytes. */
    public static final long BYTES = 72;

    /** {@code size_t size} */
    public static final long size = 0;

    /** {@code unsigned int magic} */
    public static final long magic = 8;

    /** {@code unsigned int version} */
    public static final long version = 12;

    /** {@code ncclConfigExt_t *ext} */
    public static final long ext = 16;

    /** {@code int minCTAs} */
    public static final long minCTAs = 24;

    /** {@code int maxCTAs} */
    public static final long maxCTAs = 28;

    /** {@code int nvlsCTAs} */
    public static final long nvlsCTAs = 32;

    /** {@code int cgaClusterSize} */
    public static final long cgaClusterSize = 36;

    /** {@code const char *algSelection} */
    public static final long algSelection = 40;

    /** {@code int forceAlgSelection} */
    public static final long forceAlgSelection = 48;

    /** {@code int CTAPolicy} */
    public static final long CTAPolicy = 52;

    /** {@code uint64_t userProfilerTag} */
    public static final long userProfilerTag = 56;

    /** {@code cudaEvent_t launchCompletionEvent} */
    public static final long launchCompletionEvent = 64;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("size"),
            ValueLayout.JAVA_INT.withName("magic"),
            ValueLayout.JAVA_INT.withName("version"),
            ValueLayout.ADDRESS.withName("ext"),
            ValueLayout.JAVA_INT.withName("minCTAs"),
            ValueLayout.JAVA_INT.withName("maxCTAs"),
            ValueLayout.JAVA_INT.withName("nvlsCTAs"),
            ValueLayout.JAVA_INT.withName("cgaClusterSize"),
            ValueLayout.ADDRESS.withName("algSelection"),
            ValueLayout.JAVA_INT.withName("forceAlgSelection"),
            ValueLayout.JAVA_INT.withName("CTAPolicy"),
            ValueLayout.JAVA_LONG.withName("userProfilerTag"),
            ValueLayout.ADDRESS.withName("launchCompletionEvent"));

    private NcclCollConfig() {}

    /**
     * Size of the struct in a version of the library: newer ones add fields at the end. For a version between two whose
     * headers are known it is the size in the older of these.
     *
     * @param version as the library gives it (23203 for 2.32.3)
     * @throws IllegalArgumentException if the version is older than the first with such a layout
     */
    public static long bytes(int version) {
        if (version >= 23203) {
            return 72;
        }
        if (version >= 23102) {
            return 64;
        }

        throw new IllegalArgumentException("ncclCollConfig_t has this layout from NCCL 2.31.2 on, not in " + version);
    }
}
