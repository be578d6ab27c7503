// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.Set;
import org.comm4j.kernel.loops.Val.Place;
import org.jspecify.annotations.Nullable;

/** Runs blocks of which no thread waits, on one processor: row by row, those of neighbouring blocks in one loop. */
public final class LoopRows {
    /** Places that are others in the next block. */
    private static final Set<Place> OF_BLOCK = Set.of(Place.TID_X, Place.CTAID_X, Place.LANE);

    private final LoopState state;
    private final Runnable poll;
    private final boolean isTogether;
    private final @Nullable RowLoop loop;
    /** Whether nobody asks where a block ends. */
    private final boolean merges;

    LoopRows(LoopState state, LoopCode code, Runnable poll) {
        this.state = state;
        this.poll = poll;
        this.isTogether = code.together().getFirst();
        this.merges = code.merges();
        this.loop = code.shape() == null ? null : new RowLoop(state, code.shape(), this::run);
    }

    /** Gets ready for a launch, in the thread that runs it. */
    void begin() {
        if (loop != null) {
            loop.begin();
        }
    }

    /** Lets the memory of a launch go. */
    void end() {
        if (loop != null) {
            loop.end();
        }
    }

    LoopState state() {
        return state;
    }

    /** Returns whether code asks for nothing that is another one in the next block. */
    static boolean merges(Flat flat, Set<Place> places) {
        return places.stream().noneMatch(OF_BLOCK::contains)
                && flat.callees().stream().noneMatch(Callee::asks)
                && flat.rooms().stream()
                        .noneMatch(room -> room.where == Room.Where.SHARED || room.where == Room.Where.DYNAMIC);
    }

    /**
     * Runs blocks by their numbers in the grid.
     *
     * @param to the number behind the last
     * @throws LoopFault if a thread throws something; {@link #block} is its block
     */
    public void run(long from, long to) {
        for (long number = from; number < to; ) {
            poll.run();
            int x = (int) (number % state.nctaid_x);
            int y = (int) (number / state.nctaid_x % state.nctaid_y);
            int z = (int) (number / state.nctaid_x / state.nctaid_y);
            int count = merges ? (int) Math.min(state.nctaid_x - x, to - number) : 1;
            state.begin(number, x, y, z);
            for (state.row_z = 0; state.row_z < state.ntid_z; state.row_z++) {
                for (state.row_y = 0; state.row_y < state.ntid_y; state.row_y++) {
                    state.row = (state.row_z * state.ntid_y + state.row_y) * state.ntid_x;
                    if (loop == null) {
                        run(0, count * state.ntid_x);
                    } else {
                        loop.run(count * state.ntid_x);
                    }
                }
            }
            number += count;
        }
    }

    private void run(int from, int to) {
        try {
            int _ = isTogether ? state.together(0, from, to) : state.run(0, from, to);
        } catch (LoopFault fault) {
            int thread = fault.thread();
            state.ctaid_x += thread / state.ntid_x;
            throw new LoopFault(fault.cause(), state.row + thread % state.ntid_x, fault.at(), fault.calls());
        }
    }

    /** The number of the block that runs. */
    public long block() {
        return state.ctaid_x + state.nctaid_x * (state.ctaid_y + (long) state.nctaid_y * state.ctaid_z);
    }
}
