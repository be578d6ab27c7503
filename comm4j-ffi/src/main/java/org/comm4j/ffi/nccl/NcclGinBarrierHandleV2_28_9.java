// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code ncclGinBarrierHandle_t} of NCCL 2.28.9: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NcclGinBarrierHandleV2_28_9 {
    /** Size in bytes. */
    public static final long BYTES = 8;

    /** {@code ncclGinSignal_t signal0} */
    public static final long signal0 = 0;

    /** {@code ncclDevResourceHandle_t bufHandle} */
    public static final long bufHandle = 4;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("signal0"), ValueLayout.JAVA_INT.withName("bufHandle"));

    private NcclGinBarrierHandleV2_28_9() {}
}
