// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import java.util.SplittableRandom;

/** Parts of different sizes, in any order, with gaps. */
final class Layout {
    private final long[] counts;
    private final long[] offsets;
    private final long total;

    private Layout(long[] counts, long[] offsets, long total) {
        this.counts = counts;
        this.offsets = offsets;
        this.total = total;
    }

    long[] counts() {
        return counts;
    }

    long[] offsets() {
        return offsets;
    }

    /** The elements of the buffer that holds the parts. */
    long total() {
        return total;
    }

    /** The counts of one rank's parts, from 0 to {@code max}, zero and the maximum more often than others. */
    static long[] counts(SplittableRandom random, int parts, long max) {
        long[] counts = new long[parts];
        for (int r = 0; r < parts; r++) {
            counts[r] = switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> max;
                default -> random.nextLong(max + 1);
            };
        }
        return counts;
    }

    /** Puts parts of these counts somewhere. */
    static Layout of(SplittableRandom random, long[] counts) {
        long[] offsets = new long[counts.length];
        int[] order = new int[counts.length];
        for (int i = 0; i < order.length; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        long at = random.nextInt(3);
        for (int part : order) {
            offsets[part] = at;
            at += counts[part] + random.nextInt(3);
        }
        return new Layout(counts, offsets, at);
    }
}
