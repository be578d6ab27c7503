// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.lang.foreign.MemorySegment;
import org.comm4j.kernel.cpu.KernelThread;

/**
 * A barrier in 8 bytes of shared memory that counts arrivals of threads and bytes of {@link BulkCopy} ({@code mbarrier}
 * of PTX, {@code cuda::barrier}). Its phases are numbered from 0: one ends when as many threads have arrived as {@link
 * #init} said and all bytes that were announced have come, and the next begins. Who waits names the phase by its
 * parity, 0 for the first, and so is never more than one phase behind.
 *
 * <p>One thread calls {@link #init}, and {@code Block.sync()} (or {@code Cluster.sync()}) comes before others use it.
 *
 * @param place of 8 bytes in shared memory, at a multiple of 8
 */
public record Mbarrier(I64Ptr place) {
    /** In {@code shared[0]}. */
    public static Mbarrier of(long[] shared) {
        return new Mbarrier(I64Ptr.of(shared));
    }

    /** In {@code shared[index]}. */
    public static Mbarrier of(long[] shared, int index) {
        return new Mbarrier(I64Ptr.of(shared).plus(index));
    }

    /** Begins with phase 0, for {@code count} arrivals in each phase, 1 to 2^20 - 1 ({@code mbarrier.init}). */
    @InlinePtx(value = "mbarrier.init.shared.b64 [$1], $2;", shared = 1)
    public void init(int count) {
        KernelThread.initBarrier(place.segment, place.offset, count);
    }

    /** Ends its use: the memory is free for other things ({@code mbarrier.inval}). */
    @InlinePtx(value = "mbarrier.inval.shared.b64 [$1];", shared = 1)
    public void invalidate() {
        KernelThread.invalidateBarrier(place.segment, place.offset);
    }

    /** On the CPU, makes a copy of {@code bytes} to shared memory, which this barrier counts. */
    void copy(MemorySegment to, long offset, int bytes, Runnable copy) {
        KernelThread.current().copyToBarrier(place.segment, place.offset, bytes, () -> {
            copy.run();
            KernelThread.current().copied(to, offset, bytes, true);
        });
    }

    /** Counts this thread in; what it wrote before is seen by who waits for the phase ({@code mbarrier.arrive}). */
    @InlinePtx(value = "{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [$1]; }", shared = 1)
    public void arrive() {
        KernelThread.current().arrive(place.segment, place.offset, 0);
    }

    /** {@link #expect}, then {@link #arrive} ({@code mbarrier.arrive.expect_tx}). sm_90. */
    @InlinePtx(
            value = "{ .reg .b64 t; mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 t, [$1], $2; }",
            shared = 1,
            since = 90)
    public void arriveExpecting(int bytes) {
        KernelThread.current().arrive(place.segment, place.offset, bytes);
    }

    /**
     * The phase does not end before {@code bytes} more have come, fewer than 2^20 in all ({@code mbarrier.expect_tx}).
     * sm_90.
     */
    @InlinePtx(value = "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [$1], $2;", shared = 1, since = 90)
    public void expect(int bytes) {
        KernelThread.expect(place.segment, place.offset, bytes);
    }

    /**
     * {@link #arrive} at a barrier in any block of the cluster, from {@link #map} ({@code
     * mbarrier.arrive.release.cluster}). sm_90.
     */
    @InlinePtx(
            value = "{ .reg .b64 a; cvta.to.shared::cluster.u64 a, $1;"
                    + " mbarrier.arrive.release.cluster.shared::cluster.b64 _, [a]; }",
            since = 90)
    public void arriveInCluster() {
        KernelThread.current().arrive(place.segment, place.offset, 0);
    }

    /**
     * Counts this thread in at a barrier in any block of the cluster, from {@link #map}, after it has read only: who
     * waits there may overwrite what was read, but need not see what this thread wrote ({@code
     * mbarrier.arrive.release.cta.shared::cluster}). {@link #arriveInCluster} fences the memory of the GPU first.
     * sm_90.
     */
    @InlinePtx(
            value = "{ .reg .b64 a; cvta.to.shared::cluster.u64 a, $1;"
                    + " mbarrier.arrive.release.cta.shared::cluster.b64 _, [a]; }",
            since = 90)
    public void arriveInClusterAfterReads() {
        KernelThread.current().arrive(place.segment, place.offset, 0);
    }

    /**
     * The barrier at the same place in block {@code rank} of the cluster ({@code mapa}): for {@link #arriveInCluster}
     * and {@link BulkCopy#toCluster}. sm_90.
     */
    public Mbarrier map(int rank) {
        return new Mbarrier(Cluster.map(place, rank));
    }

    /** Whether the phase of this parity, 0 or 1, has ended ({@code mbarrier.test_wait.parity}). */
    @InlinePtx(
            value = "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [$1], $2; selp.b32 $0, 1, 0, p; }",
            shared = 1)
    public boolean test(int parity) {
        return KernelThread.current().testBarrier(place.segment, place.offset, parity);
    }

    /**
     * {@link #test} that waits a while, in hardware, before it says no ({@code mbarrier.try_wait.parity}; before sm_90,
     * {@code test_wait}).
     */
    @InlinePtx(
            value = "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [$1], $2; selp.b32 $0, 1, 0, p; }",
            shared = 1,
            since = 90,
            older = "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [$1], $2; selp.b32 $0, 1, 0, p; }")
    public boolean tryWait(int parity) {
        return KernelThread.current().testBarrier(place.segment, place.offset, parity);
    }

    /**
     * Waits until the phase of this parity, 0 or 1, has ended: sees what was written before the arrivals and what was
     * copied.
     */
    @SuppressWarnings("StatementWithEmptyBody") // it waits in the condition
    public void await(int parity) {
        while (!tryWait(parity)) {}
    }
}
