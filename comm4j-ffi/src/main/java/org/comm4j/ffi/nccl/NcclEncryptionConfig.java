// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code ncclEncryptionConfig_t}. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclEncryptionConfig {
    /** Size of the struct. */
    public static final long BYTES = 32;

    /** {@code size_t size}, 8 bytes. */
    public static final long size = 0;

    /** {@code unsigned int magic}, 4 bytes. */
    public static final long magic = 8;

    /** {@code unsigned int version}, 4 bytes. */
    public static final long version = 12;

    /** {@code int mode}, 4 bytes. */
    public static final long mode = 16;

    /** {@code const char *psk}, 8 bytes. */
    public static final long psk = 24;

    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("size"),
            ValueLayout.JAVA_INT.withName("magic"),
            ValueLayout.JAVA_INT.withName("version"),
            ValueLayout.JAVA_INT.withName("mode"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.ADDRESS.withName("psk"));

    private NcclEncryptionConfig() {}
}
