// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.foreign.MemorySegment;

/** The threads of blocks that run by turns, as one of them sees it that has its turn, and passes it on to wait. */
interface Gang {
    /** Lets others go first. */
    void pause(KernelThread thread);

    /** How many of the block's threads came with {@code condition}. */
    int syncBlock(KernelThread thread, String what, boolean condition);

    void syncNamed(KernelThread thread, int id, int threads, boolean wait);

    /** Whether a thread's call is now also that of those which follow it, up to one. */
    default boolean leads(KernelThread thread, int behind) {
        return false;
    }

    /** Whether it is so already. */
    default boolean isLeading(KernelThread thread) {
        return false;
    }

    void syncGrid(KernelThread thread);

    void syncCluster(KernelThread thread);

    /** The shared memory of another block of the cluster, at the place of {@code shared}. */
    MemorySegment map(KernelThread thread, MemorySegment shared, int rank);

    /** Notes that a thread has come to a barrier in memory. */
    void arrived(KernelThread thread, MemorySegment memory, long offset);

    /** Starts a copy that the barrier in memory counts. */
    void copyToBarrier(MemorySegment memory, long offset, Runnable copy);

    /** Whether the phase of this parity has ended. */
    boolean testBarrier(KernelThread thread, MemorySegment memory, long offset, int parity);

    /** What {@code answer} makes of the operands of all lanes in the mask. */
    long warpOperation(
            KernelThread thread, String name, int mask, long operand, int source, int clamp, WarpState.Answer answer);
}
