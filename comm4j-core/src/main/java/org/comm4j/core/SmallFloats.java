// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/**
 * Conversions between float32 and the floating-point formats of 8 and 16 bits, which are carried in a {@code byte} or a
 * {@code short}. All conversions to the smaller format round to nearest, ties to even. Binary16 is in the JDK
 * ({@link Float#float16ToFloat}, {@link Float#floatToFloat16}).
 */
public final class SmallFloats {
    private static final float[] E4M3 = new float[256];
    private static final float[] E5M2 = new float[256];

    static {
        for (int bits = 0; bits < 256; bits++) {
            E4M3[bits] = (bits & 0x7f) == 0x7f ? Float.NaN : decode(bits, 3, 7);
            // E5M2 is the upper byte of a binary16.
            E5M2[bits] = Float.float16ToFloat((short) (bits << 8));
        }
    }

    private SmallFloats() {}

    public static float bfloat16ToFloat(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    public static short floatToBfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        int rounded = bits + 0x7fff + ((bits >>> 16) & 1);
        // A NaN must not round up into infinity or into a number: keep its sign and make it quiet.
        return (short) ((Float.isNaN(value) ? bits | 0x400000 : rounded) >>> 16);
    }

    public static float e4m3ToFloat(byte bits) {
        return E4M3[bits & 0xff];
    }

    /** Values beyond ±448, infinities included, become ±448 (CUDA's {@code __NV_SATFINITE}); NaN stays NaN. */
    public static byte floatToE4m3(float value) {
        return encode(value, 3, 7, 0x7e, (byte) 0x7f);
    }

    public static float e5m2ToFloat(byte bits) {
        return E5M2[bits & 0xff];
    }

    /** Values beyond ±57344, infinities included, become ±57344 (CUDA's {@code __NV_SATFINITE}); NaN stays NaN. */
    public static byte floatToE5m2(float value) {
        return encode(value, 2, 15, 0x7b, (byte) 0x7f);
    }

    private static float decode(int bits, int mantissaBits, int bias) {
        int exponent = (bits & 0x7f) >>> mantissaBits;
        int mantissa = bits & ((1 << mantissaBits) - 1);
        float magnitude = exponent == 0
                ? Math.scalb((float) mantissa, 1 - bias - mantissaBits)
                : Math.scalb((float) (mantissa | 1 << mantissaBits), exponent - bias - mantissaBits);
        return (bits & 0x80) == 0 ? magnitude : -magnitude;
    }

    private static byte encode(float value, int mantissaBits, int bias, int largest, byte nan) {
        if (Float.isNaN(value)) {
            return nan;
        }
        int bits = Float.floatToRawIntBits(value);
        int sign = bits >>> 24 & 0x80;
        int magnitude = bits & 0x7fffffff;
        int encoded;
        if (magnitude < 128 - bias << 23) {
            // Below the smallest normal number. One unit in the last place of `shifter` is the smallest subnormal, so
            // the
            // addition rounds to a multiple of it and leaves the multiple in the lowest bits.
            float shifter = Float.intBitsToFloat(151 - bias - mantissaBits << 23);
            encoded = Float.floatToRawIntBits(Math.abs(value) + shifter) - Float.floatToRawIntBits(shifter);
        } else {
            // An overflow of the mantissa carries into the exponent by itself because the two fields are adjacent.
            int dropped = 23 - mantissaBits;
            int rounded = magnitude + (1 << dropped - 1) - 1 + (magnitude >>> dropped & 1);
            encoded = Math.min((rounded >>> dropped) - (127 - bias << mantissaBits), largest);
        }
        return (byte) (sign | encoded);
    }
}
