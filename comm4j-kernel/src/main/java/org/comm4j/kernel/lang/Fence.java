// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.cpu.KernelThread;

/** Orders what this thread does in memory before it and after it, for others to see. */
public final class Fence {
    private Fence() {}

    /** For threads of the block ({@code __threadfence_block}). */
    @DeviceFunction("llvm.nvvm.membar.cta")
    public static void block() {
        KernelThread.fence();
    }

    /** For threads of the GPU ({@code __threadfence}). */
    @DeviceFunction("llvm.nvvm.membar.gl")
    public static void device() {
        KernelThread.fence();
    }

    /** For threads of all GPUs and of the host ({@code __threadfence_system}). */
    @DeviceFunction("llvm.nvvm.membar.sys")
    public static void system() {
        KernelThread.fence();
    }

    /**
     * What this thread wrote to shared memory is seen by bulk copies that are started after it ({@code
     * fence.proxy.async}). sm_90.
     */
    @InlinePtx(value = "fence.proxy.async;", since = 90)
    public static void async() {
        KernelThread.fence();
    }

    /**
     * {@link Mbarrier#init} is seen by the cluster and by bulk copies after it ({@code fence.mbarrier_init}). sm_90.
     */
    @InlinePtx(value = "fence.mbarrier_init.release.cluster;", since = 90)
    public static void mbarrierInit() {
        KernelThread.fence();
    }

    /** What acquiring and releasing accesses need; {@code scope} is a constant. */
    static void acquireRelease(Scope scope) {
        if (scope == Scope.DEVICE) {
            acquireReleaseDevice();
        } else if (scope == Scope.BLOCK) {
            acquireReleaseBlock();
        } else if (scope == Scope.SYSTEM) {
            acquireReleaseSystem();
        } else {
            acquireReleaseCluster();
        }
    }

    @InlinePtx("fence.acq_rel.cta;")
    private static void acquireReleaseBlock() {
        KernelThread.fence();
    }

    @InlinePtx(value = "fence.acq_rel.cluster;", since = 90, older = "fence.acq_rel.cta;")
    private static void acquireReleaseCluster() {
        KernelThread.fence();
    }

    @InlinePtx("fence.acq_rel.gpu;")
    private static void acquireReleaseDevice() {
        KernelThread.fence();
    }

    @InlinePtx("fence.acq_rel.sys;")
    private static void acquireReleaseSystem() {
        KernelThread.fence();
    }
}
