// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code CUDA_HOST_NODE_PARAMS}. */
@SuppressWarnings("MemberName") // names are C's
public final class CUDA_HOST_NODE_PARAMS {
    /** Size of the struct. */
    public static final long BYTES = 16;

    /** {@code CUhostFn fn}, 8 bytes. */
    public static final long fn = 0;

    /** {@code void *userData}, 8 bytes. */
    public static final long userData = 8;

    public static final StructLayout LAYOUT =
            MemoryLayout.structLayout(ValueLayout.ADDRESS.withName("fn"), ValueLayout.ADDRESS.withName("userData"));

    private CUDA_HOST_NODE_PARAMS() {}
}
