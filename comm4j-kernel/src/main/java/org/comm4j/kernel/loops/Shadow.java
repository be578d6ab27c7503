// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

/**
 * Who has accessed memory: for each cell of some bytes its last writer and two readers, as numbers of {@link
 * BlockRaces}. Pages of it exist from their first access on.
 */
final class Shadow {
    private static final int PAGE = 12;
    private static final int CELL = 3;

    private final int shift;
    private final long[][] pages;

    /** @param unit bytes of a cell, a power of two */
    Shadow(long bytes, int unit) {
        this.shift = Integer.numberOfTrailingZeros(unit);
        this.pages = new long[Math.toIntExact((bytes >>> shift >>> PAGE) + 2)][];
    }

    long cell(long at) {
        return at >>> shift;
    }

    long bytes(long cell) {
        return cell << shift;
    }

    long[] page(long cell) {
        long[] page = pages[(int) (cell >>> PAGE)];
        return page == null ? newPage(cell) : page;
    }

    private long[] newPage(long cell) {
        long[] page = new long[CELL << PAGE];
        pages[(int) (cell >>> PAGE)] = page;
        return page;
    }

    /** Where in its page a cell has its writer; two readers follow. */
    static int place(long cell) {
        return (int) (cell & (1 << PAGE) - 1) * CELL;
    }
}
