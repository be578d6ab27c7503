// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.loops.Stop.What;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a block that are in Java methods which may wait. Where one waits, in the middle of a method, it is at
 * a stop as others are, but at one of the stops here, which no region follows: the method goes on.
 */
final class ThreadCalls implements LoopThreads.Calls {
    private final LoopState state;
    private final LoopThreads threads;
    /** The number of the first stop here. */
    private final int first;

    private final List<Stop> stops = new ArrayList<>();
    /** By threads, the stop of the call that each is in. */
    private final int[] in;

    private final boolean[] ended;
    /** By threads, the one behind the last whose call is this one's, too; 0 if there are none. */
    private final int[] behind;
    /** The same of all threads that have had a turn in a run. */
    private int reached;

    private @Nullable Throwable thrown;
    private int failed;

    ThreadCalls(LoopState state, LoopThreads threads, int first) {
        this.state = state;
        this.threads = threads;
        this.first = first;
        this.in = new int[state.threads()];
        this.ended = new boolean[state.threads()];
        this.behind = new int[state.threads()];
        for (LoopThreads.Wait wait : LoopThreads.Wait.values()) {
            stops.add(
                    switch (wait) {
                        case PAUSE -> stop(wait, What.PAUSE, "a pause", List.of());
                        case BLOCK -> stop(wait, What.SYNC_BLOCK, "Block.sync", List.of());
                        case COUNT -> stop(wait, What.SYNC_COUNT, "Block.syncCount", List.of(Val.Place.TID_X));
                        case WARP -> stop(wait, What.SYNC_WARP, "Warp.sync", List.of(Val.Place.TID_X));
                        case GRID -> stop(wait, What.SYNC_GRID, "Grid.sync", List.of());
                        case CLUSTER -> stop(wait, What.SYNC_CLUSTER, "Cluster.sync", List.of());
                        case FIRST -> stop(wait, What.FIRST, "the call of the first thread", List.of());
                    });
        }
    }

    private Stop stop(LoopThreads.Wait wait, What what, String name, List<Val> arguments) {
        return new Stop(first + wait.ordinal(), what, name, Position.UNKNOWN, arguments, null);
    }

    /** Returns the stops in methods, by their numbers from the first one on. */
    List<Stop> stops() {
        return stops;
    }

    /** Returns whether a stop is one in a method. */
    boolean isInside(int stop) {
        return stop >= first;
    }

    /** Returns the stop in the kernel at which a thread is. */
    int inKernel(int stop, int thread) {
        return isInside(stop) ? in[thread] : stop;
    }

    /**
     * Goes on with the methods that threads are in or about to call, and behind them for those whose methods have
     * returned.
     *
     * @param where the stop that the threads are at
     */
    void run(int where, int from, int to) {
        if (!isInside(where)) {
            for (int thread = from; thread < to; thread++) {
                in[thread] = where;
            }
        }
        reached = to;
        for (int thread = from; thread < to; ) {
            thread = threads.call(thread, to, this);
            if (thrown != null) {
                Throwable why = thrown;
                thrown = null;
                throw state.failed(why, failed);
            }
        }
        for (int begin = from; begin < reached; ) {
            int end = begin + 1;
            while (end < reached && ended[end] == ended[begin] && in[end] == in[begin]) {
                end++;
            }
            if (ended[begin]) {
                Arrays.fill(ended, begin, end, false);
                if (state.races != null) {
                    state.races.called(begin, end);
                }
                int now = state.run(in[begin], begin, end);
                if (now >= 0) {
                    Arrays.fill(state.at, begin, end, now);
                }
            }
            begin = end;
        }
    }

    @Override
    public @Nullable Callable<@Nullable Object> begins(int thread) {
        return state.results().begun(thread);
    }

    @Override
    public void ended(int thread, @Nullable Object result) {
        int end = Math.max(behind[thread], thread + 1);
        behind[thread] = 0;
        reached = Math.max(reached, end);
        Arrays.fill(ended, thread, end, true);
        if (result != null) {
            state.results().keep(result, thread, end);
        }
    }

    @Override
    public boolean leads(int first, int end) {
        for (int thread = first + 1; thread < end; thread++) {
            if (state.at[thread] != in[first] || !state.results().isBegun(thread)) {
                return false;
            }
        }
        for (int thread = first + 1; thread < end; thread++) {
            state.results().forget(thread);
            in[thread] = in[first];
            waits(thread, LoopThreads.Wait.FIRST, 0);
        }
        behind[first] = end;
        return true;
    }

    @Override
    public void failed(int thread, Throwable why) {
        thrown = Objects.requireNonNull(why);
        failed = thread;
    }

    @Override
    public void waits(int thread, LoopThreads.Wait what, int argument) {
        state.at[thread] = first + what.ordinal();
        switch (what) {
            case COUNT -> state.operands[thread] = argument;
            case WARP -> state.masks[thread] = argument;
            default -> {}
        }
    }

    @Override
    public int count(int thread) {
        return state.results[thread];
    }
}
