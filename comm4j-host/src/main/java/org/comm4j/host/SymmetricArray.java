// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * An array that every rank has, at the same place of its symmetric heap, so that each rank can name the others' copies.
 * As a {@link HostArray} it is this rank's own copy; {@link HostShmem#ptr} gives the others'.
 *
 * <p>Freeing is explicit and never done by the garbage collector: every rank calls {@link #close}.
 */
public final class SymmetricArray extends HostArray implements AutoCloseable {
    private final HostShmem shmem;
    /** Offset of the first element in every rank's data. */
    private final long offset;

    private final HeapMemory.Allocation allocation;

    SymmetricArray(HostShmem shmem, DataType type, long offset, long count, HeapMemory.Allocation allocation) {
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

    /** The same part of every rank's copy. */
    @Override
    public SymmetricArray slice(long offset, long count) {
        long bytes = sliceSegment(offset, count).byteSize();
        return new SymmetricArray(
                shmem, type(), this.offset + offset * type().bytes(), bytes / type().bytes(), allocation);
    }

    /** Every rank's copy as elements of another type. */
    @Override
    public SymmetricArray view(DataType other) {
        long bytes = viewSegment(other).byteSize();
        return new SymmetricArray(shmem, other, offset, bytes / other.bytes(), allocation);
    }

    @Override
    public boolean isAlive() {
        return !allocation.freed && super.isAlive();
    }

    /**
     * Frees the whole allocation, slices included ({@code shmem_free}). Every rank does so, in any order; unlike in
     * OpenSHMEM nobody waits for the others, so it does no harm in the clean-up after an exception. The others may go
     * on using their copies and this one until they have closed it, too; then the memory goes back to the system. After
     * the heap was closed, or the second time, it does nothing.
     */
    @Override
    public void close() {
        shmem.free(allocation);
    }
}
