// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.comm4j.core.DataType;

/**
 * What an engine gives: the heaps of all PEs, by loads and stores where these reach them, else by calls; the allocation
 * of memory in them; members that synchronise; waits that end. Arguments are checked already. Places are offsets in
 * bytes from where a PE's heap begins, the same on all PEs.
 */
abstract sealed class Engine permits EmbeddedEngine, PolledEngine {
    final int myPe;
    final int nPes;

    /** All memory within reach of loads and stores. */
    final MemorySegment memory;

    /** By PE, where its heap begins in {@link #memory}; −1 if it is out of reach. */
    final long[] heaps;

    /**
     * Whether all PEs are within reach. Atomics are made by this processor only then: those of a network may know
     * nothing of them.
     */
    final boolean allWithinReach;

    Engine(int myPe, MemorySegment memory, long[] heaps) {
        this.myPe = myPe;
        this.nPes = heaps.length;
        this.memory = memory;
        this.heaps = heaps;
        boolean all = true;
        for (long heap : heaps) {
            all &= heap >= 0;
        }
        this.allWithinReach = all;
    }

    /** A piece of memory at one place of all heaps. */
    interface Allocation {
        /** Its place. */
        long offset();

        boolean isFreed();

        /** Every PE calls it some time; waits for nobody. */
        void free();
    }

    /** A wait of one thread; {@code once} in turns with a look at what is waited for. */
    interface Wait {
        /** Throws when it is in vain: a PE died, the limit has passed, the thread was interrupted. */
        void once();

        /** What was waited for has come. */
        void end();
    }

    /**
     * Collective, by PEs that have agreed: zeroed memory on all of them, of which each may be put to when it is
     * returned on any.
     */
    abstract Allocation allocate(DataType type, long count, String what);

    /** To be called after stores to memory of {@code pe}, where somebody may wait for them. */
    abstract void written(int pe);

    // ---- PEs out of reach ----

    /**
     * One stream of operations: its order and its end, and the calls that reach PEs out of reach. Those within reach
     * are looked after here, too.
     */
    interface Stream {
        /** Copies to the heap of {@code pe}; the source may be used again. */
        void put(long to, MemorySegment source, long sourceAt, long bytes, int pe);

        /** Copies from the heap of {@code pe}, and has done so when it returns. */
        void get(MemorySegment destination, long destinationAt, long from, long bytes, int pe);

        /** {@link #put} that reads the source until {@link #quiet}. */
        void putNbi(long to, MemorySegment source, long sourceAt, long bytes, int pe);

        /** {@link #get} that fills the destination until {@link #quiet}. */
        void getNbi(MemorySegment destination, long destinationAt, long from, long bytes, int pe);

        /**
         * An atomic operation on the heap of any PE, for when not {@link #allWithinReach}.
         *
         * @param wide 64 bits, else 32
         * @return what was there
         */
        long atomic(Atomic.Operation operation, boolean wide, long at, long value, long condition, int pe);

        void fence();

        void quiet();

        /** No operation comes after it. */
        void close();
    }

    /** The stream of all that belongs to no context. */
    abstract Stream stream();

    /** A stream apart from the others, or {@link #stream} where that would be no better. */
    abstract Stream newStream(Set<Context.Option> options);

    // ---- waits, members ----

    /**
     * Does what others want of this PE, where nobody else does. To be called by whoever looks without waiting, perhaps
     * again and again; {@link Wait} does so itself.
     */
    abstract void progress();

    /**
     * @param what the operation, for messages
     * @param waitedFor what is waited for, for messages; asked when it ends in vain
     */
    abstract Wait newWait(String what, Supplier<String> waitedFor);

    /** {@link Wait#once} for a wait since {@code start} that somebody else makes: throws when it is in vain. */
    abstract void lookAround(String waiting, long start);

    /** All PEs. */
    abstract Members world();

    /** The limit of every wait; zero: none. */
    abstract Duration timeout();

    abstract void timeout(Duration timeout);

    /** Ends with this exit code on all PEs. */
    abstract void globalExit(int status);

    abstract void close();

    /** The engine's name, and what is behind it. */
    @Override
    public abstract String toString();
}
