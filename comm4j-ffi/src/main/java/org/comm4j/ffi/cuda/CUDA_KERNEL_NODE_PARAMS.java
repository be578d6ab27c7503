// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code CUDA_KERNEL_NODE_PARAMS}. */
@SuppressWarnings("MemberName") // names are C's
public final class CUDA_KERNEL_NODE_PARAMS {
    /** Size of the struct. */
    public static final long BYTES = 72;

    /** {@code CUfunction func}, 8 bytes. */
    public static final long func = 0;

    /** {@code unsigned int gridDimX}, 4 bytes. */
    public static final long gridDimX = 8;

    /** {@code unsigned int gridDimY}, 4 bytes. */
    public static final long gridDimY = 12;

    /** {@code unsigned int gridDimZ}, 4 bytes. */
    public static final long gridDimZ = 16;

    /** {@code unsigned int blockDimX}, 4 bytes. */
    public static final long blockDimX = 20;

    /** {@code unsigned int blockDimY}, 4 bytes. */
    public static final long blockDimY = 24;

    /** {@code unsigned int blockDimZ}, 4 bytes. */
    public static final long blockDimZ = 28;

    /** {@code unsigned int sharedMemBytes}, 4 bytes. */
    public static final long sharedMemBytes = 32;

    /** {@code void **kernelParams}, 8 bytes. */
    public static final long kernelParams = 40;

    /** {@code void **extra}, 8 bytes. */
    public static final long extra = 48;

    /** {@code CUkernel kern}, 8 bytes. */
    public static final long kern = 56;

    /** {@code CUcontext ctx}, 8 bytes. */
    public static final long ctx = 64;

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
