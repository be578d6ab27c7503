// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUmulticastObjectProp}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUmulticastObjectProp {
    /** Size in bytes. */
    public static final long BYTES = 32;

    /** {@code unsigned int numDevices} */
    public static final long numDevices = 0;

    /** {@code size_t size} */
    public static final long size = 8;

    /** {@code unsigned long long handleTypes} */
    public static final long handleTypes = 16;

    /** {@code unsigned long long flags} */
    public static final long flags = 24;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("numDevices"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.JAVA_LONG.withName("size"),
            ValueLayout.JAVA_LONG.withName("handleTypes"),
            ValueLayout.JAVA_LONG.withName("flags"));

    private CUmulticastObjectProp() {}
}
