// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/** Test data: a pure function of seed, rank and index, so that every rank can tell what every other one sent. */
final class Inputs {
    private static final double[] EXTREMES = {
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Float.MAX_VALUE,
        -Float.MAX_VALUE,
        Float.MIN_VALUE,
        0x1p-7,
        448,
        -57344,
        1,
        -1,
        3
    };

    private Inputs() {}

    /** Fills {@code target} with a rank's data. */
    static void fill(HostArray target, Case.Values values, long seed, int rank) {
        DataType type = target.type();
        long stream = mix(seed + 0x632BE59BD9B4E019L * (rank + 1));
        for (long i = 0; i < target.count(); i++) {
            long bits = mix(stream + 0x9E3779B97F4A7C15L * i);
            if (type.isInteger()) {
                target.setLong(i, values == Case.Values.EXTREME ? extreme(type, bits) : bits);
            } else if (type.isComplex()) {
                // Special values make of complex products what nobody has defined.
                Case.Values parts = values == Case.Values.EXTREME ? Case.Values.RANDOM : values;
                target.setComplex(i, real(type, parts, bits), real(type, parts, mix(bits + 1)));
            } else {
                target.setDouble(i, real(type, values, bits));
            }
        }
    }

    private static long extreme(DataType type, long bits) {
        int width = 8 * type.bytes();
        return switch ((int) (bits >>> 60)) {
            case 0, 1, 2 -> 1L << width - 1;
            case 3, 4, 5 -> (1L << width - 1) - 1;
            case 6, 7, 8 -> -1;
            case 9, 10 -> 0;
            default -> bits;
        };
    }

    private static double real(DataType type, Case.Values values, long bits) {
        return switch (values) {
            // Eight twos are more than a FLOAT8_E5M2 can count to.
            case EXACT -> ((bits & 1) == 0 ? 1 : -1) * (type == DataType.FLOAT8_E5M2 ? 1 : 1 + (bits >>> 1 & 1));
            // A random sign and fraction with an exponent from -4 to 3.
            case RANDOM -> Double.longBitsToDouble(bits & 0x800F_FFFF_FFFF_FFFFL | (1019 + (bits >>> 52 & 7)) << 52);
            case EXTREME ->
                (bits & 1) == 0
                        ? EXTREMES[(int) ((bits >>> 1) % EXTREMES.length)]
                        : real(type, Case.Values.RANDOM, bits);
        };
    }

    /** A bijection of 64 bits that leaves no pattern (the finaliser of SplitMix64). */
    static long mix(long z) {
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
