// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.core.DataType;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/** Messages with tags: a look at what has come ({@code MPI_Iprobe}), on an MPI communicator of their own. */
final class Tagged {
    private static final int FLAG = 0;
    private static final int COUNT = 8;
    private static final int STATUS = 16;

    private final MpiProcess process;
    private final long comm;
    private final MemorySegment cells = Arena.ofAuto().allocate(64, 8);

    Tagged(MpiProcess process, long comm) {
        this.process = process;
        this.comm = comm;
    }

    long comm() {
        return comm;
    }

    /**
     * Returns the first message of these that has come and was not received; null if there is none.
     *
     * @param peer a rank, or {@link Mpi#ANY_SOURCE}
     * @param tag or {@link Mpi#ANY_TAG}
     * @param type in which elements are counted; −1 for a message that is no whole number of them
     */
    @Nullable
    Received look(int peer, int tag, DataType type) {
        process.lock();
        try {
            return lookLocked(peer, tag, type);
        } finally {
            process.unlock();
        }
    }

    private @Nullable Received lookLocked(int peer, int tag, DataType type) {
        Abi abi = process.abi();
        int from = peer == Mpi.ANY_SOURCE ? Math.toIntExact(abi.get("ANY_SOURCE")) : peer;
        int wanted = tag == Mpi.ANY_TAG ? Math.toIntExact(abi.get("ANY_TAG")) : tag;
        long status = cells.address() + STATUS;
        process.check(LibMpi.MPI_Iprobe(from, wanted, comm, cells.address() + FLAG, status), "MPI_Iprobe");
        if (cells.get(ValueLayout.JAVA_INT, FLAG) == 0) {
            return null;
        }
        long handle = process.types().of(type);
        process.check(LibMpi.MPI_Get_count(status, handle, cells.address() + COUNT), "MPI_Get_count");
        int count = cells.get(ValueLayout.JAVA_INT, COUNT);
        long source = STATUS + abi.sourceInStatus();
        return new Received(
                cells.get(ValueLayout.JAVA_INT, source),
                cells.get(ValueLayout.JAVA_INT, source + 4),
                count < 0 ? -1 : count);
    }
}
