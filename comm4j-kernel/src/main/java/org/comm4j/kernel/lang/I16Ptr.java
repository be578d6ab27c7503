// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.kernel.cpu.KernelThread;
import org.jspecify.annotations.Nullable;

/** Where values of type {@code short} are; see {@link Ptr}. */
public final class I16Ptr extends Ptr {
    I16Ptr(MemorySegment segment, long offset, @Nullable Buffer buffer) {
        super(segment, offset, 2, buffer);
    }

    private I16Ptr(I16Ptr from, long elements) {
        super(from, elements, 2);
    }

    @Override
    public DataType elementType() {
        return DataType.INT16;
    }

    /** Returns the beginning of a buffer of {@link DataType#INT16} or {@link DataType#UINT16}. */
    public static I16Ptr of(Buffer buffer) {
        nonNull(buffer, "I16Ptr.of", "buffer");
        return of(buffer, 0);
    }

    /** Element {@code index} of a buffer of {@link DataType#INT16} or {@link DataType#UINT16}. */
    public static I16Ptr of(Buffer buffer, long index) {
        nonNull(buffer, "I16Ptr.of", "buffer");
        checkBuffer("I16Ptr", buffer, index, DataType.INT16, DataType.UINT16);
        return new I16Ptr(segment(buffer), index * 2, buffer);
    }

    /** Returns the first element of an array that {@link Shared} has made, or of a local one. */
    public static I16Ptr of(short[] array) {
        nonNull(array, "I16Ptr.of", "array");
        return new I16Ptr(MemorySegment.ofArray(array), 0, null);
    }

    /** {@code n} elements on. */
    public I16Ptr plus(long n) {
        return new I16Ptr(this, n);
    }

    public short get(long i) {
        return segment.get(SHORT, at(i, 2));
    }

    public void set(long i, short value) {
        segment.set(SHORT, at(i, 2), value);
    }

    /** Reads what is in memory now ({@code volatile}), as a loop that waits for another thread does. */
    public short getVolatile(long i) {
        KernelThread.pause();
        return (short) VOLATILE_SHORT.getVolatile(segment, at(i, 2));
    }

    public void setVolatile(long i, short value) {
        VOLATILE_SHORT.setVolatile(segment, at(i, 2), value);
    }

    /**
     * Reads 8 elements at once, two in each of the four numbers, the first one in the low bits; element {@code i} is at
     * a multiple of 16 bytes.
     */
    public Int4 get8(long i) {
        return plus(i).asI32().get4(0);
    }

    /** Writes 8 elements at once, as {@link #get8} reads them; element {@code i} is at a multiple of 16 bytes. */
    public void set8(long i, Int4 value) {
        plus(i).asI32().set4(0, value);
    }
}
