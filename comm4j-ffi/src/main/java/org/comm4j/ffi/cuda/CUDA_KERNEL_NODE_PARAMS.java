// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUDA_KERNEL_NODE_PARAMS}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUDA_KERNEL_NODE_PARAMS {
    /** Size in bytes. */
    public static final long BYTES = 72;

    /** {@code CUfunction func} */
    public static final long func = 0;

    /** {@code unsigned int gridDimX} */
    public static final long gridDimX = 8;

    /** {@code unsigned int gridDimY} */
    public static final long gridDimY = 12;

    /** {@code unsigned int gridDimZ} */
    public static final long gridDimZ = 16;

    /** {@code unsigned int blockDimX} */
    public static final long blockDimX = 20;

    /** {@code unsigned int blockDimY} */
    public static final long blockDimY = 24;

    /** {@code unsigned int blockDimZ} */
    public static final long blockDimZ = 28;

    /** {@code unsigned int sharedMemBytes} */
    public static final long sharedMemBytes = 32;

    /** {@code void **kernelParams} */
    public static final long kernelParams = 40;

    /** {@code void **extra} */
    public static final long extra = 48;

    /** {@code CUkernel kern} */
    public static final long kern = 56;

    /** {@code CUcontext ctx} */
    public static final long ctx = 64;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.ADDRESS.withName("func"),
            ValueLayout.JAVA_INT.withName("gridDimX"),
            ValueLayout.JAVA_INT.withName("gridDimY"),
            ValueLayout.JAVA_INT.withName("gridDimZ"),
            ValueLayout.JAVA_INT.withName("blockDimX"),
            ValueLayout.JAVA_INT.withName("blockDimY"),
            ValueLayout.JAVA_INT.withName("blockDimZ"),
            ValueLayout.JAVA_INT.withName("sharedMemBytes"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.ADDRESS.withName("kernelParams"),
            ValueLayout.ADDRESS.withName("extra"),
            ValueLayout.ADDRESS.withName("kern"),
            ValueLayout.ADDRESS.withName("ctx"));

    private CUDA_KERNEL_NODE_PARAMS() {}
}
