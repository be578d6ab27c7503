// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code CUmulticastObjectProp}. */
@SuppressWarnings("MemberName") // names are C's
public final class CUmulticastObjectProp {
    /** Size of the struct. */
    public static final long BYTES = 32;

    /** {@code unsigned int numDevices}, 4 bytes. */
    public static final long numDevices = 0;

    /** {@code size_t size}, 8 bytes. */
    public static final long size = 8;

    /** {@code unsigned long long handleTypes}, 8 bytes. */
    public static final long handleTypes = 16;

    /** {@code unsigned long long flags}, 8 bytes. */
    public static final long flags = 24;

    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("numDevices"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.JAVA_LONG.withName("size"),
            ValueLayout.JAVA_LONG.withName("handleTypes"),
            ValueLayout.JAVA_LONG.withName("flags"));

    private CUmulticastObjectProp() {}
}
