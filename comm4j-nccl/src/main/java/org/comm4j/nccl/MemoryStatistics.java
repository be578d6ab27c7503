// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.LibNccl;

/**
 * What a communicator holds of its GPU's memory, in bytes: see {@link NcclCommunicator#memoryStatistics}.
 *
 * @param suspendable what {@link NcclCommunicator#suspend} gives back
 * @param suspended whether it is given back now
 * @param persistent what stays in any case
 * @param total both together
 */
public record MemoryStatistics(long suspendable, boolean suspended, long persistent, long total) {

    static MemoryStatistics of(NcclComm comm) {
        return new MemoryStatistics(
                query(comm, LibNccl.ncclStatGpuMemSuspend),
                query(comm, LibNccl.ncclStatGpuMemSuspended) != 0,
                query(comm, LibNccl.ncclStatGpuMemPersist),
                query(comm, LibNccl.ncclStatGpuMemTotal));
    }

    private static long query(NcclComm comm, int which) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_LONG);
            LibNccl.ncclCommMemStats(comm, which, cell);
            return cell.get(ValueLayout.JAVA_LONG, 0);
        }
    }
}
