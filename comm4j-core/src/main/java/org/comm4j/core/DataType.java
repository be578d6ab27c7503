// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/**
 * The element types that every engine knows. Names follow NCCL's {@code ncclDataType_t} where it has them; the rest
 * ({@code INT16}, {@code UINT16}, the complex types) are types of the other engines.
 */
public enum DataType {
    INT8(1, Kind.SIGNED),
    INT16(2, Kind.SIGNED),
    INT32(4, Kind.SIGNED),
    INT64(8, Kind.SIGNED),
    UINT8(1, Kind.UNSIGNED),
    UINT16(2, Kind.UNSIGNED),
    UINT32(4, Kind.UNSIGNED),
    UINT64(8, Kind.UNSIGNED),
    /** IEEE 754 binary16; sums accumulate in float32 and are rounded once. */
    FLOAT16(2, Kind.FLOAT),
    /** The upper half of a float32; sums accumulate in float32 and are rounded once. */
    BFLOAT16(2, Kind.FLOAT),
    /** 4 exponent and 3 mantissa bits, no infinity, largest value 448 (OCP FP8 E4M3). */
    FLOAT8_E4M3(1, Kind.FLOAT),
    /** 5 exponent and 2 mantissa bits, with infinities, largest value 57344 (OCP FP8 E5M2). */
    FLOAT8_E5M2(1, Kind.FLOAT),
    FLOAT32(4, Kind.FLOAT),
    FLOAT64(8, Kind.FLOAT),
    /** Two float32, real part first. */
    COMPLEX64(8, Kind.COMPLEX),
    /** Two float64, real part first. */
    COMPLEX128(16, Kind.COMPLEX);

    private enum Kind {
        SIGNED,
        UNSIGNED,
        FLOAT,
        COMPLEX
    }

    private final int bytes;
    private final Kind kind;

    DataType(int bytes, Kind kind) {
        this.bytes = bytes;
        this.kind = kind;
    }

    /** Returns the bytes of one element. */
    public int bytes() {
        return bytes;
    }

    /**
     * Returns the alignment in bytes that an element's address needs: its size, or its part's size for complex types.
     */
    public int alignment() {
        return kind == Kind.COMPLEX ? bytes / 2 : bytes;
    }

    public boolean isInteger() {
        return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
    }

    public boolean isUnsigned() {
        return kind == Kind.UNSIGNED;
    }

    /** True for the real floating-point types, from {@link #FLOAT8_E4M3} to {@link #FLOAT64}. */
    public boolean isFloat() {
        return kind == Kind.FLOAT;
    }

    public boolean isComplex() {
        return kind == Kind.COMPLEX;
    }
}
