// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.util.Map;
import java.util.TreeMap;

/**
 * Hands out ranges of a fixed span: the first free one that is large enough. The same calls give the same ranges
 * everywhere, which is what keeps a symmetric heap symmetric.
 */
public final class FirstFit {
    /** A cache line: no two allocations share one. */
    public static final long GRANULE = 64;

    private static final long LARGE = 1 << 20;
    /**
     * Left free before large ranges where there is room, so that arrays that are worked on together do not all begin at
     * the same place of a page: they would compete for the same lines of the caches. Measured to be worth up to a fifth
     * of the bandwidth.
     */
    static final long SKEW = 4096 + 37 * GRANULE;

    /** Free ranges: start to bytes. */
    private final TreeMap<Long, Long> free = new TreeMap<>();

    /** All of a span is free. */
    public FirstFit(long start, long bytes) {
        free.put(start, bytes);
    }

    /** Start of a range, or −1 if none is large enough. */
    public synchronized long allocate(long bytes) {
        long need = rounded(bytes);
        for (Map.Entry<Long, Long> range = free.firstEntry(); range != null; range = free.higherEntry(range.getKey())) {
            long start = range.getKey();
            long left = range.getValue() - need;
            if (left >= 0) {
                long before = need >= LARGE && left >= SKEW ? SKEW : 0;
                free.remove(start);
                if (before > 0) {
                    free.put(start, before);
                }
                if (left > before) {
                    free.put(start + before + need, left - before);
                }
                return start + before;
            }
        }
        return -1;
    }

    /** Gives back what {@link #allocate} handed out for {@code bytes}. */
    public synchronized void free(long start, long bytes) {
        long end = start + rounded(bytes);
        Map.Entry<Long, Long> before = free.lowerEntry(start);
        if (before != null && before.getKey() + before.getValue() == start) {
            start = before.getKey();
        }
        Long after = free.remove(end);
        free.put(start, (after == null ? end : end + after) - start);
    }

    /** The bytes that a range for so many takes. */
    public static long rounded(long bytes) {
        return SharedHeap.alignUp(Math.max(bytes, 1), GRANULE);
    }

    /** The bytes of the largest free range. */
    public synchronized long largestFree() {
        return free.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
