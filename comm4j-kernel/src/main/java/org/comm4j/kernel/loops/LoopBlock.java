// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.loops.Stop.What;
import org.jspecify.annotations.Nullable;

/**
 * Runs blocks on one processor. As long as all threads of a block come to the same places, each step is one loop over
 * all of them; where they do not, loops are over those that are neighbours and at the same place.
 */
public final class LoopBlock {
    private static final int WARP = 32;

    /** How far a block has come. */
    public enum Progress {
        ENDED,
        /** It may go on, but others may have to do something first. */
        PAUSED,
        /** It waits for other blocks. */
        BLOCKED
    }

    private final LoopState state;
    /** By their numbers; the first is none. */
    private final Stop[] stops;

    private final boolean[] together;
    private final WarpOperations warps;
    private final NamedBarriers named;
    private final ThreadCalls calls;
    private final int threads;
    private final Runnable poll;
    /** Which threads at a barrier of several blocks, or a named one, go on. */
    private final boolean[] released;

    private final boolean[] goes;
    private final boolean[] isHere;
    /** Where all threads are; −1 if that differs. */
    private int where;
    /** Whether they have waited there long enough. */
    private boolean goesOn;
    /** Whether of what is the same for all threads the first elements count. */
    private boolean isTogether;
    /**
     * Whether what control flow makes the same for all threads is so now. It is not while some have run ahead, into the
     * next turn of a loop, although all are at the same place.
     */
    private boolean isAgreed;

    LoopBlock(LoopState state, LoopCode code, Runnable poll, LoopThreads asked) {
        this.state = state;
        List<Stop> all = new ArrayList<>(code.flat().stops());
        int own = all.size() + 1;
        this.calls = new ThreadCalls(state, asked, own);
        all.addAll(calls.stops());
        this.stops = new Stop[all.size() + 1];
        all.forEach(stop -> stops[stop.number()] = stop);
        this.together = new boolean[stops.length];
        for (int i = 0; i < own; i++) {
            together[i] = code.together().get(i);
        }
        this.threads = state.threads();
        this.warps = new WarpOperations(state, stops, code.uniformArguments());
        this.released = new boolean[threads];
        this.goes = new boolean[threads];
        this.isHere = new boolean[threads];
        this.named = new NamedBarriers(state, warps, released);
        this.poll = poll;
    }

    /** Makes the blocks that have just begun a cluster, by their ranks. */
    public static void join(List<LoopBlock> cluster) {
        LoopState[] all = cluster.stream().map(LoopBlock::state).toArray(LoopState[]::new);
        for (int rank = 0; rank < all.length; rank++) {
            all[rank].join(all, rank);
        }
    }

    /**
     * Notes that shared memory was copied to.
     *
     * @param byEngine whether the copy engine did it in the name of those who wait for it
     */
    public void copied(MemorySegment to, long offset, long bytes, int thread, boolean byEngine) {
        state.copied(to, offset, bytes, thread, byEngine);
    }

    /** Notes that a thread has called a fence. */
    public void fence(int thread) {
        if (state.races != null) {
            state.races.fence(thread);
        }
    }

    /** Notes that a thread has come to a barrier in memory. */
    public void arrived(MemorySegment memory, long offset, int thread) {
        if (state.races != null) {
            state.races.arrived(memory.address() + offset, thread);
        }
    }

    /** Notes that a thread has seen that a barrier in memory is open. */
    public void passed(MemorySegment memory, long offset, int thread) {
        if (state.races != null) {
            state.races.passed(memory.address() + offset, thread);
        }
    }

    LoopState state() {
        return state;
    }

    /** Begins a block, by its number in the grid. */
    public void begin(long number, int x, int y, int z) {
        state.begin(number, x, y, z);
        named.clear();
        Arrays.fill(isHere, false);
        Arrays.fill(released, false);
        where = 0;
        goesOn = true;
        isTogether = false;
        isAgreed = true;
    }

    /**
     * Runs the block as far as it gets without others.
     *
     * @throws LoopFault if a thread throws something
     * @throws LoopStuck if threads wait for others that never come
     */
    public Progress run() {
        while (true) {
            poll.run();
            if (goesOn) {
                goesOn = false;
                where = advance(where);
            }
            if (where == 0) {
                return Progress.ENDED;
            }
            if (calls.isInside(where)) {
                spread();
            }
            if (where < 0) {
                Progress progress = apart();
                if (progress != null) {
                    return progress;
                }
            } else {
                switch (stops[where].what()) {
                    case SYNC_BLOCK, SYNC_COUNT, BLOCK_ADD, BLOCK_MIN, BLOCK_MAX -> {
                        meet(stops[where]);
                        goesOn = true;
                        isAgreed = true;
                    }
                    case PAUSE -> {
                        goesOn = true;
                        return Progress.PAUSED;
                    }
                    default -> spread();
                }
            }
        }
    }

    /** All threads are at the same place, where each waits for itself. */
    private void spread() {
        if (isTogether) {
            warps.spread(stops[where], threads);
            state.spread();
        }
        Arrays.fill(state.at, 0, threads, where);
        where = -1;
    }

    /** All threads have come to a barrier. */
    private void meet(Stop stop) {
        if (stop.what() == What.SYNC_COUNT) {
            count();
        } else if (stop.isReduction()) {
            BlockReductions.run(stop, state, isTogether ? 1 : threads);
        }
        if (state.races != null) {
            state.races.meet();
        }
    }

    /**
     * Runs all threads, which are at the same place, to where they wait for the block.
     *
     * @return where all are; −1 if that differs
     */
    private int advance(int from) {
        int at = from;
        while (true) {
            boolean was = isTogether;
            isTogether = together[at] && isAgreed;
            int now;
            if (isTogether) {
                now = state.all(at);
            } else {
                if (was) {
                    state.spread();
                }
                now = state.run(at, 0, threads);
            }
            if (now < 0) {
                return settle();
            }
            if (now == 0 || !stops[now].what().isOfWarp() && stops[now].what() != What.CUT) {
                return now;
            }
            if (stops[now].what() == What.CUT) {
                at = now;
            } else if (warps.isOfAll(stops[now], 0, isTogether && warps.isUniformMask(stops[now]) ? 1 : threads)) {
                warps.run(stops[now], 0, threads, isTogether);
                at = now;
            } else {
                where = now;
                spread();
                return settle();
            }
        }
    }

    /** Lets threads go on that may, each from where it is. */
    private @Nullable Progress apart() {
        int barriers = 0;
        boolean pauses = false;
        boolean waits = false;
        for (int thread = 0; thread < threads; thread++) {
            int at = state.at[thread];
            What what = at == 0 ? What.SYNC_WARP : stops[at].what();
            goes[thread] = what == What.PAUSE || what == What.CUT || what == What.CALL;
            pauses |= what == What.PAUSE;
            switch (what) {
                case SYNC_BLOCK, SYNC_COUNT, BLOCK_ADD, BLOCK_MIN, BLOCK_MAX -> barriers++;
                case SYNC_NAMED, ARRIVE_NAMED -> {
                    if (!isHere[thread]) {
                        isHere[thread] = true;
                        named.come(stops[at], thread);
                    }
                }
                case SYNC_GRID, SYNC_CLUSTER -> {
                    isHere[thread] = true;
                    waits = true;
                }
                default -> {}
            }
        }
        if (barriers == threads) {
            where = sync();
            return null;
        }
        boolean any = false;
        for (int thread = 0; thread < threads; thread++) {
            if (released[thread]) {
                released[thread] = false;
                isHere[thread] = false;
                goes[thread] = true;
            }
            any |= goes[thread];
        }
        if (!any) {
            if (waits) {
                return Progress.BLOCKED;
            }
            throw stuck();
        }
        for (int begin = 0; begin < threads; begin++) {
            int end = begin;
            while (end < threads && goes[end]) {
                end++;
            }
            step(begin, end);
            begin = end;
        }
        where = settle();
        return pauses ? Progress.PAUSED : null;
    }

    /** How many threads wait for other blocks in a barrier of the cluster, or of the grid. */
    public int waiting(boolean ofCluster) {
        int count = 0;
        for (int thread = 0; thread < threads && where < 0; thread++) {
            int at = state.at[thread];
            count += at > 0 && isHere[thread] && stops[at].what() == ofBlocks(ofCluster) ? 1 : 0;
        }
        return count;
    }

    private static What ofBlocks(boolean ofCluster) {
        return ofCluster ? What.SYNC_CLUSTER : What.SYNC_GRID;
    }

    /** Lets the threads go on that wait for other blocks, which have come. */
    public void release(boolean ofCluster) {
        for (int thread = 0; thread < threads; thread++) {
            int at = state.at[thread];
            released[thread] |= at > 0 && stops[at].what() == ofBlocks(ofCluster);
        }
        if (state.races != null) {
            state.races.met(ofCluster);
        }
    }

    /** The first thread that waits for other blocks. */
    public LoopFault refused(RuntimeException why, boolean ofCluster) {
        for (int thread = 0; thread < threads; thread++) {
            int at = state.at[thread];
            if (at > 0 && stops[at].what() == ofBlocks(ofCluster)) {
                return new LoopFault(why, thread, stops[calls.inKernel(at, thread)].at());
            }
        }
        throw new IllegalStateException("no thread waits for other blocks");
    }

    /** Lets threads that are at barriers go on, all of which have come. */
    private int sync() {
        Stop first = stops[state.at[0]];
        for (int thread = 0; thread < threads; thread++) {
            int at = state.at[thread];
            if (stops[at].what() != first.what() || stops[at].kind() != first.kind()) {
                throw new LoopFault(
                        new IllegalStateException(stops[at].signature() + " meets " + first.signature() + " of "
                                + state.describe(0) + ": all threads of a block come to the same barrier"),
                        thread,
                        stops[calls.inKernel(at, thread)].at());
            }
        }
        meet(first);
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
        if (calls.isInside(where) || where > 0 && stops[where].what() == What.CALL) {
            calls.run(where, from, to);
            return;
        }
        int now = state.run(where, from, to);
        if (now >= 0) {
            Arrays.fill(state.at, from, to, now);
        }
    }

    /** Runs all warps to where they wait for the block; returns where all are, or −1. */
    private int settle() {
        isTogether = false;
        isAgreed = false;
        int common = -2;
        for (int from = 0; from < threads; from += WARP) {
            int here = settle(from, Math.min(threads, from + WARP));
            common = common == -2 || common == here ? here : -1;
        }
        return common;
    }

    private int settle(int from, int to) {
        while (true) {
            int at = common(from, to);
            if (at == 0 || at > 0 && !stops[at].what().isOfWarp()) {
                return at;
            }
            poll.run();
            if (at > 0 && warps.isOfAll(stops[at], from, to)) {
                warps.run(stops[at], from, to, false);
                step(at, from, to);
            } else {
                int lanes = isAnyOfWarp(from, to) ? warps.complete(from, to) : 0;
                if (lanes == 0) {
                    return -1;
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
            if (where > 0 && stops[where].what().isOfWarp()) {
                return true;
            }
        }
        return false;
    }

    private LoopStuck stuck() {
        return new LoopStuck(waiting());
    }

    /** Where threads wait. */
    public List<LoopStuck.Waiting> waiting() {
        List<LoopStuck.Waiting> all = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int at = where > 0 ? where : where == 0 ? 0 : state.at[thread];
            Position line = at == 0 ? null : stops[calls.inKernel(at, thread)].at();
            all.add(new LoopStuck.Waiting(at == 0 ? null : waitsIn(stops[at], thread), line));
        }
        return all;
    }

    private String waitsIn(Stop stop, int thread) {
        return switch (stop.what()) {
            case SYNC_NAMED, ARRIVE_NAMED -> named.signature(stop, thread);
            case SYNC_BLOCK,
                    SYNC_COUNT,
                    BLOCK_ADD,
                    BLOCK_MIN,
                    BLOCK_MAX,
                    SYNC_GRID,
                    SYNC_CLUSTER,
                    PAUSE,
                    CALL,
                    FIRST,
                    CUT -> stop.signature();
            default -> stop.name() + " with the mask 0x" + Integer.toHexString(warps.mask(stop, thread));
        };
    }
}
