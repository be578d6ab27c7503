// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.util.Objects;
import org.comm4j.core.Buffer;

/**
 * A pointer and how many elements there are. {@link #get}, {@link #set} and {@link #slice} check their indices wherever
 * the kernel runs and however it was compiled: on the CPU one outside is an {@link IndexOutOfBoundsException}, on a GPU
 * it ends the kernel with an error that has the line.
 */
public record I8View(I8Ptr pointer, long length) {
    /** @throws IllegalArgumentException if the length is negative */
    public I8View {
        if (length < 0) {
            throw new IllegalArgumentException("a view of " + length + " elements");
        }
    }

    /** All of a buffer. */
    public static I8View of(Buffer buffer) {
        return new I8View(I8Ptr.of(buffer), buffer.count());
    }

    /**
     * Element {@code i}.
     *
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public byte get(long i) {
        return pointer.get(Objects.checkIndex(i, length));
    }

    /**
     * Sets element {@code i}.
     *
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public void set(long i, byte value) {
        pointer.set(Objects.checkIndex(i, length), value);
    }

    /**
     * Elements {@code from} to {@code from + count - 1}.
     *
     * @throws IndexOutOfBoundsException if not all of them are in this view
     */
    public I8View slice(long from, long count) {
        return new I8View(pointer.plus(Objects.checkFromIndexSize(from, count, length)), count);
    }
}
