// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.cpu.KernelThread;

/** All threads of a cooperative launch. */
public final class Grid {
    private Grid() {}

    /**
     * Waits for all threads of the grid; what they wrote before is seen after it ({@code
     * cooperative_groups::this_grid().sync()}). The launch is {@link org.comm4j.cuda.LaunchConfig#cooperatively
     * cooperative}.
     */
    public static void sync() {
        Block.sync();
        if ((ThreadIdx.x() | ThreadIdx.y() | ThreadIdx.z()) == 0) {
            int blocks = GridDim.x() * GridDim.y() * GridDim.z();
            boolean first = (BlockIdx.x() | BlockIdx.y() | BlockIdx.z()) == 0;
            // One block adds what makes the sum of all 2^31: the counter's top bit changes when the last one has come,
            // and no other bit does.
            arriveAndWait(first ? 0x8000_0000 - (blocks - 1) : 1);
        }
        Block.sync();
    }

    /**
     * On the counter that the driver has for cooperative launches, at byte 4 of the memory that envreg1 (high) and
     * envreg2 (low) point to. The fence and the relaxed addition are together a release of what the block's threads
     * wrote; an addition that releases would be a second fence.
     */
    @InlinePtx(
            value = "{ .reg .b32 lo, hi, old, now; .reg .b64 at; .reg .pred p; mov.u32 hi, %envreg1; mov.u32 lo,"
                    + " %envreg2; mov.b64 at, {lo, hi}; fence.acq_rel.gpu; atom.add.relaxed.gpu.u32 old, [at+4],"
                    + " $1; WAIT: ld.acquire.gpu.u32 now, [at+4]; xor.b32 now, now, old; setp.ge.s32 p, now, 0; @p"
                    + " bra WAIT; }",
            convergent = true)
    @SuppressWarnings("UnusedVariable") // the PTX uses it
    private static void arriveAndWait(int count) {
        KernelThread.current().syncGrid();
    }

    /**
     * Returns whether this block is the last one of the grid to come here, to all of its threads, which all call it.
     * The last one sees what all blocks wrote before ({@code threadFenceReduction} of CUDA's samples). No block waits
     * for another one.
     *
     * @param counter 0 before the launch, and 0 again behind it; each call in a kernel has one of its own
     */
    public static boolean isLastBlock(I32Ptr counter) {
        Block.sync();
        return isLast(counter);
    }

    /** {@link #isLastBlock} of what the first threads of all blocks wrote. */
    static boolean isLast(I32Ptr counter) {
        boolean isFirstThread = (ThreadIdx.x() | ThreadIdx.y() | ThreadIdx.z()) == 0;
        return Block.syncOr(isFirstThread && isLastThread(counter));
    }

    /** Returns whether this thread is the last one to come here, if one of each block comes. */
    static boolean isLastThread(I32Ptr counter) {
        int others = GridDim.x() * GridDim.y() * GridDim.z() - 1;
        return counter.atomicInc(0, others, Scope.DEVICE, Order.ACQ_REL) == others;
    }

    /**
     * Waits until the kernel before this one has ended and its writes are seen, in a launch that began earlier ({@code
     * LaunchConfig.dependently}, {@code griddepcontrol.wait} of PTX, {@code cudaGridDependencySynchronize}). Before
     * sm_90, and in other launches, that is so from the beginning.
     */
    @InlinePtx(value = "griddepcontrol.wait;", since = 90, older = "// It has ended.")
    public static void awaitPrevious() {
        KernelThread.fence();
    }

    /**
     * The next kernel may begin, if it is launched with {@code LaunchConfig.dependently}, when all blocks have said so
     * or ended ({@code griddepcontrol.launch_dependents} of PTX, {@code cudaTriggerProgrammaticLaunchCompletion}).
     * Before sm_90 it begins at this one's end.
     */
    @InlinePtx(value = "griddepcontrol.launch_dependents;", since = 90, older = "// It begins at the end.")
    public static void launchDependents() {
        // Kernels on the CPU follow one another.
    }
}
