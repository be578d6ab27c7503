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
        start(shared.segment, shared.offset, map, barrier, x, y);
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
                start(thread.map(shared.segment, rank), shared.offset, map, barrier.map(rank), x, y);
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
        KernelThread.current()
                .bulkCopies()
                .add(() -> new TensorBox(map).copy(shared.segment, shared.offset, false, x, y));
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
        start(shared.segment, shared.offset, map, barrier, x, y, z);
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
                start(thread.map(shared.segment, rank), shared.offset, map, barrier.map(rank), x, y, z);
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
        KernelThread.current()
                .bulkCopies()
                .add(() -> new TensorBox(map).copy(shared.segment, shared.offset, false, x, y, z));
    }

    /**
     * Copies a box from global memory to this block's shared memory; {@code barrier}, of this block, gets the bytes
     * ({@code cp.async.bulk.tensor.4d.shared::cluster.global.tile}).
     */
    @InlinePtx(
            value = "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                    + "[$1], [$2, {$4, $5, $6, $7}], [$8];",
            shared = {1, 7},
            since = 90)
    public static void toShared(Ptr shared, TensorMap map, int x, int y, int z, int u, Mbarrier barrier) {
        start(shared.segment, shared.offset, map, barrier, x, y, z, u);
    }

    /**
     * Copies a box from this block's shared memory to global memory ({@code
     * cp.async.bulk.tensor.4d.global.shared::cta.tile}). {@link Fence#async} comes before it, by the threads that
     * wrote.
     */
    @InlinePtx(
            value = "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [$1, {$3, $4, $5, $6}], [$7];",
            shared = 6,
            since = 90)
    public static void toGlobal(TensorMap map, int x, int y, int z, int u, Ptr shared) {
        KernelThread.current()
                .bulkCopies()
                .add(() -> new TensorBox(map).copy(shared.segment, shared.offset, false, x, y, z, u));
    }

    /**
     * Copies a box from global memory to this block's shared memory; {@code barrier}, of this block, gets the bytes
     * ({@code cp.async.bulk.tensor.5d.shared::cluster.global.tile}).
     */
    @InlinePtx(
            value = "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                    + "[$1], [$2, {$4, $5, $6, $7, $8}], [$9];",
            shared = {1, 8},
            since = 90)
    public static void toShared(Ptr shared, TensorMap map, int x, int y, int z, int u, int v, Mbarrier barrier) {
        start(shared.segment, shared.offset, map, barrier, x, y, z, u, v);
    }

    /**
     * Copies a box from this block's shared memory to global memory ({@code
     * cp.async.bulk.tensor.5d.global.shared::cta.tile}). {@link Fence#async} comes before it, by the threads that
     * wrote.
     */
    @InlinePtx(
            value = "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [$1, {$3, $4, $5, $6, $7}], [$8];",
            shared = 7,
            since = 90)
    public static void toGlobal(TensorMap map, int x, int y, int z, int u, int v, Ptr shared) {
        KernelThread.current()
                .bulkCopies()
                .add(() -> new TensorBox(map).copy(shared.segment, shared.offset, false, x, y, z, u, v));
    }

    /**
     * Copies pixels of images of columns only from global memory to this block's shared memory; {@code barrier}, of
     * this block, gets the bytes ({@code cp.async.bulk.tensor.3d.shared::cluster.global.im2col}). The coordinates are
     * the first channel, a pixel of the window of {@link TensorMap#im2col}, and the image. What is copied is as far
     * from the window's pixels as the filter's element from its first one; what is outside of the image is 0.
     */
    @InlinePtx(
            value = "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
                    + "[$1], [$2, {$4, $5, $6}], [$8], {$7};",
            shared = {1, 7},
            since = 90)
    public static void im2col(Ptr shared, TensorMap map, int c, int w, int n, short filterW, Mbarrier barrier) {
        pixels(shared, map, barrier, new int[] {c, w, n}, filterW);
    }

    /**
     * Copies pixels of images of columns and rows from global memory to this block's shared memory; {@code barrier},
     * of this block, gets the bytes ({@code cp.async.bulk.tensor.4d.shared::cluster.global.im2col}). The coordinates
     * are the first channel, a pixel of the window of {@link TensorMap#im2col}, and the image. What is copied is as
     * far from the window's pixels as the filter's element from its first one; what is outside of the image is 0.
     */
    @InlinePtx(
            value = "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
                    + "[$1], [$2, {$4, $5, $6, $7}], [$10], {$8, $9};",
            shared = {1, 9},
            since = 90)
    public static void im2col(
            Ptr shared, TensorMap map, int c, int w, int h, int n, short filterW, short filterH, Mbarrier barrier) {
        pixels(shared, map, barrier, new int[] {c, w, h, n}, filterW, filterH);
    }

    /**
     * Copies pixels of images of columns, rows and layers from global memory to this block's shared memory; {@code
     * barrier}, of this block, gets the bytes ({@code cp.async.bulk.tensor.5d.shared::cluster.global.im2col}). The
     * coordinates are the first channel, a pixel of the window of {@link TensorMap#im2col}, and the image. What is
     * copied is as far from the window's pixels as the filter's element from its first one; what is outside of the
     * image is 0.
     */
    @InlinePtx(
            value = "cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
                    + "[$1], [$2, {$4, $5, $6, $7, $8}], [$12], {$9, $10, $11};",
            shared = {1, 11},
            since = 90)
    public static void im2col(
            Ptr shared,
            TensorMap map,
            int c,
            int w,
            int h,
            int d,
            int n,
            short filterW,
            short filterH,
            short filterD,
            Mbarrier barrier) {
        pixels(shared, map, barrier, new int[] {c, w, h, d, n}, filterW, filterH, filterD);
    }

    /**
     * Adds a box in this block's shared memory to the tensor, element by element ({@code
     * cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile}); of FLOAT32, FLOAT64, FLOAT16, BFLOAT16 or integers
     * of 32 or 64 bits. {@link Fence#async} comes before it, by the threads that wrote.
     */
    @InlinePtx(
            value = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [$1, {$3, $4}], [$5];",
            shared = 4,
            since = 90)
    public static void addToGlobal(TensorMap map, int x, int y, Ptr shared) {
        reduce(BulkReduction.ADD, map, shared, x, y);
    }

    /**
     * Adds a box in this block's shared memory to the tensor, element by element ({@code
     * cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile}); of FLOAT32, FLOAT64, FLOAT16, BFLOAT16 or integers
     * of 32 or 64 bits. {@link Fence#async} comes before it, by the threads that wrote.
     */
    @InlinePtx(
            value = "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile.bulk_group [$1, {$3, $4, $5}], [$6];",
            shared = 5,
            since = 90)
    public static void addToGlobal(TensorMap map, int x, int y, int z, Ptr shared) {
        reduce(BulkReduction.ADD, map, shared, x, y, z);
    }

    /**
     * Puts the smaller one of each element of the tensor and of a box in this block's shared memory into the tensor
     * ({@code cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.tile}); of FLOAT16, BFLOAT16 or integers of 32 or
     * 64 bits. {@link Fence#async} comes before it, by the threads that wrote.
     */
    @InlinePtx(
            value = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.tile.bulk_group [$1, {$3, $4}], [$5];",
            shared = 4,
            since = 90)
    public static void minToGlobal(TensorMap map, int x, int y, Ptr shared) {
        reduce(BulkReduction.MIN, map, shared, x, y);
    }

    /**
     * Puts the larger one of each element of the tensor and of a box in this block's shared memory into the tensor
     * ({@code cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile}); of FLOAT16, BFLOAT16 or integers of 32 or
     * 64 bits. {@link Fence#async} comes before it, by the threads that wrote.
     */
    @InlinePtx(
            value = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group [$1, {$3, $4}], [$5];",
            shared = 4,
            since = 90)
    public static void maxToGlobal(TensorMap map, int x, int y, Ptr shared) {
        reduce(BulkReduction.MAX, map, shared, x, y);
    }

    private static void reduce(BulkReduction by, TensorMap map, Ptr shared, int... at) {
        KernelThread.current().bulkCopies().add(() -> new TensorBox(map).reduce(by, shared.segment, shared.offset, at));
    }

    private static void pixels(Ptr shared, TensorMap map, Mbarrier barrier, int[] at, short... filter) {
        int[] place = new int[filter.length];
        for (int i = 0; i < place.length; i++) {
            place[i] = Short.toUnsignedInt(filter[i]);
        }
        TensorBox box = new TensorBox(map);
        barrier.copy(
                shared.segment,
                shared.offset,
                box.boxBytes(),
                () -> box.im2col(shared.segment, shared.offset, at, place));
    }

    private static void start(MemorySegment shared, long offset, TensorMap map, Mbarrier barrier, int... at) {
        TensorBox box = new TensorBox(map);
        barrier.copy(shared, offset, box.boxBytes(), () -> box.copy(shared, offset, true, at));
    }
}
