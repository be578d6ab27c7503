// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;

/**
 * Form in which elements travel in a reduction that MPI's own types and operations do not have. Small floating-point
 * numbers are reduced as float32 and rounded once; the least and the greatest of floating-point numbers are found among
 * integers that are ordered like them, so that a NaN wins; a mean is a sum that is divided at the end.
 */
enum Wire {
    /** The elements as they are. */
    PLAIN,
    /** Integers of 32 bits with the same value, of whose results the low bits count. */
    INTEGER32,
    /** Integers of 64 bits with the same value, of whose results the low bits count. */
    INTEGER64,
    /** Signed integers of 64 bits that are ordered like unsigned ones. */
    FLIPPED64,
    /** Numbers of float32. */
    FLOAT32,
    /** Integers of 32 bits that are ordered like float32, a NaN at the end that wins. */
    ORDERED32,
    /** Integers of 64 bits that are ordered like float64. */
    ORDERED64;

    /** @param isRight whether the library itself reduces the type in this way as comm4j does */
    static Wire of(DataType type, ReduceOp op, boolean isRight) {
        if (!type.isFloat()) {
            return isRight ? PLAIN : wider(type);
        }
        if (op == ReduceOp.MIN || op == ReduceOp.MAX) {
            return type == DataType.FLOAT64 ? ORDERED64 : ORDERED32;
        }
        return type == DataType.FLOAT32 || type == DataType.FLOAT64 ? PLAIN : FLOAT32;
    }

    private static Wire wider(DataType type) {
        return switch (type) {
            case INT8, INT16, UINT8, UINT16 -> INTEGER32;
            case UINT32, INT32 -> INTEGER64;
            case UINT64 -> FLIPPED64;
            default -> PLAIN;
        };
    }

    /** The type that travels. */
    DataType type(DataType type) {
        return switch (this) {
            case PLAIN -> type;
            case FLOAT32 -> DataType.FLOAT32;
            case INTEGER32 -> DataType.INT32;
            case ORDERED32 -> DataType.INT32;
            case ORDERED64, INTEGER64, FLIPPED64 -> DataType.INT64;
        };
    }

    /** Writes what travels for each element. */
    void encode(HostArray from, HostArray to, ReduceOp op, Halves halves) {
        if (this == FLOAT32 && Halves.converts(from.type())) {
            halves.widen(from, to);
            return;
        }
        long count = from.count();
        boolean max = op == ReduceOp.MAX;
        switch (this) {
            case PLAIN -> to.copyFrom(from);
            case INTEGER32, INTEGER64, FLIPPED64 -> {
                long flip = this == FLIPPED64 ? Long.MIN_VALUE : 0;
                for (long i = 0; i < count; i++) {
                    to.setLong(i, from.getLong(i) ^ flip);
                }
            }
            case FLOAT32 -> {
                for (long i = 0; i < count; i++) {
                    to.setFloat(i, from.getFloat(i));
                }
            }
            case ORDERED32 -> {
                for (long i = 0; i < count; i++) {
                    float value = from.getFloat(i);
                    to.setInt(i, Float.isNaN(value) ? nan(max) : ordered(Float.floatToRawIntBits(value)));
                }
            }
            case ORDERED64 -> {
                for (long i = 0; i < count; i++) {
                    double value = from.getDouble(i);
                    to.setLong(
                            i,
                            Double.isNaN(value)
                                    ? max ? Long.MAX_VALUE : Long.MIN_VALUE
                                    : ordered(Double.doubleToRawLongBits(value)));
                }
            }
        }
    }

    /** Writes the elements of what has travelled. */
    void decode(HostArray from, HostArray to, ReduceOp op, int ranks, Halves halves) {
        if (this == FLOAT32 && Halves.converts(to.type())) {
            halves.narrow(from, to, op == ReduceOp.AVG ? ranks : 1);
            return;
        }
        long count = to.count();
        boolean max = op == ReduceOp.MAX;
        switch (this) {
            case PLAIN -> {}
            case INTEGER32, INTEGER64, FLIPPED64 -> {
                long flip = this == FLIPPED64 ? Long.MIN_VALUE : 0;
                for (long i = 0; i < count; i++) {
                    to.setLong(i, from.getLong(i) ^ flip);
                    if (op == ReduceOp.AVG) {
                        // Of what has wrapped around.
                        to.setLong(i, to.getLong(i) / ranks);
                    }
                }
            }
            case FLOAT32 -> {
                for (long i = 0; i < count; i++) {
                    float value = from.getFloat(i);
                    to.setFloat(i, op == ReduceOp.AVG ? value / ranks : value);
                }
            }
            case ORDERED32 -> {
                for (long i = 0; i < count; i++) {
                    int value = from.getInt(i);
                    to.setFloat(i, value == nan(max) ? Float.NaN : Float.intBitsToFloat(ordered(value)));
                }
            }
            case ORDERED64 -> {
                for (long i = 0; i < count; i++) {
                    long value = from.getLong(i);
                    boolean isNan = value == (max ? Long.MAX_VALUE : Long.MIN_VALUE);
                    to.setDouble(i, isNan ? Double.NaN : Double.longBitsToDouble(ordered(value)));
                }
            }
        }
    }

    /** Makes means of sums. */
    static void divide(HostArray array, int ranks) {
        DataType type = array.type();
        long count = array.count();
        for (long i = 0; i < count; i++) {
            if (type.isComplex()) {
                array.setComplex(i, array.getReal(i) / ranks, array.getImaginary(i) / ranks);
            } else if (type == DataType.FLOAT32) {
                array.setFloat(i, array.getFloat(i) / ranks);
            } else if (type.isFloat()) {
                array.setDouble(i, array.getDouble(i) / ranks);
            } else if (type == DataType.UINT64) {
                array.setLong(i, Long.divideUnsigned(array.getLong(i), ranks));
            } else {
                array.setLong(i, array.getLong(i) / ranks);
            }
        }
    }

    private static int nan(boolean max) {
        return max ? Integer.MAX_VALUE : Integer.MIN_VALUE;
    }

    /** Negative numbers are in the reverse order as integers; the function is its own inverse. */
    private static int ordered(int bits) {
        return bits ^ bits >> 31 & Integer.MAX_VALUE;
    }

    private static long ordered(long bits) {
        return bits ^ bits >> 63 & Long.MAX_VALUE;
    }
}
