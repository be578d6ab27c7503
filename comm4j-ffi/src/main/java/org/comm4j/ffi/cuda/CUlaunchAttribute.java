// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUlaunchAttribute}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUlaunchAttribute {
    /** Size in bytes. */
    public static final long BYTES = 72;

    /** {@code CUlaunchAttributeID id} */
    public static final long id = 0;

    /** {@code char[4] pad} */
    public static final long pad = 4;

    /** {@code CUlaunchAttributeValue value} */
    public static final long value = 8;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("id"),
            MemoryLayout.sequenceLayout(4, ValueLayout.JAVA_BYTE).withName("pad"),
            CUlaunchAttributeValue.LAYOUT.withName("value"));

    private CUlaunchAttribute() {}
}
