// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.List;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemBits;
import org.comm4j.ffi.nvshmem.NvshmemType;

/**
 * Which of NVSHMEM's types, by their names in functions, stand for ours, family by family of functions. Contiguous puts
 * and gets need none: they move bytes. Of C's many names for one type those of fixed width are taken; {@code int} and
 * {@code long} would lack the bitwise reductions.
 */
final class Types {
    /** The types that {@link #awaited} returns. */
    static final List<NvshmemType> AWAITED = List.of(
            NvshmemType.SHORT,
            NvshmemType.USHORT,
            NvshmemType.INT32,
            NvshmemType.UINT32,
            NvshmemType.INT64,
            NvshmemType.UINT64);

    private Types() {}

    /** The element of a strided put or get: only its size matters. */
    static NvshmemBits strided(DataType type) {
        return switch (type.bytes()) {
            case 1 -> NvshmemBits.BITS_8;
            case 2 -> NvshmemBits.BITS_16;
            case 4 -> NvshmemBits.BITS_32;
            case 8 -> NvshmemBits.BITS_64;
            default -> NvshmemBits.BITS_128;
        };
    }

    /**
     * As what {@code broadcast}, {@code fcollect} and {@code alltoall} move an element, {@link #units} of them. Not as
     * bytes where that can be avoided: NVSHMEM's quick ways for short messages are for elements of four bytes and more.
     */
    static NvshmemType moved(DataType type) {
        return switch (type) {
            case INT8 -> NvshmemType.INT8;
            case INT16 -> NvshmemType.INT16;
            case INT32 -> NvshmemType.INT32;
            case INT64 -> NvshmemType.INT64;
            case UINT8, FLOAT8_E4M3, FLOAT8_E5M2 -> NvshmemType.UINT8;
            case UINT16 -> NvshmemType.UINT16;
            case UINT32 -> NvshmemType.UINT32;
            case UINT64 -> NvshmemType.UINT64;
            case FLOAT16 -> NvshmemType.HALF;
            case BFLOAT16 -> NvshmemType.BFLOAT16;
            case FLOAT32, COMPLEX64 -> NvshmemType.FLOAT;
            case FLOAT64, COMPLEX128 -> NvshmemType.DOUBLE;
        };
    }

    /** What an element consists of: a complex number of two real ones. */
    static DataType part(DataType type) {
        return switch (type) {
            case COMPLEX64 -> DataType.FLOAT32;
            case COMPLEX128 -> DataType.FLOAT64;
            default -> type;
        };
    }

    /** How many elements of type {@link #moved} one element of {@code type} is: a complex number is two. */
    static int units(DataType type) {
        return type.isComplex() ? 2 : 1;
    }

    /** Whether NVSHMEM combines elements of {@code type} by {@code op}; it does so as {@link #moved}. */
    static boolean reduces(ReduceOp op, DataType type) {
        boolean eightBits = type == DataType.FLOAT8_E4M3 || type == DataType.FLOAT8_E5M2;
        return switch (op) {
            case SUM -> !eightBits;
            case PROD, MIN, MAX -> !eightBits && !type.isComplex();
            case BAND, BOR, BXOR -> type.isInteger();
            case AVG -> false;
        };
    }

    /** Why {@link #reduces} is false, and what can be done. */
    static String whyNot(ReduceOp op, DataType type) {
        if (!op.supports(type)) {
            return op + " is not defined for " + type;
        }
        if (op == ReduceOp.AVG) {
            return "NVSHMEM has no AVG; it has SUM, PROD, MIN, MAX, and BAND, BOR, BXOR for integers: divide the SUM by the"
                    + " number of members";
        }
        if (type.isComplex()) {
            return "NVSHMEM has no complex numbers: SUM of " + type + " works on the parts, " + op + " does not";
        }
        return "NVSHMEM cannot compute with " + type + ", only move it; convert to FLOAT16 or BFLOAT16 for " + op;
    }

    /**
     * As what one value is passed to {@code p} and {@code g}: as an integer of its size where C would pass an object of
     * a class.
     *
     * @throws UnsupportedOperationException for complex numbers
     */
    static NvshmemType scalar(String operation, DataType type) {
        return switch (type) {
            case FLOAT16, BFLOAT16 -> NvshmemType.UINT16;
            case COMPLEX64, COMPLEX128 ->
                throw new UnsupportedOperationException(operation + ": NVSHMEM has no " + operation + " of " + type
                        + "; put or get an array of one element");
            default -> moved(type);
        };
    }

    /**
     * The type of a wait.
     *
     * @throws UnsupportedOperationException if NVSHMEM has no waits for {@code type}
     */
    static NvshmemType awaited(String operation, DataType type) {
        return switch (type) {
            // These families have no names of fixed width for 16 bits.
            case INT16 -> NvshmemType.SHORT;
            case UINT16 -> NvshmemType.USHORT;
            case INT32 -> NvshmemType.INT32;
            case UINT32 -> NvshmemType.UINT32;
            case INT64 -> NvshmemType.INT64;
            case UINT64 -> NvshmemType.UINT64;
            default ->
                throw new UnsupportedOperationException(
                        operation + ": NVSHMEM waits for integers of 16, 32 and 64 bits, not for " + type);
        };
    }

    static int of(Comparison comparison) {
        return switch (comparison) {
            case EQ -> LibNvshmem.NVSHMEM_CMP_EQ;
            case NE -> LibNvshmem.NVSHMEM_CMP_NE;
            case GT -> LibNvshmem.NVSHMEM_CMP_GT;
            case GE -> LibNvshmem.NVSHMEM_CMP_GE;
            case LT -> LibNvshmem.NVSHMEM_CMP_LT;
            case LE -> LibNvshmem.NVSHMEM_CMP_LE;
        };
    }

    static int of(SignalOp op) {
        return switch (op) {
            case SET -> LibNvshmem.NVSHMEM_SIGNAL_SET;
            case ADD -> LibNvshmem.NVSHMEM_SIGNAL_ADD;
        };
    }
}
