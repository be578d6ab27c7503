// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nvshmem;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code dim3}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class Dim3 {
    /** Size in bytes. */
    public static final long BYTES = 12;

    /** {@code unsigned int x} */
    public static final long x = 0;

    /** {@code unsigned int y} */
    public static final long y = 4;

    /** {@code unsigned int z} */
    public static final long z = 8;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("x"), ValueLayout.JAVA_INT.withName("y"), ValueLayout.JAVA_INT.withName("z"));

    private Dim3() {}
}
