// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.classfile.Opcode;
import org.jspecify.annotations.Nullable;

/**
 * A whole number that a thread computes from the kernel's arguments and its place in the grid, with Java's arithmetic,
 * as long as it changes by the same amount from each thread in x to the next.
 */
sealed interface AffineExpr {
    /** Operands that one may have in all, so that what is written as a sum of itself ten times is not a thousand. */
    int MOST = 64;

    /** What slopes are at most; more is no place in memory that several threads use together. */
    long STEEPEST = 1 << 20;

    /** {@code long} instead of {@code int}. */
    boolean wide();

    /** What is added from a thread to the next in x, unless an {@code int} has no room for it. */
    long slope();

    default int size() {
        return 1;
    }

    record Constant(long value, boolean wide) implements AffineExpr {
        @Override
        public long slope() {
            return 0;
        }
    }

    /** An argument of the kernel. */
    record Argument(int number, boolean wide) implements AffineExpr {
        @Override
        public long slope() {
            return 0;
        }
    }

    /** Of a view that is an argument. */
    record Length(int number, ElementKind kind) implements AffineExpr {
        @Override
        public boolean wide() {
            return true;
        }

        @Override
        public long slope() {
            return 0;
        }
    }

    record Place(Index index) implements AffineExpr {
        @Override
        public boolean wide() {
            return false;
        }

        @Override
        public long slope() {
            return index == Index.GLOBAL_X || index == Index.THREAD_X ? 1 : 0;
        }
    }

    /**
     * What is computed from others.
     *
     * @param right null for what has one operand
     */
    record Operation(
            Opcode opcode, AffineExpr left, @Nullable AffineExpr right, boolean wide, long slope, int size)
            implements AffineExpr {}

    /** Null if it does not change evenly, or is too long. */
    static @Nullable AffineExpr of(
            Opcode opcode, @Nullable AffineExpr left, @Nullable AffineExpr right, boolean unary) {
        if (left == null || right == null && !unary) {
            return null;
        }
        long a = left.slope();
        long b = right == null ? 0 : right.slope();
        boolean even = a == 0 && b == 0;
        boolean wide = left.wide();
        long slope = switch (opcode) {
            case IADD, LADD -> a + b;
            case ISUB, LSUB -> a - b;
            case INEG, LNEG -> -a;
            case IMUL, LMUL ->
                right instanceof Constant c && Math.abs(c.value()) <= STEEPEST
                        ? a * c.value()
                        : left instanceof Constant c && Math.abs(c.value()) <= STEEPEST
                                ? b * c.value()
                                : even ? 0 : Long.MAX_VALUE;
            case ISHL, LSHL ->
                right instanceof Constant(long by, boolean _) && by >= 0 && by <= 20
                        ? a << by
                        : even ? 0 : Long.MAX_VALUE;
            case I2L -> {
                wide = true;
                yield a;
            }
            case L2I -> {
                wide = false;
                yield a;
            }
            default -> even ? 0 : Long.MAX_VALUE;
        };
        int size = 1 + left.size() + (right == null ? 0 : right.size());
        return Math.abs(slope) > STEEPEST || slope == Long.MIN_VALUE || size > MOST
                ? null
                : new Operation(opcode, left, right, wide, slope, size);
    }
}
