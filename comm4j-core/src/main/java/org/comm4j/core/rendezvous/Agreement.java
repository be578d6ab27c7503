// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.comm4j.core.CommException;
import org.jspecify.annotations.Nullable;

/**
 * The values that some ranks give each other, until each of them has given its own or is gone. The end is decided once,
 * so that all get the same. Not thread-safe.
 */
final class Agreement {
    private final int[] ranks;
    private final byte[] @Nullable [] values;
    private @Nullable SortedMap<Integer, byte[]> end;

    /** An agreement of these ranks, in ascending order. */
    Agreement(int[] ranks) {
        this.ranks = ranks;
        this.values = new byte[ranks.length][];
    }

    /**
     * Takes a rank's value.
     *
     * @throws CommException if it names other ranks than those who came before
     * @throws IllegalStateException if it has given a value already
     */
    void give(int rank, int[] among, byte[] value, String what) {
        if (!Arrays.equals(ranks, among)) {
            throw new CommException("rank " + rank + ": " + what + " is among " + Arrays.toString(among)
                    + " here, but among " + Arrays.toString(ranks) + " for those who came before");
        }
        int at = Arrays.binarySearch(ranks, rank);
        if (values[at] != null) {
            throw new IllegalStateException("rank " + rank + " is in " + what + " already, in another thread");
        }
        values[at] = value;
    }

    /** Takes a value back that was given in vain; true if there is none left. */
    boolean withdraw(int rank) {
        values[Arrays.binarySearch(ranks, rank)] = null;
        return Arrays.stream(values).allMatch(Objects::isNull);
    }

    /** Returns whether it has ended: now at the latest, if each rank has given its value or is gone. */
    boolean hasEnded(IntPredicate gone) {
        if (end == null && missing(gone).isEmpty()) {
            SortedMap<Integer, byte[]> all = new TreeMap<>();
            for (int i = 0; i < ranks.length; i++) {
                byte[] value = values[i];
                if (value != null && !gone.test(ranks[i])) {
                    all.put(ranks[i], value);
                }
            }
            end = Collections.unmodifiableSortedMap(all);
        }
        return end != null;
    }

    /** The values by rank, of those who are not gone; null before the end. */
    @Nullable
    SortedMap<Integer, byte[]> end() {
        return end;
    }

    /** Those who are waited for. */
    List<Integer> missing(IntPredicate gone) {
        return IntStream.range(0, ranks.length)
                .filter(i -> values[i] == null && !gone.test(ranks[i]))
                .mapToObj(i -> ranks[i])
                .toList();
    }
}
