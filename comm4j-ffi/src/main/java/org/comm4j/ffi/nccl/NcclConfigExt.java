// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclConfigExt_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclConfigExt {
    /** Size in bytes. */
    public static final long BYTES = 24;

    /** {@code ncclConfigExt_t *next} */
    public static final long next = 0;

    /** {@code struct { int vendorId; int optionId; } key} */
    public static final long key = 8;

    /** {@code int key_vendorId} */
    public static final long key_vendorId = 8;

    /** {@code int key_optionId} */
    public static final long key_optionId = 12;

    /** {@code union { int i; const char *s; void *raw; } val} */
    public static final long val = 16;

    /** {@code int val_i} */
    public static final long val_i = 16;

    /** {@code const char *val_s} */
    public static final long val_s = 16;

    /** {@code void *val_raw} */
    public static final long val_raw = 16;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.ADDRESS.withName("next"),
            MemoryLayout.structLayout(
                            ValueLayout.JAVA_INT.withName("vendorId"), ValueLayout.JAVA_INT.withName("optionId"))
                    .withName("key"),
            MemoryLayout.unionLayout(
                            ValueLayout.JAVA_INT.withName("i"),
                            ValueLayout.ADDRESS.withName("s"),
                            ValueLayout.ADDRESS.withName("raw"))
                    .withName("val"));

    private NcclConfigExt() {}
}
