// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.util.Arrays;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.ffi.nccl.LibNccl;

/**
 * Which {@code ncclDataType_t} and {@code ncclRedOp_t} stand for ours, and how many of them an element is. A complex
 * number is two real ones, which is right for sums, averages and data movement. 16-bit integers can be moved, as two
 * bytes, but NCCL cannot compute with them.
 */
final class Types {
    // Every call asks, so the answers are kept, by the ordinals of what is asked about.
    private static final int[] TYPES =
            Arrays.stream(DataType.values()).mapToInt(Types::number).toArray();
    private static final int[] UNITS =
            Arrays.stream(DataType.values()).mapToInt(Types::count).toArray();
    /** A bit for each type. */
    private static final int[] REDUCED =
            Arrays.stream(ReduceOp.values()).mapToInt(Types::reduced).toArray();

    private Types() {}

    /** The type as which elements are moved or combined. */
    static int of(DataType type) {
        return TYPES[type.ordinal()];
    }

    private static int number(DataType type) {
        return switch (type) {
            case INT8 -> LibNccl.ncclInt8;
            case UINT8, INT16, UINT16 -> LibNccl.ncclUint8;
            case INT32 -> LibNccl.ncclInt32;
            case UINT32 -> LibNccl.ncclUint32;
            case INT64 -> LibNccl.ncclInt64;
            case UINT64 -> LibNccl.ncclUint64;
            case FLOAT16 -> LibNccl.ncclFloat16;
            case BFLOAT16 -> LibNccl.ncclBfloat16;
            case FLOAT8_E4M3 -> LibNccl.ncclFloat8e4m3;
            case FLOAT8_E5M2 -> LibNccl.ncclFloat8e5m2;
            case FLOAT32, COMPLEX64 -> LibNccl.ncclFloat32;
            case FLOAT64, COMPLEX128 -> LibNccl.ncclFloat64;
        };
    }

    /** How many elements of type {@link #of} one element of {@code type} is. */
    static int units(DataType type) {
        return UNITS[type.ordinal()];
    }

    private static int count(DataType type) {
        return switch (type) {
            case INT16, UINT16, COMPLEX64, COMPLEX128 -> 2;
            default -> 1;
        };
    }

    /**
     * For {@code ranks} ranks. Of one, NCCL scales what it averages, which it cannot do with float8; the sum is the
     * same.
     */
    static int of(ReduceOp op, int ranks) {
        return of(ranks == 1 && op == ReduceOp.AVG ? ReduceOp.SUM : op);
    }

    static int of(ReduceOp op) {
        return switch (op) {
            case SUM -> LibNccl.ncclSum;
            case PROD -> LibNccl.ncclProd;
            case MIN -> LibNccl.ncclMin;
            case MAX -> LibNccl.ncclMax;
            case AVG -> LibNccl.ncclAvg;
            case BAND, BOR, BXOR -> throw new IllegalArgumentException(op.name());
        };
    }

    /** Whether NCCL can combine elements of {@code type} by {@code op}, on some GPU. */
    static boolean reduces(ReduceOp op, DataType type) {
        return (REDUCED[op.ordinal()] >> type.ordinal() & 1) != 0;
    }

    private static int reduced(ReduceOp op) {
        return Arrays.stream(DataType.values())
                .filter(type -> combines(op, type))
                .mapToInt(type -> 1 << type.ordinal())
                .sum();
    }

    private static boolean combines(ReduceOp op, DataType type) {
        return switch (op) {
            case BAND, BOR, BXOR -> false;
            case PROD -> !type.isComplex() && !isShort(type);
            default -> op.supports(type) && !isShort(type);
        };
    }

    private static boolean isShort(DataType type) {
        return type == DataType.INT16 || type == DataType.UINT16;
    }

    static boolean isFloat8(DataType type) {
        return type == DataType.FLOAT8_E4M3 || type == DataType.FLOAT8_E5M2;
    }

    /** Why {@link #reduces} is false, and what can be done. */
    static String whyNot(ReduceOp op, DataType type) {
        if (op == ReduceOp.BAND || op == ReduceOp.BOR || op == ReduceOp.BXOR) {
            return "NCCL has no " + op + "; it has SUM, PROD, MIN, MAX and AVG";
        }
        if (isShort(type)) {
            return "NCCL cannot reduce " + type + ", only move it; convert to INT32 for " + op;
        }
        return "NCCL has no complex numbers: SUM and AVG work on the parts, " + op + " does not";
    }
}
