// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUgraphExecUpdateResultInfo}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUgraphExecUpdateResultInfo {
    /** Size in bytes. */
    public static final long BYTES = 24;

    /** {@code CUgraphExecUpdateResult result} */
    public static final long result = 0;

    /** {@code CUgraphNode errorNode} */
    public static final long errorNode = 8;

    /** {@code CUgraphNode errorFromNode} */
    public static final long errorFromNode = 16;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("result"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.ADDRESS.withName("errorNode"),
            ValueLayout.ADDRESS.withName("errorFromNode"));

    private CUgraphExecUpdateResultInfo() {}
}
