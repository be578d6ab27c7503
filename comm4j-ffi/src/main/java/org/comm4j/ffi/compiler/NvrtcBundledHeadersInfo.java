// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.compiler;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code nvrtcBundledHeadersInfo}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NvrtcBundledHeadersInfo {
    /** Size in bytes. */
    public static final long BYTES = 40;

    /** {@code int available} */
    public static final long available = 0;

    /** {@code size_t compressedSize} */
    public static final long compressedSize = 8;

    /** {@code size_t uncompressedSize} */
    public static final long uncompressedSize = 16;

    /** {@code int cudaVersionMajor} */
    public static final long cudaVersionMajor = 24;

    /** {@code int cudaVersionMinor} */
    public static final long cudaVersionMinor = 28;

    /** {@code unsigned int numFiles} */
    public static final long numFiles = 32;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("available"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.JAVA_LONG.withName("compressedSize"),
            ValueLayout.JAVA_LONG.withName("uncompressedSize"),
            ValueLayout.JAVA_INT.withName("cudaVersionMajor"),
            ValueLayout.JAVA_INT.withName("cudaVersionMinor"),
            ValueLayout.JAVA_INT.withName("numFiles"),
            MemoryLayout.paddingLayout(4));

    private NvrtcBundledHeadersInfo() {}
}
