// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** Offsets of the fields of {@code ncclGinBarrierHandle_t}, as of NCCL 2.28.9. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclGinBarrierHandleV2_28_9 {
    /** Size of the struct. */
    public static final long BYTES = 8;

    /** {@code ncclGinSignal_t signal0}, 4 bytes. */
    public static final long signal0 = 0;

    /** {@code ncclDevResourceHandle_t bufHandle}, 4 bytes. */
    public static final long bufHandle = 4;

    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("signal0"), ValueLayout.JAVA_INT.withName("bufHandle"));

    private NcclGinBarrierHandleV2_28_9() {}
}
