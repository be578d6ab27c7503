// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code ncclDevResourceRequirements_t}. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclDevResourceRequirements {
    /** Size of the struct. */
    public static final long BYTES = 56;

    /** {@code ncclDevResourceRequirements_t *next}, 8 bytes. */
    public static final long next = 0;

    /** {@code size_t bufferSize}, 8 bytes. */
    public static final long bufferSize = 8;

    /** {@code size_t bufferAlign}, 8 bytes. */
    public static final long bufferAlign = 16;

    /** {@code ncclDevResourceHandle_t *outBufferHandle}, 8 bytes. */
    public static final long outBufferHandle = 24;

    /** {@code int ginSignalCount}, 4 bytes. */
    public static final long ginSignalCount = 32;

    /** {@code int ginCounterCount}, 4 bytes. */
    public static final long ginCounterCount = 36;

    /** {@code ncclGinSignal_t *outGinSignalStart}, 8 bytes. */
    public static final long outGinSignalStart = 40;

    /** {@code ncclGinCounter_t *outGinCounterStart}, 8 bytes. */
    public static final long outGinCounterStart = 48;

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
