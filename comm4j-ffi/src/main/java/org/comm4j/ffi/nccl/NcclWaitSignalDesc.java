// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclWaitSignalDesc_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclWaitSignalDesc {
    /** Size in bytes. */
    public static final long BYTES = 16;

    /** {@code int opCnt} */
    public static final long opCnt = 0;

    /** {@code int peer} */
    public static final long peer = 4;

    /** {@code int sigIdx} */
    public static final long sigIdx = 8;

    /** {@code int ctx} */
    public static final long ctx = 12;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("opCnt"),
            ValueLayout.JAVA_INT.withName("peer"),
            ValueLayout.JAVA_INT.withName("sigIdx"),
            ValueLayout.JAVA_INT.withName("ctx"));

    private NcclWaitSignalDesc() {}
}
