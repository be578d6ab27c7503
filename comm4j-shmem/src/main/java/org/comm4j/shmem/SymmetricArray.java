// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.spi.WaitSet;

/**
 * An array that every PE has, at the same place of its symmetric heap, so that each PE can name the others' copies. As
 * a {@link HostArray} it is this PE's own copy; {@link OpenShmem} reaches the others.
 *
 * <p>Freeing is explicit and never done by the garbage collector: every PE calls {@link #close}.
 */
public final class SymmetricArray extends HostArray implements SymmetricBuffer {
    final Session session;
    /** Where the first element is in every heap. */
    final long offset;

    final Engine.Allocation allocation;
    private final long[] shape;

    /** Of waits for any element. */
    final WaitSet.Turn turn = new WaitSet.Turn();

    SymmetricArray(Session session, Engine.Allocation allocation, DataType type, long offset, long count) {
        this(session, allocation, type, offset, session.own(offset, HostArray.bytes(type, count)), count);
    }

    private SymmetricArray(
            Session session,
            Engine.Allocation allocation,
            DataType type,
            long offset,
            MemorySegment memory,
            long... shape) {
        super(type, memory);
        this.shape = shape;
        this.session = session;
        this.allocation = allocation;
        this.offset = offset;
    }

    /** The first element's place in every PE's symmetric heap, in bytes from its beginning. */
    @Override
    public long offset() {
        return offset;
    }

    /** The same part of every PE's copy, in one dimension. */
    @Override
    public SymmetricArray slice(long offset, long count) {
        return part(offset, count, count);
    }

    private SymmetricArray part(long offset, long count, long... shape) {
        MemorySegment part = sliceSegment(offset, count);
        return new SymmetricArray(session, allocation, type(), this.offset + offset * type().bytes(), part, shape);
    }

    // ---- several dimensions ----

    /**
     * Every PE's copy with several dimensions, row by row: the last coordinate is that of neighbours in memory.
     *
     * @param shape how long each dimension is, the longest stride first; none means a single element
     * @throws IllegalArgumentException if that are not as many elements as there are
     */
    public SymmetricArray reshape(long... shape) {
        nonNull(shape, "reshape", "shape");
        long elements = 1;
        for (long length : shape) {
            if (length < 0 || Math.multiplyHigh(elements, length) != 0 || elements * length < 0) {
                throw new IllegalArgumentException("reshape of " + this + " to " + Arrays.toString(shape) + ": "
                        + length + " is no length of a dimension");
            }
            elements *= length;
        }
        if (elements != count()) {
            throw new IllegalArgumentException("reshape of " + this + " to " + Arrays.toString(shape) + ": that are "
                    + elements + " elements, not " + count());
        }
        return new SymmetricArray(session, allocation, type(), offset, segment(), shape.clone());
    }

    /** How long each dimension is. */
    public long[] shape() {
        return shape.clone();
    }

    /**
     * For each dimension, by how many elements its coordinate moves: the distances for {@link OpenShmem#iput} and its
     * like.
     */
    public long[] strides() {
        long[] strides = new long[shape.length];
        long stride = 1;
        for (int dimension = shape.length - 1; dimension >= 0; dimension--) {
            strides[dimension] = stride;
            stride *= shape[dimension];
        }
        return strides;
    }

    /**
     * The index of the element at these coordinates, one for each dimension.
     *
     * @throws IndexOutOfBoundsException if one leaves its dimension
     */
    public long index(long... coordinates) {
        nonNull(coordinates, "index", "coordinates");
        if (coordinates.length != shape.length) {
            throw new IndexOutOfBoundsException(
                    coordinates.length + " coordinates for the " + shape.length + " dimensions of " + this);
        }
        long index = 0;
        for (int dimension = 0; dimension < shape.length; dimension++) {
            long at = coordinates[dimension];
            if (at < 0 || at >= shape[dimension]) {
                throw new IndexOutOfBoundsException("coordinates " + Arrays.toString(coordinates) + " leave dimension "
                        + dimension + " of " + this);
            }
            index = index * shape[dimension] + at;
        }
        return index;
    }

    /** Row {@code i} of every PE's copy: what has this first coordinate, with one dimension less. */
    public SymmetricArray row(long i) {
        SymmetricArray one = rows(i, 1);
        return one.reshape(Arrays.copyOfRange(shape, 1, shape.length));
    }

    /**
     * {@code count} rows of every PE's copy from row {@code first} on: what has these first coordinates, with as many
     * dimensions.
     */
    public SymmetricArray rows(long first, long count) {
        if (shape.length == 0 || first < 0 || count < 0 || first > shape[0] - count) {
            throw new IndexOutOfBoundsException(count + " rows at " + first + " leave " + this);
        }
        long row = strides()[0];
        long[] shapeOfPart = shape.clone();
        shapeOfPart[0] = count;
        return part(first * row, count * row, shapeOfPart);
    }

    /**
     * Every PE's copy as elements of another type, in one dimension.
     *
     * @throws IllegalArgumentException if they do not fill it exactly, or it does not begin where such an element can
     */
    @Override
    public SymmetricArray view(DataType other) {
        nonNull(other, "view", "other");
        MemorySegment all = segment();
        return new SymmetricArray(session, allocation, other, offset, all, all.byteSize() / other.bytes());
    }

    /** Whether this PE has freed it. */
    boolean isFreed() {
        return allocation.isFreed();
    }

    @Override
    public boolean isAlive() {
        return !isFreed() && session.isHeapOpen();
    }

    /**
     * Frees the whole allocation, slices and views included ({@code shmem_free}). Every PE does so, in any order;
     * unlike in OpenSHMEM nobody waits for the others, so it does no harm in the clean-up after an exception. The
     * others may go on using their copies and this one until they have closed it, too. After {@link OpenShmem#close},
     * or the second time, it does nothing.
     */
    @Override
    public void close() {
        if (session.isHeapOpen()) {
            allocation.free();
        }
    }

    @Override
    public String toString() {
        return shape.length == 1
                ? super.toString()
                : super.toString()
                        .replaceFirst(
                                "\\d+ x ",
                                Arrays.stream(shape)
                                        .mapToObj(Long::toString)
                                        .collect(Collectors.joining(" x ", "", " x ")));
    }
}
