// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SymmetricBuffer;

/**
 * An array that every PE has, at the same place of its symmetric heap, so that each PE can name the others' copies. As a {@link HostArray} it is this PE's own copy;
 * {@link OpenShmem} reaches the others.
 *
 * <p>Freeing is explicit and never done by the garbage collector: every PE calls {@link #close}.
 */
public final class SymmetricArray extends HostArray implements SymmetricBuffer {
    final Session session;
    /** Where the first element is in every heap. */
    final long offset;

    private final Engine.Allocation allocation;

    /** Where waits for any element look first, so that none is passed over for ever. */
    long turn;

    SymmetricArray(Session session, Engine.Allocation allocation, DataType type, long offset, long count) {
        this(session, allocation, type, offset, session.own(offset, HostArray.bytes(type, count)));
    }

    private SymmetricArray(
            Session session, Engine.Allocation allocation, DataType type, long offset, MemorySegment memory) {
        super(type, memory);
        this.session = session;
        this.allocation = allocation;
        this.offset = offset;
    }

    /** The first element's place in every PE's symmetric heap, in bytes from its beginning. */
    @Override
    public long offset() {
        return offset;
    }

    /** The same part of every PE's copy. */
    @Override
    public SymmetricArray slice(long offset, long count) {
        MemorySegment part = sliceSegment(offset, count);
        return new SymmetricArray(session, allocation, type(), this.offset + offset * type().bytes(), part);
    }

    /**
     * Every PE's copy as elements of another type.
     *
     * @throws IllegalArgumentException if they do not fill it exactly, or it does not begin where such an element can
     */
    @Override
    public SymmetricArray view(DataType other) {
        return new SymmetricArray(session, allocation, other, offset, segment());
    }

    @Override
    public boolean isAlive() {
        return !allocation.isFreed() && super.isAlive();
    }

    /**
     * Frees the whole allocation, slices and views included ({@code shmem_free}). Every PE does so, in any order; unlike in OpenSHMEM nobody waits for the others, so it
     * does no harm in the clean-up after an exception. The others may go on using their copies and this one until they have closed it, too. After {@link OpenShmem#close}, or
     * the second time, it does nothing.
     */
    @Override
    public void close() {
        if (session.isOpen()) {
            allocation.free();
        }
    }
}
