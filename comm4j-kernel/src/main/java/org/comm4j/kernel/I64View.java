// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import org.comm4j.core.Buffer;

/** A pointer and how many elements there are; an index outside of them ends the kernel with an error. */
public record I64View(I64Ptr pointer, long length) {
    /** All of a buffer. */
    public static I64View of(Buffer buffer) {
        return new I64View(I64Ptr.of(buffer), buffer.count());
    }

    public long get(long i) {
        check(i);
        return pointer.get(i);
    }

    public void set(long i, long value) {
        check(i);
        pointer.set(i, value);
    }

    /** Elements {@code from} to {@code from + count - 1}. */
    public I64View slice(long from, long count) {
        if (from < 0 || count < 0 || from > length - count) {
            throw new IndexOutOfBoundsException(from);
        }
        return new I64View(pointer.plus(from), count);
    }

    private void check(long i) {
        if (i < 0 || i >= length) {
            throw new IndexOutOfBoundsException(i);
        }
    }
}
