// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.ThreadIdx;

/** Kernels of what PEs have for each expert: they meet before they read it, and before it may be written again. */
final class ReplicaKernels {
    private ReplicaKernels() {}

    /** Waits for all PEs, which see what others have written before. One block. */
    @Kernel(maxThreads = PullKernels.THREADS)
    static void meet(MoeSpace space) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        int meeting = space.meetings().get(0) + 1;
        for (int i = ThreadIdx.x(); i < space.living(); i += BlockDim.x()) {
            I8Ptr there = space.at(space.turn(i));
            there.plus(space.meets() + 4L * space.me()).asI32().setRelease(0, meeting, Scope.SYSTEM);
        }
        boolean complete = true;
        for (int i = ThreadIdx.x(); i < space.living() && complete; i += BlockDim.x()) {
            int pe = space.peer(i);
            I32Ptr word = space.base().plus(space.meets() + 4L * pe).asI32();
            complete = Waiting.atLeast(space, word, meeting, pe);
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            space.meetings().set(0, meeting);
        }
    }

    /**
     * Adds the elements of all replicas of each local expert, in the order of PEs.
     *
     * @param to by local expert
     * @param from by local expert of each PE, in bytes from the beginning of its memory
     * @param elements of an expert
     */
    @Kernel
    static void sum(MoeSpace space, F32Ptr to, long from, long elements) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        int first = space.first(space.me());
        long all = space.local(space.me()) * elements;
        long step = (long) GridDim.x() * BlockDim.x();
        for (long i = (long) BlockIdx.x() * BlockDim.x() + ThreadIdx.x(); i < all; i += step) {
            int local = (int) (i / elements);
            int expert = space.expert(first + local);
            int replicas = space.replicas(expert);
            float sum = 0;
            for (int replica = 0; replica < replicas; replica++) {
                int slot = space.replica(expert, replica);
                int pe = space.owner(slot);
                long at = (slot - space.first(pe)) * elements + i - local * elements;
                sum += space.at(pe).plus(from).asF32().get(at);
            }
            to.set(i, sum);
        }
    }
}
