// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.Arrays;

/** The numbered barriers of a block, to which some of its warps come ({@code barrier.sync} of PTX). */
final class NamedBarriers {
    private static final int COUNT = 16;
    private static final int WARP = 32;

    private final LoopState state;
    private final WarpOperations warps;
    private final boolean[] released;
    private final int[] arrived = new int[COUNT];
    private final int[] expected = new int[COUNT];
    private final int[] epochs = new int[COUNT];
    /** By threads, the barrier that each waits in, from 1; 0 if in none. */
    private final int[] waits;

    /** @param released by threads, set where one may go on */
    NamedBarriers(LoopState state, WarpOperations warps, boolean[] released) {
        this.state = state;
        this.warps = warps;
        this.released = released;
        this.waits = new int[released.length];
    }

    void clear() {
        Arrays.fill(arrived, 0);
        Arrays.fill(epochs, 0);
        Arrays.fill(waits, 0);
    }

    String signature(Stop stop, int thread) {
        return "Block." + (stop.what() == Stop.What.SYNC_NAMED ? "barrier(" : "arrive(")
                + warps.argument(stop, 0, thread) + ", " + warps.argument(stop, 1, thread) + ")";
    }

    /** A thread has come, and goes on if it does not wait. */
    void come(Stop stop, int thread) {
        int id = warps.argument(stop, 0, thread);
        int count = warps.argument(stop, 1, thread);
        int threads = waits.length;
        if (id < 0 || id >= COUNT || count <= 0 || count % WARP != 0 || count > (threads + WARP - 1) / WARP * WARP) {
            throw new LoopFault(
                    new IllegalArgumentException(signature(stop, thread)
                            + ": a barrier is 0 to 15, for a multiple of 32 threads, of which the block has "
                            + threads),
                    thread,
                    stop.at());
        }
        if (arrived[id] > 0 && expected[id] != count) {
            throw new LoopFault(
                    new IllegalStateException(
                            signature(stop, thread) + ": others came to this barrier for " + expected[id] + " threads"),
                    thread,
                    stop.at());
        }
        expected[id] = count;
        arrived[id]++;
        if (state.races != null) {
            epochs[id] = Math.max(epochs[id], state.races.arrive(thread));
        }
        if (stop.what() == Stop.What.SYNC_NAMED) {
            waits[thread] = id + 1;
        } else {
            released[thread] = true;
        }
        if (arrived[id] == Math.min(count, threads)) {
            open(id);
        }
    }

    private void open(int id) {
        arrived[id] = 0;
        for (int thread = 0; thread < waits.length; thread++) {
            if (waits[thread] == id + 1) {
                waits[thread] = 0;
                released[thread] = true;
                if (state.races != null) {
                    state.races.open(thread, epochs[id]);
                }
            }
        }
    }
}
