// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.SortedMap;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.spi.Peers;

/**
 * The team of those members of a team that live. They find each other by the world: the team itself is out of step, and
 * a member of it that died would end every wait.
 */
final class LivingTeam {
    private final Team team;
    private final SharedHeap heap;
    private final int[] living;
    private final Peers peers;
    private final String key;
    private final Duration timeout;

    /**
     * @param peers the members of {@code team}
     * @param living those of them that live, as all of these have agreed, in ascending order
     */
    private LivingTeam(Team team, SharedHeap heap, Peers peers, int[] living, Duration timeout) {
        this.team = team;
        this.heap = heap;
        this.living = living;
        this.peers = peers.select(living);
        this.key = name(team, heap);
        this.timeout = timeout;
    }

    /** What names a team, on all its members; no two that share a member are called the same. */
    static String name(Team team, SharedHeap heap) {
        return heap.name + ".team." + team.worldRank(0) + "." + team.slot() + "." + team.base();
    }

    /**
     * Collective over the members that live.
     *
     * @throws RankFailedException if one of them died meanwhile
     */
    static Team of(Team team, SharedHeap heap, Peers peers, int[] living, Duration timeout) {
        return new LivingTeam(team, heap, peers, living, timeout).make();
    }

    private Team make() {
        BitSet dead = new BitSet();
        int slot;
        long base;
        do {
            long[] mine = team.slots().free(heap.size);
            for (int rank = 0; rank < heap.size; rank++) {
                mine[rank] = heap.isDead(rank) ? 1 : 0;
            }
            long[][] all = exchange("free", mine);
            slot = SlotSet.firstCommon(all, heap.size);
            if (slot < 0) {
                throw SlotSet.noneFree("shrink");
            }
            for (int rank = 0; rank < heap.size; rank++) {
                int each = rank;
                if (Arrays.stream(all).anyMatch(words -> words[each] != 0)) {
                    dead.set(rank);
                }
            }
            base = take(slot);
        } while (base < 0);
        for (int member = 0; member < team.size(); member++) {
            if (Arrays.binarySearch(living, member) < 0) {
                dead.set(team.worldRank(member));
            }
        }
        return team.ofLiving(living, dead, slot, base);
    }

    /**
     * Takes a slot on all members, unless another thread of one of them, making another team, was quicker: −1 then.
     * Returns the highest of their counters.
     */
    private long take(int slot) {
        boolean taken = team.slots().take(slot);
        boolean byAll = false;
        long base = -1;
        try {
            long[][] all = exchange("take", team.counter(slot), taken ? 1 : 0);
            byAll = Arrays.stream(all).allMatch(words -> words[1] != 0);
            base = Arrays.stream(all).mapToLong(words -> words[0]).max().orElseThrow();
        } finally {
            if (taken && !byAll) {
                team.slots().release(slot);
            }
        }
        return byAll ? base : -1;
    }

    /** Gives every living member the words of every living member. */
    private long[][] exchange(String what, long... words) {
        ByteBuffer mine = ByteBuffer.allocate(words.length * Long.BYTES);
        mine.asLongBuffer().put(words);
        SortedMap<Integer, byte[]> values = peers.agree(key + ": " + what, mine.array(), timeout);
        for (int member = 0; member < living.length; member++) {
            if (!values.containsKey(member)) {
                int rank = team.worldRank(living[member]);
                throw new RankFailedException(rank, "shrink: rank " + rank + " died while the ranks agreed");
            }
        }
        long[][] all = new long[living.length][words.length];
        for (Map.Entry<Integer, byte[]> each : values.entrySet()) {
            ByteBuffer.wrap(each.getValue()).asLongBuffer().get(all[each.getKey()]);
        }
        return all;
    }
}
