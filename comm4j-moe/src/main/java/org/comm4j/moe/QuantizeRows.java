// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.core.SmallFloats;
import org.comm4j.kernel.lang.Half;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.InlinePtx;
import org.comm4j.kernel.lang.Int4;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;

/** Rows to FLOAT8_E4M3, 16 elements a thread, 8 neighbouring threads of a warp a block of {@link Quantization}. */
@KernelLibrary
final class QuantizeRows {
    /** Elements of a thread. */
    static final int UNIT = 16;
    /** Threads of a block. */
    static final int THREADS = Quantization.BLOCK / UNIT;

    private static final float LARGEST = 448;

    private QuantizeRows() {}

    /** Reads 16 elements, in FLOAT32. */
    static void load(SumType type, I32Ptr row, long unit, float[] values) {
        int words = type == SumType.F32 ? UNIT : UNIT / 2;
        for (int i = 0; i < UNIT; i += type == SumType.F32 ? 4 : 8) {
            Unroll.all();
            Int4 four = row.get4(unit * words + (type == SumType.F32 ? i : i / 2));
            put(type, values, i, four.x(), 0);
            put(type, values, i, four.y(), 1);
            put(type, values, i, four.z(), 2);
            put(type, values, i, four.w(), 3);
        }
    }

    private static void put(SumType type, float[] values, int at, int word, int number) {
        if (type == SumType.F32) {
            values[at + number] = Float.intBitsToFloat(word);
        } else if (type == SumType.BF16) {
            values[at + 2 * number] = Float.intBitsToFloat(word << 16);
            values[at + 2 * number + 1] = Float.intBitsToFloat(word & 0xffff0000);
        } else {
            values[at + 2 * number] = new Half((short) word).toFloat();
            values[at + 2 * number + 1] = new Half((short) (word >>> 16)).toFloat();
        }
    }

    /** Returns the scale of the block that these threads have. To be called by all threads of the warp. */
    static float scale(boolean powers, float[] values) {
        float most = largest(values, 0);
        for (int lane = 1; lane < THREADS; lane *= 2) {
            Unroll.all();
            float other = Warp.shuffleXor(most, lane);
            most = other > most ? other : most;
        }
        return scale(powers, most);
    }

    /** Returns the largest magnitude, NaN left out. */
    static float largest(float[] values, float than) {
        float most = than;
        for (int i = 0; i < UNIT; i++) {
            Unroll.all();
            float magnitude = Math.abs(values[i]);
            // Not max(), for which NaN is the largest.
            most = magnitude > most ? magnitude : most;
        }
        return most;
    }

    /** Returns the scale of a block with this largest magnitude. */
    static float scale(boolean powers, float largest) {
        float most = largest > Float.MAX_VALUE ? Float.MAX_VALUE : largest;
        float least = most / LARGEST;
        float scale = most == 0 ? 1 : least < Float.MIN_NORMAL ? Float.MIN_NORMAL : least;
        // To the next power of two, unless it is one.
        return powers ? Float.intBitsToFloat(Float.floatToRawIntBits(scale) + 0x7fffff & 0x7f800000) : scale;
    }

    /** Returns the 16 elements. */
    static Int4 quantized(float[] values, float scale) {
        float inverse = 1 / scale;
        return new Int4(
                four(values, 0, inverse),
                four(values, 4, inverse),
                four(values, 8, inverse),
                four(values, 12, inverse));
    }

    private static int four(float[] values, int at, float inverse) {
        int low = pair(values[at] * inverse, values[at + 1] * inverse) & 0xffff;
        return low | pair(values[at + 2] * inverse, values[at + 3] * inverse) << 16;
    }

    @InlinePtx(value = "cvt.rn.satfinite.e4m3x2.f32 $0, $2, $1;", effects = false, since = 89)
    private static short pair(float low, float high) {
        return (short) (SmallFloats.floatToE4m3(low) & 0xff | SmallFloats.floatToE4m3(high) << 8);
    }
}
