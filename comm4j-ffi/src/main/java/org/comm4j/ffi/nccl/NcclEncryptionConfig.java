// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclEncryptionConfig_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclEncryptionConfig {
    /** Size in bytes. */
    public static final long BYTES = 32;

    /** {@code size_t size} */
    public static final long size = 0;

    /** {@code unsigned int magic} */
    public static final long magic = 8;

    /** {@code unsigned int version} */
    public static final long version = 12;

    /** {@code int mode} */
    public static final long mode = 16;

    /** {@code const char *psk} */
    public static final long psk = 24;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("size"),
            ValueLayout.JAVA_INT.withName("magic"),
            ValueLayout.JAVA_INT.withName("version"),
            ValueLayout.JAVA_INT.withName("mode"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.ADDRESS.withName("psk"));

    private NcclEncryptionConfig() {}
}
