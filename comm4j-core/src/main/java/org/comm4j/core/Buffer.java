// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/**
 * A typed run of elements, somewhere: in host memory ({@link HostArray}) or, with the engines for GPUs, in device memory.
 * Communication calls take buffers; a part of one is a {@link #slice}.
 */
public interface Buffer {

    DataType type();

    /** Number of elements. */
    long count();

    /** The address of the first element, in the address space of the memory's device. */
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

    /** False once the memory behind this buffer was given back. */
    boolean isAlive();
}
