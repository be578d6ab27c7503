// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nvshmem;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code cudaLaunchConfig_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CudaLaunchConfig {
    /** Size in bytes. */
    public static final long BYTES = 56;

    /** {@code dim3 gridDim} */
    public static final long gridDim = 0;

    /** {@code dim3 blockDim} */
    public static final long blockDim = 12;

    /** {@code size_t dynamicSmemBytes} */
    public static final long dynamicSmemBytes = 24;

    /** {@code cudaStream_t stream} */
    public static final long stream = 32;

    /** {@code cudaLaunchAttribute *attrs} */
    public static final long attrs = 40;

    /** {@code unsigned int numAttrs} */
    public static final long numAttrs = 48;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            Dim3.LAYOUT.withName("gridDim"),
            Dim3.LAYOUT.withName("blockDim"),
            ValueLayout.JAVA_LONG.withName("dynamicSmemBytes"),
            ValueLayout.ADDRESS.withName("stream"),
            ValueLayout.ADDRESS.withName("attrs"),
            ValueLayout.JAVA_INT.withName("numAttrs"),
            MemoryLayout.paddingLayout(4));

    private CudaLaunchConfig() {}
}
