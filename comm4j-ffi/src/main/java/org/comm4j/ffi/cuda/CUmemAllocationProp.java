// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUmemAllocationProp}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUmemAllocationProp {
    /** Size in bytes. */
    public static final long BYTES = 32;

    /** {@code CUmemAllocationType type} */
    public static final long type = 0;

    /** {@code CUmemAllocationHandleType requestedHandleTypes} */
    public static final long requestedHandleTypes = 4;

    /** {@code CUmemLocation location} */
    public static final long location = 8;

    /** {@code void *win32HandleMetaData} */
    public static final long win32HandleMetaData = 16;

    /** {@code struct { unsigned char compressionType; unsigned char gpuDirectRDMACapable; unsigned short usage; unsigned char[4] reserved; } allocFlags} */
    public static final long allocFlags = 24;

    /** {@code unsigned char allocFlags_compressionType} */
    public static final long allocFlags_compressionType = 24;

    /** {@code unsigned char allocFlags_gpuDirectRDMACapable} */
    public static final long allocFlags_gpuDirectRDMACapable = 25;

    /** {@code unsigned short allocFlags_usage} */
    public static final long allocFlags_usage = 26;

    /** {@code unsigned char[4] allocFlags_reserved} */
    public static final long allocFlags_reserved = 28;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("type"),
            ValueLayout.JAVA_INT.withName("requestedHandleTypes"),
            CUmemLocation.LAYOUT.withName("location"),
            ValueLayout.ADDRESS.withName("win32HandleMetaData"),
            MemoryLayout.structLayout(
                            ValueLayout.JAVA_BYTE.withName("compressionType"),
                            ValueLayout.JAVA_BYTE.withName("gpuDirectRDMACapable"),
                            ValueLayout.JAVA_SHORT.withName("usage"),
                            MemoryLayout.sequenceLayout(4, ValueLayout.JAVA_BYTE)
                                    .withName("reserved"))
                    .withName("allocFlags"));

    private CUmemAllocationProp() {}
}
