// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.jspecify.annotations.Nullable;

/** Slots of the memory of an {@link ExpertParallel}, one for each dispatch in flight, and where experts are. */
final class MoeSlots {
    private final MoeSite pe;
    private final MoeOptions options;
    private final MoeMemory.Plan plan;
    private final MoeMachine machine;
    private final Members members;
    private final MoePlaces places;
    private final Buffer[] memory;
    /** By slot: for tokens that have neither payloads nor destinations. */
    private final MoeSlot[] plain;
    /** By slot: that of its last dispatch. */
    private final MoeSlot[] last;

    private ExpertPlacement placement;
    private ExpertPlacement before;
    private int sharedBytes;
    /** The most blocks of a kernel. */
    private int blocks;

    /** @param staged what brings rows to PEs out of reach; null if there are none */
    MoeSlots(MoeSite pe, MoeMemory.Plan plan, MoeMachine machine, Members members, @Nullable FarRows staged) {
        this.pe = pe;
        this.members = members;
        this.options = plan.options();
        this.plan = plan;
        this.machine = machine;
        this.places = new MoePlaces(pe, plan, machine, members, staged);
        this.blocks = machine.blocks();
        int slots = options.inFlight();
        this.memory = new Buffer[slots];
        this.plain = new MoeSlot[slots];
        this.last = new MoeSlot[slots];
        for (int slot = 0; slot < slots; slot++) {
            memory[slot] = view(plan.firstSlot() + slot * plan.slot(), plan.slot(), DataType.INT8);
        }
        this.placement = plan.placement();
        this.before = placement;
        place(placement);
    }

    int count() {
        return plain.length;
    }

    int blocks() {
        return blocks;
    }

    void blocks(int most) {
        blocks = most;
    }

    ExpertPlacement placement() {
        return placement;
    }

    /** Returns the placement before. */
    ExpertPlacement before() {
        return before;
    }

    /** Returns what is where, for kernels that have no dispatch. */
    MoeSpace space() {
        return plain[0].space();
    }

    /** Returns all memory that a dispatch has. */
    Buffer memory(int slot) {
        return memory[slot];
    }

    /** Returns the slot for a dispatch whose tokens have neither payloads nor destinations. */
    MoeSlot begin(int slot) {
        last[slot] = plain[slot];
        return plain[slot];
    }

    /** Returns the slot for a dispatch of these tokens: the same one for the very same tokens. */
    MoeSlot begin(int slot, Tokens tokens) {
        if (tokens.payloads().isEmpty() && tokens.into() == null && tokens.scalesInto() == null) {
            return begin(slot);
        }
        if (!last[slot].isOf(tokens)) {
            last[slot] = places.slot(placement, slot, tokens);
        }
        return last[slot];
    }

    /** Returns the slot as its last dispatch has it. */
    MoeSlot last(int slot) {
        return last[slot];
    }

    /** Returns the slot with its own memory alone. */
    MoeSlot own(int slot) {
        return plain[slot];
    }

    /** Sets the number of the last dispatch of each slot, which no block has begun to end. */
    void epochs(int... numbers) {
        for (int slot = 0; slot < plain.length; slot++) {
            machine.set(plain[slot].space().slot() + MoeSpace.EPOCH, numbers[slot] & 0xffff_ffffL);
        }
    }

    /** Returns the number of the last dispatch of each slot. */
    int[] epochs() {
        int[] numbers = new int[plain.length];
        for (int slot = 0; slot < numbers.length; slot++) {
            numbers[slot] = view(plain[slot].space().slot() + MoeSpace.EPOCH, 1, DataType.INT32)
                    .toIntArray()[0];
        }
        return numbers;
    }

    /**
     * Returns what members agree on when they go on without others: the number of each slot's last dispatch, and that
     * of the last meeting.
     */
    long[] agreement() {
        long[] all = Arrays.stream(epochs()).asLongStream().toArray();
        long[] agreed = Arrays.copyOf(all, all.length + 1);
        agreed[all.length] = view(MoeSpace.MEETINGS, 1, DataType.INT32).toIntArray()[0];
        return agreed;
    }

    /** Goes on behind the last dispatch that any of them has begun: words of all before it are never waited for. */
    void agree(Collection<long[]> all) {
        int[] mine = Arrays.stream(agreement()).mapToInt(each -> (int) each).toArray();
        for (long[] theirs : all) {
            for (int i = 0; i < mine.length; i++) {
                mine[i] += Math.max((int) theirs[i] - mine[i], 0);
            }
        }
        // One may be under way that no block has begun to end, and 0 is left out.
        int[] next = Arrays.stream(mine).map(each -> each + 2).toArray();
        epochs(next);
        machine.set(MoeSpace.MEETINGS, next[plain.length] & 0xffff_ffffL);
    }

    /** Ends the waits of PEs that were excluded and live, if they should come back. */
    void tellExcluded(BitSet living) {
        living.stream()
                .forEach(rank -> machine.peer(view(MoeSpace.STATUS, 1, DataType.INT64), rank)
                        .copyFrom(HostArray.of(Waiting.EXCLUDED)));
    }

    void place(ExpertPlacement placement) {
        this.before = this.placement;
        this.placement = placement;
        layOut();
    }

    /** Tells kernels where the experts are, and which PEs take part. */
    void layOut() {
        if (places.usesTable(placement)) {
            put(plan.table(), placement.table(members.excluded(), machine.far()));
        }
        if (!members.isComplete()) {
            put(plan.peers(), members.table(options.group()));
        }
        for (int slot = 0; slot < plain.length; slot++) {
            plain[slot] = places.slot(placement, slot, null);
            last[slot] = plain[slot];
        }
        sharedBytes = Counting.sharedBytes(counters(), plan.areas());
    }

    private void put(long offset, int[] words) {
        view(offset, words.length, DataType.INT32).copyFrom(HostArray.of(words));
    }

    private int counters() {
        return places.counters(placement);
    }

    /** Returns how many threads get the counts of all PEs at once, instead of one flight after the other. */
    int counting() {
        return counters() * ((pe.nPes() + Counting.BATCH - 1) / Counting.BATCH);
    }

    Buffer view(long offset, long count, DataType type) {
        return places.view(offset, count, type);
    }

    MoePlaces places() {
        return places;
    }

    /** Returns the shared memory that a dispatch needs in kernels of the program, too. */
    int sharedBytes() {
        return sharedBytes;
    }
}
