// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/** Where values of type {@link BFloat16} are; see {@link Ptr}. */
public final class BF16Ptr extends Ptr {
    BF16Ptr(MemorySegment segment, long offset, @Nullable Buffer buffer) {
        super(segment, offset, 2, buffer);
    }

    private BF16Ptr(BF16Ptr from, long elements) {
        super(from, elements, 2);
    }

    @Override
    public DataType elementType() {
        return DataType.BFLOAT16;
    }

    /** Returns the beginning of a buffer of {@link DataType#BFLOAT16}. */
    public static BF16Ptr of(Buffer buffer) {
        nonNull(buffer, "BF16Ptr.of", "buffer");
        return of(buffer, 0);
    }

    /** Element {@code index} of a buffer of {@link DataType#BFLOAT16}. */
    public static BF16Ptr of(Buffer buffer, long index) {
        nonNull(buffer, "BF16Ptr.of", "buffer");
        checkBuffer("BF16Ptr", buffer, index, DataType.BFLOAT16);
        return new BF16Ptr(segment(buffer), index * 2, buffer);
    }

    /** Returns the first element of an array of bits that {@link Shared} has made, or of a local one. */
    public static BF16Ptr of(short[] array) {
        nonNull(array, "BF16Ptr.of", "array");
        return new BF16Ptr(MemorySegment.ofArray(array), 0, null);
    }

    /** {@code n} elements on. */
    public BF16Ptr plus(long n) {
        return new BF16Ptr(this, n);
    }

    public float get(long i) {
        return SmallFloat.bfloat16ToFloat(getBits(i));
    }

    /** Rounded to nearest, ties to even. */
    public void set(long i, float value) {
        setBits(i, SmallFloat.floatToBfloat16(value));
    }

    public short getBits(long i) {
        return segment.get(SHORT, at(i, 2));
    }

    public void setBits(long i, short bits) {
        segment.set(SHORT, at(i, 2), bits);
    }

    public BFloat16 getBFloat16(long i) {
        return new BFloat16(getBits(i));
    }

    public void setBFloat16(long i, BFloat16 value) {
        setBits(i, value.bits());
    }

    /** 2 elements at once; element {@code i} is at a multiple of 4 bytes. */
    public BFloat162 get2(long i) {
        return new BFloat162(plus(i).asI32().get(0));
    }

    /** 2 elements at once; element {@code i} is at a multiple of 4 bytes. */
    public void set2(long i, BFloat162 value) {
        plus(i).asI32().set(0, value.bits());
    }

    /**
     * Adds both elements, each of them at once; the old ones ({@code atomicAdd} of {@code __nv_bfloat162}). Element
     * {@code i} is at a multiple of 4 bytes.
     */
    public BFloat162 atomicAdd2(long i, BFloat162 value) {
        return new BFloat162(Atomic32.addBfloat162(plus(i).asI32(), value.bits()));
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
