// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.util.Map;
import java.util.TreeMap;

/**
 * Hands out ranges of a fixed span: the first free one that is large enough. The same calls give the same ranges everywhere,
 * which is what keeps a symmetric heap symmetric.
 */
final class FirstFit {
    /** A cache line: no two allocations share one. */
    static final long GRANULE = 64;

    private static final long LARGE = 1 << 20;
    private static final long LARGE_ALIGNMENT = 2 << 20;

    /** Free ranges: start to bytes. */
    private final TreeMap<Long, Long> free = new TreeMap<>();

    FirstFit(long start, long bytes) {
        free.put(start, bytes);
    }

    /** Start of a range, or −1 if none is large enough. Large ranges start on a large page. */
    synchronized long allocate(long bytes) {
        long need = rounded(bytes);
        long alignment = need >= LARGE ? LARGE_ALIGNMENT : GRANULE;
        Map.Entry<Long, Long> range = free.firstEntry();
        while (range != null) {
            long start = range.getKey();
            long end = start + range.getValue();
            long at = SharedHeap.alignUp(start, alignment);
            if (at <= end - need) {
                free.remove(start);
                if (at > start) {
                    free.put(start, at - start);
                }
                if (at + need < end) {
                    free.put(at + need, end - at - need);
                }
                return at;
            }
            range = free.higherEntry(start);
        }
        return -1;
    }

    /** Gives back what {@link #allocate} handed out for {@code bytes}. */
    synchronized void free(long start, long bytes) {
        long end = start + rounded(bytes);
        Map.Entry<Long, Long> before = free.lowerEntry(start);
        if (before != null && before.getKey() + before.getValue() == start) {
            start = before.getKey();
        }
        Long after = free.remove(end);
        free.put(start, (after == null ? end : end + after) - start);
    }

    static long rounded(long bytes) {
        return SharedHeap.alignUp(Math.max(bytes, 1), GRANULE);
    }

    synchronized long largestFree() {
        return free.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
