// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.lang.foreign.MemorySegment;
import org.comm4j.kernel.cpu.KernelThread;

/**
 * Copies of boxes of a tensor that one thread starts and the copy engine makes ({@code cp.async.bulk.tensor}, TMA).
 * sm_90 and later. Coordinates are those of the box's first element, the contiguous dimension first, in which a box
 * begins at a multiple of 16 bytes; what is outside of the tensor, also before it, is read as 0. In shared memory
 * a box is dense, with its rows swizzled as the {@link TensorMap} says, and begins at a multiple of 128 bytes, for
 * {@link Swizzle#B128} and {@link Wgmma} of 1024. Its bytes, those outside of the tensor too, are counted by an {@link
 * Mbarrier}; out of shared memory, copies are in the groups of {@link BulkCopy#commit}.
 */
public final class TensorCopy {
    private TensorCopy() {}

    /**
     * From global memory to this block's shared memory; {@code barrier}, of this block, gets the bytes ({@code
     * cp.async.bulk.tensor.2d.shared::cluster.global.tile}).
     */
    @InlinePtx(
            value = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                    + "[$1], [$2, {$4, $5}], [$6];",
            shared = {1, 5},
            since = 90)
    public static void toShared(Ptr shared, TensorMap map, int x, int y, Mbarrier barrier) {
        start(shared.segment, shared.offset, map, barrier.place(), x, y);
    }

    /**
     * From global memory to the same place in the shared memory of those blocks of the cluster whose bits are set in
     * {@code mask}; the barrier at the same place in each gets the bytes ({@code
     * cp.async.bulk.tensor.2d.shared::cluster.global.tile.multicast::cluster}).
     */
    @InlinePtx(
            value = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                    + ".multicast::cluster [$1], [$2, {$4, $5}], [$6], $7;",
            shared = {1, 5},
            since = 90)
    public static void toCluster(Ptr shared, TensorMap map, int x, int y, Mbarrier barrier, short mask) {
        KernelThread thread = KernelThread.current();
        for (int rank = 0; rank < 16; rank++) {
            if ((mask >> rank & 1) != 0) {
                Ptr there = barrier.place();
                start(
                        thread.map(shared.segment, rank),
                        shared.offset,
                        map,
                        new I64Ptr(thread.map(there.segment, rank), there.offset, null),
                        x,
                        y);
            }
        }
    }

    /**
     * From this block's shared memory to global memory ({@code cp.async.bulk.tensor.2d.global.shared::cta.tile}).
     * {@link Fence#async} comes before it, by the threads that wrote.
     */
    @InlinePtx(
            value = "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [$1, {$3, $4}], [$5];",
            shared = 4,
            since = 90)
    public static void toGlobal(TensorMap map, int x, int y, Ptr shared) {
        KernelThread.current().bulkCopies().add(() -> map.copy(shared.segment, shared.offset, false, x, y));
    }

    /**
     * From global memory to this block's shared memory; {@code barrier}, of this block, gets the bytes ({@code
     * cp.async.bulk.tensor.3d.shared::cluster.global.tile}).
     */
    @InlinePtx(
            value = "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                    + "[$1], [$2, {$4, $5, $6}], [$7];",
            shared = {1, 6},
            since = 90)
    public static void toShared(Ptr shared, TensorMap map, int x, int y, int z, Mbarrier barrier) {
        start(shared.segment, shared.offset, map, barrier.place(), x, y, z);
    }

    /**
     * From global memory to the same place in the shared memory of those blocks of the cluster whose bits are set in
     * {@code mask}; the barrier at the same place in each gets the bytes ({@code
     * cp.async.bulk.tensor.3d.shared::cluster.global.tile.multicast::cluster}).
     */
    @InlinePtx(
            value = "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                    + ".multicast::cluster [$1], [$2, {$4, $5, $6}], [$7], $8;",
            shared = {1, 6},
            since = 90)
    public static void toCluster(Ptr shared, TensorMap map, int x, int y, int z, Mbarrier barrier, short mask) {
        KernelThread thread = KernelThread.current();
        for (int rank = 0; rank < 16; rank++) {
            if ((mask >> rank & 1) != 0) {
                Ptr there = barrier.place();
                start(
                        thread.map(shared.segment, rank),
                        shared.offset,
                        map,
                        new I64Ptr(thread.map(there.segment, rank), there.offset, null),
                        x,
                        y,
                        z);
            }
        }
    }

    /**
     * From this block's shared memory to global memory ({@code cp.async.bulk.tensor.3d.global.shared::cta.tile}).
     * {@link Fence#async} comes before it, by the threads that wrote.
     */
    @InlinePtx(
            value = "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [$1, {$3, $4, $5}], [$6];",
            shared = 5,
            since = 90)
    public static void toGlobal(TensorMap map, int x, int y, int z, Ptr shared) {
        KernelThread.current().bulkCopies().add(() -> map.copy(shared.segment, shared.offset, false, x, y, z));
    }

    /**
     * Adds a box in this block's shared memory to the tensor, element by element ({@code
     * cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile}); of FLOAT32, FLOAT16, BFLOAT16 or integers of 32 or
     * 64 bits. {@link Fence#async} comes before it, by the threads that wrote.
     */
    @InlinePtx(
            value = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [$1, {$3, $4}], [$5];",
            shared = 4,
            since = 90)
    public static void addToGlobal(TensorMap map, int x, int y, Ptr shared) {
        KernelThread.current().bulkCopies().add(() -> map.add(shared.segment, shared.offset, x, y));
    }

    private static void start(MemorySegment shared, long offset, TensorMap map, I64Ptr barrier, int... at) {
        KernelThread.current().copyToBarrier(barrier.segment, barrier.offset, map.boxBytes(), () -> {
            map.copy(shared, offset, true, at);
            KernelThread.current().copied(shared, offset, map.boxBytes(), true);
        });
    }
}
