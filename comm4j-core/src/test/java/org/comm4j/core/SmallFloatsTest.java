// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every encoding, and rounding against a search for the nearest number in a table made from the formats' definitions.
 */
class SmallFloatsTest {
    enum Format {
        BFLOAT16(8, 7, true),
        E4M3(4, 3, false),
        E5M2(5, 2, true);

        final int exponentBits;
        final int mantissaBits;
        /**
         * Whether the highest exponent is for infinity and NaN alone, as in IEEE 754; otherwise only all ones is NaN.
         */
        final boolean ieee;

        Format(int exponentBits, int mantissaBits, boolean ieee) {
            this.exponentBits = exponentBits;
            this.mantissaBits = mantissaBits;
            this.ieee = ieee;
        }

        int signBit() {
            return 1 << exponentBits + mantissaBits;
        }

        float decode(int bits) {
            return switch (this) {
                case BFLOAT16 -> SmallFloats.bfloat16ToFloat((short) bits);
                case E4M3 -> SmallFloats.e4m3ToFloat((byte) bits);
                case E5M2 -> SmallFloats.e5m2ToFloat((byte) bits);
            };
        }

        int encode(float value) {
            return switch (this) {
                case BFLOAT16 -> SmallFloats.floatToBfloat16(value) & 0xffff;
                case E4M3 -> SmallFloats.floatToE4m3(value) & 0xff;
                case E5M2 -> SmallFloats.floatToE5m2(value) & 0xff;
            };
        }

        /** The number of an encoding by definition, in double, which holds all of them exactly. */
        double define(int bits) {
            int mantissa = bits & (1 << mantissaBits) - 1;
            int exponent = (bits & signBit() - 1) >> mantissaBits;
            int bias = (1 << exponentBits - 1) - 1;
            int highest = (1 << exponentBits) - 1;
            double magnitude;
            if (ieee && exponent == highest) {
                magnitude = mantissa == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
            } else if (!ieee && (bits & signBit() - 1) == signBit() - 1) {
                magnitude = Double.NaN;
            } else if (exponent == 0) {
                magnitude = mantissa * Math.pow(2, 1 - bias - mantissaBits);
            } else {
                magnitude = (1 + mantissa / Math.pow(2, mantissaBits)) * Math.pow(2, exponent - bias);
            }
            return (bits & signBit()) == 0 ? magnitude : -magnitude;
        }
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void everyEncodingHasTheNumberOfItsDefinition(Format format) {
        for (int bits = 0; bits < 2 * format.signBit(); bits++) {
            // Boxed, for Double.equals distinguishes the zeros and takes all NaNs as one.
            Double defined = format.define(bits);
            assertThat((double) format.decode(bits)).as("%s %x", format, bits).isEqualTo(defined);
        }
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void decodingAndEncodingGivesTheSameBits(Format format) {
        for (int bits = 0; bits < 2 * format.signBit(); bits++) {
            float value = format.decode(bits);
            if (Float.isNaN(value)) {
                assertThat(format.decode(format.encode(value)))
                        .as("%s %x", format, bits)
                        .isNaN();
            } else if (format == Format.E5M2 && Float.isInfinite(value)) {
                assertThat(format.decode(format.encode(value))).isEqualTo(Math.copySign(57344, value));
            } else {
                assertThat(format.encode(value)).as("%s of %s", format, value).isEqualTo(bits);
            }
        }
    }

    /** Around every number, every middle between two numbers, and at random bits. */
    @ParameterizedTest
    @EnumSource(Format.class)
    void roundsToTheNearestTiesToEven(Format format) {
        List<Integer> finite = new ArrayList<>();
        for (int bits = 0; bits < format.signBit(); bits++) {
            if (Double.isFinite(format.define(bits))) {
                finite.add(bits);
            }
        }
        finite.sort(Comparator.comparingDouble(format::define));
        double[] numbers = finite.stream().mapToDouble(format::define).toArray();
        for (int i = 0; i < numbers.length; i++) {
            double next = i + 1 < numbers.length ? numbers[i + 1] : 2 * numbers[i] - numbers[i - 1];
            for (double around : new double[] {numbers[i], (numbers[i] + next) / 2}) {
                float value = (float) around;
                for (float v : new float[] {Math.nextDown(value), value, Math.nextUp(value)}) {
                    check(format, finite, numbers, v);
                }
            }
        }
        Random random = new Random(6);
        for (int i = 0; i < Nightly.times(50_000, 200_000); i++) {
            check(format, finite, numbers, Float.intBitsToFloat(random.nextInt()));
        }
        for (float v : new float[] {Float.MIN_VALUE, Float.MIN_NORMAL, Float.MAX_VALUE, Float.POSITIVE_INFINITY}) {
            check(format, finite, numbers, v);
        }
    }

    private static void check(Format format, List<Integer> finite, double[] numbers, float value) {
        if (Float.isNaN(value)) {
            assertThat(format.decode(format.encode(value))).isNaN();
            return;
        }
        for (float signed : new float[] {value, -value}) {
            int sign = Float.floatToRawIntBits(signed) < 0 ? format.signBit() : 0;
            assertThat(format.encode(signed))
                    .as("%s of %s (%s)", format, signed, Float.toHexString(signed))
                    .isEqualTo(sign | nearest(format, finite, numbers, Math.abs((double) value)));
        }
    }

    /** The encoding of the number nearest to a magnitude. */
    private static int nearest(Format format, List<Integer> finite, double[] numbers, double magnitude) {
        int last = numbers.length - 1;
        if (magnitude > numbers[last]) {
            double half = (numbers[last] - numbers[last - 1]) / 2;
            boolean overflow = magnitude >= numbers[last] + half;
            // The 8-bit formats saturate; bfloat16 rounds to infinity, whose encoding follows that of the largest
            // number.
            return finite.get(last) + (overflow && format == Format.BFLOAT16 ? 1 : 0);
        }
        int low = 0;
        int high = last;
        while (low < high) {
            int middle = (low + high + 1) / 2;
            if (numbers[middle] <= magnitude) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        if (low == last) {
            return finite.get(low);
        }
        double below = magnitude - numbers[low];
        double above = numbers[low + 1] - magnitude;
        boolean up = below > above || below == above && (finite.get(low) & 1) == 1;
        return finite.get(up ? low + 1 : low);
    }

    @Test
    void thePublishedExtremes() {
        assertThat(SmallFloats.e4m3ToFloat((byte) 0x7e)).isEqualTo(448);
        assertThat(SmallFloats.e4m3ToFloat((byte) 1)).isEqualTo(0x1p-9f);
        assertThat(SmallFloats.e5m2ToFloat((byte) 0x7b)).isEqualTo(57344);
        assertThat(SmallFloats.e5m2ToFloat((byte) 1)).isEqualTo(0x1p-16f);
        assertThat(SmallFloats.floatToE4m3(1e9f)).isEqualTo((byte) 0x7e);
        assertThat(SmallFloats.floatToE4m3(Float.NEGATIVE_INFINITY)).isEqualTo((byte) 0xfe);
        assertThat(SmallFloats.floatToE5m2(Float.POSITIVE_INFINITY)).isEqualTo((byte) 0x7b);
        assertThat(SmallFloats.floatToE5m2(Float.NaN)).isEqualTo((byte) 0x7f);
        assertThat(SmallFloats.floatToBfloat16(Float.MAX_VALUE)).isEqualTo((short) 0x7f80);
    }

    @Test
    void aNaNStaysOneInBfloat16() {
        for (int bits : new int[] {0x7f800001, 0xff800001, 0x7fffffff, 0xffffffff, 0x7fc00000}) {
            short encoded = SmallFloats.floatToBfloat16(Float.intBitsToFloat(bits));
            assertThat(SmallFloats.bfloat16ToFloat(encoded)).isNaN();
            assertThat(encoded < 0).as("sign of %x", bits).isEqualTo(bits < 0);
        }
    }
}
