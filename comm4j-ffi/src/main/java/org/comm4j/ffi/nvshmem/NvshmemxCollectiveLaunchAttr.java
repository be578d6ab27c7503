// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nvshmem;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;

/** {@code nvshmemx_collective_launch_attr_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NvshmemxCollectiveLaunchAttr {
    /** Size in bytes. */
    public static final long BYTES = 56;

    /** {@code cudaLaunchConfig_t cuda_config} */
    public static final long cuda_config = 0;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT =
            MemoryLayout.structLayout(CudaLaunchConfig.LAYOUT.withName("cuda_config"));

    private NvshmemxCollectiveLaunchAttr() {}
}
