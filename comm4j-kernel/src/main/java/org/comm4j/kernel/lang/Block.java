// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.cpu.KernelThread;

/** The threads of this thread's block. All of them come to the same barrier. */
public final class Block {
    private Block() {}

    /** Waits for all threads of the block; what they wrote before is seen after it ({@code __syncthreads}). */
    @DeviceFunction(value = "llvm.nvvm.barrier0", convergent = true)
    public static void sync() {
        KernelThread.current().syncBlock();
    }

    /** {@link #sync}; of how many threads {@code condition} is true ({@code __syncthreads_count}). */
    @DeviceFunction(value = "llvm.nvvm.barrier0.popc", convergent = true)
    public static int syncCount(boolean condition) {
        return KernelThread.current().syncBlockCount(condition);
    }

    /** {@link #sync}; whether {@code condition} is true for all threads ({@code __syncthreads_and}). */
    public static boolean syncAnd(boolean condition) {
        return syncCount(!condition) == 0;
    }

    /** {@link #sync}; whether {@code condition} is true for some thread ({@code __syncthreads_or}). */
    public static boolean syncOr(boolean condition) {
        return syncCount(condition) != 0;
    }

    /**
     * Waits until {@code threads} threads of the block, this one and those at {@link #arrive} included, have come to
     * barrier {@code id} ({@code barrier.sync} of PTX).
     *
     * @param id 1 to 15; 0 is that of {@link #sync}
     * @param threads a multiple of {@link Warp#SIZE}; all threads of a warp come to it
     */
    @InlinePtx(value = "barrier.sync $1, $2;", convergent = true)
    public static void barrier(int id, int threads) {
        KernelThread.current().syncNamed(id, threads, true);
    }

    /** Counts this thread in at a barrier without waiting there ({@code barrier.arrive} of PTX). */
    @InlinePtx(value = "barrier.arrive $1, $2;", convergent = true)
    public static void arrive(int id, int threads) {
        KernelThread.current().syncNamed(id, threads, false);
    }
}
