// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nvshmem;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code nvshmemx_uniqueid_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NvshmemxUniqueid {
    /** Size in bytes. */
    public static final long BYTES = 128;

    /** {@code int version} */
    public static final long version = 0;

    /** {@code char[124] internal} */
    public static final long internal = 4;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("version"),
            MemoryLayout.sequenceLayout(124, ValueLayout.JAVA_BYTE).withName("internal"));

    private NvshmemxUniqueid() {}
}
