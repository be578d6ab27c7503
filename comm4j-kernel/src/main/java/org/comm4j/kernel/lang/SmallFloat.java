// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.core.SmallFloats;

/** Between {@code float} and smaller ones, as a GPU of sm_80 does it. */
final class SmallFloat {
    private SmallFloat() {}

    @InlinePtx(value = "cvt.f32.f16 $0, $1;", effects = false)
    static float halfToFloat(short bits) {
        return Float.float16ToFloat(bits);
    }

    @InlinePtx(value = "cvt.rn.f16.f32 $0, $1;", effects = false)
    static short floatToHalf(float value) {
        return Float.floatToFloat16(value);
    }

    static float bfloat16ToFloat(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    @InlinePtx(value = "cvt.rn.bf16.f32 $0, $1;", effects = false)
    static short floatToBfloat16(float value) {
        return SmallFloats.floatToBfloat16(value);
    }

    // Instructions for 8-bit floats begin with sm_89: these are compiled as they stand.

    static float e4m3ToFloat(byte bits) {
        // A half has one bit of exponent more, and a bias that is larger by 8.
        int half = (bits & 0x80) << 8 | (bits & 0x7f) << 7;
        return (bits & 0x7f) == 0x7f ? Float.NaN : 256 * halfToFloat((short) half);
    }

    static byte floatToE4m3(float value) {
        return SmallFloats.floatToE4m3(value);
    }

    static float e5m2ToFloat(byte bits) {
        return halfToFloat((short) (bits << 8));
    }

    static byte floatToE5m2(float value) {
        return SmallFloats.floatToE5m2(value);
    }
}
