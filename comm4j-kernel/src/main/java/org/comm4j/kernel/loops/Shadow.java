// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who has accessed memory: for each cell of some bytes its last writer and two readers, as numbers of {@link
 * BlockRaces}. Pages of it, and chunks of pages, exist from their first access on: an argument may reach all of a
 * symmetric heap, which may be a terabyte of addresses.
 */
final class Shadow {
    /** Of the cells of a page the logarithm: so few are in the first cache when they have been cleared. */
    private static final int PAGE = 8;

    /** Of the pages of a chunk the logarithm. */
    private static final int CHUNK = 12;

    private static final int CELL = 3;

    /** Pages that are kept for later launches. */
    private static final int MOST_KEPT = 1 << 13;

    private static final ArrayDeque<long[]> KEPT = new ArrayDeque<>();

    private final int shift;
    private final long[][][] chunks;
    private final List<long[]> used = new ArrayList<>();

    /** @param unit bytes of a cell, a power of two */
    Shadow(long bytes, int unit) {
        this.shift = Integer.numberOfTrailingZeros(unit);
        this.chunks = new long[Math.toIntExact((bytes >>> shift >>> PAGE >>> CHUNK) + 2)][][];
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
        long[][] chunk = chunks[(int) (cell >>> PAGE >>> CHUNK)];
        return chunk == null ? null : chunk[inChunk(cell)];
    }

    /** Gives the pages away: nobody looks at them any more. */
    void release() {
        synchronized (KEPT) {
            int room = Math.max(0, MOST_KEPT - KEPT.size());
            KEPT.addAll(used.subList(0, Math.min(room, used.size())));
        }
        used.clear();
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
        int chunk = (int) (cell >>> PAGE >>> CHUNK);
        if (chunks[chunk] == null) {
            chunks[chunk] = new long[1 << CHUNK][];
        }
        chunks[chunk][inChunk(cell)] = page;
        used.add(page);
        return page;
    }

    private static int inChunk(long cell) {
        return (int) (cell >>> PAGE) & (1 << CHUNK) - 1;
    }

    /** Where in its page a cell has its writer; two readers follow. */
    static int place(long cell) {
        return (int) (cell & (1 << PAGE) - 1) * CELL;
    }
}
