// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nvshmem;

import org.comm4j.ffi.NativeFamily;

/** The C types of the typed functions of NVSHMEM, by the words in the functions' names; generated. */
public enum NvshmemType implements NativeFamily.Member {
    /** {@code __nv_bfloat16} */
    BFLOAT16("bfloat16", Carrier.SHORT),
    /** {@code half} */
    HALF("half", Carrier.SHORT),
    /** {@code float} */
    FLOAT("float", Carrier.FLOAT),
    /** {@code double} */
    DOUBLE("double", Carrier.DOUBLE),
    /** {@code char} */
    CHAR("char", Carrier.BYTE),
    /** {@code signed char} */
    SCHAR("schar", Carrier.BYTE),
    /** {@code short} */
    SHORT("short", Carrier.SHORT),
    /** {@code int} */
    INT("int", Carrier.INT),
    /** {@code long} */
    LONG("long", Carrier.LONG),
    /** {@code long long} */
    LONGLONG("longlong", Carrier.LONG),
    /** {@code unsigned char} */
    UCHAR("uchar", Carrier.BYTE),
    /** {@code unsigned short} */
    USHORT("ushort", Carrier.SHORT),
    /** {@code unsigned int} */
    UINT("uint", Carrier.INT),
    /** {@code unsigned long} */
    ULONG("ulong", Carrier.LONG),
    /** {@code unsigned long long} */
    ULONGLONG("ulonglong", Carrier.LONG),
    /** {@code int8_t} */
    INT8("int8", Carrier.BYTE),
    /** {@code int16_t} */
    INT16("int16", Carrier.SHORT),
    /** {@code int32_t} */
    INT32("int32", Carrier.INT),
    /** {@code int64_t} */
    INT64("int64", Carrier.LONG),
    /** {@code uint8_t} */
    UINT8("uint8", Carrier.BYTE),
    /** {@code uint16_t} */
    UINT16("uint16", Carrier.SHORT),
    /** {@code uint32_t} */
    UINT32("uint32", Carrier.INT),
    /** {@code uint64_t} */
    UINT64("uint64", Carrier.LONG),
    /** {@code size_t} */
    SIZE("size", Carrier.LONG),
    /** {@code ptrdiff_t} */
    PTRDIFF("ptrdiff", Carrier.LONG);

    /** The Java type that has a value's bits. */
    public enum Carrier {
        BYTE,
        SHORT,
        INT,
        LONG,
        FLOAT,
        DOUBLE
    }

    private final String word;
    private final Carrier carrier;

    NvshmemType(String word, Carrier carrier) {
        this.word = word;
        this.carrier = carrier;
    }

    @Override
    public String word() {
        return word;
    }

    /** How a value is passed. */
    public Carrier carrier() {
        return carrier;
    }
}
