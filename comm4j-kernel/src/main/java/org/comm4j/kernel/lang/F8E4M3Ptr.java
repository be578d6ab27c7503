// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/** Where values of type 8-bit floats with 4 bits of exponent ({@code __nv_fp8_e4m3}) are; see {@link Ptr}. */
public final class F8E4M3Ptr extends Ptr {
    F8E4M3Ptr(MemorySegment segment, long offset, @Nullable Buffer buffer) {
        super(segment, offset, 1, buffer);
    }

    private F8E4M3Ptr(F8E4M3Ptr from, long elements) {
        super(from, elements, 1);
    }

    @Override
    public DataType elementType() {
        return DataType.FLOAT8_E4M3;
    }

    /** Returns the beginning of a buffer of {@link DataType#FLOAT8_E4M3}. */
    public static F8E4M3Ptr of(Buffer buffer) {
        nonNull(buffer, "F8E4M3Ptr.of", "buffer");
        return of(buffer, 0);
    }

    /** Element {@code index} of a buffer of {@link DataType#FLOAT8_E4M3}. */
    public static F8E4M3Ptr of(Buffer buffer, long index) {
        nonNull(buffer, "F8E4M3Ptr.of", "buffer");
        checkBuffer("F8E4M3Ptr", buffer, index, DataType.FLOAT8_E4M3);
        return new F8E4M3Ptr(segment(buffer), index * 1, buffer);
    }

    /** {@code n} elements on. */
    public F8E4M3Ptr plus(long n) {
        return new F8E4M3Ptr(this, n);
    }

    public float get(long i) {
        return SmallFloat.e4m3ToFloat(getBits(i));
    }

    /** Rounded to nearest, ties to even; beyond the largest value it is that. */
    public void set(long i, float value) {
        setBits(i, SmallFloat.floatToE4m3(value));
    }

    public byte getBits(long i) {
        return segment.get(BYTE, at(i, 1));
    }

    public void setBits(long i, byte bits) {
        segment.set(BYTE, at(i, 1), bits);
    }
}
