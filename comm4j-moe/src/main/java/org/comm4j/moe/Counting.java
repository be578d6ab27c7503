// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;

/**
 * Rows of routes. Each block counts the routes of all tokens, and gets all PEs' counts; so it knows, without any other
 * block, which row each of its routes is. Block 0 tells the other PEs.
 *
 * <p>Shared memory of a block: by slot, the row of its next route; the routes of this PE; those of all PEs; and the
 * starts of this PE's experts, of {@link ExpertLayout#RAGGED}.
 */
@KernelLibrary
final class Counting {
    /** Words that a thread loads before it waits for the first. */
    static final int BATCH = 4;

    private Counting() {}

    /** Returns the bytes of shared memory. */
    static int sharedBytes(int slots, int local) {
        return 4 * (3 * slots + local + 1);
    }

    /** Returns an expert, or -1 for a dropped choice; also what is none. */
    static long expert(I8Ptr chosen, int routeBytes, long route) {
        return routeBytes == 8 ? chosen.asI64().get(route) : chosen.asI32().get(route);
    }

    /**
     * Sets rows to the number of routes of tokens before {@code first}, for each slot; own to that of all tokens, in
     * block 0, which sends it.
     */
    static void own(MoeSpace space, I8Ptr chosen, int routeBytes, int tokens, int first, I32Ptr rows, I32Ptr own) {
        I32Ptr all = own.plus(space.counters());
        for (int e = ThreadIdx.x(); e < space.counters(); e += BlockDim.x()) {
            rows.set(e, 0);
            own.set(e, 0);
            all.set(e, 0);
        }
        Block.sync();
        boolean sends = BlockIdx.x() == 0;
        int counted = sends ? tokens : first;
        if (space.rankRows() > 0) {
            pes(space, chosen, routeBytes, counted, first, sends, rows, own);
        } else {
            int before = first * space.perToken();
            int routes = counted * space.perToken();
            for (int from = ThreadIdx.x(); from < routes; from += BATCH * BlockDim.x()) {
                // All loads are under way before the first is waited for.
                long[] experts = new long[BATCH];
                for (int j = 0; j < BATCH; j++) {
                    Unroll.all();
                    int route = from + j * BlockDim.x();
                    experts[j] = route < routes ? expert(chosen, routeBytes, route) : -1;
                }
                for (int j = 0; j < BATCH; j++) {
                    Unroll.all();
                    int route = from + j * BlockDim.x();
                    if (experts[j] >= 0 && experts[j] < space.experts()) {
                        int slot = space.slot((int) experts[j], route / space.perToken());
                        count(slot, route < before, sends, rows, own);
                    }
                }
            }
        }
        Block.sync();
    }

    private static void count(int counter, boolean before, boolean sends, I32Ptr rows, I32Ptr own) {
        if (sends && counter >= 0) {
            int _ = own.atomicAdd(counter, 1);
        }
        if (before && counter >= 0) {
            int _ = rows.atomicAdd(counter, 1);
        }
    }

    /** A thread has a token, which counts once for each PE. */
    private static void pes(
            MoeSpace space,
            I8Ptr chosen,
            int routeBytes,
            int tokens,
            int first,
            boolean sends,
            I32Ptr rows,
            I32Ptr own) {
        for (int token = ThreadIdx.x(); token < tokens; token += BlockDim.x()) {
            long seen = 0;
            for (int from = 0; from < space.perToken(); from += BATCH) {
                int[] pes = new int[BATCH];
                for (int j = 0; j < BATCH; j++) {
                    Unroll.all();
                    pes[j] = from + j < space.perToken() ? pe(space, chosen, routeBytes, token, from + j) : -1;
                }
                for (int j = 0; j < BATCH; j++) {
                    Unroll.all();
                    int pe = pes[j];
                    boolean again = pe < Long.SIZE
                            ? (seen >>> pe & 1) != 0
                            : earlier(space, chosen, routeBytes, token, from + j, pe);
                    if (pe >= 0 && !again) {
                        seen |= pe < Long.SIZE ? 1L << pe : 0;
                        count(pe, token < first, sends, rows, own);
                    }
                }
            }
        }
    }

    /** Returns whether a PE has an earlier choice of a token. */
    private static boolean earlier(MoeSpace space, I8Ptr chosen, int routeBytes, int token, int choice, int pe) {
        boolean came = false;
        for (int earlier = 0; earlier < choice && !came; earlier++) {
            came = pe(space, chosen, routeBytes, token, earlier) == pe;
        }
        return came;
    }

    /** Returns the PE of a choice; -1 if it is dropped. */
    private static int pe(MoeSpace space, I8Ptr chosen, int routeBytes, int token, int choice) {
        long expert = expert(chosen, routeBytes, (long) token * space.perToken() + choice);
        int slot = expert >= 0 && expert < space.experts() ? space.slot((int) expert, token) : -1;
        return slot >= 0 ? space.owner(slot) : -1;
    }

    /** Sends this PE's counts to all PEs, itself too. A thread has a counter, or shares one that is for some PEs. */
    static void send(MoeSpace space, int epoch, I32Ptr own) {
        int slots = space.counters();
        int stripes = Math.max(BlockDim.x() / slots, 1);
        int stripe = ThreadIdx.x() / slots;
        for (int slot = ThreadIdx.x() - stripe * slots; slot < slots; slot += BlockDim.x()) {
            long word = (long) epoch << 32 | own.get(slot);
            long to = space.words() + 8L * (space.me() * slots + slot);
            for (int number = stripe; number < space.living() && stripe < stripes; number += stripes) {
                // Each begins with itself, so that not all send to the same at the same time.
                space.at(space.turn(number)).plus(to).asI64().setVolatile(0, word);
            }
        }
    }

    /**
     * Gets the counts of all PEs: adds those of PEs before this one to rows, and all to all. To be called by all
     * threads of the block. A thread has a counter, or with others one for some of the PEs.
     *
     * @return whether all came, for the words that this thread looked at
     */
    static boolean receive(MoeSpace space, int epoch, I32Ptr rows, I32Ptr all) {
        int slots = space.counters();
        int stripes = Math.max(BlockDim.x() / slots, 1);
        int stripe = ThreadIdx.x() / slots;
        boolean complete = true;
        for (int slot = ThreadIdx.x() - stripe * slots; slot < slots && complete; slot += BlockDim.x()) {
            complete = stripe >= stripes || received(space, epoch, slot, stripe, stripes, rows, all);
        }
        return complete;
    }

    /** Gets a counter of each {@code step}-th PE from number {@code first} on. */
    private static boolean received(MoeSpace space, int epoch, int slot, int first, int step, I32Ptr rows, I32Ptr all) {
        I64Ptr words = space.base().plus(space.words()).asI64();
        int mine = space.group(space.me());
        int count = 0;
        int before = 0;
        boolean complete = true;
        for (int from = first; from < space.living() && complete; from += BATCH * step) {
            // Most have come, and their loads take as long as one.
            long[] found = new long[BATCH];
            for (int j = 0; j < BATCH; j++) {
                Unroll.all();
                int number = from + j * step;
                found[j] = number < space.living()
                        ? words.getVolatile((long) space.peer(number) * space.counters() + slot)
                        : 0;
            }
            for (int j = 0; j < BATCH; j++) {
                Unroll.all();
                int number = from + j * step;
                if (number < space.living() && complete) {
                    int pe = space.peer(number);
                    I64Ptr word = words.plus((long) pe * space.counters() + slot);
                    int counted = Waiting.count(space, word, found[j], epoch, pe);
                    complete = counted >= 0;
                    // PEs with the same tokens count the same.
                    int group = space.group(pe);
                    if (counted > 0 && pe == space.counts(group)) {
                        if (BlockIdx.x() == 0) {
                            keep(space, epoch, group, slot, counted);
                        }
                        count += counted;
                        before += group < mine ? counted : 0;
                    }
                }
            }
        }
        if (count > 0) {
            int _ = all.atomicAdd(slot, count);
        }
        if (before > 0 && space.rankRows() == 0) {
            int _ = rows.atomicAdd(slot, before);
        }
        return complete;
    }

    /**
     * Keeps what came to this PE: a group that was told that all its answers are there begins the next dispatch, and
     * replaces its words, while other groups are still answered.
     */
    private static void keep(MoeSpace space, int epoch, int group, int slot, int count) {
        boolean once = space.rankRows() > 0;
        int local = once ? 1 : space.local(space.me());
        int e = slot - (once ? space.me() : space.first(space.me()));
        if (e >= 0 && e < local) {
            space.base().plus(space.came()).asI64().set((long) group * local + e, (long) epoch << 32 | count);
        }
    }

    /**
     * Returns how many rows a group of PEs sent to a local expert or, where tokens go to a PE once, to expert 0 for all
     * of them; 0 if this dispatch did not count.
     */
    static int came(MoeSpace space, int epoch, int group, int expert) {
        int local = space.rankRows() > 0 ? 1 : space.local(space.me());
        long word = space.base().plus(space.came()).asI64().get((long) group * local + expert);
        return (int) (word >>> 32) == epoch ? (int) word : 0;
    }

    /** Returns whether rows come from a PE to a local expert or, where tokens go to a PE once, from its group. */
    static boolean comes(MoeSpace space, int epoch, int pe, int expert) {
        if (space.rankRows() > 0 && pe / space.members() != expert) {
            return false;
        }
        long word = word(space, pe, space.rankRows() > 0 ? space.me() : space.first(space.me()) + expert);
        return (int) (word >>> 32) != epoch || (int) word > 0;
    }

    private static long word(MoeSpace space, int pe, int counter) {
        return space.base().plus(space.words()).asI64().getVolatile((long) pe * space.counters() + counter);
    }

    /** Says that this PE begins a dispatch without counting, in its first word on all PEs. */
    static void begin(MoeSpace space, int epoch) {
        for (int i = ThreadIdx.x(); i < space.living(); i += BlockDim.x()) {
            I64Ptr word = space.at(space.turn(i))
                    .plus(space.words() + 8L * space.me() * space.counters())
                    .asI64();
            word.setVolatile(0, (long) epoch << 32);
        }
    }

    /** Waits for all PEs to say it; whether they did, for the words that this thread looked at. */
    static boolean begun(MoeSpace space, int epoch) {
        I8Ptr words = space.base().plus(space.words());
        boolean complete = true;
        for (int i = ThreadIdx.x(); i < space.living() && complete; i += BlockDim.x()) {
            int pe = space.peer(i);
            I64Ptr word = words.plus(8L * pe * space.counters()).asI64();
            complete = Waiting.count(space, word, word.getVolatile(0), epoch, pe) >= 0;
        }
        return complete;
    }

    /** Copies what an earlier dispatch has said of the rows of this PE. */
    static void describeAgain(MoeSpace space, long earlier) {
        // Counts, starts and experts of rows lie one after the other, up to places.
        I32Ptr to = space.base().plus(space.counts()).asI32();
        I32Ptr from = space.base().plus(space.counts() + earlier).asI32();
        int words = (int) ((space.places() - space.counts()) / 4);
        int step = GridDim.x() * BlockDim.x();
        for (int i = BlockIdx.x() * BlockDim.x() + ThreadIdx.x(); i < words; i += step) {
            to.set(i, from.get(i));
        }
    }

    /** Adds to rows where the areas begin that have a size: others' counts do not matter for it. */
    static void begins(MoeSpace space, I32Ptr rows) {
        if (space.rankRows() == 0 && space.maxRows() == 0) {
            return;
        }
        for (int e = ThreadIdx.x(); e < space.counters(); e += BlockDim.x()) {
            int begin = space.rankRows() > 0
                    ? space.group(space.me()) * space.rankRows()
                    : (e - space.first(space.owner(e))) * space.maxRows();
            int _ = rows.atomicAdd(e, begin);
        }
    }

    /**
     * Adds the first row of each expert to rows, where it depends on all counts. To be called by all threads of the
     * block, with a barrier before and after it.
     */
    static void layOut(MoeSpace space, I32Ptr rows, I32Ptr all, I32Ptr starts) {
        if (space.rankRows() > 0) {
            return;
        }
        if (space.maxRows() > 0) {
            for (int e = ThreadIdx.x(); e < space.counters() && BlockIdx.x() == 0; e += BlockDim.x()) {
                if (all.get(e) > space.maxRows()) {
                    overflow(space, space.expert(e), all.get(e));
                }
            }
            return;
        }
        int warps = BlockDim.x() / Warp.SIZE;
        for (int pe = Warp.id(); pe < space.pes(); pe += warps) {
            oneAfterTheOther(space, pe, rows, all, starts);
        }
    }

    /** A warp's: the experts of a PE. */
    private static void oneAfterTheOther(MoeSpace space, int pe, I32Ptr rows, I32Ptr all, I32Ptr starts) {
        int first = space.first(pe);
        int local = space.local(pe);
        int lane = Warp.laneId();
        boolean mine = pe == space.me();
        // A lane has some that follow each other.
        int share = (local + Warp.SIZE - 1) / Warp.SIZE;
        int from = Math.min(lane * share, local);
        int to = Math.min(from + share, local);
        int size = 0;
        for (int e = from; e < to; e++) {
            size += padded(space, all.get(first + e));
        }
        int end = size;
        for (int delta = 1; delta < Warp.SIZE; delta *= 2) {
            int below = Warp.shuffleUp(end, delta);
            end += lane >= delta ? below : 0;
        }
        int start = end - size;
        for (int e = from; e < to; e++) {
            rows.set(first + e, rows.get(first + e) + start);
            if (mine) {
                starts.set(e, start);
            }
            start += padded(space, all.get(first + e));
        }
        if (lane == Warp.SIZE - 1 && mine) {
            starts.set(local, end);
        }
        if (lane == Warp.SIZE - 1 && BlockIdx.x() == 0 && end > space.capacity()) {
            overflow(space, pe, end);
        }
    }

    private static int padded(MoeSpace space, int rows) {
        int padding = space.padding();
        return padding == 1 ? rows : (rows + padding - 1) / padding * padding;
    }

    /** Of several, the first is told. */
    private static void overflow(MoeSpace space, int of, int needed) {
        long _ = space.overflow().atomicMin(0, (long) of << 32 | needed);
    }

    /** Writes how many rows came, and adds to the load of experts. One block's, with the counts of all PEs. */
    static void record(MoeSpace space, I32Ptr all) {
        I32Ptr counts = space.base().plus(space.counts()).asI32();
        if (space.rankRows() > 0) {
            for (int group = ThreadIdx.x(); group < space.pes() / space.members(); group += BlockDim.x()) {
                int pe = space.counts(group);
                counts.set(group, pe < 0 ? 0 : (int) word(space, pe, space.me()));
            }
            return;
        }
        int first = space.first(space.me());
        for (int e = ThreadIdx.x(); e < space.local(space.me()); e += BlockDim.x()) {
            counts.set(e, all.get(first + e));
        }
        I64Ptr load = space.base().plus(space.load()).asI64();
        for (int e = ThreadIdx.x(); e < space.counters(); e += BlockDim.x()) {
            // Replicas are of one expert.
            long _ = load.atomicAdd(space.expert(e), all.get(e));
        }
    }

    /** Writes the starts of this PE's experts, and which expert's each row is. */
    static void describe(MoeSpace space, I32Ptr all, I32Ptr starts) {
        int first = space.first(space.me());
        int local = space.local(space.me());
        I32Ptr to = space.base().plus(space.starts()).asI32();
        for (int e = ThreadIdx.x(); e <= local && BlockIdx.x() == 0; e += BlockDim.x()) {
            to.set(e, starts.get(e));
        }
        I32Ptr experts = space.base().plus(space.rowExperts()).asI32();
        for (int e = BlockIdx.x(); e <= local; e += GridDim.x()) {
            int begin = starts.get(e);
            int end = begin + (e < local ? all.get(first + e) : 0);
            int next = e < local ? Math.min(starts.get(e + 1), space.capacity()) : space.capacity();
            for (int row = begin + ThreadIdx.x(); row < next; row += BlockDim.x()) {
                experts.set(row, row < end ? e : -1);
            }
        }
    }

    /** Returns the slot of the choice of this lane of the warp; below 0 for none. */
    private static int slot(MoeSpace space, I8Ptr chosen, int routeBytes, int token, boolean records) {
        int lane = Warp.laneId();
        int choices = space.perToken();
        long chose = lane < choices ? expert(chosen, routeBytes, (long) token * choices + lane) : -1;
        boolean valid = chose >= 0 && chose < space.experts();
        if (records && !valid && chose != -1) {
            int told = Math.clamp(chose, Integer.MIN_VALUE, Integer.MAX_VALUE);
            long code = (long) (token * choices + lane) << 32 | told & 0xffff_ffffL;
            long _ = space.wrong().atomicMin(0, code);
        }
        return valid ? space.slot((int) chose, token) : -1;
    }

    /**
     * Returns where the route of this lane of the warp goes: the PE, above its row there; below 0 for nowhere. To be
     * called by all lanes, for the tokens of a block in their order.
     *
     * @param records whether a wrong route is told
     */
    static long route(MoeSpace space, I8Ptr chosen, int routeBytes, int token, I32Ptr rows, boolean records) {
        int lane = Warp.laneId();
        int slot = slot(space, chosen, routeBytes, token, records);
        boolean valid = slot >= 0;
        // Lanes without a route are like no other.
        int same = Warp.matchAny(valid ? slot : -1 - lane);
        int before = Integer.bitCount(same & (1 << lane) - 1);
        int row = valid ? rows.get(slot) + before : 0;
        Warp.sync();
        if (valid && before == 0) {
            rows.set(slot, row + Integer.bitCount(same));
        }
        Warp.sync();
        int owner = valid ? space.owner(slot) : 0;
        int end = space.maxRows() > 0 ? (slot - space.first(owner) + 1) * space.maxRows() : space.capacity();
        return valid && row < end ? (long) owner << 32 | row : valid ? -1 : slot;
    }

    /**
     * {@link #route} where a token goes to a PE once: lanes 0 and up have the token's PEs in ascending order.
     *
     * @param experts by choice: the PE, above the local expert there; below 0 for none; 32 of them, which are set
     */
    static long rankRoute(
            MoeSpace space,
            I8Ptr chosen,
            int routeBytes,
            int token,
            I32Ptr rows,
            boolean records,
            long[] experts,
            int half) {
        int lane = Warp.laneId();
        int slot = slot(space, chosen, routeBytes, token, records);
        int owner = slot < 0 ? -1 - lane : space.owner(slot);
        experts[half + lane] = slot < 0 ? slot : (long) owner << 32 | slot - space.first(owner);
        int same = Warp.matchAny(owner);
        boolean leads = slot >= 0 && (same & (1 << lane) - 1) == 0;
        int row = leads ? rows.get(owner) : 0;
        Warp.sync();
        if (leads) {
            rows.set(owner, row + 1);
        }
        Warp.sync();
        long place = leads ? (long) owner << 32 | row : Long.MAX_VALUE;
        int below = 0;
        for (int other = 0; other < space.perToken(); other++) {
            below += Warp.shuffle(place, other) < place ? 1 : 0;
        }
        // Each lane looks for the leader that so many others are below.
        long sorted = -1;
        for (int other = 0; other < space.perToken(); other++) {
            long theirs = Warp.shuffle(place, other);
            int rank = Warp.shuffle(below, other);
            sorted = theirs != Long.MAX_VALUE && rank == lane ? theirs : sorted;
        }
        return sorted;
    }
}
