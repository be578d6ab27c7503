// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUDA_MEMCPY2D}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUDA_MEMCPY2D {
    /** Size in bytes. */
    public static final long BYTES = 128;

    /** {@code size_t srcXInBytes} */
    public static final long srcXInBytes = 0;

    /** {@code size_t srcY} */
    public static final long srcY = 8;

    /** {@code CUmemorytype srcMemoryType} */
    public static final long srcMemoryType = 16;

    /** {@code const void *srcHost} */
    public static final long srcHost = 24;

    /** {@code CUdeviceptr srcDevice} */
    public static final long srcDevice = 32;

    /** {@code CUarray srcArray} */
    public static final long srcArray = 40;

    /** {@code size_t srcPitch} */
    public static final long srcPitch = 48;

    /** {@code size_t dstXInBytes} */
    public static final long dstXInBytes = 56;

    /** {@code size_t dstY} */
    public static final long dstY = 64;

    /** {@code CUmemorytype dstMemoryType} */
    public static final long dstMemoryType = 72;

    /** {@code void *dstHost} */
    public static final long dstHost = 80;

    /** {@code CUdeviceptr dstDevice} */
    public static final long dstDevice = 88;

    /** {@code CUarray dstArray} */
    public static final long dstArray = 96;

    /** {@code size_t dstPitch} */
    public static final long dstPitch = 104;

    /** {@code size_t WidthInBytes} */
    public static final long WidthInBytes = 112;

    /** {@code size_t Height} */
    public static final long Height = 120;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("srcXInBytes"),
            ValueLayout.JAVA_LONG.withName("srcY"),
            ValueLayout.JAVA_INT.withName("srcMemoryType"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.ADDRESS.withName("srcHost"),
            ValueLayout.JAVA_LONG.withName("srcDevice"),
            ValueLayout.ADDRESS.withName("srcArray"),
            ValueLayout.JAVA_LONG.withName("srcPitch"),
            ValueLayout.JAVA_LONG.withName("dstXInBytes"),
            ValueLayout.JAVA_LONG.withName("dstY"),
            ValueLayout.JAVA_INT.withName("dstMemoryType"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.ADDRESS.withName("dstHost"),
            ValueLayout.JAVA_LONG.withName("dstDevice"),
            ValueLayout.ADDRESS.withName("dstArray"),
            ValueLayout.JAVA_LONG.withName("dstPitch"),
            ValueLayout.JAVA_LONG.withName("WidthInBytes"),
            ValueLayout.JAVA_LONG.withName("Height"));

    private CUDA_MEMCPY2D() {}
}
