// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/** Where the kernels of {@link PeerCollectives} run. Not for several threads at a time. */
abstract class PeerMachine implements AutoCloseable {
    /** PEs, and this one among them. */
    final int myPe;

    final int nPes;
    /** Threads of a block of what goes in words, the most of other blocks, and the most blocks. */
    final int threads;

    final int mostThreads;

    final int blocks;
    /** Places to push to of a block. */
    final int row;

    PeerTuning tuning;

    PeerMachine(int myPe, int nPes, int threads, int mostThreads, int blocks, int row) {
        this.myPe = myPe;
        this.nPes = nPes;
        this.threads = threads;
        this.mostThreads = mostThreads;
        this.blocks = blocks;
        this.row = row;
        this.tuning = PeerTuning.of(nPes);
    }

    /** Whether all PEs have this memory. */
    abstract boolean isSymmetric(Buffer buffer);

    /** @throws IllegalArgumentException if kernels cannot work on it */
    abstract void check(String operation, Buffer buffer, @Nullable Stream stream);

    /** Puts {@link PeerKernels#words} into the stream; null for the one of this object. */
    abstract void words(
            int variant,
            int blocks,
            int threads,
            Buffer destination,
            Buffer source,
            long begin,
            long end,
            long part,
            @Nullable Stream stream);

    /** Puts {@link PeerKernels#push} into the stream. */
    abstract void push(
            int variant,
            int blocks,
            int threads,
            Buffer destination,
            Buffer source,
            long begin,
            long length,
            long end,
            long share,
            @Nullable Stream stream);

    /**
     * Puts a kernel into the stream that reads or writes arrays of others. Those that are not symmetric are this PE's
     * alone, and no other is asked for.
     */
    abstract void direct(
            int variant,
            int blocks,
            int threads,
            Buffer destination,
            Buffer source,
            long part,
            @Nullable Stream stream);

    /** Memory that all PEs have, of bytes, for pieces of what they do not all have. */
    abstract Buffer staging();

    /** The same bytes, of so many of {@code array} from an element on, to or from the front of the staging memory. */
    abstract void stage(Buffer array, long element, long count, boolean in, @Nullable Stream stream);

    /** Waits for the stream; null for that of this object. */
    abstract void complete(@Nullable Stream stream);

    /** The stream of operations that have none; null where there are no streams. */
    abstract @Nullable Stream own();

    /** 0, or one more than the PE that a kernel has waited for in vain. */
    abstract int status();

    /** What to throw when a kernel has waited for this PE in vain. */
    abstract CommException failure(String message, int pe);

    /** How long kernels wait for a PE; 0 for no limit. */
    abstract void limit(long nanos);

    /** For tests: the epochs of all blocks. */
    abstract void epochs(int exchanges, int meetings);

    @Override
    public abstract void close();
}
