// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.cpu.KernelThread;

/**
 * The blocks that a launch has put together ({@link org.comm4j.cuda.LaunchConfig#cluster(int)}): they see each other's
 * shared memory. sm_90 and later.
 */
public final class Cluster {
    private Cluster() {}

    /** Waits for all threads of the cluster; what they wrote before is seen after it ({@code cluster_group::sync}). */
    @InlinePtx(value = "barrier.cluster.arrive.release; barrier.cluster.wait.acquire;", convergent = true, since = 90)
    public static void sync() {
        KernelThread.current().syncCluster();
    }

    /** Returns the place of this thread's block in its cluster. */
    @InlinePtx(value = "mov.u32 $0, %cluster_ctarank;", effects = false, since = 90)
    public static int rank() {
        return KernelThread.current().clusterRank();
    }

    /** Blocks of the cluster. */
    @InlinePtx(value = "mov.u32 $0, %cluster_nctarank;", effects = false, since = 90)
    public static int size() {
        return KernelThread.current().clusterSize();
    }

    /**
     * Returns what is at the same place in the shared memory of block {@code rank} of the cluster ({@code
     * cluster_group::map_shared_rank}).
     */
    @InlinePtx(value = "mapa.u64 $0, $1, $2;", effects = false, since = 90)
    public static F32Ptr map(F32Ptr shared, int rank) {
        return new F32Ptr(KernelThread.current().map(shared.segment, rank), shared.offset, null);
    }

    /**
     * Returns what is at the same place in the shared memory of block {@code rank} of the cluster ({@code
     * cluster_group::map_shared_rank}).
     */
    @InlinePtx(value = "mapa.u64 $0, $1, $2;", effects = false, since = 90)
    public static F64Ptr map(F64Ptr shared, int rank) {
        return new F64Ptr(KernelThread.current().map(shared.segment, rank), shared.offset, null);
    }

    /**
     * Returns what is at the same place in the shared memory of block {@code rank} of the cluster ({@code
     * cluster_group::map_shared_rank}).
     */
    @InlinePtx(value = "mapa.u64 $0, $1, $2;", effects = false, since = 90)
    public static I8Ptr map(I8Ptr shared, int rank) {
        return new I8Ptr(KernelThread.current().map(shared.segment, rank), shared.offset, null);
    }

    /**
     * Returns what is at the same place in the shared memory of block {@code rank} of the cluster ({@code
     * cluster_group::map_shared_rank}).
     */
    @InlinePtx(value = "mapa.u64 $0, $1, $2;", effects = false, since = 90)
    public static I16Ptr map(I16Ptr shared, int rank) {
        return new I16Ptr(KernelThread.current().map(shared.segment, rank), shared.offset, null);
    }

    /**
     * Returns what is at the same place in the shared memory of block {@code rank} of the cluster ({@code
     * cluster_group::map_shared_rank}).
     */
    @InlinePtx(value = "mapa.u64 $0, $1, $2;", effects = false, since = 90)
    public static I32Ptr map(I32Ptr shared, int rank) {
        return new I32Ptr(KernelThread.current().map(shared.segment, rank), shared.offset, null);
    }

    /**
     * Returns what is at the same place in the shared memory of block {@code rank} of the cluster ({@code
     * cluster_group::map_shared_rank}).
     */
    @InlinePtx(value = "mapa.u64 $0, $1, $2;", effects = false, since = 90)
    public static I64Ptr map(I64Ptr shared, int rank) {
        return new I64Ptr(KernelThread.current().map(shared.segment, rank), shared.offset, null);
    }

    /**
     * Returns what is at the same place in the shared memory of block {@code rank} of the cluster ({@code
     * cluster_group::map_shared_rank}).
     */
    @InlinePtx(value = "mapa.u64 $0, $1, $2;", effects = false, since = 90)
    public static F16Ptr map(F16Ptr shared, int rank) {
        return new F16Ptr(KernelThread.current().map(shared.segment, rank), shared.offset, null);
    }

    /**
     * Returns what is at the same place in the shared memory of block {@code rank} of the cluster ({@code
     * cluster_group::map_shared_rank}).
     */
    @InlinePtx(value = "mapa.u64 $0, $1, $2;", effects = false, since = 90)
    public static BF16Ptr map(BF16Ptr shared, int rank) {
        return new BF16Ptr(KernelThread.current().map(shared.segment, rank), shared.offset, null);
    }
}
