// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * Records of one fixed size in host memory, one after the other: what a user's type is in MPI ({@code
 * MPI_Type_contiguous} of bytes). All ranks must have the same layout and byte order.
 *
 * <p>{@link #bytes} is what every operation that only moves data takes; {@link MpiCommunicator#allReduce(Records,
 * Records, RecordReduction)} combines records by a Java method.
 */
public final class Records {
    private final MemoryLayout layout;
    private final MemorySegment segment;
    private final HostArray bytes;

    private Records(MemoryLayout layout, MemorySegment segment) {
        this.layout = layout;
        this.segment = segment;
        this.bytes = HostArray.wrap(segment, DataType.UINT8);
    }

    /**
     * Allocates zeroed memory that the garbage collector frees.
     *
     * @param layout of one record, such as a {@link java.lang.foreign.StructLayout}
     * @param count records, 0 or more
     */
    public static Records allocate(MemoryLayout layout, long count) {
        nonNull(layout, "allocate", "layout");
        if (count < 0 || layout.byteSize() == 0 || count > Long.MAX_VALUE / layout.byteSize()) {
            throw new IllegalArgumentException("allocate of " + count + " records of " + layout.byteSize() + " bytes");
        }
        return new Records(
                layout, Arena.ofAuto().allocate(count * layout.byteSize(), Math.max(8, layout.byteAlignment())));
    }

    /**
     * Makes records of memory that is there; nothing is copied.
     *
     * @param segment off-heap, a whole number of records
     */
    public static Records wrap(MemorySegment segment, MemoryLayout layout) {
        nonNull(segment, "wrap", "segment");
        nonNull(layout, "wrap", "layout");
        if (layout.byteSize() == 0 || segment.byteSize() % layout.byteSize() != 0) {
            throw new IllegalArgumentException("wrap: " + segment.byteSize()
                    + " bytes hold no whole number of records of " + layout.byteSize() + " bytes");
        }
        return new Records(layout, segment);
    }

    /** Returns the layout of one record. */
    public MemoryLayout layout() {
        return layout;
    }

    /** Returns how many records there are. */
    public long count() {
        return segment.byteSize() / layout.byteSize();
    }

    /** Returns record {@code i}, a view. */
    public MemorySegment get(long i) {
        return segment.asSlice(i * layout.byteSize(), layout.byteSize());
    }

    /**
     * Returns a view of {@code count} records from record {@code from} on.
     *
     * @throws IndexOutOfBoundsException if they are not all here
     */
    public Records slice(long from, long count) {
        return new Records(layout, segment.asSlice(from * layout.byteSize(), count * layout.byteSize()));
    }

    /** Returns all records as bytes, a view, for operations that only move data. */
    public HostArray bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return count() + " records of " + layout.byteSize() + " bytes";
    }
}
