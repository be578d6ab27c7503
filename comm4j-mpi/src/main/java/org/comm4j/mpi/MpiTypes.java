// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.util.Locale;
import java.util.SplittableRandom;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/**
 * A library's handles of the types and reductions that comm4j has, and which of them are as in comm4j. Reductions of
 * integers are tried out at their first use ({@code MPI_Reduce_local}): Open MPI's sums of small ones end at the
 * greatest number instead of wrapping around, and MPICH compares some unsigned ones as if they were signed.
 */
final class MpiTypes {
    private final long[] types = new long[DataType.values().length];
    private final long[] ops = new long[ReduceOp.values().length];
    /** By type and operation; null where nobody has asked. A second thread that asks finds the same. */
    private final @Nullable Boolean[][] right = new Boolean[types.length][ops.length];

    /** Elements beyond what processors do at once, with some left over. */
    private static final int TRIED = 259;

    MpiTypes(Abi abi) {
        for (DataType type : DataType.values()) {
            types[type.ordinal()] = abi.get(name(type));
        }
        for (ReduceOp op : ReduceOp.values()) {
            ops[op.ordinal()] = abi.get(op == ReduceOp.AVG ? "SUM" : op.name());
        }
    }

    private boolean tried(DataType type, ReduceOp op) {
        HostArray one = HostArray.allocate(type, TRIED);
        HostArray two = HostArray.allocate(type, TRIED);
        HostArray expected = HostArray.allocate(type, TRIED);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < TRIED; i++) {
            one.setLong(i, random.nextLong());
            two.setLong(i, random.nextLong());
            expected.setLong(i, combined(type, op, one.getLong(i), two.getLong(i)));
        }
        int status = LibMpi.MPI_Reduce_local(one.address(), two.address(), TRIED, of(type), of(op));
        return status == 0 && two.segment().mismatch(expected.segment()) < 0;
    }

    private static long combined(DataType type, ReduceOp op, long a, long b) {
        long flip = type.isUnsigned() ? Long.MIN_VALUE : 0;
        return switch (op) {
            case SUM, AVG -> a + b;
            case PROD -> a * b;
            case MIN -> Math.min(a ^ flip, b ^ flip) ^ flip;
            case MAX -> Math.max(a ^ flip, b ^ flip) ^ flip;
            case BAND -> a & b;
            case BOR -> a | b;
            case BXOR -> a ^ b;
        };
    }

    /**
     * Returns whether the library reduces as comm4j does; of floating-point numbers only sums and products are meant.
     */
    boolean isRight(DataType type, ReduceOp op) {
        Boolean known = right[type.ordinal()][op.ordinal()];
        if (known == null) {
            known = !type.isInteger() || tried(type, op);
            right[type.ordinal()][op.ordinal()] = known;
        }
        return known;
    }

    /** Returns the name of a type; what MPI has none for travels as an integer of its size. */
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

    /** Returns the operation in MPI; a mean is a sum there. */
    long of(ReduceOp op) {
        return ops[op.ordinal()];
    }
}
