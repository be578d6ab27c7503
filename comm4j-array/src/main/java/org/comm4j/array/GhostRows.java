// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of other ranks' parts that ranks have around their own.
 *
 * @param layout of the array
 * @param axis a divided one
 * @param width number of rows on each side
 * @param ranks number of all ranks
 */
record GhostRows(Layout layout, int axis, int width, int ranks) {
    /**
     * Rows that go from one rank to another.
     *
     * @param before whether they are in front of the part of {@code to}
     * @param source the first one's number in the part of {@code from}
     * @param first the first one's number among the ghost rows on that side
     * @param rows number of them
     */
    record Strip(int from, int to, boolean before, long source, long first, long rows) {}

    /** Returns what arrives at a rank, in the order of ranks. */
    List<Strip> arriving(int rank) {
        List<Strip> strips = new ArrayList<>();
        for (int from = 0; from < ranks; from++) {
            add(strips, strip(from, rank));
        }
        return strips;
    }

    /** Returns what leaves a rank, in the order of ranks. */
    List<Strip> leaving(int rank) {
        List<Strip> strips = new ArrayList<>();
        for (int to = 0; to < ranks; to++) {
            add(strips, strip(rank, to));
        }
        return strips;
    }

    private static void add(List<Strip> strips, @Nullable Strip strip) {
        if (strip != null) {
            strips.add(strip);
        }
    }

    /** Returns what goes from one rank to another, null for nothing. All of it is on one side. */
    private @Nullable Strip strip(int from, int to) {
        if (from == to || !layout.areInLine(from, to, axis) || start(from) == end(from) || start(to) == end(to)) {
            return null;
        }
        boolean before = start(from) < start(to);
        long rim = before ? start(to) - width : end(to);
        long first = Math.max(rim, start(from));
        long rows = Math.min(rim + width, end(from)) - first;
        return rows > 0 ? new Strip(from, to, before, first - start(from), first - rim, rows) : null;
    }

    private long start(int rank) {
        return layout.start(rank, axis);
    }

    private long end(int rank) {
        return start(rank) + layout.localShape(rank)[axis];
    }

    /** Returns whether every rank has rows of one other on each side at most. */
    boolean isOfNeighbours() {
        return IntStream.range(0, ranks)
                .mapToObj(this::arriving)
                .allMatch(strips ->
                        strips.size() < 2 || strips.size() == 2 && strips.get(0).before != strips.get(1).before);
    }
}
