// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/**
 * Products of {@link Mma} where threads are loops on a processor: each lane gets what the others hold by shuffles. The
 * sums are those of {@link Mma}, to the bit.
 */
final class MmaExchange {
    private static final int F16 = 0;
    private static final int BF16 = 1;
    private static final int TF32 = 2;
    private static final int BITS_TF32 = 0xffff_e000;

    private MmaExchange() {}

    static Mma.C f16(Mma.A a, Mma.B b, Mma.C c) {
        return multiply(F16, a, b, c);
    }

    static Mma.C bf16(Mma.A a, Mma.B b, Mma.C c) {
        return multiply(BF16, a, b, c);
    }

    static Mma.C tf32(Mma.A a, Mma.B b, Mma.C c) {
        return multiply(TF32, a, b, c);
    }

    private static Mma.C multiply(int kind, Mma.A a, Mma.B b, Mma.C c) {
        int lane = Warp.laneId();
        double x = c.x();
        double y = c.y();
        double z = c.z();
        double w = c.w();
        for (int t = 0; t < 4; t++) {
            int row = (lane & 28) + t;
            int column = (lane & 3) * 8 + t;
            int upperLeft = Warp.shuffle(a.x(), row);
            int lowerLeft = Warp.shuffle(a.y(), row);
            int upperRight = Warp.shuffle(a.z(), row);
            int lowerRight = Warp.shuffle(a.w(), row);
            int top = Warp.shuffle(b.x(), column);
            int bottom = Warp.shuffle(b.y(), column);
            int nextTop = Warp.shuffle(b.x(), column + 4);
            int nextBottom = Warp.shuffle(b.y(), column + 4);
            x = plus(kind, plus(kind, x, upperLeft, top), upperRight, bottom);
            y = plus(kind, plus(kind, y, upperLeft, nextTop), upperRight, nextBottom);
            z = plus(kind, plus(kind, z, lowerLeft, top), lowerRight, bottom);
            w = plus(kind, plus(kind, w, lowerLeft, nextTop), lowerRight, nextBottom);
        }
        return new Mma.C((float) x, (float) y, (float) z, (float) w);
    }

    /** Adds the products of two elements, or of one of 32 bits. */
    private static double plus(int kind, double sum, int left, int right) {
        if (kind == TF32) {
            return sum + (double) Float.intBitsToFloat(left & BITS_TF32) * Float.intBitsToFloat(right & BITS_TF32);
        }
        double first = sum + (double) low(kind, left) * low(kind, right);
        return first + (double) low(kind, left >>> 16) * low(kind, right >>> 16);
    }

    private static float low(int kind, int bits) {
        return kind == F16 ? Float.float16ToFloat((short) bits) : Float.intBitsToFloat(bits << 16);
    }
}
