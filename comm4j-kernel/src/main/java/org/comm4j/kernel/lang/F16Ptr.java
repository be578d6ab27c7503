// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/** Where values of type {@link Half} are; see {@link Ptr}. */
public final class F16Ptr extends Ptr {
    F16Ptr(MemorySegment segment, long offset, @Nullable Buffer buffer) {
        super(segment, offset, 2, buffer);
    }

    private F16Ptr(F16Ptr from, long elements) {
        super(from, elements, 2);
    }

    @Override
    public DataType elementType() {
        return DataType.FLOAT16;
    }

    /** Returns the beginning of a buffer of {@link DataType#FLOAT16}. */
    public static F16Ptr of(Buffer buffer) {
        nonNull(buffer, "F16Ptr.of", "buffer");
        return of(buffer, 0);
    }

    /** Element {@code index} of a buffer of {@link DataType#FLOAT16}. */
    public static F16Ptr of(Buffer buffer, long index) {
        nonNull(buffer, "F16Ptr.of", "buffer");
        checkBuffer("F16Ptr", buffer, index, DataType.FLOAT16);
        return new F16Ptr(segment(buffer), index * 2, buffer);
    }

    /** Returns the first element of an array of bits that {@link Shared} has made, or of a local one. */
    public static F16Ptr of(short[] array) {
        nonNull(array, "F16Ptr.of", "array");
        return new F16Ptr(MemorySegment.ofArray(array), 0, null);
    }

    /** {@code n} elements on. */
    public F16Ptr plus(long n) {
        return new F16Ptr(this, n);
    }

    public float get(long i) {
        return SmallFloat.halfToFloat(getBits(i));
    }

    /** Rounded to nearest, ties to even. */
    public void set(long i, float value) {
        setBits(i, SmallFloat.floatToHalf(value));
    }

    public short getBits(long i) {
        return segment.get(SHORT, at(i, 2));
    }

    public void setBits(long i, short bits) {
        segment.set(SHORT, at(i, 2), bits);
    }

    public Half getHalf(long i) {
        return new Half(getBits(i));
    }

    public void setHalf(long i, Half value) {
        setBits(i, value.bits());
    }

    /** 2 elements at once; element {@code i} is at a multiple of 4 bytes. */
    public Half2 get2(long i) {
        return new Half2(plus(i).asI32().get(0));
    }

    /** 2 elements at once; element {@code i} is at a multiple of 4 bytes. */
    public void set2(long i, Half2 value) {
        plus(i).asI32().set(0, value.bits());
    }

    /**
     * Adds both elements, each of them at once; the old ones ({@code atomicAdd} of {@code __half2}). Element {@code i}
     * is at a multiple of 4 bytes.
     */
    public Half2 atomicAdd2(long i, Half2 value) {
        return new Half2(Atomic32.addHalf2(plus(i).asI32(), value.bits()));
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
