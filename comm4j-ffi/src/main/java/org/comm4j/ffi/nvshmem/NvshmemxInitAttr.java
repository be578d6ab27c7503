// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nvshmem;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code nvshmemx_init_attr_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NvshmemxInitAttr {
    /** Size in bytes. */
    public static final long BYTES = 144;

    /** {@code int version} */
    public static final long version = 0;

    /** {@code void *mpi_comm} */
    public static final long mpi_comm = 8;

    /** {@code nvshmemx_init_args_t args} */
    public static final long args = 16;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("version"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.ADDRESS.withName("mpi_comm"),
            NvshmemxInitArgsV3_4_5.LAYOUT.withName("args"));

    private NvshmemxInitAttr() {}
}
