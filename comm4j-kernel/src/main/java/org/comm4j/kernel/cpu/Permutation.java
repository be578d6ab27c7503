// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.SplittableRandom;

/**
 * The numbers below a count in an order that a seed draws, without a list of them: a Feistel network permutes the
 * numbers of so many bits, and what falls outside is permuted again.
 */
final class Permutation {
    private static final int ROUNDS = 4;

    private final long count;
    private final int half;
    private final long[] keys = new long[ROUNDS];

    Permutation(long count, long seed) {
        this.count = count;
        int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, count - 1));
        half = (bits + 1) / 2;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < ROUNDS; i++) {
            keys[i] = random.nextLong();
        }
    }

    /** Returns the number at a place. */
    long at(long place) {
        long number = place;
        do {
            number = permuted(number);
        } while (number >= count);
        return number;
    }

    private long permuted(long number) {
        long mask = (1L << half) - 1;
        long left = number >>> half;
        long right = number & mask;
        for (long key : keys) {
            long mixed = (right + key) * 0x9E3779B97F4A7C15L;
            mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
            long next = left ^ (mixed ^ mixed >>> 29) & mask;
            left = right;
            right = next;
        }
        return left << half | right;
    }
}
