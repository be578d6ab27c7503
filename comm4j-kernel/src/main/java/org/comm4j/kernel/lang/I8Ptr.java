// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.kernel.cpu.KernelThread;
import org.jspecify.annotations.Nullable;

/** Where values of type {@code byte} are; see {@link Ptr}. */
public final class I8Ptr extends Ptr {
    I8Ptr(MemorySegment segment, long offset, @Nullable Buffer buffer) {
        super(segment, offset, 1, buffer);
    }

    private I8Ptr(I8Ptr from, long elements) {
        super(from, elements, 1);
    }

    @Override
    public DataType elementType() {
        return DataType.INT8;
    }

    /** Returns the beginning of a buffer of {@link DataType#INT8} or {@link DataType#UINT8}. */
    public static I8Ptr of(Buffer buffer) {
        nonNull(buffer, "I8Ptr.of", "buffer");
        return of(buffer, 0);
    }

    /** Element {@code index} of a buffer of {@link DataType#INT8} or {@link DataType#UINT8}. */
    public static I8Ptr of(Buffer buffer, long index) {
        nonNull(buffer, "I8Ptr.of", "buffer");
        checkBuffer("I8Ptr", buffer, index, DataType.INT8, DataType.UINT8);
        return new I8Ptr(segment(buffer), index * 1, buffer);
    }

    /** Returns the first element of an array that {@link Shared} has made, or of a local one. */
    public static I8Ptr of(byte[] array) {
        nonNull(array, "I8Ptr.of", "array");
        return new I8Ptr(MemorySegment.ofArray(array), 0, null);
    }

    /** {@code n} elements on. */
    public I8Ptr plus(long n) {
        return new I8Ptr(this, n);
    }

    public byte get(long i) {
        return segment.get(BYTE, at(i, 1));
    }

    public void set(long i, byte value) {
        segment.set(BYTE, at(i, 1), value);
    }

    /** Reads what is in memory now ({@code volatile}), as a loop that waits for another thread does. */
    public byte getVolatile(long i) {
        KernelThread.pause();
        return (byte) VOLATILE_BYTE.getVolatile(segment, at(i, 1));
    }

    public void setVolatile(long i, byte value) {
        VOLATILE_BYTE.setVolatile(segment, at(i, 1), value);
    }
}
