// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.comm4j.core.CommException;
import org.jspecify.annotations.Nullable;

/**
 * PEs that synchronise by words in each other's memory, which an OpenSHMEM library of version 1.4 has not. Members
 * within reach raise a counter of their own each and look at the others'. Members out of reach go by rounds: in round r
 * each tells the one 2^r behind it, and waits for the one 2^r before it, so that all that is waited for is in this PE's
 * own memory. Words only grow, so none is ever reset.
 *
 * <p>What these members need is a slot of every PE's heap. A slot serves one set of members after the other; it is free
 * again on a PE when all members of the last set have left, because until then some may still write to it.
 */
final class WordMembers extends Members {
    private static final int SLOTS = Long.SIZE;
    private static final int ROUNDS = 32;
    private static final int WORDS = 16;

    // A slot: the counter; what others tell, by round; the base of the last members left; two areas for exchanges, used
    // in turn.
    private static final long COUNTER = 0;
    private static final long TOLD = 64;
    private static final long GONE = TOLD + ROUNDS * 8L;
    private static final long EXCHANGE = GONE + 64;
    private static final long SLOT = EXCHANGE + 2 * WORDS * 8L;

    /** Where the eager areas of all slots begin, two for each. */
    private static final long EAGER_AREAS = (SLOTS * SLOT + 4095) / 4096 * 4096;

    /** What all slots take at the beginning of every heap. */
    static final long BYTES = EAGER_AREAS + SLOTS * 2L * EAGER;

    private final PolledEngine engine;
    private final Slots slots;
    private final int slot;
    private final long at;
    private final long base;
    private final boolean near;
    /** By member, where its counter is; of members that are near. */
    private final long[] counters;

    private final PolledEngine.Polling polling;
    private long step;
    private boolean closed;
    /** Why these members are out of step. */
    private @Nullable CommException broken;

    /** All PEs, in slot 0. */
    static WordMembers world(PolledEngine engine) {
        return new WordMembers(
                engine, new Slots(), 0, IntStream.range(0, engine.nPes).toArray(), 0);
    }

    private WordMembers(PolledEngine engine, Slots slots, int slot, int[] pes, long base) {
        super(pes, engine.myPe);
        this.engine = engine;
        this.slots = slots;
        this.slot = slot;
        this.at = slot * SLOT;
        this.base = base;
        this.step = base;
        this.near = Arrays.stream(pes).allMatch(pe -> engine.heaps[pe] >= 0);
        this.counters = Arrays.stream(pes)
                .mapToLong(pe -> engine.heaps[pe] + at + COUNTER)
                .toArray();
        this.polling = engine.new Polling();
        if (near) {
            Atomic.LONG.setRelease(engine.memory, counters[rank], base);
        }
    }

    private void checkUsable(String what) {
        if (closed || broken != null) {
            String where = what + " on PE " + engine.myPe + " of " + engine.nPes;
            throw broken == null
                    ? new IllegalStateException(where + ": this team was closed")
                    : new IllegalStateException(
                            where + ": this team is out of step with its other members since an earlier failure ("
                                    + broken.getMessage() + ")",
                            broken);
        }
    }

    @Override
    boolean areNear() {
        return near;
    }

    @Override
    long step() {
        return step;
    }

    @Override
    void ready(String what) {
        checkUsable(what);
        awaitAll(what, step);
    }

    @Override
    long eager(int member, long step) {
        return engine.heaps[pes[member]] + EAGER_AREAS + (slot * 2L + (step & 1)) * EAGER;
    }

    @Override
    long arrive(String what) {
        checkUsable(what);
        long next = ++step;
        Atomic.LONG.setRelease(engine.memory, counters[rank], next);
        return next;
    }

    @Override
    void await(String what, int member, long step) {
        await(what, counters[member], step, pes[member]);
    }

    @Override
    void awaitAll(String what, long step) {
        for (int member = 0; member < counters.length; member++) {
            await(what, counters[member], step, pes[member]);
        }
    }

    @Override
    void sync(String what) {
        if (near) {
            awaitAll(what, arrive(what));
            return;
        }
        checkUsable(what);
        long next = ++step;
        int n = pes.length;
        int round = 0;
        for (int distance = 1; distance < n; distance *= 2) {
            long place = at + TOLD + round * 8L;
            engine.setWord(place, next, pes[(rank + distance) % n]);
            await(what, engine.heaps[engine.myPe] + place, next, pes[(rank + n - distance) % n]);
            round++;
        }
    }

    /** Waits until a word within reach, which depends on a PE, is at least as asked. */
    private void await(String what, long word, long value, int from) {
        if ((long) Atomic.LONG.getAcquire(engine.memory, word) < value) {
            awaitSlowly(what, word, value, from);
        }
    }

    private void awaitSlowly(String what, long word, long value, int from) {
        polling.begin(what, from);
        try {
            do {
                polling.once();
            } while ((long) Atomic.LONG.getAcquire(engine.memory, word) < value);
        } catch (CommException e) {
            broken = e;
            throw e;
        }
        polling.end();
    }

    @Override
    long[][] exchange(String what, long... words) {
        if (words.length > WORDS) {
            throw new IllegalArgumentException(words.length + " words to exchange, at most " + WORDS);
        }
        checkUsable(what);
        if (near) {
            awaitAll(what, step);
        }
        // All have come to the step before this one, so they have read what was here two steps ago.
        long area = at + EXCHANGE + (step + 1 & 1) * WORDS * 8;
        MemorySegment.copy(words, 0, engine.own(area, WORDS * 8L), ValueLayout.JAVA_LONG, 0, words.length);
        sync(what);
        long[][] all = new long[pes.length][words.length];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(WORDS * 8L, 8);
            for (int member = 0; member < pes.length; member++) {
                long heap = engine.heaps[pes[member]];
                if (heap >= 0) {
                    MemorySegment.copy(engine.memory, ValueLayout.JAVA_LONG, heap + area, all[member], 0, words.length);
                } else {
                    engine.stream().get(copy, 0, area, WORDS * 8L, pes[member]);
                    MemorySegment.copy(copy, ValueLayout.JAVA_LONG, 0, all[member], 0, words.length);
                }
            }
        }
        return all;
    }

    @Override
    @Nullable
    Members split(String what, int color, int key) {
        long[][] all;
        int common;
        long highest;
        do {
            all = exchange(what, color, key, slots.free());
            long free = -1;
            for (long[] each : all) {
                free &= each[2];
            }
            if (free == 0) {
                throw new IllegalStateException(what + " on PE " + engine.myPe + " of " + engine.nPes + ": all " + SLOTS
                        + " teams that a PE can be in are in use; close some that are no longer needed");
            }
            common = Long.numberOfTrailingZeros(free);
            // Another thread of some PE, making another team, may have been quicker.
            boolean taken = slots.take(common);
            highest = 0;
            for (long[] each : exchange(what, highestIn(common), taken ? 1 : 0)) {
                highest = each[1] == 0 ? Long.MAX_VALUE : Math.max(highest, each[0]);
            }
            if (taken && (highest == Long.MAX_VALUE || color < 0)) {
                slots.release(common);
            }
        } while (highest == Long.MAX_VALUE);
        if (color < 0) {
            return null;
        }
        long[][] words = all;
        int[] members = IntStream.range(0, pes.length)
                .filter(member -> words[member][0] == color)
                .boxed()
                .sorted((a, b) -> Long.compare(words[a][1], words[b][1]))
                .mapToInt(member -> pes[member])
                .toArray();
        return new WordMembers(engine, slots, common, members, highest + 1);
    }

    /** The highest step that a slot has seen on this PE. */
    private long highestIn(int slot) {
        long highest = Math.max(
                engine.getWord(slot * SLOT + GONE, engine.myPe), engine.getWord(slot * SLOT + COUNTER, engine.myPe));
        for (int round = 0; round < ROUNDS; round++) {
            highest = Math.max(highest, engine.getWord(slot * SLOT + TOLD + round * 8L, engine.myPe));
        }
        return highest;
    }

    private boolean allOthersLeft() {
        for (int pe : pes) {
            if (pe != engine.myPe && engine.getWord(at + GONE, pe) <= base && !engine.hasDied(pe)) {
                return false;
            }
        }
        return true;
    }

    @Override
    void close() {
        if (!closed && slot != 0) {
            closed = true;
            // What this PE has told others is there before they see that it has left.
            engine.stream().quiet();
            engine.setWord(at + GONE, step + 1, engine.myPe);
            slots.leave(this);
        }
    }

    /** Which slots are free on this PE. */
    private static final class Slots {
        private long free = ~1L;
        /** Left by this PE, but perhaps not by all. */
        private final List<WordMembers> left = new ArrayList<>();

        synchronized long free() {
            left.removeIf(members -> {
                boolean unused = members.allOthersLeft();
                if (unused) {
                    free |= 1L << members.slot;
                }
                return unused;
            });
            return free;
        }

        /** False if the slot is not free. */
        synchronized boolean take(int slot) {
            boolean was = (free & 1L << slot) != 0;
            free &= ~(1L << slot);
            return was;
        }

        synchronized void release(int slot) {
            free |= 1L << slot;
        }

        synchronized void leave(WordMembers members) {
            left.add(members);
        }
    }
}
