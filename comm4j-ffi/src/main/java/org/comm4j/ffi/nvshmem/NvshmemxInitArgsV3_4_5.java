// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nvshmem;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code nvshmemx_init_args_t} of NVSHMEM 3.4.5: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NvshmemxInitArgsV3_4_5 {
    /** Size in bytes. */
    public static final long BYTES = 128;

    /** {@code int version} */
    public static final long version = 0;

    /** {@code nvshmemx_uniqueid_args_t uid_args} */
    public static final long uid_args = 8;

    /** {@code char[96] content} */
    public static final long content = 32;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("version"),
            MemoryLayout.paddingLayout(4),
            NvshmemxUniqueidArgs.LAYOUT.withName("uid_args"),
            MemoryLayout.sequenceLayout(96, ValueLayout.JAVA_BYTE).withName("content"));

    private NvshmemxInitArgsV3_4_5() {}
}
