// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SmallFloats;

/**
 * Two small Java arrays and the loops of one operation over them: the operand of the first rank is copied to
 * {@link #first}, which accumulates, and that of each further rank to {@link #next}. The order of calls for one filling
 * is {@link #begin}, one {@link #combine} for each further rank, {@link #finish}; then {@link #first} holds the result.
 *
 * <p>There is one subclass for each Java type that carries elements. The switch over operations stands outside of the
 * loops and the loops are plain, for this is what the compiler turns into vector instructions.
 */
abstract sealed class Tile {
    /**
     * Bytes of one array: all stay in a first-level cache of 32 KiB, and short turns keep several streams in flight.
     */
    static final int BYTES = 2048;

    final ReduceOp op;
    final MemorySegment first;
    final MemorySegment next;

    private Tile(ReduceOp op, MemorySegment first, MemorySegment next) {
        this.op = op;
        this.first = first;
        this.next = next;
    }

    /** A tile for this pair, which must be one that exists. */
    static Tile of(DataType type, ReduceOp op) {
        boolean ordering = op == ReduceOp.MIN || op == ReduceOp.MAX;
        boolean bitwise = op == ReduceOp.BAND || op == ReduceOp.BOR || op == ReduceOp.BXOR;
        boolean unsigned = type.isUnsigned();
        if (bitwise) {
            return new Longs(op, unsigned);
        }
        return switch (type) {
            case INT8, UINT8 -> ordering ? new PackedOrder(op, unsigned, 8) : new Bytes(op, unsigned);
            case INT16, UINT16 -> ordering ? new PackedOrder(op, unsigned, 16) : new Shorts(op, unsigned);
            case INT32, UINT32 -> new Ints(op, unsigned);
            case INT64, UINT64 -> new Longs(op, unsigned);
            case FLOAT32 -> new Floats(op);
            case FLOAT64 -> new Doubles(op);
            case COMPLEX64 -> op == ReduceOp.PROD ? new ComplexFloatProduct() : new Floats(op);
            case COMPLEX128 -> op == ReduceOp.PROD ? new ComplexDoubleProduct() : new Doubles(op);
            case FLOAT16 -> new Halves(op);
            case BFLOAT16 -> new Bfloats(op);
            case FLOAT8_E4M3, FLOAT8_E5M2 -> new Quarters(op, type);
        };
    }

    /** Prepares {@code bytes} bytes of {@link #first} for accumulation. */
    void begin(int bytes) {}

    /** Combines {@code bytes} bytes of {@link #first} with those of {@link #next}. */
    abstract void combine(int bytes);

    /** Turns {@code bytes} accumulated bytes into the result; {@code ranks} is the divisor of an average. */
    abstract void finish(int ranks, int bytes);

    private static AssertionError undefined(ReduceOp op) {
        return new AssertionError(op + " has no loop here");
    }

    private static final class Bytes extends Tile {
        private final byte[] a;
        private final byte[] b;
        private final boolean unsigned;

        Bytes(ReduceOp op, boolean unsigned) {
            this(op, unsigned, new byte[BYTES], new byte[BYTES]);
        }

        private Bytes(ReduceOp op, boolean unsigned, byte[] a, byte[] b) {
            super(op, MemorySegment.ofArray(a), MemorySegment.ofArray(b));
            this.a = a;
            this.b = b;
            this.unsigned = unsigned;
        }

        @Override
        void combine(int bytes) {
            byte[] a = this.a;
            byte[] b = this.b;
            int n = bytes;
            switch (op) {
                case SUM, AVG -> {
                    for (int i = 0; i < n; i++) {
                        a[i] += b[i];
                    }
                }
                case PROD -> {
                    for (int i = 0; i < n; i++) {
                        a[i] *= b[i];
                    }
                }
                case MIN, MAX, BAND, BOR, BXOR -> throw undefined(op);
            }
        }

        @Override
        void finish(int ranks, int bytes) {
            if (op == ReduceOp.AVG) {
                for (int i = 0; i < bytes; i++) {
                    a[i] = (byte) ((unsigned ? a[i] & 0xff : a[i]) / ranks);
                }
            }
        }
    }

    private static final class Shorts extends Tile {
        private final short[] a;
        private final short[] b;
        private final boolean unsigned;

        Shorts(ReduceOp op, boolean unsigned) {
            this(op, unsigned, new short[BYTES / 2], new short[BYTES / 2]);
        }

        private Shorts(ReduceOp op, boolean unsigned, short[] a, short[] b) {
            super(op, MemorySegment.ofArray(a), MemorySegment.ofArray(b));
            this.a = a;
            this.b = b;
            this.unsigned = unsigned;
        }

        @Override
        void combine(int bytes) {
            short[] a = this.a;
            short[] b = this.b;
            int n = bytes / 2;
            switch (op) {
                case SUM, AVG -> {
                    for (int i = 0; i < n; i++) {
                        a[i] += b[i];
                    }
                }
                case PROD -> {
                    for (int i = 0; i < n; i++) {
                        a[i] *= b[i];
                    }
                }
                case MIN, MAX, BAND, BOR, BXOR -> throw undefined(op);
            }
        }

        @Override
        void finish(int ranks, int bytes) {
            if (op == ReduceOp.AVG) {
                for (int i = 0; i < bytes / 2; i++) {
                    a[i] = (short) ((unsigned ? a[i] & 0xffff : a[i]) / ranks);
                }
            }
        }
    }

    private static final class Ints extends Tile {
        private final int[] a;
        private final int[] b;
        private final boolean unsigned;

        Ints(ReduceOp op, boolean unsigned) {
            this(op, unsigned, new int[BYTES / 4], new int[BYTES / 4]);
        }

        private Ints(ReduceOp op, boolean unsigned, int[] a, int[] b) {
            super(op, MemorySegment.ofArray(a), MemorySegment.ofArray(b));
            this.a = a;
            this.b = b;
            this.unsigned = unsigned;
        }

        @Override
        void combine(int bytes) {
            int[] a = this.a;
            int[] b = this.b;
            int n = bytes / 4;
            // Flipping the top bit turns the unsigned order into the signed one.
            int flip = unsigned ? Integer.MIN_VALUE : 0;
            switch (op) {
                case SUM, AVG -> {
                    for (int i = 0; i < n; i++) {
                        a[i] += b[i];
                    }
                }
                case PROD -> {
                    for (int i = 0; i < n; i++) {
                        a[i] *= b[i];
                    }
                }
                case MIN -> {
                    for (int i = 0; i < n; i++) {
                        a[i] = Math.min(a[i] ^ flip, b[i] ^ flip) ^ flip;
                    }
                }
                case MAX -> {
                    for (int i = 0; i < n; i++) {
                        a[i] = Math.max(a[i] ^ flip, b[i] ^ flip) ^ flip;
                    }
                }
                case BAND, BOR, BXOR -> throw undefined(op);
            }
        }

        @Override
        void finish(int ranks, int bytes) {
            if (op == ReduceOp.AVG) {
                for (int i = 0; i < bytes / 4; i++) {
                    a[i] = unsigned ? Integer.divideUnsigned(a[i], ranks) : a[i] / ranks;
                }
            }
        }
    }

    private static final class Longs extends Tile {
        private final long[] a;
        private final long[] b;
        private final boolean unsigned;

        Longs(ReduceOp op, boolean unsigned) {
            this(op, unsigned, new long[BYTES / 8], new long[BYTES / 8]);
        }

        private Longs(ReduceOp op, boolean unsigned, long[] a, long[] b) {
            super(op, MemorySegment.ofArray(a), MemorySegment.ofArray(b));
            this.a = a;
            this.b = b;
            this.unsigned = unsigned;
        }

        @Override
        void combine(int bytes) {
            long[] a = this.a;
            long[] b = this.b;
            int n = bytes / 8;
            // Flipping the top bit turns the unsigned order into the signed one.
            long flip = unsigned ? Long.MIN_VALUE : 0;
            switch (op) {
                case SUM, AVG -> {
                    for (int i = 0; i < n; i++) {
                        a[i] += b[i];
                    }
                }
                case PROD -> {
                    for (int i = 0; i < n; i++) {
                        a[i] *= b[i];
                    }
                }
                case MIN -> {
                    for (int i = 0; i < n; i++) {
                        a[i] = Math.min(a[i] ^ flip, b[i] ^ flip) ^ flip;
                    }
                }
                case MAX -> {
                    for (int i = 0; i < n; i++) {
                        a[i] = Math.max(a[i] ^ flip, b[i] ^ flip) ^ flip;
                    }
                }
                case BAND -> {
                    for (int i = 0; i < n; i++) {
                        a[i] &= b[i];
                    }
                }
                case BOR -> {
                    for (int i = 0; i < n; i++) {
                        a[i] |= b[i];
                    }
                }
                case BXOR -> {
                    for (int i = 0; i < n; i++) {
                        a[i] ^= b[i];
                    }
                }
            }
        }

        @Override
        void finish(int ranks, int bytes) {
            if (op == ReduceOp.AVG) {
                for (int i = 0; i < bytes / 8; i++) {
                    a[i] = unsigned ? Long.divideUnsigned(a[i], ranks) : a[i] / ranks;
                }
            }
        }
    }

    /**
     * {@code MIN} and {@code MAX} of integers of 8 or 16 bits, several of them packed into a {@code long}, since the
     * compiler has no vector instruction for loops that compare narrow elements.
     */
    private static final class PackedOrder extends Tile {
        private final long[] a;
        private final long[] b;
        private final int bits;
        /** The top bit of every element. */
        private final long tops;
        /** Flipping these bits gives numbers in the unsigned order. */
        private final long flip;

        PackedOrder(ReduceOp op, boolean unsigned, int bits) {
            this(op, unsigned, bits, new long[BYTES / 8], new long[BYTES / 8]);
        }

        private PackedOrder(ReduceOp op, boolean unsigned, int bits, long[] a, long[] b) {
            super(op, MemorySegment.ofArray(a), MemorySegment.ofArray(b));
            this.a = a;
            this.b = b;
            this.bits = bits;
            this.tops = bits == 8 ? 0x8080_8080_8080_8080L : 0x8000_8000_8000_8000L;
            this.flip = unsigned ? 0 : tops;
        }

        @Override
        void combine(int bytes) {
            long[] a = this.a;
            long[] b = this.b;
            int n = bytes / 8;
            int shift = bits - 1;
            long tops = this.tops;
            long flip = this.flip;
            long takeSmaller = op == ReduceOp.MIN ? -1 : 0;
            for (int i = 0; i < n; i++) {
                long x = a[i] ^ flip;
                long y = b[i] ^ flip;
                // The top bit of each element of `low` tells x >= y for the bits below the top; no borrow leaves an
                // element.
                long low = (x | tops) - (y & ~tops);
                long greater = ((x & ~y) | (~(x ^ y) & low)) & tops;
                // From the top bit alone to all bits of the element.
                long takeY = ((greater << 1) - (greater >>> shift)) ^ ~takeSmaller;
                a[i] = ((x & ~takeY) | (y & takeY)) ^ flip;
            }
        }

        @Override
        void finish(int ranks, int bytes) {}
    }

    /** Also sums and averages of complex numbers, whose parts are independent. */
    private static final class Floats extends Tile {
        private final float[] a;
        private final float[] b;

        Floats(ReduceOp op) {
            this(op, new float[BYTES / 4], new float[BYTES / 4]);
        }

        private Floats(ReduceOp op, float[] a, float[] b) {
            super(op, MemorySegment.ofArray(a), MemorySegment.ofArray(b));
            this.a = a;
            this.b = b;
        }

        @Override
        void combine(int bytes) {
            combine(op, a, b, bytes / 4);
        }

        @Override
        void finish(int ranks, int bytes) {
            finish(op, a, ranks, bytes / 4);
        }

        static void combine(ReduceOp op, float[] a, float[] b, int n) {
            switch (op) {
                case SUM, AVG -> {
                    for (int i = 0; i < n; i++) {
                        a[i] += b[i];
                    }
                }
                case PROD -> {
                    for (int i = 0; i < n; i++) {
                        a[i] *= b[i];
                    }
                }
                case MIN -> {
                    for (int i = 0; i < n; i++) {
                        a[i] = Math.min(a[i], b[i]);
                    }
                }
                case MAX -> {
                    for (int i = 0; i < n; i++) {
                        a[i] = Math.max(a[i], b[i]);
                    }
                }
                case BAND, BOR, BXOR -> throw undefined(op);
            }
        }

        static void finish(ReduceOp op, float[] a, float ranks, int n) {
            if (op == ReduceOp.AVG) {
                for (int i = 0; i < n; i++) {
                    a[i] /= ranks;
                }
            }
        }
    }

    /** Also sums and averages of complex numbers, whose parts are independent. */
    private static final class Doubles extends Tile {
        private final double[] a;
        private final double[] b;

        Doubles(ReduceOp op) {
            this(op, new double[BYTES / 8], new double[BYTES / 8]);
        }

        private Doubles(ReduceOp op, double[] a, double[] b) {
            super(op, MemorySegment.ofArray(a), MemorySegment.ofArray(b));
            this.a = a;
            this.b = b;
        }

        @Override
        void combine(int bytes) {
            double[] a = this.a;
            double[] b = this.b;
            int n = bytes / 8;
            switch (op) {
                case SUM, AVG -> {
                    for (int i = 0; i < n; i++) {
                        a[i] += b[i];
                    }
                }
                case PROD -> {
                    for (int i = 0; i < n; i++) {
                        a[i] *= b[i];
                    }
                }
                case MIN -> {
                    for (int i = 0; i < n; i++) {
                        a[i] = Math.min(a[i], b[i]);
                    }
                }
                case MAX -> {
                    for (int i = 0; i < n; i++) {
                        a[i] = Math.max(a[i], b[i]);
                    }
                }
                case BAND, BOR, BXOR -> throw undefined(op);
            }
        }

        @Override
        void finish(int ranks, int bytes) {
            if (op == ReduceOp.AVG) {
                for (int i = 0; i < bytes / 8; i++) {
                    a[i] /= ranks;
                }
            }
        }
    }

    /** Real and imaginary parts by turns. */
    private static final class ComplexFloatProduct extends Tile {
        private final float[] a;
        private final float[] b;

        ComplexFloatProduct() {
            this(new float[BYTES / 4], new float[BYTES / 4]);
        }

        private ComplexFloatProduct(float[] a, float[] b) {
            super(ReduceOp.PROD, MemorySegment.ofArray(a), MemorySegment.ofArray(b));
            this.a = a;
            this.b = b;
        }

        @Override
        void combine(int bytes) {
            for (int i = 0; i < bytes / 4; i += 2) {
                float real = a[i] * b[i] - a[i + 1] * b[i + 1];
                float imaginary = a[i] * b[i + 1] + a[i + 1] * b[i];
                a[i] = real;
                a[i + 1] = imaginary;
            }
        }

        @Override
        void finish(int ranks, int bytes) {}
    }

    /** Real and imaginary parts by turns. */
    private static final class ComplexDoubleProduct extends Tile {
        private final double[] a;
        private final double[] b;

        ComplexDoubleProduct() {
            this(new double[BYTES / 8], new double[BYTES / 8]);
        }

        private ComplexDoubleProduct(double[] a, double[] b) {
            super(ReduceOp.PROD, MemorySegment.ofArray(a), MemorySegment.ofArray(b));
            this.a = a;
            this.b = b;
        }

        @Override
        void combine(int bytes) {
            for (int i = 0; i < bytes / 8; i += 2) {
                double real = a[i] * b[i] - a[i + 1] * b[i + 1];
                double imaginary = a[i] * b[i + 1] + a[i + 1] * b[i];
                a[i] = real;
                a[i + 1] = imaginary;
            }
        }

        @Override
        void finish(int ranks, int bytes) {}
    }

    /** {@code FLOAT16}: like all types below 32 bits accumulated in float32 and rounded once. */
    private static final class Halves extends Tile {
        private final short[] a;
        private final short[] b;
        private final float[] wideA = new float[BYTES / 2];
        private final float[] wideB = new float[BYTES / 2];

        Halves(ReduceOp op) {
            this(op, new short[BYTES / 2], new short[BYTES / 2]);
        }

        private Halves(ReduceOp op, short[] a, short[] b) {
            super(op, MemorySegment.ofArray(a), MemorySegment.ofArray(b));
            this.a = a;
            this.b = b;
        }

        @Override
        void begin(int bytes) {
            widen(a, wideA, bytes / 2);
        }

        @Override
        void combine(int bytes) {
            widen(b, wideB, bytes / 2);
            Floats.combine(op, wideA, wideB, bytes / 2);
        }

        @Override
        void finish(int ranks, int bytes) {
            Floats.finish(op, wideA, ranks, bytes / 2);
            for (int i = 0; i < bytes / 2; i++) {
                a[i] = Float.floatToFloat16(wideA[i]);
            }
        }

        private static void widen(short[] from, float[] to, int n) {
            for (int i = 0; i < n; i++) {
                to[i] = Float.float16ToFloat(from[i]);
            }
        }
    }

    /**
     * {@code BFLOAT16}, the upper half of a float. An int holds two elements, one in each half, and the loops make the
     * bits of floats from one half at a time; those of the second half stand behind those of the first in the wide
     * arrays. So no loop changes the width of anything, and bulk copies, not loops, take bits from an int array to a
     * float array and back: neither has a vector instruction. The rounding is that of {@link
     * SmallFloats#floatToBfloat16}.
     */
    private static final class Bfloats extends Tile {
        private final int[] a;
        private final int[] b;
        private final int[] bits = new int[BYTES / 4];
        private final float[] wideA = new float[BYTES / 2];
        private final float[] wideB = new float[BYTES / 2];
        private final MemorySegment bitsSegment = MemorySegment.ofArray(bits);
        private final MemorySegment wideASegment = MemorySegment.ofArray(wideA);
        private final MemorySegment wideBSegment = MemorySegment.ofArray(wideB);

        Bfloats(ReduceOp op) {
            this(op, new int[BYTES / 4], new int[BYTES / 4]);
        }

        private Bfloats(ReduceOp op, int[] a, int[] b) {
            super(op, MemorySegment.ofArray(a), MemorySegment.ofArray(b));
            this.a = a;
            this.b = b;
        }

        @Override
        void begin(int bytes) {
            widen(a, wideASegment, bytes / 4);
        }

        @Override
        void combine(int bytes) {
            widen(b, wideBSegment, bytes / 4);
            Floats.combine(op, wideA, wideB, bytes / 2);
        }

        private void widen(int[] pairs, MemorySegment wide, int n) {
            int[] bits = this.bits;
            for (int i = 0; i < n; i++) {
                bits[i] = pairs[i] << 16;
            }
            MemorySegment.copy(bitsSegment, 0, wide, 0, 4L * n);
            for (int i = 0; i < n; i++) {
                bits[i] = pairs[i] & 0xffff0000;
            }
            MemorySegment.copy(bitsSegment, 0, wide, 4L * n, 4L * n);
        }

        @Override
        void finish(int ranks, int bytes) {
            int n = bytes / 4;
            Floats.finish(op, wideA, ranks, 2 * n);
            int[] a = this.a;
            int[] bits = this.bits;
            MemorySegment.copy(wideASegment, 0, bitsSegment, 0, 4L * n);
            for (int i = 0; i < n; i++) {
                a[i] = roundToUpperHalf(bits[i]) >>> 16;
            }
            MemorySegment.copy(wideASegment, 4L * n, bitsSegment, 0, 4L * n);
            for (int i = 0; i < n; i++) {
                a[i] |= roundToUpperHalf(bits[i]) & 0xffff0000;
            }
        }

        /**
         * To nearest, ties to even. A NaN passes unharmed, for its lower half is zero: it is one of the operands, made
         * quiet, or the one that the processor makes of an undefined result.
         */
        private static int roundToUpperHalf(int bits) {
            return bits + 0x7fff + (bits >>> 16 & 1);
        }
    }

    /** The types of 8 bits, converted one by one. */
    private static final class Quarters extends Tile {
        private final byte[] a;
        private final byte[] b;
        private final float[] wideA = new float[BYTES];
        private final float[] wideB = new float[BYTES];
        private final boolean e4m3;

        Quarters(ReduceOp op, DataType type) {
            this(op, type, new byte[BYTES], new byte[BYTES]);
        }

        private Quarters(ReduceOp op, DataType type, byte[] a, byte[] b) {
            super(op, MemorySegment.ofArray(a), MemorySegment.ofArray(b));
            this.a = a;
            this.b = b;
            this.e4m3 = type == DataType.FLOAT8_E4M3;
        }

        @Override
        void begin(int bytes) {
            widen(a, wideA, bytes);
        }

        @Override
        void combine(int bytes) {
            widen(b, wideB, bytes);
            Floats.combine(op, wideA, wideB, bytes);
        }

        private void widen(byte[] from, float[] to, int n) {
            for (int i = 0; i < n; i++) {
                to[i] = e4m3 ? SmallFloats.e4m3ToFloat(from[i]) : SmallFloats.e5m2ToFloat(from[i]);
            }
        }

        @Override
        void finish(int ranks, int bytes) {
            Floats.finish(op, wideA, ranks, bytes);
            for (int i = 0; i < bytes; i++) {
                a[i] = e4m3 ? SmallFloats.floatToE4m3(wideA[i]) : SmallFloats.floatToE5m2(wideA[i]);
            }
        }
    }
}
