// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/**
 * The counter-based random generator Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1,
 * 2, 3, SC 2011): a number depends on its seed and index alone.
 */
final class Philox {
    private static final int ROUNDS = 10;
    private static final int M0 = 0xD2511F53;
    private static final int M1 = 0xCD9E8D57;
    private static final int W0 = 0x9E3779B9;
    private static final int W1 = 0xBB67AE85;
    private static final double TO_UNIT = 0x1p-53;

    private Philox() {}

    /** Returns the first (or second) 64 bits of the block of a 64-bit counter. */
    static long bits(long seed, long counter, boolean second) {
        int c0 = (int) counter;
        int c1 = (int) (counter >>> 32);
        int c2 = 0;
        int c3 = 0;
        int k0 = (int) seed;
        int k1 = (int) (seed >>> 32);
        for (int round = 0; round < ROUNDS; round++) {
            long p0 = Integer.toUnsignedLong(M0) * Integer.toUnsignedLong(c0);
            long p1 = Integer.toUnsignedLong(M1) * Integer.toUnsignedLong(c2);
            int n0 = (int) (p1 >>> 32) ^ c1 ^ k0;
            int n2 = (int) (p0 >>> 32) ^ c3 ^ k1;
            c0 = n0;
            c1 = (int) p1;
            c2 = n2;
            c3 = (int) p0;
            k0 += W0;
            k1 += W1;
        }
        return second ? (long) c3 << 32 | Integer.toUnsignedLong(c2) : (long) c1 << 32 | Integer.toUnsignedLong(c0);
    }

    /** Returns a number in [0, 1) with 53 random bits. */
    static double uniform(long seed, long counter, boolean second) {
        return (bits(seed, counter, second) >>> 11) * TO_UNIT;
    }
}
