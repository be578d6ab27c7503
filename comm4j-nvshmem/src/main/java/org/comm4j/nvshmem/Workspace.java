// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Symmetric memory in which the communicators of this PE receive. It is allocated once, by all PEs; which part of it a
 * communicator gets is the business of each PE alone, which tells the others where it is: a split need not be
 * collective over all PEs, and closing need not be collective at all.
 */
final class Workspace {
    /** Room for some thirty communicators. */
    static final long BYTES = 64 << 20;

    private static final long ALIGNMENT = 512;

    private final SymmetricArray memory;
    /** The free parts: their offsets and sizes. */
    private final TreeMap<Long, Long> free = new TreeMap<>();

    private final List<Mailbox> leaving = new ArrayList<>();

    Workspace(SymmetricArray memory) {
        this.memory = memory;
        free.put(0L, memory.byteSize());
    }

    @SuppressWarnings("ReferenceEquality") // this very object
    boolean isIn(SymmetricArray array) {
        return array == memory;
    }

    /** The address of a place of it, on this PE: as the library wants it, whatever PE is meant. */
    long address(long offset) {
        return memory.address() + offset;
    }

    /**
     * A part for a communicator.
     *
     * @return its offset; −1 if there is none that is large enough
     */
    synchronized long allocate(long bytes) {
        leaving.removeIf(Mailbox::isSettled);
        long wanted = aligned(bytes);
        for (long offset : List.copyOf(free.keySet())) {
            long there = free.getOrDefault(offset, 0L);
            if (there >= wanted) {
                free.remove(offset);
                if (there > wanted) {
                    free.put(offset + wanted, there - wanted);
                }
                return offset;
            }
        }
        return -1;
    }

    /** Gives a part back to which nobody writes any more. */
    synchronized void free(long offset, long bytes) {
        long start = offset;
        long size = aligned(bytes);
        var before = free.lowerEntry(start);
        if (before != null && before.getKey() + before.getValue() == start) {
            start = before.getKey();
            size += before.getValue();
        }
        Long behind = free.remove(offset + aligned(bytes));
        free.put(start, behind == null ? size : size + behind);
    }

    /** The part of a communicator that was closed is given back when the others have received what it sent. */
    synchronized void leave(Mailbox mailbox) {
        if (!mailbox.isSettled()) {
            leaving.add(mailbox);
        }
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
