// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.util.Locale;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;

/** A library's handles of the types and reductions that comm4j has. */
final class MpiTypes {
    private final long[] types = new long[DataType.values().length];
    private final long[] ops = new long[ReduceOp.values().length];

    MpiTypes(Abi abi) {
        for (DataType type : DataType.values()) {
            types[type.ordinal()] = abi.get(name(type));
        }
        for (ReduceOp op : ReduceOp.values()) {
            ops[op.ordinal()] = abi.get(op == ReduceOp.AVG ? "SUM" : op.name());
        }
    }

    /** What MPI has no type for travels as an integer of its size. */
    private static String name(DataType type) {
        return switch (type) {
            case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64 ->
                type.name().toUpperCase(Locale.ROOT) + "_T";
            case FLOAT16, BFLOAT16 -> "UINT16_T";
            case FLOAT8_E4M3, FLOAT8_E5M2 -> "UINT8_T";
            case FLOAT32 -> "FLOAT";
            case FLOAT64 -> "DOUBLE";
            case COMPLEX64 -> "C_FLOAT_COMPLEX";
            case COMPLEX128 -> "C_DOUBLE_COMPLEX";
        };
    }

    long of(DataType type) {
        return types[type.ordinal()];
    }

    /** The operation in MPI; a mean is a sum there. */
    long of(ReduceOp op) {
        return ops[op.ordinal()];
    }
}
