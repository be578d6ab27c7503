// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/** Where values of type 8-bit floats with 5 bits of exponent ({@code __nv_fp8_e5m2}) are; see {@link Ptr}. */
public final class F8E5M2Ptr extends Ptr {
    F8E5M2Ptr(MemorySegment segment, long offset, @Nullable Buffer buffer) {
        super(segment, offset, 1, buffer);
    }

    private F8E5M2Ptr(F8E5M2Ptr from, long elements) {
        super(from, elements, 1);
    }

    @Override
    public DataType elementType() {
        return DataType.FLOAT8_E5M2;
    }

    /** Returns the beginning of a buffer of {@link DataType#FLOAT8_E5M2}. */
    public static F8E5M2Ptr of(Buffer buffer) {
        nonNull(buffer, "F8E5M2Ptr.of", "buffer");
        return of(buffer, 0);
    }

    /** Element {@code index} of a buffer of {@link DataType#FLOAT8_E5M2}. */
    public static F8E5M2Ptr of(Buffer buffer, long index) {
        nonNull(buffer, "F8E5M2Ptr.of", "buffer");
        checkBuffer("F8E5M2Ptr", buffer, index, DataType.FLOAT8_E5M2);
        return new F8E5M2Ptr(segment(buffer), index * 1, buffer);
    }

    /** {@code n} elements on. */
    public F8E5M2Ptr plus(long n) {
        return new F8E5M2Ptr(this, n);
    }

    public float get(long i) {
        return SmallFloat.e5m2ToFloat(getBits(i));
    }

    /** Rounded to nearest, ties to even; beyond the largest value it is that. */
    public void set(long i, float value) {
        setBits(i, SmallFloat.floatToE5m2(value));
    }

    public byte getBits(long i) {
        return segment.get(BYTE, at(i, 1));
    }

    public void setBits(long i, byte bits) {
        segment.set(BYTE, at(i, 1), bits);
    }
}
