// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * An array that every rank has, at the same place of its symmetric heap, so that each rank can name the others' copies. As a
 * {@link HostArray} it is this rank's own copy; {@link HostShmem} reaches the others.
 *
 * <p>Freeing is collective, explicit, and never done by the garbage collector: {@link #close} waits for all ranks.
 */
public final class SymmetricArray extends HostArray implements AutoCloseable {
    private final HostShmem shmem;
    /** Offset of the first element in every rank's data. */
    private final long offset;

    private final Allocation allocation;

    /** What {@link HostShmem#allocate} handed out; slices share it. */
    static final class Allocation {
        final long start;
        final long bytes;
        volatile boolean freed;

        Allocation(long start, long bytes) {
            this.start = start;
            this.bytes = bytes;
        }
    }

    SymmetricArray(HostShmem shmem, DataType type, long offset, long count, Allocation allocation) {
        super(type, shmem.own(offset, HostArray.bytes(type, count)));
        this.shmem = shmem;
        this.offset = offset;
        this.allocation = allocation;
    }

    HostShmem shmem() {
        return shmem;
    }

    long offset() {
        return offset;
    }

    Allocation allocation() {
        return allocation;
    }

    /** The same part of every rank's copy. */
    @Override
    public SymmetricArray slice(long offset, long count) {
        long bytes = sliceSegment(offset, count).byteSize();
        return new SymmetricArray(
                shmem, type(), this.offset + offset * type().bytes(), bytes / type().bytes(), allocation);
    }

    @Override
    public boolean isAlive() {
        return !allocation.freed && super.isAlive();
    }

    /**
     * Collective: frees the whole allocation on every rank, slices included, when all ranks have called it
     * ({@code shmem_free}). After the heap was closed, or the second time, it does nothing.
     */
    @Override
    public void close() {
        shmem.free(allocation);
    }
}
