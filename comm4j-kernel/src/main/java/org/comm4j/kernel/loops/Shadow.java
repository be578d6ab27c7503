// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who has accessed memory: for each cell of some bytes its last writer and two readers, as {@link Visit}s. Pages of it
 * and tables of pages exist from their first access on, as most of a heap is never touched.
 */
final class Shadow {
    /** Of the cells of a page the logarithm: so few are in the first cache when they have been cleared. */
    private static final int PAGE = 8;

    /** Of the pages of a table the logarithm. */
    private static final int TABLE = 12;

    private static final int CELL = 3;

    /** Pages that are kept for later launches. */
    private static final int MOST_KEPT = 1 << 13;

    private static final ArrayDeque<long[]> KEPT = new ArrayDeque<>();

    private final int shift;
    private final int pages;
    private final long[][][] tables;
    private boolean released;

    /** @param unit bytes of a cell, a power of two */
    Shadow(long bytes, int unit) {
        this.shift = Integer.numberOfTrailingZeros(unit);
        long all = (bytes >>> shift >>> PAGE) + 2;
        this.pages = (int) Math.min(all, 1 << TABLE);
        this.tables = new long[Math.toIntExact((all - 1 >>> TABLE) + 1)][][];
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
        long[][] table = tables[(int) (cell >>> PAGE + TABLE)];
        return table == null ? null : table[number(cell)];
    }

    /** The number of a cell's page in its table. */
    private static int number(long cell) {
        return (int) (cell >>> PAGE) & (1 << TABLE) - 1;
    }

    /** Gives the pages away: nobody looks at them any more. */
    void release() {
        synchronized (KEPT) {
            for (int i = 0; i < tables.length && !released; i++) {
                if (tables[i] != null) {
                    Arrays.stream(tables[i])
                            .filter(Objects::nonNull)
                            .limit(MOST_KEPT - KEPT.size())
                            .forEach(KEPT::add);
                }
            }
            released = true;
        }
    }

    long[] page(long cell) {
        long[] page = known(cell);
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
        int at = (int) (cell >>> PAGE + TABLE);
        if (tables[at] == null) {
            tables[at] = new long[pages][];
        }
        tables[at][number(cell)] = page;
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
