// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/**
 * A typed run of elements, somewhere: in host memory ({@link HostArray}) or, with the engines for GPUs, in device
 * memory. Communication calls take buffers; a part of one is a {@link #slice}.
 */
public interface Buffer {

    DataType type();

    /** Returns the number of elements. */
    long count();

    /** Returns the address of the first element, in the address space of the memory's device. */
    long address();

    default long byteSize() {
        return count() * type().bytes();
    }

    /**
     * A view of {@code count} elements from element {@code offset} on; shares memory and lifetime with this buffer.
     *
     * @throws IndexOutOfBoundsException if the slice leaves the buffer
     */
    Buffer slice(long offset, long count);

    /**
     * Returns a view of the same bytes as elements of another type: complex numbers as pairs of their parts, bytes as
     * words. It shares memory and lifetime with this buffer.
     *
     * @throws IllegalArgumentException if the bytes are no whole number of such elements, or not aligned for them
     */
    Buffer view(DataType other);

    /** Returns false once the memory behind this buffer was given back. */
    boolean isAlive();

    /**
     * Copies all of {@code source} here. Host-synchronous: returns when the data is there, after whatever was started
     * on this memory before.
     *
     * @throws IllegalArgumentException if {@code source} has another type or count
     * @throws IllegalStateException if either memory was freed
     */
    void copyFrom(HostArray source);

    /**
     * Copies all of this buffer to {@code target}. Host-synchronous: returns when the data is there, after whatever was
     * started on this memory before.
     *
     * @throws IllegalArgumentException if {@code target} has another type or count
     * @throws IllegalStateException if either memory was freed
     */
    void copyTo(HostArray target);

    /**
     * Sets every element to {@code value}: rounded to nearest for floating-point types, cast to a long and cut to its
     * low bits for integers, with imaginary part 0 for complex types. Host-synchronous.
     *
     * @throws IllegalStateException if the memory was freed
     */
    void fill(double value);

    /** Returns a copy in host memory, freed by the garbage collector. */
    default HostArray toHost() {
        HostArray copy = HostArray.allocate(type(), count());
        copyTo(copy);
        return copy;
    }

    /**
     * Returns a copy of the elements.
     *
     * @throws IllegalArgumentException unless this is a {@code FLOAT32} buffer
     */
    default float[] toFloatArray() {
        return toHost().toFloatArray();
    }

    /**
     * Returns a copy of the elements.
     *
     * @throws IllegalArgumentException unless this is a {@code FLOAT64} buffer
     */
    default double[] toDoubleArray() {
        return toHost().toDoubleArray();
    }

    /**
     * Returns a copy of the elements.
     *
     * @throws IllegalArgumentException unless this is a buffer of 32-bit integers
     */
    default int[] toIntArray() {
        return toHost().toIntArray();
    }

    /**
     * Returns a copy of the elements.
     *
     * @throws IllegalArgumentException unless this is a buffer of 64-bit integers
     */
    default long[] toLongArray() {
        return toHost().toLongArray();
    }
}
