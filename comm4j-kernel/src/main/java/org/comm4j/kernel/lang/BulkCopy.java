// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.lang.foreign.MemorySegment;
import org.comm4j.kernel.cpu.KernelThread;

/**
 * Copies of many bytes that one thread starts and the copy engine of the multiprocessor makes ({@code cp.async.bulk}).
 * sm_90 and later. Addresses and sizes are multiples of 16 bytes. Into shared memory the bytes are counted by an {@link
 * Mbarrier}; out of it, copies are in groups of the thread that started them.
 *
 * <p>On the CPU, where threads wait for each other at all, a copy happens when its barrier is tested or its group is
 * waited for and not before: a kernel that forgets to wait finds the old content.
 */
public final class BulkCopy {
    private BulkCopy() {}

    /**
     * From global memory to this block's shared memory; {@code barrier}, of this block, gets {@code bytes}
     * ({@code cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes}). One thread says {@link
     * Mbarrier#arriveExpecting} with the bytes of the phase.
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $2; "
                    + "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$1], [g], $3, [$4]; }",
            shared = {1, 4},
            since = 90)
    public static void toShared(Ptr shared, Ptr global, int bytes, Mbarrier barrier) {
        start(shared, global, bytes, barrier);
    }

    /**
     * From this block's shared memory to that of a block of the cluster, both pointers of {@link Cluster#map}; {@code
     * barrier}, from {@link Mbarrier#map} of the same block, gets {@code bytes} ({@code
     * cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes}). {@link Fence#async} comes before it.
     */
    @InlinePtx(
            value = "{ .reg .b64 d, s, m; cvta.to.shared::cluster.u64 d, $1; cvta.to.shared.u64 s, $2; "
                    + "cvta.to.shared::cluster.u64 m, $4; "
                    + "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [d], [s], $3, [m]; }",
            since = 90)
    public static void toCluster(Ptr remote, Ptr shared, int bytes, Mbarrier barrier) {
        start(remote, shared, bytes, barrier);
    }

    /**
     * From this block's shared memory to global memory ({@code cp.async.bulk.global.shared::cta.bulk_group}). What
     * threads wrote to shared memory goes along if each of them said {@link Fence#async} after it, and then met this
     * one at a barrier.
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.async.bulk.global.shared::cta.bulk_group [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void toGlobal(Ptr global, Ptr shared, int bytes) {
        check("copy", global, shared, bytes);
        KernelThread.current().bulkCopies().add(() -> copy(shared, global, bytes));
    }

    /** Makes a group of this thread's {@link #toGlobal} since the last one ({@code cp.async.bulk.commit_group}). */
    @InlinePtx(value = "cp.async.bulk.commit_group;", since = 90)
    public static void commit() {
        KernelThread.current().bulkCopies().commit();
    }

    /**
     * Waits until at most the {@code pending} latest groups of this thread are still going on ({@code
     * cp.async.bulk.wait_group}). {@code pending} is a constant.
     */
    @InlinePtx(value = "cp.async.bulk.wait_group $1;", constants = 1, since = 90)
    public static void waitFor(int pending) {
        KernelThread.current().bulkCopies().waitFor(pending);
    }

    /**
     * Waits until at most the {@code pending} latest groups of this thread still read shared memory, which then may be
     * written again, or given up at the kernel's end ({@code cp.async.bulk.wait_group.read}). {@code pending} is a
     * constant.
     */
    @InlinePtx(value = "cp.async.bulk.wait_group.read $1;", constants = 1, since = 90)
    public static void waitForReads(int pending) {
        KernelThread.current().bulkCopies().waitFor(pending);
    }

    private static void start(Ptr to, Ptr from, int bytes, Mbarrier barrier) {
        check("copy", to, from, bytes);
        barrier.copy(to.segment, to.offset, bytes, () -> copy(from, to, bytes));
    }

    /** Refuses what the copy engine does not take; {@code what} is done. */
    static void check(String what, Ptr to, Ptr from, int bytes) {
        to.checkAligned(0, 16);
        from.checkAligned(0, 16);
        if (bytes < 0 || bytes % 16 != 0) {
            throw new IllegalArgumentException("a bulk " + what + " of " + bytes + " bytes: it needs a multiple of 16");
        }
    }

    private static void copy(Ptr from, Ptr to, int bytes) {
        MemorySegment.copy(from.segment, from.offset, to.segment, to.offset, bytes);
    }
}
