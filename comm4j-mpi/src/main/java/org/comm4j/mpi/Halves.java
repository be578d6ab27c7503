// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SmallFloats;

/**
 * Conversion of floating-point numbers of 16 bits to float32 and back, through Java arrays of a first-level cache's
 * size, whose loops become vector code.
 */
final class Halves {
    private static final int TILE = 2048;

    private final short[] narrow = new short[TILE];
    private final float[] wide = new float[TILE];

    static boolean converts(DataType type) {
        return type == DataType.FLOAT16 || type == DataType.BFLOAT16;
    }

    /** Writes float32 numbers of the same values. */
    void widen(HostArray from, HostArray to) {
        boolean half = from.type() == DataType.FLOAT16;
        for (long at = 0; at < from.count(); at += TILE) {
            int count = (int) Math.min(TILE, from.count() - at);
            MemorySegment.copy(from.segment(), JAVA_SHORT, at * Short.BYTES, narrow, 0, count);
            if (half) {
                for (int i = 0; i < count; i++) {
                    wide[i] = Float.float16ToFloat(narrow[i]);
                }
            } else {
                for (int i = 0; i < count; i++) {
                    wide[i] = Float.intBitsToFloat(narrow[i] << Short.SIZE);
                }
            }
            MemorySegment.copy(wide, 0, to.segment(), JAVA_FLOAT, at * Float.BYTES, count);
        }
    }

    /** Writes float32 numbers rounded to the nearest, each divided by {@code divisor} before. */
    void narrow(HostArray from, HostArray to, float divisor) {
        boolean half = to.type() == DataType.FLOAT16;
        for (long at = 0; at < to.count(); at += TILE) {
            int count = (int) Math.min(TILE, to.count() - at);
            MemorySegment.copy(from.segment(), JAVA_FLOAT, at * Float.BYTES, wide, 0, count);
            if (divisor > 1) {
                for (int i = 0; i < count; i++) {
                    wide[i] /= divisor;
                }
            }
            if (half) {
                for (int i = 0; i < count; i++) {
                    narrow[i] = Float.floatToFloat16(wide[i]);
                }
            } else {
                for (int i = 0; i < count; i++) {
                    narrow[i] = SmallFloats.floatToBfloat16(wide[i]);
                }
            }
            MemorySegment.copy(narrow, 0, to.segment(), JAVA_SHORT, at * Short.BYTES, count);
        }
    }
}
