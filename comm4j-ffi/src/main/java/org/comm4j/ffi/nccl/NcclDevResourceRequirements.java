// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclDevResourceRequirements_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclDevResourceRequirements {
    /** Size in bytes. */
    public static final long BYTES = 56;

    /** {@code ncclDevResourceRequirements_t *next} */
    public static final long next = 0;

    /** {@code size_t bufferSize} */
    public static final long bufferSize = 8;

    /** {@code size_t bufferAlign} */
    public static final long bufferAlign = 16;

    /** {@code ncclDevResourceHandle_t *outBufferHandle} */
    public static final long outBufferHandle = 24;

    /** {@code int ginSignalCount} */
    public static final long ginSignalCount = 32;

    /** {@code int ginCounterCount} */
    public static final long ginCounterCount = 36;

    /** {@code ncclGinSignal_t *outGinSignalStart} */
    public static final long outGinSignalStart = 40;

    /** {@code ncclGinCounter_t *outGinCounterStart} */
    public static final long outGinCounterStart = 48;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.ADDRESS.withName("next"),
            ValueLayout.JAVA_LONG.withName("bufferSize"),
            ValueLayout.JAVA_LONG.withName("bufferAlign"),
            ValueLayout.ADDRESS.withName("outBufferHandle"),
            ValueLayout.JAVA_INT.withName("ginSignalCount"),
            ValueLayout.JAVA_INT.withName("ginCounterCount"),
            ValueLayout.ADDRESS.withName("outGinSignalStart"),
            ValueLayout.ADDRESS.withName("outGinCounterStart"));

    private NcclDevResourceRequirements() {}
}
