// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which team slots of this rank are free, as bits. */
final class SlotSet {
    private final long[] free = new long[SharedHeap.TEAMS / 64];
    /** Teams that this rank has left, but others perhaps not. */
    private final List<Team> left = new ArrayList<>();

    SlotSet() {
        Arrays.fill(free, -1);
        boolean ignored = take(0);
    }

    /** The bits, behind {@code header} words for the caller. */
    synchronized long[] free(int header) {
        left.removeIf(team -> {
            boolean unused = team.allOthersLeft();
            if (unused) {
                release(team.slot());
            }
            return unused;
        });
        long[] words = new long[header + free.length];
        System.arraycopy(free, 0, words, header, free.length);
        return words;
    }

    /** The first slot that is free in all rows of words, or −1. */
    static int firstCommon(long[][] rows, int header) {
        for (int word = header; word < rows[0].length; word++) {
            long common = -1;
            for (long[] row : rows) {
                common &= row[word];
            }
            if (common != 0) {
                return (word - header) * 64 + Long.numberOfTrailingZeros(common);
            }
        }
        return -1;
    }

    static IllegalStateException noneFree(String what) {
        return new IllegalStateException(what + ": all " + SharedHeap.TEAMS
                + " teams that a rank can be in are in use; close some that are no longer needed");
    }

    /** False if the slot is not free. */
    synchronized boolean take(int slot) {
        boolean was = (free[slot / 64] & 1L << slot) != 0;
        free[slot / 64] &= ~(1L << slot);
        return was;
    }

    synchronized void leave(Team team) {
        left.add(team);
    }

    synchronized void release(int slot) {
        free[slot / 64] |= 1L << slot;
    }
}
