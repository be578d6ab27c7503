// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;

/**
 * Places of everything in the symmetric memory of an {@link ExpertParallel}, as kernels see those of one dispatch in
 * flight: an argument by value. Offsets are bytes from {@code base} on. All words that others write have the number of
 * the dispatch, its epoch, with or in them, so that nothing is ever set back.
 *
 * @param base this PE's memory
 * @param distances from it to that of each PE, in bytes
 * @param report of the host: what was waited for in vain, the first wrong route, the first overflow
 * @param experts of the layer
 * @param living PEs that take part
 * @param peers which these are, in ascending order; behind room for all PEs, the first of them of each group, and where
 *     there would be one more; 0 where all PEs take part
 * @param slots experts of all PEs, one PE after the other: with replicas more than experts
 * @param counters of routes to each PE: one for each slot, or where a token goes to a PE once, for each PE
 * @param table of the placement: first slots of PEs, PEs of slots, experts of slots, first replicas of experts, slots
 *     of replicas; 0 where experts are in equal shares
 * @param perToken choices of a token
 * @param padding rows of which each expert begins at a multiple
 * @param maxRows rows of an expert's area; 0 if areas follow each other
 * @param rankRows rows of each source, where a token goes to a PE once; else 0
 * @param capacity rows of a PE
 * @param rowBytes of a row
 * @param members PEs that have the same tokens
 * @param renormalize whether the weights of choices that are left stand for those that are lost
 * @param scales of a row
 * @param scaleBytes of a scale
 * @param scalePeriod rows of which each scale is a column; 0 where the scales of a row follow each other
 * @param slot where what is of one dispatch begins
 * @param flags by PE: the epoch whose rows have come
 * @param answers by PE: the epoch whose results are there
 * @param meets by PE: how often it has come to a meeting
 * @param load by expert: how often it was chosen so far
 * @param pending by group of PEs: the number of answers to it that are not there yet, below its epoch
 * @param words by PE and counter: the number of routes, below its epoch
 * @param came by group of PEs and local expert: the number of rows, below its epoch
 * @param rowChoices by row and choice of its token: the local expert; -1 for those that are not here
 * @param rowWeights by row and choice: the weight
 * @param places by token and choice: the PE, above its row there; -1 for none, {@link #LOST} where no PE has the expert
 *     any more
 * @param results by row: the answer
 * @param resultScales by row and block of 128 elements: the scale of answers of FLOAT8_E4M3
 */
@KernelLibrary
public record MoeSpace(
        I8Ptr base,
        I64Ptr distances,
        I64Ptr report,
        int me,
        int pes,
        int living,
        long peers,
        int experts,
        int slots,
        int counters,
        long table,
        int perToken,
        int padding,
        int maxRows,
        int rankRows,
        int capacity,
        int rowBytes,
        int members,
        boolean renormalize,
        int scales,
        int scaleBytes,
        int scalePeriod,
        long meets,
        long load,
        long slot,
        long flags,
        long answers,
        long pending,
        long words,
        long came,
        long counts,
        long starts,
        long rowExperts,
        long rowChoices,
        long rowWeights,
        long places,
        long rows,
        long rowScales,
        long results,
        long resultScales) {
    /** Of this PE alone: 0, or what was waited for in vain. */
    static final long STATUS = 0;
    /** Of this PE alone: nanoseconds that are waited for a PE; 0 for no limit. */
    static final long LIMIT = 8;
    /** Of this PE alone: the first wrong route, {@link #NO_ROUTE} without. */
    static final long WRONG = 16;
    /**
     * Of this PE alone: the PE that has too few rows, or where areas have a size the expert, above the rows that it
     * needed; {@link #NO_ROUTE} without.
     */
    static final long OVERFLOW = 24;
    /** Of this PE alone: how often it has met the others. */
    static final long MEETINGS = 32;
    /** Behind them: how often each expert was chosen. */
    static final long LOAD = 256;

    /** In a slot: the epoch of the last dispatch, and how many blocks of one have ended. */
    static final long EPOCH = 0;

    static final long TICKET = 4;
    /** And its number of tokens. */
    static final long TOKENS = 8;
    /** And how many parts of answers are said to be there. */
    static final long PARTS = 64;
    /** Behind them. */
    static final long HEAD = 128;

    static final long NO_ROUTE = Long.MAX_VALUE;

    /** A place, and a slot: of a choice whose expert no PE has any more. */
    static final int LOST = -2;

    /** Words of {@link #report}. */
    static final int REPORT_WAIT = 0;

    static final int REPORT_ROUTE = 1;
    static final int REPORT_OVERFLOW = 2;
    static final int REPORT_TOKENS = 3;
    /** A group, and 1, that got more answers than it has rows. */
    static final int REPORT_DONE = 4;

    static final int REPORTS = 5;

    /**
     * Returns whether experts are in equal shares, and all PEs take part, with tokens of their own, which go to each
     * expert.
     */
    boolean isPlain() {
        return table == 0 && peers == 0 && members == 1 && rankRows == 0;
    }

    /** Returns the same, if it is plain, as a compiler sees it: code for all else goes. */
    MoeSpace plain() {
        return new MoeSpace(
                base,
                distances,
                report,
                me,
                pes,
                pes,
                0,
                experts,
                slots,
                counters,
                0,
                perToken,
                padding,
                maxRows,
                0,
                capacity,
                rowBytes,
                1,
                false,
                scales,
                scaleBytes,
                scalePeriod,
                meets,
                load,
                slot,
                flags,
                answers,
                pending,
                words,
                came,
                counts,
                starts,
                rowExperts,
                rowChoices,
                rowWeights,
                places,
                rows,
                rowScales,
                results,
                resultScales);
    }

    I8Ptr at(int pe) {
        return base.plus(distances.get(pe));
    }

    /** Returns the PE of a number among those that take part. */
    int peer(int number) {
        return peers == 0 ? number : base.plus(peers).asI32().get(number);
    }

    /** Returns the PE of a number among those that take part; number 0 is another one on each PE. */
    int turn(int number) {
        if (peers == 0) {
            return me + number < pes ? me + number : me + number - pes;
        }
        return peer((me + number) % living);
    }

    /** Returns the group of a PE. */
    int group(int pe) {
        return members == 1 ? pe : pe / members;
    }

    /** Returns the number of the first PE of a group, or of those behind it, among those that take part. */
    private int firstOf(int group) {
        return base.plus(peers).asI32().get(pes + group);
    }

    /** Returns the PE that counts for its group; -1 if none of the group takes part. */
    int counts(int group) {
        if (peers == 0) {
            return group * members;
        }
        int first = firstOf(group);
        return first < firstOf(group + 1) ? peer(first) : -1;
    }

    /** Returns which PE of this one's group sends a token. */
    int sender(int token) {
        if (members == 1) {
            return me;
        }
        int group = group(me);
        if (peers == 0) {
            return group * members + token % members;
        }
        int first = firstOf(group);
        return peer(first + token % (firstOf(group + 1) - first));
    }

    I64Ptr status() {
        return base.plus(STATUS).asI64();
    }

    I64Ptr limit() {
        return base.plus(LIMIT).asI64();
    }

    I64Ptr wrong() {
        return base.plus(WRONG).asI64();
    }

    I64Ptr overflow() {
        return base.plus(OVERFLOW).asI64();
    }

    I32Ptr meetings() {
        return base.plus(MEETINGS).asI32();
    }

    I32Ptr epoch() {
        return base.plus(slot + EPOCH).asI32();
    }

    /** Returns the epoch of the next dispatch: never 0, which is what words have that nobody has written. */
    int nextEpoch() {
        int next = epoch().get(0) + 1;
        return next == 0 ? 1 : next;
    }

    I32Ptr ticket() {
        return base.plus(slot + TICKET).asI32();
    }

    I32Ptr parts() {
        return base.plus(slot + PARTS).asI32();
    }

    I32Ptr tokens() {
        return base.plus(slot + TOKENS).asI32();
    }

    /** Where a scale of a row is, in bytes. */
    long scale(int row, int number) {
        if (scalePeriod == 0) {
            return rowScales + ((long) row * scales + number) * scaleBytes;
        }
        int area = row / scalePeriod;
        long first = (long) area * scalePeriod * scales;
        return rowScales + (first + (long) number * scalePeriod + row % scalePeriod) * scaleBytes;
    }

    I64Ptr place(long route) {
        return base.plus(places + 8 * route).asI64();
    }

    /** Experts of every PE, except that the first {@link #more} have one more. */
    private int share() {
        return experts / pes;
    }

    private int more() {
        return experts % pes;
    }

    private int look(int at) {
        return base.plus(table).asI32().get(at);
    }

    /** The first slot of a PE. */
    int first(int pe) {
        return table != 0 ? look(pe) : pe * share() + Math.min(pe, more());
    }

    /** The number of its slots. */
    int local(int pe) {
        return table != 0 ? look(pe + 1) - look(pe) : share() + (pe < more() ? 1 : 0);
    }

    /** The PE of a slot. */
    int owner(int slot) {
        if (table != 0) {
            return look(pes + 1 + slot);
        }
        int share = share();
        int more = more();
        int those = more * (share + 1);
        // Without experts for all, nobody is behind those that have one.
        return slot < those ? slot / (share + 1) : more + (slot - those) / Math.max(share, 1);
    }

    /** The expert of a slot. */
    int expert(int slot) {
        return table != 0 ? look(pes + 1 + slots + slot) : slot;
    }

    private int firstReplicas() {
        return pes + 1 + 2 * slots;
    }

    /** The number of slots of an expert. */
    int replicas(int expert) {
        return table == 0 ? 1 : look(firstReplicas() + expert + 1) - look(firstReplicas() + expert);
    }

    /** The slot of a replica of an expert, in the order of PEs. */
    int replica(int expert, int number) {
        return table == 0 ? expert : look(firstReplicas() + experts + 1 + look(firstReplicas() + expert) + number);
    }

    /** The slot to which a choice of a token goes; {@link #LOST} if no PE has the expert. */
    int slot(int expert, int token) {
        if (table == 0) {
            return expert;
        }
        int replicas = pes + 1 + 2 * slots;
        int begin = look(replicas + expert);
        int count = look(replicas + expert + 1) - begin;
        int all = replicas + experts + 1 + begin;
        if (count <= 1) {
            return count == 0 ? LOST : look(all);
        }
        int sender = sender(token);
        for (int i = 0; i < count; i++) {
            int slot = look(all + i);
            if (owner(slot) == sender) {
                return slot;
            }
        }
        return look(all + token % count);
    }
}
