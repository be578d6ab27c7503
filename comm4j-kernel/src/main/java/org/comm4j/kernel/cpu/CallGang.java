// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.loops.LoopThreads.Wait;

/** The threads of a block that is loops, as a Java method sees them that one of them calls. */
final class CallGang implements Gang {
    private final CallingThreads threads;

    CallGang(CallingThreads threads) {
        this.threads = threads;
    }

    private int await(KernelThread thread, Wait what, int argument) {
        thread.block.launch.checkStopped();
        return threads.runner(thread.index).await(what, argument);
    }

    @Override
    public void pause(KernelThread thread) {
        int _ = await(thread, Wait.PAUSE, 0);
        thread.block.launch.checkTime();
    }

    @Override
    public int syncBlock(KernelThread thread, String what, boolean condition) {
        boolean counts = what.startsWith("Block.syncCount");
        return await(thread, counts ? Wait.COUNT : Wait.BLOCK, condition ? 1 : 0);
    }

    @Override
    public boolean leads(KernelThread thread, int behind) {
        return threads.runner(thread.index).leads(behind);
    }

    @Override
    public boolean isLeading(KernelThread thread) {
        return threads.runner(thread.index).isLeading();
    }

    @Override
    public void syncGrid(KernelThread thread) {
        int _ = await(thread, Wait.GRID, 0);
    }

    @Override
    public void syncCluster(KernelThread thread) {
        int _ = await(thread, Wait.CLUSTER, 0);
    }

    /** Meets the other lanes twice: all have brought their operands, and all have seen those of the others. */
    @Override
    public long warpOperation(
            KernelThread thread, String name, int mask, long operand, int source, int clamp, WarpState.Answer answer) {
        thread.operation = name;
        thread.mask = mask;
        thread.operand = operand;
        thread.source = source;
        thread.clamp = clamp;
        int _ = await(thread, Wait.WARP, mask);
        if (name.equals("Warp.sync")) {
            return 0;
        }
        List<KernelThread> lanes = new ArrayList<>();
        for (KernelThread other : thread.warp().lanes) {
            if ((mask >>> other.lane() & 1) != 0 && other.operation.equals(name)) {
                lanes.add(other);
            }
        }
        long result = answer.of(thread.warp(), thread, lanes);
        int _ = await(thread, Wait.WARP, mask);
        thread.operation = "";
        return result;
    }

    // ---- what only kernels do ----

    private static RuntimeException onlyInKernels(String what) {
        return new UnsupportedOperationException(
                what + " in a Java method that stands for a device function: call it in the kernel itself");
    }

    @Override
    public void syncNamed(KernelThread thread, int id, int threads, boolean wait) {
        throw onlyInKernels("Block.barrier");
    }

    @Override
    public MemorySegment map(KernelThread thread, MemorySegment shared, int rank) {
        throw onlyInKernels("Cluster.map");
    }

    @Override
    public void arrived(KernelThread thread, MemorySegment memory, long offset) {
        throw onlyInKernels("Mbarrier.arrive");
    }

    @Override
    public void copyToBarrier(MemorySegment memory, long offset, Runnable copy) {
        throw onlyInKernels("a copy that an mbarrier counts");
    }

    @Override
    public boolean testBarrier(KernelThread thread, MemorySegment memory, long offset, int parity) {
        throw onlyInKernels("Mbarrier.test");
    }
}
