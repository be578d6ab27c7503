// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUmemPoolProps}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUmemPoolProps {
    /** Size in bytes. */
    public static final long BYTES = 88;

    /** {@code CUmemAllocationType allocType} */
    public static final long allocType = 0;

    /** {@code CUmemAllocationHandleType handleTypes} */
    public static final long handleTypes = 4;

    /** {@code CUmemLocation location} */
    public static final long location = 8;

    /** {@code void *win32SecurityAttributes} */
    public static final long win32SecurityAttributes = 16;

    /** {@code size_t maxSize} */
    public static final long maxSize = 24;

    /** {@code unsigned short usage} */
    public static final long usage = 32;

    /** {@code unsigned char gpuDirectRDMACapable} */
    public static final long gpuDirectRDMACapable = 34;

    /** {@code unsigned char[53] reserved} */
    public static final long reserved = 35;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("allocType"),
            ValueLayout.JAVA_INT.withName("handleTypes"),
            CUmemLocation.LAYOUT.withName("location"),
            ValueLayout.ADDRESS.withName("win32SecurityAttributes"),
            ValueLayout.JAVA_LONG.withName("maxSize"),
            ValueLayout.JAVA_SHORT.withName("usage"),
            ValueLayout.JAVA_BYTE.withName("gpuDirectRDMACapable"),
            MemoryLayout.sequenceLayout(53, ValueLayout.JAVA_BYTE).withName("reserved"));

    private CUmemPoolProps() {}
}
