// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.Arrays;
import org.comm4j.kernel.loops.LoopBlock;
import org.comm4j.kernel.loops.LoopThreads;
import org.jspecify.annotations.Nullable;

/** The threads of a block that is loops, as the methods know them that kernels call. Each exists from its first call. */
final class CallingThreads implements LoopThreads {
    private final Launch launch;
    private long number;
    private @Nullable LoopBlock loop;
    private @Nullable BlockState block;
    private @Nullable KernelThread[] threads = {};

    CallingThreads(Launch launch) {
        this.launch = launch;
    }

    /** Begins a block. */
    void begin(long its, LoopBlock loops) {
        number = its;
        loop = loops;
        block = null;
        if (threads.length > 0) {
            Arrays.fill(threads, null);
        }
    }

    @Override
    public void enter(int thread) {
        if (threads.length == 0) {
            threads = new @Nullable KernelThread[launch.config.threadsPerBlock()];
        }
        KernelThread known = threads[thread];
        if (known == null) {
            if (block == null) {
                block = new BlockState(launch, number);
                block.loop = loop;
            }
            known = new KernelThread(block, thread, null, true);
            threads[thread] = known;
        }
        KernelThread.setCurrent(known);
    }
}
