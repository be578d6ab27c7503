// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nvshmem;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code nvshmem_team_config_t}: its size, the offsets of its fields in bytes, its layout. */
@SuppressWarnings("MemberName") // names are C's
public final class NvshmemTeamConfig {
    /** Size in bytes. */
    public static final long BYTES = 64;

    /** {@code int version} */
    public static final long version = 0;

    /** {@code int num_contexts} */
    public static final long num_contexts = 4;

    /** {@code nvshmemx_team_uniqueid_t uniqueid} */
    public static final long uniqueid = 8;

    /** {@code char[48] padding} */
    public static final long padding = 16;

    /** As the linker needs it. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("version"),
            ValueLayout.JAVA_INT.withName("num_contexts"),
            ValueLayout.JAVA_LONG.withName("uniqueid"),
            MemoryLayout.sequenceLayout(48, ValueLayout.JAVA_BYTE).withName("padding"));

    private NvshmemTeamConfig() {}
}
