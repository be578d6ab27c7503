// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs blocks on one processor. As long as all threads of a block come to the same places, each step is one loop over
 * all of them; where they do not, loops are over those that are neighbours and at the same place.
 */
public final class LoopBlock {
    private static final int WARP = 32;

    private final LoopState state;
    /** By their numbers; the first is none. */
    private final Stop[] stops;

    private final boolean[] together;
    private final WarpOperations warps;
    private final int threads;
    private final Runnable poll;

    LoopBlock(LoopState state, LoopCode code, Runnable poll) {
        this.state = state;
        List<Stop> all = code.flat().stops();
        this.stops = new Stop[all.size() + 1];
        all.forEach(stop -> stops[stop.number()] = stop);
        this.together = new boolean[stops.length];
        for (int i = 0; i < together.length; i++) {
            together[i] = code.together().get(i);
        }
        this.threads = state.threads();
        this.warps = new WarpOperations(state, stops, code.uniformArguments());
        this.poll = poll;
    }

    LoopState state() {
        return state;
    }

    /**
     * Runs a block to its end.
     *
     * @throws LoopFault if a thread throws something
     * @throws LoopStuck if threads wait for others that never come
     */
    public void run(int x, int y, int z) {
        state.begin(x, y, z);
        int where = advance(0);
        while (where != 0) {
            poll.run();
            if (where > 0) {
                Stop stop = stops[where];
                if (stop.what() == Stop.What.SYNC_COUNT) {
                    count();
                }
                where = advance(where);
            } else {
                where = sync();
            }
        }
    }

    /**
     * Runs all threads, which are at the same place, to where they wait for the block.
     *
     * @return where all are; −1 if that differs
     */
    private int advance(int from) {
        int where = from;
        while (true) {
            boolean isTogether = together[where];
            int now;
            if (isTogether) {
                now = state.together(where, threads);
            } else {
                state.spread();
                now = state.run(where, 0, threads);
            }
            if (now < 0) {
                return settle();
            }
            if (now == 0 || stops[now].what().isOfBlock()) {
                return now;
            }
            if (warps.isOfAll(stops[now], 0, isTogether && warps.isUniformMask(stops[now]) ? 1 : threads)) {
                warps.run(stops[now], 0, threads, isTogether);
                where = now;
            } else {
                if (isTogether) {
                    warps.spread(stops[now], threads);
                    state.spread();
                }
                Arrays.fill(state.at, 0, threads, now);
                return settle();
            }
        }
    }

    /** Lets threads that are at barriers go on, all of which have come. */
    private int sync() {
        Stop first = stops[Math.max(state.at[0], 0)];
        for (int thread = 0; thread < threads; thread++) {
            int where = state.at[thread];
            if (where == 0 || first == null) {
                throw stuck();
            }
            if (stops[where].what() != first.what()) {
                throw new LoopFault(
                        new IllegalStateException(stops[where].signature() + " meets " + first.signature() + " of "
                                + state.describe(0) + ": all threads of a block come to the same barrier"),
                        thread,
                        stops[where].at());
            }
        }
        if (first.what() == Stop.What.SYNC_COUNT) {
            count();
        }
        step(0, threads);
        return settle();
    }

    private void count() {
        int sum = 0;
        for (int thread = 0; thread < threads; thread++) {
            sum += state.operands[thread];
        }
        Arrays.fill(state.results, 0, threads, sum);
    }

    /** Runs threads from where each of them is. */
    private void step(int from, int to) {
        for (int begin = from; begin < to; ) {
            int where = state.at[begin];
            int end = begin + 1;
            while (end < to && state.at[end] == where) {
                end++;
            }
            step(where, begin, end);
            begin = end;
        }
    }

    private void step(int where, int from, int to) {
        int now = state.run(where, from, to);
        if (now >= 0) {
            Arrays.fill(state.at, from, to, now);
        }
    }

    /** Runs all warps to where they wait for the block; returns where all are, or −1. */
    private int settle() {
        int common = -2;
        for (int from = 0; from < threads; from += WARP) {
            int where = settle(from, Math.min(threads, from + WARP));
            common = common == -2 || common == where ? where : -1;
        }
        return common;
    }

    private int settle(int from, int to) {
        while (true) {
            int where = common(from, to);
            if (where == 0 || where > 0 && stops[where].what().isOfBlock()) {
                return where;
            }
            poll.run();
            if (where > 0 && warps.isOfAll(stops[where], from, to)) {
                warps.run(stops[where], from, to, false);
                step(where, from, to);
            } else if (!isAnyOfWarp(from, to)) {
                return -1;
            } else {
                int lanes = warps.complete(from, to);
                if (lanes == 0) {
                    throw stuck();
                }
                for (int begin = from; begin < to; ) {
                    int end = begin;
                    while (end < to && (lanes >>> end - from & 1) != 0) {
                        end++;
                    }
                    step(begin, end);
                    begin = end + 1;
                }
            }
        }
    }

    private int common(int from, int to) {
        int where = state.at[from];
        for (int thread = from + 1; thread < to; thread++) {
            if (state.at[thread] != where) {
                return -1;
            }
        }
        return where;
    }

    private boolean isAnyOfWarp(int from, int to) {
        for (int thread = from; thread < to; thread++) {
            int where = state.at[thread];
            if (where > 0 && !stops[where].what().isOfBlock()) {
                return true;
            }
        }
        return false;
    }

    private LoopStuck stuck() {
        List<LoopStuck.Waiting> all = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int where = state.at[thread];
            all.add(
                    where == 0
                            ? new LoopStuck.Waiting(null, null)
                            : new LoopStuck.Waiting(waitsIn(stops[where], thread), stops[where].at()));
        }
        return new LoopStuck(all);
    }

    private String waitsIn(Stop stop, int thread) {
        return stop.what().isOfBlock()
                ? stop.signature()
                : stop.name() + " with the mask 0x" + Integer.toHexString(warps.mask(stop, thread));
    }
}
