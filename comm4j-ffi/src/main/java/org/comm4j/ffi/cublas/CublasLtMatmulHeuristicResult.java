// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cublas;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code cublasLtMatmulHeuristicResult_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CublasLtMatmulHeuristicResult {
    /** Size in bytes. */
    public static final long BYTES = 96;

    /** {@code cublasLtMatmulAlgo_t algo} */
    public static final long algo = 0;

    /** {@code size_t workspaceSize} */
    public static final long workspaceSize = 64;

    /** {@code cublasStatus_t state} */
    public static final long state = 72;

    /** {@code float wavesCount} */
    public static final long wavesCount = 76;

    /** {@code int[4] reserved} */
    public static final long reserved = 80;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            CublasLtMatmulAlgo.LAYOUT.withName("algo"),
            ValueLayout.JAVA_LONG.withName("workspaceSize"),
            ValueLayout.JAVA_INT.withName("state"),
            ValueLayout.JAVA_FLOAT.withName("wavesCount"),
            MemoryLayout.sequenceLayout(4, ValueLayout.JAVA_INT).withName("reserved"));

    private CublasLtMatmulHeuristicResult() {}
}
