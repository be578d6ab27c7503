// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.comm4j.host.SharedHeap.LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommException;
import org.jspecify.annotations.Nullable;

/**
 * An ordered set of ranks that synchronise with each other ({@code shmem_team_t}). Members are numbered from 0 in the
 * team; "world rank" is their number in the whole job.
 *
 * <p>Synchronisation is one counter a member: a member {@linkplain #arrive arrives} by raising its own and
 * {@linkplain #awaitAll waits} until everybody's is as high. What a member stored before it arrived is visible to those
 * that waited for it. Before a member publishes something for step e + 1 it waits until all have {@linkplain #ready
 * arrived at step e}; they have then read what was published for step e − 1, so two areas, used in turn, are enough.
 *
 * <p>With each step a member tells what it {@linkplain #calls calls}, and each compares that with its own call when it
 * waits: collectives that do not fit together are a {@link CollectiveMismatchException}, before anything is read. Who
 * finds one tells the others, who see it when they wait.
 *
 * <p>A slot of the shared memory serves one team after the other, and a slow member of an old one may still be looking
 * at it after a quick one has left it. So a member's slot is free again only when all members of its last team have
 * left, and what is in it only ever grows: a new team starts counting where all its members' counters of that slot have
 * not been yet, and a member leaves by noting the team's {@link #base}.
 *
 * <p>A team is used by one thread at a time. After a wait has failed ({@link CommException}) the team is out of step,
 * and good for nothing but {@link #close}.
 */
public final class Team implements AutoCloseable {
    /** Bytes of an {@linkplain #eager eager area}. */
    public static final int EAGER = 16 << 10;

    // A member's slot: its counter and MemberCalls; the base of the last team it left; and two areas for exchange() and
    // two eager ones, used in turn.
    private static final long COUNTER = 0;
    private static final long GONE = 64;
    private static final long EXCHANGE = 1024;
    private static final int EXCHANGE_WORDS = 128;
    private static final long EAGER_AREAS = 4096;
    static final int SLOT_BYTES = (int) EAGER_AREAS + 2 * EAGER;

    private static final int NO_COLOR = -1;

    private final SharedHeap heap;
    private final SlotSet slots;
    private final int slot;
    private final int[] members;
    /** The ranks of the world that were dead when it was made. */
    private final BitSet without;

    private final int me;
    private final long[] counters;
    private final MemorySegment memory;
    private final MemberCalls calls;
    private final Pause pause;
    private final long base;
    private long step;
    /** The last step that all have come to as this member knows, with calls that fit to its own. */
    private long common;
    /** The step that is waited for. */
    private long awaited;

    private boolean closed;
    /** Why this team is out of step. */
    private @Nullable CommException broken;

    /** The team of all ranks, in slot 0. */
    static Team world(SharedHeap heap) {
        return new Team(heap, new SlotSet(), 0, IntStream.range(0, heap.size).toArray(), 0, Pause.NOBODY_ELSE);
    }

    private Team(SharedHeap heap, SlotSet slots, int slot, int[] members, long base, BitSet without) {
        this.heap = heap;
        this.slots = slots;
        this.slot = slot;
        this.members = members;
        this.without = without;
        this.me = memberOf(heap.me);
        this.memory = heap.memory;
        this.counters = Arrays.stream(members)
                .mapToLong(rank -> heap.team(rank, slot) + COUNTER)
                .toArray();
        this.calls = new MemberCalls(heap, counters, me, base);
        this.pause = Pause.untilTheyCome(heap, new Members(false));
        this.base = base;
        this.step = base;
        this.common = base - 1;
        LONG.setRelease(memory, counters[me], base);
    }

    /** Number of members ({@code shmem_team_n_pes}). */
    public int size() {
        return members.length;
    }

    /** This rank's number in the team ({@code shmem_team_my_pe}). */
    public int rank() {
        return me;
    }

    /** The world rank of a member ({@code shmem_team_translate_pe} to the world): the PE to name in puts and gets. */
    public int worldRank(int member) {
        if (member < 0 || member >= members.length) {
            throw new IndexOutOfBoundsException(
                    "member " + member + " is not one of 0 to " + (size() - 1) + " of " + this);
        }
        return members[member];
    }

    /** The number in this team of a world rank, or −1. */
    public int memberOf(int worldRank) {
        for (int member = 0; member < members.length; member++) {
            if (members[member] == worldRank) {
                return member;
            }
        }
        return -1;
    }

    // ---- synchronisation ----

    /** Says what this member calls with the steps that follow, in the words of {@link Signature}. */
    public void calls(long head, long count) {
        calls.set(head, count);
    }

    /** {@link #calls(long, long)} of an operation that has no arguments, or whose members compare those. */
    void calls(String operation) {
        calls.set(Signature.head(Signature.operation(operation)), 0);
    }

    /** Waits until this member may publish something for the next step: all have arrived at the last one. */
    void ready(String what, long timeoutNanos) {
        checkUsable();
        if (common < step) {
            awaitAll(step, what, timeoutNanos);
        }
    }

    /**
     * 0 or 1: which of two areas this member may publish in after {@link #ready}; what arrived last is in the other
     * one.
     */
    int nextArea() {
        return (int) (step + 1 & 1);
    }

    /** Raises this member's counter: everything stored so far is published. Returns the step to wait for. */
    long arrive() {
        checkUsable();
        long next = ++step;
        calls.tell(next);
        LONG.setRelease(memory, counters[me], next);
        heap.ringAll();
        return next;
    }

    /** Waits until every member arrived at {@code step}. */
    void awaitAll(long step, String what, long timeoutNanos) {
        for (int member = 0; member < counters.length; member++) {
            if (member != me) {
                await(member, step, what, timeoutNanos);
            }
        }
        common = step;
    }

    /** Whether every member arrived at {@code step}. */
    boolean haveAllArrived(long step, String what) {
        checkUsable();
        for (long counter : counters) {
            if ((long) LONG.getAcquire(memory, counter) < step) {
                return false;
            }
        }
        for (int member = 0; member < counters.length; member++) {
            compare(member, step, what);
        }
        common = step;
        return true;
    }

    /** Waits until {@code member} arrived at {@code step}, the last or the next one of this member. */
    void await(int member, long step, String what, long timeoutNanos) {
        if ((long) LONG.getAcquire(memory, counters[member]) < step) {
            awaitSlowly(member, step, what, timeoutNanos);
        }
        compare(member, step, what);
    }

    private void awaitSlowly(int member, long step, String what, long timeoutNanos) {
        pause.begin(what, timeoutNanos, member);
        awaited = step;
        if (step > this.step) {
            calls.tellEarly();
        }
        try {
            while ((long) LONG.getAcquire(memory, counters[member]) < step) {
                pause.once();
            }
            pause.end();
        } catch (CommException e) {
            outOfStep(e);
            throw e;
        } catch (IllegalStateException e) {
            throw pause.closed(e);
        }
    }

    private void compare(int member, long step, String what) {
        CollectiveMismatchException mismatch = calls.compare(member, step, what);
        if (mismatch != null) {
            outOfStep(mismatch);
            throw mismatch;
        }
    }

    /** Notes that a wait of this member has failed, here or for messages. */
    void outOfStep(CommException e) {
        broken = e;
    }

    /** Whether no wait has failed, and no mismatch been found. */
    boolean isInStep() {
        return broken == null;
    }

    private void checkUsable() {
        if (closed) {
            throw new IllegalStateException("rank " + me + " of " + size() + " has closed this team: " + this);
        }
        if (broken != null) {
            throw new IllegalStateException(
                    this + " is out of step with the other ranks since an earlier failure (" + broken.getMessage()
                            + ")",
                    broken);
        }
    }

    /**
     * Returns when every member has called it; stores before are visible after ({@code shmem_team_sync}). The wait is
     * limited by {@link HostShmem#timeout()}.
     */
    public void sync() {
        calls("sync");
        sync("sync", heap.timeoutNanos);
    }

    void sync(String what, long timeoutNanos) {
        // Calls are compared at every step.
        ready(what, timeoutNanos);
        awaitAll(arrive(), what, timeoutNanos);
    }

    /**
     * Collective: gives every member the words of every member, {@code result[member]}; a synchronisation.
     *
     * @param what the operation, for messages
     * @param words at most 128
     */
    public long[][] exchangeAll(String what, long... words) {
        return exchange(what, heap.timeoutNanos, words);
    }

    /** {@link #sync()} of an operation with another name, for messages. */
    public void sync(String what) {
        sync(what, heap.timeoutNanos);
    }

    // ---- collectives of layers above, step by step ----

    /** The step at which this member arrived last. */
    public long step() {
        return step;
    }

    /** Waits until this member may publish something for the next step: all have arrived at its last one. */
    public void ready(String what) {
        ready(what, heap.timeoutNanos);
    }

    /**
     * Where a member publishes what the others take at a step, in {@link PeerMemory#all}: {@value #EAGER} bytes that
     * belong to it from {@link #ready} before that step until the next step but one.
     */
    public long eager(int member, long step) {
        return heap.team(worldRank(member), slot) + EAGER_AREAS + (step & 1) * EAGER;
    }

    /** This member comes to its next step, whose number is returned: everything that it stored so far is published. */
    public long arriveNext() {
        return arrive();
    }

    /** Waits until {@code member} has arrived at a step; what it stored before is visible after. */
    public void await(String what, int member, long step) {
        int ignored = worldRank(member);
        await(member, step, what, heap.timeoutNanos);
    }

    /** Waits until every member has arrived at a step. */
    public void awaitAll(String what, long step) {
        awaitAll(step, what, heap.timeoutNanos);
    }

    /** Gives every member the words of every member: result[member]. Synchronises. */
    long[][] exchange(String what, long timeoutNanos, long... words) {
        if (words.length > EXCHANGE_WORDS) {
            throw new IllegalArgumentException(words.length + " words to exchange, at most " + EXCHANGE_WORDS);
        }
        ready(what, timeoutNanos);
        long area = EXCHANGE + nextArea() * (EXCHANGE_WORDS * 8L);
        MemorySegment.copy(words, 0, memory, JAVA_LONG, heap.team(members[me], slot) + area, words.length);
        sync(what, timeoutNanos);
        long[][] all = new long[members.length][words.length];
        for (int member = 0; member < members.length; member++) {
            MemorySegment.copy(
                    memory, JAVA_LONG, heap.team(members[member], slot) + area, all[member], 0, words.length);
        }
        return all;
    }

    // ---- who is still there ----

    /** The members, as those whom a wait needs: one of them, or all. */
    private final class Members implements Pause.Peers {
        private final boolean forMessages;

        Members(boolean forMessages) {
            this.forMessages = forMessages;
        }

        /** A mismatch at the step that is waited for, or an earlier one: who has come to it comes no further. */
        @Override
        public @Nullable CommException trouble(String what, int peer) {
            if (forMessages) {
                return calls.found(Math.min(step + 1, (long) LONG.getAcquire(memory, counters[peer])), what);
            }
            CommException found = calls.found(awaited, what);
            return found != null ? found : calls.amongWaiting(awaited, what);
        }

        @Override
        public int gone(int peer) {
            if (peer != Pause.NOBODY) {
                return hasLeft(peer) ? members[peer] : -1;
            }
            for (int member = 0; member < members.length; member++) {
                if (member != me && hasLeft(member)) {
                    return members[member];
                }
            }
            return -1;
        }

        @Override
        public BitSet without() {
            return without;
        }

        @Override
        public String waitedFor(int peer) {
            return peer == Pause.NOBODY ? "the other ranks" : "rank " + peer + " of " + size();
        }

        @Override
        public String waiter() {
            return "rank " + me + " of " + size();
        }
    }

    private boolean hasLeft(int member) {
        return (long) LONG.getAcquire(memory, heap.team(members[member], slot) + GONE) > base
                || heap.hasLeft(members[member]);
    }

    /** Returns whether every other member has left or is dead: nobody reads any more what this one published. */
    boolean allOthersLeft() {
        for (int member = 0; member < members.length; member++) {
            if (member != me && !hasLeft(member) && !heap.isGone(members[member])) {
                return false;
            }
        }
        return true;
    }

    /** A pause for waits for messages of this team's members. */
    Pause newPause() {
        return new Pause(heap, new Members(true));
    }

    /** Where it began to count. */
    long base() {
        return base;
    }

    /** The slot of the shared memory that it has. */
    int slot() {
        return slot;
    }

    // ---- making teams ----

    /**
     * Collective over this team: members with the same color form a team, in the order of key and then of this team.
     *
     * @param what the operation, for messages
     * @param color at least 0, or −1 to take no part
     * @return null for a member that passed −1
     */
    public @Nullable Team split(String what, int color, int key) {
        return split(color, key, what, heap.timeoutNanos);
    }

    /**
     * Collective over this team: members with the same color form a team, in the order of key and then of this team.
     *
     * @param color at least 0, or −1 to take no part
     * @return null for a member that passed −1
     */
    @Nullable
    Team split(int color, int key, String what, long timeoutNanos) {
        calls(what.contains("(") ? what.substring(0, what.indexOf('(')) : what);
        long[][] all;
        int slot;
        long base;
        do {
            long[] words = slots.free(2);
            words[0] = color;
            words[1] = key;
            all = exchange(what, timeoutNanos, words);
            slot = SlotSet.firstCommon(all, 2);
            if (slot < 0) {
                throw SlotSet.noneFree(what);
            }
            // Another thread of some rank, making another team, may have been quicker.
            boolean taken = slots.take(slot);
            base = 0;
            for (long[] each : exchange(what, timeoutNanos, counter(slot), taken ? 1 : 0)) {
                base = each[1] == 0 ? Long.MAX_VALUE : Math.max(base, each[0]);
            }
            if (taken && (base == Long.MAX_VALUE || color == NO_COLOR)) {
                slots.release(slot);
            }
        } while (base == Long.MAX_VALUE);
        if (color == NO_COLOR) {
            return null;
        }
        return new Team(heap, slots, slot, sameColor(all, color), base + 2, without);
    }

    /**
     * The team of some members in a slot that all of them have taken.
     *
     * @param base at least what {@link #counter} of the slot says on each of them
     * @param living members of this team
     * @param dead ranks of the world whose death is known to all of them
     */
    Team ofLiving(int[] living, BitSet dead, int slot, long base) {
        BitSet all = (BitSet) without.clone();
        all.or(dead);
        return new Team(
                heap,
                slots,
                slot,
                Arrays.stream(living).map(member -> members[member]).toArray(),
                base + 2,
                all);
    }

    /** Which slots this rank has. */
    SlotSet slots() {
        return slots;
    }

    /** The world ranks of the members that passed {@code color}, in the order of key and then of this team. */
    private int[] sameColor(long[][] all, int color) {
        return IntStream.range(0, members.length)
                .filter(member -> all[member][0] == color)
                .boxed()
                .sorted((a, b) -> Long.compare(all[a][1], all[b][1]))
                .mapToInt(member -> members[member])
                .toArray();
    }

    /** How far this rank's counter of a slot has come. */
    long counter(int slot) {
        return (long) LONG.getAcquire(memory, heap.team(members[me], slot) + COUNTER);
    }

    /** Leaves the team; members do so when they are done, in any order ({@code shmem_team_destroy}). */
    @Override
    public void close() {
        if (closed || slot == 0) {
            return;
        }
        closed = true;
        if (heap.isOpen()) {
            LONG.setRelease(memory, heap.team(members[me], slot) + GONE, base + 1);
            heap.ringAll();
            slots.leave(this);
        }
    }

    @Override
    public String toString() {
        return "Team[rank " + me + " of " + size() + ", world ranks "
                + Arrays.stream(members).mapToObj(Integer::toString).collect(Collectors.joining(" "))
                + (closed ? ", closed]" : "]");
    }
}
