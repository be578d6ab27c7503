// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code CUDA_MEMCPY2D}. */
@SuppressWarnings("MemberName") // names are C's
public final class CUDA_MEMCPY2D {
    /** Size of the struct. */
    public static final long BYTES = 128;

    /** {@code size_t srcXInBytes}, 8 bytes. */
    public static final long srcXInBytes = 0;

    /** {@code size_t srcY}, 8 bytes. */
    public static final long srcY = 8;

    /** {@code CUmemorytype srcMemoryType}, 4 bytes. */
    public static final long srcMemoryType = 16;

    /** {@code const void *srcHost}, 8 bytes. */
    public static final long srcHost = 24;

    /** {@code CUdeviceptr srcDevice}, 8 bytes. */
    public static final long srcDevice = 32;

    /** {@code CUarray srcArray}, 8 bytes. */
    public static final long srcArray = 40;

    /** {@code size_t srcPitch}, 8 bytes. */
    public static final long srcPitch = 48;

    /** {@code size_t dstXInBytes}, 8 bytes. */
    public static final long dstXInBytes = 56;

    /** {@code size_t dstY}, 8 bytes. */
    public static final long dstY = 64;

    /** {@code CUmemorytype dstMemoryType}, 4 bytes. */
    public static final long dstMemoryType = 72;

    /** {@code void *dstHost}, 8 bytes. */
    public static final long dstHost = 80;

    /** {@code CUdeviceptr dstDevice}, 8 bytes. */
    public static final long dstDevice = 88;

    /** {@code CUarray dstArray}, 8 bytes. */
    public static final long dstArray = 96;

    /** {@code size_t dstPitch}, 8 bytes. */
    public static final long dstPitch = 104;

    /** {@code size_t WidthInBytes}, 8 bytes. */
    public static final long WidthInBytes = 112;

    /** {@code size_t Height}, 8 bytes. */
    public static final long Height = 120;

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
