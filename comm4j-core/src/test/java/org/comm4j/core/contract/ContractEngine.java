// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import java.lang.foreign.Arena;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Call;
import org.jspecify.annotations.Nullable;

/** The engine that a {@link Contract} is tested with: how its ranks are started, and what it may say about itself. */
@FunctionalInterface
public interface ContractEngine {

    /**
     * Runs {@code body} once on each of {@code ranks} ranks at the same time, each with its own communicator of all of
     * them. Returns when all have ended, and throws what a rank threw (the first one to fail, where several did).
     */
    void run(int ranks, RankBody body) throws Exception;

    /** The most ranks that there can be, at least 1; tests with more are left out. */
    default int mostRanks() {
        return 8;
    }

    /**
     * Zeroed memory that {@link Communicator#allocate} did not give, of the kind that a program brings itself. It ends
     * with {@code arena}, or is {@link AutoCloseable} and then closed by the suite.
     */
    default Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
        return HostArray.allocate(arena, type, count);
    }

    /** Closes the arena of {@link #memory}, unless the engine still uses what was given up. */
    default void close(Arena arena) {
        arena.close();
    }

    /**
     * Whether the engine has this operation for elements of this type. What it does not have must be an
     * {@link UnsupportedOperationException}, with nothing sent.
     *
     * @param op null for operations that only move data
     */
    default boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
        return true;
    }

    /**
     * Whether reductions combine the ranks' values in rank order, each result rounded to the type that accumulates. An
     * engine that associates, rounds or divides differently returns false and is then tested with numbers whose sums
     * and products are exact in any order, and whose means may differ in their last bits.
     */
    default boolean reducesInRankOrder() {
        return true;
    }

    /** A size in bytes beyond the engine's staging buffers, used with every type and reduction. */
    default long beyondStaging() {
        return 256 << 10;
    }

    /**
     * Sizes in bytes of a rank's larger buffer at which an engine may change its way; tried one element below, at and
     * above.
     */
    default long[] turningPoints() {
        long[] sizes = new long[13];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = 16L << i;
        }
        return sizes;
    }

    /** How often to repeat what is usually done {@code usual} times; fewer where a step of the engine takes long. */
    default int times(int usual) {
        return usual;
    }
}
