// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nvshmem;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code nvshmemx_uniqueid_args_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NvshmemxUniqueidArgs {
    /** Size in bytes. */
    public static final long BYTES = 24;

    /** {@code int version} */
    public static final long version = 0;

    /** {@code nvshmemx_uniqueid_t *id} */
    public static final long id = 8;

    /** {@code int myrank} */
    public static final long myrank = 16;

    /** {@code int nranks} */
    public static final long nranks = 20;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("version"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.ADDRESS.withName("id"),
            ValueLayout.JAVA_INT.withName("myrank"),
            ValueLayout.JAVA_INT.withName("nranks"));

    private NvshmemxUniqueidArgs() {}
}
