// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

/**
 * Visits of memory are numbers: 27 bits of a moment, 10 of the thread, 12 of the warp's barriers, 14 of the line, one
 * for atomic ones. Zero is none.
 */
final class Visit {
    static final int MOST_LINES = 1 << 14;

    static final int MOMENT = 37;
    static final int THREAD = 27;
    static final int WARP_EPOCH = 15;
    static final int MOST_WARP_EPOCHS = 1 << THREAD - WARP_EPOCH;
    private static final int WARP = 32;

    private Visit() {}

    static int thread(long visit) {
        return (int) (visit >>> THREAD) & (1 << MOMENT - THREAD) - 1;
    }

    static int warpEpoch(long visit) {
        return (int) (visit >>> WARP_EPOCH) & MOST_WARP_EPOCHS - 1;
    }

    /** The bits of that. */
    static long warpBits() {
        return (1L << THREAD) - (1L << WARP_EPOCH);
    }

    /**
     * Returns whether a visit is by the same thread, or in an earlier moment of the same block.
     *
     * @param own the least visit that is known to be of that block
     */
    static boolean isBefore(long visit, long mine, long own) {
        return visit == 0 || (visit ^ mine) >>> THREAD == 0 || visit >= own && visit >>> MOMENT < mine >>> MOMENT;
    }

    /** Returns whether a barrier of the warp is between two visits of an epoch. */
    static boolean isOrderedInWarp(long a, long b) {
        return thread(a) / WARP == thread(b) / WARP && warpEpoch(b) > warpEpoch(a);
    }
}
