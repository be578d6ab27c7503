// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code CUDA_HOST_NODE_PARAMS}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class CUDA_HOST_NODE_PARAMS {
    /** Size in bytes. */
    public static final long BYTES = 16;

    /** {@code CUhostFn fn} */
    public static final long fn = 0;

    /** {@code void *userData} */
    public static final long userData = 8;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT =
            MemoryLayout.structLayout(ValueLayout.ADDRESS.withName("fn"), ValueLayout.ADDRESS.withName("userData"));

    private CUDA_HOST_NODE_PARAMS() {}
}
