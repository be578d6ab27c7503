// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.PeerPointers;

/**
 * What lies where in the memory that {@link PeerCollectives} have on each PE, in bytes. A block's number is the same on
 * all PEs in an operation; all that it has is its own, its epochs too, and counts its own operations, so that PEs that
 * run ahead, grids of other sizes, and graphs that are launched again all agree.
 */
@KernelLibrary
final class PeerSpace {
    /** The most blocks of a kernel. */
    static final int BLOCKS = 128;
    /** The most threads of a block. */
    static final int THREADS = 256;
    /** How often a thread can send two words to each PE before it has to receive. */
    static final int ROUNDS = 4;
    /** The most threads of a block of other kernels. */
    static final int PUSH_THREADS = 512;

    static final int DIRECT_THREADS = 512;

    /** Of this PE alone: 0, or one more than the PE that was waited for in vain. */
    static final long STATUS = 0;
    /** Of this PE alone: nanoseconds that are waited for a PE, 64 bits; 0 for no limit. */
    static final long LIMIT = 8;
    /** Of this PE alone: the epoch of each block's exchanges. */
    static final long EXCHANGES = 128;
    /** Of this PE alone: the number of each block's meetings. */
    static final long MEETINGS = EXCHANGES + 4L * BLOCKS;
    /** Of this PE alone: how often each block has pushed. */
    static final long PUSHES = MEETINGS + 4L * BLOCKS;
    /** Written by others: the meeting to which the block of a PE has come, a word for each block, twice, and PE. */
    static final long FLAGS = PUSHES + 4L * BLOCKS;
    /** Written by others: words with their epochs, for each parity of epochs, PE, block, round and thread. */
    static final long SLOTS = FLAGS + 2L * 4 * BLOCKS * PeerPointers.MAX;

    private PeerSpace() {}

    /**
     * Behind the slots of so many PEs, written by others: what they push, 16 bytes at once, for each parity of pushes,
     * step, PE and block; all ones where nothing is.
     */
    static long places(int pes) {
        return SLOTS + 2L * pes * BLOCKS * ROUNDS * THREADS * 16;
    }

    /** For so many PEs, with so many places to push to for each block. */
    static long bytes(int pes, int row) {
        return places(pes) + 2L * 2 * pes * BLOCKS * row * 16;
    }

    static I32Ptr status(I8Ptr space) {
        return space.plus(STATUS).asI32();
    }

    static I64Ptr limit(I8Ptr space) {
        return space.plus(LIMIT).asI64();
    }

    static I32Ptr exchanges(I8Ptr space, int block) {
        return space.plus(EXCHANGES + 4L * block).asI32();
    }

    static I32Ptr meetings(I8Ptr space, int block) {
        return space.plus(MEETINGS + 4L * block).asI32();
    }

    static I32Ptr pushes(I8Ptr space, int block) {
        return space.plus(PUSHES + 4L * block).asI32();
    }

    /**
     * Where a PE pushes to.
     *
     * @param row places of a block
     * @param step 0 for what is to be reduced, 1 for what has been
     */
    static I64Ptr place(I8Ptr space, int pes, int row, int epoch, int step, int pe, int block, int i) {
        long first = ((((epoch & 1) * 2 + step) * pes + pe) * BLOCKS + block) * (long) row;
        return space.plus(places(pes) + 16 * (first + i)).asI64();
    }

    /**
     * Where a PE writes that its block has come to a meeting. Meetings in turn have different places: a PE may be at
     * the next one before another has seen this.
     */
    static I32Ptr flag(I8Ptr space, int meeting, int block, int pe) {
        return space.plus(FLAGS + 4L * (((meeting & 1) * BLOCKS + block) * PeerPointers.MAX + pe))
                .asI32();
    }

    /** Where a thread writes what it sends: two words, each with its epoch. */
    static I64Ptr slot(I8Ptr space, int pes, int epoch, int pe, int block, int round, int thread) {
        int row = ((epoch & 1) * pes + pe) * BLOCKS + block;
        return space.plus(SLOTS + 16L * (((long) row * ROUNDS + round) * THREADS + thread))
                .asI64();
    }

    /** Epochs are never 0, which empty slots have, and odd and even ones take turns, also where they begin anew. */
    static int next(int epoch) {
        return epoch == -1 ? 2 : epoch + 1;
    }

    /** Whether what is in the slots of this parity must not be found in the next 4 billion operations. */
    static boolean isLast(int epoch) {
        return epoch >= -2 && epoch < 0;
    }
}
