// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/** Kernels around those of dispatch and combine where messages bring counts and rows. Each has one block. */
final class StagedKernels {
    private StagedKernels() {}

    /** Counts the routes of this rank's tokens, for each rank where its counts are staged. */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void count(MoeSpace space, I8Ptr chosen, int routeBytes, int most, I32Ptr bound, boolean bounded) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        int tokens = bounded ? Math.max(Math.min(bound.get(0), most), 0) : most;
        I32Ptr rows = Shared.dynamicI32();
        I32Ptr own = rows.plus(space.counters());
        Counting.own(space, chosen, routeBytes, tokens, 0, rows, own);
        Counting.send(space, space.nextEpoch(), own);
    }

    /** Says for all ranks that they begin a dispatch without counting. */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void begin(MoeSpace space) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        I64Ptr words = space.base().plus(space.words()).asI64();
        for (int pe = ThreadIdx.x(); pe < space.pes(); pe += BlockDim.x()) {
            words.set((long) pe * space.counters(), (long) space.nextEpoch() << 32);
        }
    }

    /** Says for all ranks that what messages brought is there. */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void came(MoeSpace space, long flags) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        I32Ptr words = space.base().plus(flags).asI32();
        for (int pe = ThreadIdx.x(); pe < space.pes(); pe += BlockDim.x()) {
            words.set(pe, space.epoch().get(0));
        }
    }
}
