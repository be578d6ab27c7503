// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * The data of a checked call: what a rank contributes at an element is a closed form of rank and index, and so is the
 * result. Values are such that the result is exact in every order of reduction: integers wrap around, floating-point
 * numbers are integers small enough for their mantissa, or powers of two in products. Means of floating-point numbers
 * may differ in their last bits.
 */
final class Pattern {
    /** Ranks from here on contribute only signs to products, whose exponent would grow too large. */
    private static final int FACTORS = 6;

    private final DataType type;
    private final @Nullable ReduceOp op;
    private final int ranks;
    /** The largest contribution to a sum. */
    private final long bound;
    /** Ranks from here on contribute 0 to sums. */
    private final int summands;
    /** The relative difference that is right for a mean: engines may divide before they add, and round each time. */
    private final double slack;

    /**
     * @param op null for data that is only moved
     */
    Pattern(DataType type, @Nullable ReduceOp op, int ranks) {
        this.type = type;
        this.op = op;
        this.ranks = ranks;
        // Up to here a type holds every integer.
        int exact = switch (type) {
            case FLOAT8_E5M2 -> 8;
            case FLOAT8_E4M3 -> 16;
            case BFLOAT16 -> 256;
            case FLOAT16 -> 2048;
            default -> 1 << 23;
        };
        this.summands = Math.min(ranks, exact);
        this.slack = op == ReduceOp.AVG ? (double) ranks / exact : 0;
        this.bound = op == ReduceOp.SUM ? exact / summands : exact;
    }

    /** Fills {@code array} with what {@code rank} contributes from its element {@code first} on. */
    void fill(HostArray array, int rank, long first) {
        for (long i = 0; i < array.count(); i++) {
            long index = first + i;
            if (type.isInteger()) {
                array.setLong(i, real(rank, index));
            } else if (type.isComplex()) {
                array.setComplex(i, (double) real(rank, index), (double) imaginary(rank, index));
            } else {
                array.setDouble(i, (double) real(rank, index));
            }
        }
    }

    /** How many elements of {@code array} are not what {@code rank} contributes from its element {@code first} on. */
    long wrongMoved(HostArray array, int rank, long first) {
        long wrong = 0;
        for (long i = 0; i < array.count(); i++) {
            long index = first + i;
            if (!holds(array, i, real(rank, index), type.isComplex() ? imaginary(rank, index) : 0)) {
                wrong++;
            }
        }
        return wrong;
    }

    /**
     * How many elements of {@code array} are not the reduction of all ranks' contributions from element {@code first}
     * on.
     */
    long wrongReduced(HostArray array, long first) {
        long wrong = 0;
        for (long i = 0; i < array.count(); i++) {
            long index = first + i;
            long real = real(0, index);
            long imaginary = type.isComplex() ? imaginary(0, index) : 0;
            for (int rank = 1; rank < ranks; rank++) {
                long a = real(rank, index);
                if (type.isComplex()) {
                    long b = imaginary(rank, index);
                    long product = real * a - imaginary * b;
                    imaginary = op == ReduceOp.PROD ? real * b + imaginary * a : imaginary + b;
                    real = op == ReduceOp.PROD ? product : real + a;
                } else {
                    real = combine(real, a);
                }
            }
            if (op == ReduceOp.AVG) {
                real = average(real);
                imaginary = average(imaginary);
            }
            if (!holds(array, i, real, imaginary)) {
                wrong++;
            }
        }
        return wrong;
    }

    private boolean holds(HostArray array, long i, long real, long imaginary) {
        if (type.isInteger()) {
            return array.getLong(i) == narrowed(real);
        }
        return type.isComplex()
                ? isNear(array.getReal(i), real) && isNear(array.getImaginary(i), imaginary)
                : isNear(array.getDouble(i), real);
    }

    private boolean isNear(double value, long expected) {
        return Math.abs(value - expected) <= slack * Math.abs(expected);
    }

    private long combine(long a, long b) {
        return switch (Objects.requireNonNull(op)) {
            case SUM, AVG -> a + b;
            case PROD -> a * b;
            case MIN -> isLess(a, b) ? a : b;
            case MAX -> isLess(a, b) ? b : a;
            case BAND -> a & b;
            case BOR -> a | b;
            case BXOR -> a ^ b;
        };
    }

    private boolean isLess(long a, long b) {
        return type.isUnsigned() ? Long.compareUnsigned(a, b) < 0 : a < b;
    }

    private long average(long sum) {
        long wrapped = narrowed(sum);
        return type.isUnsigned() ? Long.divideUnsigned(wrapped, ranks) : wrapped / ranks;
    }

    /** The number that an element of an integer type holds when this is stored in it. */
    private long narrowed(long value) {
        return switch (type) {
            case INT8 -> (byte) value;
            case UINT8 -> value & 0xff;
            case INT16 -> (short) value;
            case UINT16 -> value & 0xffff;
            case INT32 -> (int) value;
            case UINT32 -> value & 0xffff_ffffL;
            default -> value;
        };
    }

    private long real(int rank, long index) {
        return type.isComplex() && op == ReduceOp.PROD
                ? factor(rank, index) * unit(rank, index)
                : contribution(rank, index, 0);
    }

    private long imaginary(int rank, long index) {
        return op == ReduceOp.PROD ? factor(rank, index) * unit(rank, index + 1) : contribution(rank, index, 1);
    }

    private long contribution(int rank, long index, int part) {
        if (op == ReduceOp.AVG) {
            // The mean is the same whatever the ranks, so that it is a whole number: what rank 0 has more, rank 1 has
            // less.
            long mean = 2 + below(hash(-1, index, part), 3);
            long difference = ranks < 2 || rank > 1 ? 0 : below(hash(-2, index, part), 3);
            return rank == 0 ? mean + difference : mean - difference;
        }
        long hash = hash(rank, index, part);
        if (type.isInteger()) {
            return narrowed(hash);
        }
        if (op == ReduceOp.PROD) {
            return hash < 0 ? -factor(rank, index) : factor(rank, index);
        }
        if (op == ReduceOp.SUM && rank >= summands) {
            return 0;
        }
        return below(hash, 2 * bound + 1) - bound;
    }

    /** 1 or 2. */
    private static long factor(int rank, long index) {
        return rank < FACTORS ? 1 + (hash(rank, index, 2) >>> 63) : 1;
    }

    /** The real part of a power of i; the imaginary one is what this gives for the next index. */
    private static long unit(int rank, long index) {
        return switch ((int) (index + rank & 3)) {
            case 0 -> 1;
            case 2 -> -1;
            default -> 0;
        };
    }

    /** A number from 0 to {@code limit} − 1 of the upper bits. */
    private static long below(long hash, long limit) {
        return (hash >>> 32) * limit >>> 32;
    }

    private static long hash(int rank, long index, int part) {
        long z = (index + 1) * 0x9E3779B97F4A7C15L + (rank * 4L + part) * 0xD1B54A32D192ED03L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
