// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Warp;

/**
 * How a rank's rows are cut into tiles for {@link PersistentKernels}, and how many warps there are for them.
 *
 * @param across tiles in a row of them
 * @param down rows of tiles, none of them less high than a pass has iterations
 * @param blocks of the launch
 * @param warps of a block
 */
record PersistentTiles(int across, int down, int blocks, int warps) {
    private static final int SCHEDULERS = 4;
    private static final int MOST_WARPS = JacobiKernels.THREADS / Warp.SIZE;

    /** Rows that a warp could compute while it waits for the tiles around its own, and tells them that it is done. */
    private static final int WAIT = 10;

    /**
     * For a GPU: a warp marches alone as fast as with as many others beside it as there is room for, and all end at
     * about the same time.
     *
     * @param atOnce warps that a multiprocessor runs at the same time
     */
    static PersistentTiles of(JacobiProblem problem, int rows, int depth, int multiprocessors, int atOnce) {
        int across = across(problem, depth);
        int schedulers = SCHEDULERS * multiprocessors;
        int best = 1;
        long shortest = Long.MAX_VALUE;
        for (int down = 1; down <= Math.max(1, rows / depth); down++) {
            // Warps of a scheduler; those that there is no room for take their turn later.
            long beside = Math.ceilDiv((long) across * down, schedulers);
            long time = Math.max(beside, atOnce / SCHEDULERS) * (Math.ceilDiv(rows, down) + 2 * depth + WAIT);
            if (time < shortest) {
                shortest = time;
                best = down;
            }
            if ((long) across * down > (long) atOnce * multiprocessors) {
                break;
            }
        }
        return spread(across, best, multiprocessors, atOnce);
    }

    static PersistentTiles spread(int across, int down, int multiprocessors, int atOnce) {
        int tiles = across * down;
        // Few are spread over all multiprocessors.
        int warps = Math.clamp(Math.ceilDiv(tiles, multiprocessors), 1, MOST_WARPS);
        return new PersistentTiles(
                across, down, Math.min(Math.ceilDiv(tiles, warps), atOnce / warps * multiprocessors), warps);
    }

    /** For a CPU: several tiles for each of a few warps. */
    static PersistentTiles onCpu(JacobiProblem problem, int rows, int depth) {
        int across = across(problem, depth);
        int down = Math.clamp(rows / Math.max(depth, 8), 1, 4);
        return new PersistentTiles(across, down, Math.min(across * down, 2), 1);
    }

    static int across(JacobiProblem problem, int depth) {
        return Math.ceilDiv(problem.nx(), PersistentKernels.columns(depth));
    }

    LaunchConfig config() {
        return LaunchConfig.grid(blocks).block(Warp.SIZE * warps).cooperatively();
    }
}
