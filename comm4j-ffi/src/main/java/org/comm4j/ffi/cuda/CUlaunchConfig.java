// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUlaunchConfig}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUlaunchConfig {
    /** Size in bytes. */
    public static final long BYTES = 56;

    /** {@code unsigned int gridDimX} */
    public static final long gridDimX = 0;

    /** {@code unsigned int gridDimY} */
    public static final long gridDimY = 4;

    /** {@code unsigned int gridDimZ} */
    public static final long gridDimZ = 8;

    /** {@code unsigned int blockDimX} */
    public static final long blockDimX = 12;

    /** {@code unsigned int blockDimY} */
    public static final long blockDimY = 16;

    /** {@code unsigned int blockDimZ} */
    public static final long blockDimZ = 20;

    /** {@code unsigned int sharedMemBytes} */
    public static final long sharedMemBytes = 24;

    /** {@code CUstream hStream} */
    public static final long hStream = 32;

    /** {@code CUlaunchAttribute *attrs} */
    public static final long attrs = 40;

    /** {@code unsigned int numAttrs} */
    public static final long numAttrs = 48;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("gridDimX"),
            ValueLayout.JAVA_INT.withName("gridDimY"),
            ValueLayout.JAVA_INT.withName("gridDimZ"),
            ValueLayout.JAVA_INT.withName("blockDimX"),
            ValueLayout.JAVA_INT.withName("blockDimY"),
            ValueLayout.JAVA_INT.withName("blockDimZ"),
            ValueLayout.JAVA_INT.withName("sharedMemBytes"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.ADDRESS.withName("hStream"),
            ValueLayout.ADDRESS.withName("attrs"),
            ValueLayout.JAVA_INT.withName("numAttrs"),
            MemoryLayout.paddingLayout(4));

    private CUlaunchConfig() {}
}
