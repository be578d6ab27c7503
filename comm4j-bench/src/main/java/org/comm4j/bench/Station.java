// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.jspecify.annotations.Nullable;

/**
 * Where one thread measures: the ranks whose calls it makes, their memory, and how it meets the threads of the other
 * ranks. All threads of all ranks have a station each and run the same benchmark with the same settings.
 */
public abstract class Station implements AutoCloseable {
    Station() {}

    /**
     * Collective: one rank, whose calls block, on any engine.
     *
     * @param communicator of all ranks of {@code world}; closing the station does not close it
     */
    public static Station of(World world, Communicator communicator, Settings settings) {
        return new BlockingStation(world, communicator, settings);
    }

    /** The communicator's ranks, in all threads of all processes. */
    public abstract int ranks();

    /** Whether this is the one station that says what all found. */
    public abstract boolean speaks();

    /** Why an operation cannot be measured here, as the rest of a sentence; null if it can. */
    public abstract @Nullable String obstacle(Operation operation);

    /**
     * Collective: bytes of memory that were taken on one GPU at most, by making communicators, by the buffers, and by
     * what was measured so far; empty where there are no GPUs.
     */
    public long[] memory() {
        return new long[0];
    }

    /** Whether the engine has this reduction, null for none, of this type. */
    abstract boolean supports(Operation operation, DataType type, @Nullable ReduceOp reduction);

    /** One operation at one size, ready to be called. */
    abstract Trial trial(
            Operation operation,
            Operation.Shape shape,
            DataType type,
            @Nullable ReduceOp reduction,
            int root,
            boolean inPlace);

    /** Returns when all stations have called it, everywhere at about the same time. */
    abstract void meet();

    /** Returns when all stations have called it; those that come early use no processor. */
    abstract void rest();

    /** What all stations' values amount to. */
    abstract double agree(double value, ReduceOp op);

    /** Whether {@link #copyPlainly} says something about the memory that calls work on. */
    abstract boolean copiesPlainly();

    /** Copies {@code bytes} so many times from one buffer to the other, within this rank's memory. */
    abstract void copyPlainly(long bytes, long times);

    @Override
    public abstract void close();
}
