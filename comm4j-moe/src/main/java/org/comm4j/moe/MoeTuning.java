// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

/**
 * Shape of a kernel by the size of its call.
 *
 * @param parts of a row, which blocks share; so few tokens, too, are work for all blocks
 * @param blocks of the grid
 * @param threads of a block
 */
record MoeTuning(int parts, int blocks, int threads) {
    /** Threads of a row that are worth a block of their own. */
    private static final int LEAST_ROW_THREADS = 64;

    /** Returns the shape of a kernel that copies or sums rows: a thread has a unit of a row at a time. */
    static MoeTuning rows(MoeMachine machine, int blocks, int tokens, int units) {
        return of(machine, blocks, tokens, units, 1, 0);
    }

    /**
     * Returns the shape of a kernel of dispatch.
     *
     * @param blocks the most
     * @param vectors of 16 bytes that a row has
     * @param unit vectors that stay in a block
     * @param counting threads that get the counts of all PEs at once
     */
    static MoeTuning dispatch(MoeMachine machine, int blocks, int tokens, int vectors, int unit, int counting) {
        return of(machine, blocks, tokens, vectors, unit, counting);
    }

    private static MoeTuning of(MoeMachine machine, int blocks, int tokens, int units, int together, int counting) {
        int least = machine.threads(LEAST_ROW_THREADS) < LEAST_ROW_THREADS ? 1 : LEAST_ROW_THREADS;
        int most = Math.max((units + together - 1) / together * together / Math.max(least, together), 1);
        int parts = Math.clamp(blocks / Math.max(tokens, 1), 1, most);
        int grid = Math.clamp((long) tokens * parts, 1, blocks);
        return new MoeTuning(parts, grid, machine.threads(Math.max(units / parts, counting)));
    }
}
