// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cublas;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code cublasLtMatmulAlgo_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CublasLtMatmulAlgo {
    /** Size in bytes. */
    public static final long BYTES = 64;

    /** {@code uint64_t[8] data} */
    public static final long data = 0;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(8, ValueLayout.JAVA_LONG).withName("data"));

    private CublasLtMatmulAlgo() {}
}
