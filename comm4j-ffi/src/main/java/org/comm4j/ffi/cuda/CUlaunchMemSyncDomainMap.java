// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUlaunchMemSyncDomainMap}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUlaunchMemSyncDomainMap {
    /** Size in bytes. */
    public static final long BYTES = 2;

    /** {@code unsigned char default_} */
    public static final long default_ = 0;

    /** {@code unsigned char remote} */
    public static final long remote = 1;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_BYTE.withName("default_"), ValueLayout.JAVA_BYTE.withName("remote"));

    private CUlaunchMemSyncDomainMap() {}
}
