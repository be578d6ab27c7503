// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code CUgraphExecUpdateResultInfo}. */
@SuppressWarnings("MemberName") // names are C's
public final class CUgraphExecUpdateResultInfo {
    /** Size of the struct. */
    public static final long BYTES = 24;

    /** {@code CUgraphExecUpdateResult result}, 4 bytes. */
    public static final long result = 0;

    /** {@code CUgraphNode errorNode}, 8 bytes. */
    public static final long errorNode = 8;

    /** {@code CUgraphNode errorFromNode}, 8 bytes. */
    public static final long errorFromNode = 16;

    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("result"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.ADDRESS.withName("errorNode"),
            ValueLayout.ADDRESS.withName("errorFromNode"));

    private CUgraphExecUpdateResultInfo() {}
}
