// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Who has accessed memory: for each cell of some bytes its last writer and two readers, as {@link Visit}s.
 * Pages of it exist from their first access on.
 */
final class Shadow {
    /** Of the cells of a page the logarithm: so few are in the first cache when they have been cleared. */
    private static final int PAGE = 8;

    private static final int CELL = 3;

    /** Pages that are kept for later launches. */
    private static final int MOST_KEPT = 1 << 13;

    private static final ArrayDeque<long[]> KEPT = new ArrayDeque<>();

    private final int shift;
    private final long[][] pages;
    private boolean released;

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

    int unit() {
        return 1 << shift;
    }

    /** The page of a cell; null if nobody was there. */
    long @Nullable [] known(long cell) {
        return pages[(int) (cell >>> PAGE)];
    }

    /** Gives the pages away: nobody looks at them any more. */
    void release() {
        synchronized (KEPT) {
            for (int i = 0; i < pages.length && !released && KEPT.size() < MOST_KEPT; i++) {
                if (pages[i] != null) {
                    KEPT.add(pages[i]);
                }
            }
            released = true;
        }
    }

    long[] page(long cell) {
        long[] page = pages[(int) (cell >>> PAGE)];
        return page == null ? newPage(cell) : page;
    }

    private long[] newPage(long cell) {
        long[] page;
        synchronized (KEPT) {
            page = KEPT.poll();
        }
        if (page == null) {
            page = new long[CELL << PAGE];
        } else {
            Arrays.fill(page, 0);
        }
        pages[(int) (cell >>> PAGE)] = page;
        return page;
    }

    /** Makes a visit the last one that wrote a cell, with no reader after it. */
    static void write(long[] page, int place, long visit) {
        page[place] = visit;
        page[place + 1] = 0;
        page[place + 2] = 0;
    }

    /** Where in its page a cell has its writer; two readers follow. */
    static int place(long cell) {
        return (int) (cell & (1 << PAGE) - 1) * CELL;
    }
}
