// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The CRC-32 of bytes that come in pieces, in any order and on any rank. It is linear: what a piece adds depends on its
 * own CRC and on how many bytes follow it, so that the exclusive or of all pieces is the CRC of the whole.
 */
final class Crc {
    /** The polynomial of ZIP files; the highest bit is the coefficient of x⁰. */
    private static final int POLYNOMIAL = 0xedb8_8320;

    private static final int ONE = 1 << 31;

    /** At {@code k} the polynomial x to the power 2 to the k, modulo that one. */
    private static final int[] POWERS = powers();

    private final long bytes;
    private final CRC32 sum = new CRC32();
    private int value;

    /** @param bytes of the whole */
    Crc(long bytes) {
        this.bytes = bytes;
    }

    /** Adds a piece that begins at {@code position} of the whole, and leaves the buffer as it is. */
    void add(ByteBuffer piece, long position) {
        int count = piece.remaining();
        sum.reset();
        sum.update(piece.duplicate());
        value ^= shift((int) sum.getValue(), bytes - position - count);
    }

    /** Returns what the pieces here add up to. */
    int value() {
        return value;
    }

    /** Returns what a CRC becomes when so many zeros follow: its product with x to the power of their bits. */
    static int shift(int crc, long bytes) {
        int power = ONE;
        // 8 bits a byte: x⁸ is x to the power 2³.
        for (int k = 3; k - 3 < Long.SIZE - 1; k++) {
            if ((bytes >> k - 3 & 1) != 0) {
                power = times(POWERS[k], power);
            }
        }
        return times(power, crc);
    }

    private static int[] powers() {
        int[] powers = new int[3 + Long.SIZE];
        powers[0] = ONE >>> 1;
        for (int k = 1; k < powers.length; k++) {
            powers[k] = times(powers[k - 1], powers[k - 1]);
        }
        return powers;
    }

    /** The product of two polynomials, modulo the one of ZIP files. */
    private static int times(int a, int b) {
        int product = 0;
        int term = b;
        for (int bit = ONE; bit != 0; bit >>>= 1) {
            if ((a & bit) != 0) {
                product ^= term;
            }
            term = (term & 1) == 0 ? term >>> 1 : term >>> 1 ^ POLYNOMIAL;
        }
        return product;
    }
}
