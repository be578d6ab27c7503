// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.core.DataType;
import org.comm4j.kernel.cpu.KernelThread;

/**
 * Reductions of many bytes that one thread starts and the copy engine of the multiprocessor makes ({@code
 * cp.reduce.async.bulk}): each element of memory becomes its sum with an element of shared memory, or the smaller or
 * larger of both. Each element is combined atomically, in no order. sm_90 and later.
 *
 * <p>Addresses and sizes are multiples of 16 bytes. Those to global memory are in groups of the thread, of {@link
 * BulkCopy#commit}. {@link Fence#async} comes before it, by the threads that wrote to shared memory.
 */
public final class BulkReduce {
    private BulkReduce() {}

    /**
     * Adds elements of this block's shared memory to those of global memory ({@code
     * cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void addToGlobal(F32Ptr global, F32Ptr shared, int bytes) {
        start(BulkReduction.ADD, DataType.FLOAT32, global, shared, bytes);
    }

    /**
     * Adds elements of this block's shared memory to those of global memory ({@code
     * cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void addToGlobal(F64Ptr global, F64Ptr shared, int bytes) {
        start(BulkReduction.ADD, DataType.FLOAT64, global, shared, bytes);
    }

    /**
     * Adds elements of this block's shared memory to those of global memory ({@code
     * cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void addToGlobal(F16Ptr global, F16Ptr shared, int bytes) {
        start(BulkReduction.ADD, DataType.FLOAT16, global, shared, bytes);
    }

    /**
     * Adds elements of this block's shared memory to those of global memory ({@code
     * cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void addToGlobal(BF16Ptr global, BF16Ptr shared, int bytes) {
        start(BulkReduction.ADD, DataType.BFLOAT16, global, shared, bytes);
    }

    /**
     * Adds elements of this block's shared memory to those of global memory ({@code
     * cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void addToGlobal(I32Ptr global, I32Ptr shared, int bytes) {
        start(BulkReduction.ADD, DataType.INT32, global, shared, bytes);
    }

    /**
     * Adds elements of this block's shared memory to those of global memory ({@code
     * cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void addToGlobal(I64Ptr global, I64Ptr shared, int bytes) {
        start(BulkReduction.ADD, DataType.INT64, global, shared, bytes);
    }

    /**
     * Puts the smaller one of each element of global memory and of this block's shared memory into global memory
     * ({@code cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void minToGlobal(F16Ptr global, F16Ptr shared, int bytes) {
        start(BulkReduction.MIN, DataType.FLOAT16, global, shared, bytes);
    }

    /**
     * Puts the smaller one of each element of global memory and of this block's shared memory into global memory
     * ({@code cp.reduce.async.bulk.global.shared::cta.bulk_group.min.bf16}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.bf16 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void minToGlobal(BF16Ptr global, BF16Ptr shared, int bytes) {
        start(BulkReduction.MIN, DataType.BFLOAT16, global, shared, bytes);
    }

    /**
     * Puts the smaller one of each element of global memory and of this block's shared memory into global memory
     * ({@code cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void minToGlobal(I32Ptr global, I32Ptr shared, int bytes) {
        start(BulkReduction.MIN, DataType.INT32, global, shared, bytes);
    }

    /**
     * Puts the smaller one of each element of global memory and of this block's shared memory into global memory
     * ({@code cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s64}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s64 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void minToGlobal(I64Ptr global, I64Ptr shared, int bytes) {
        start(BulkReduction.MIN, DataType.INT64, global, shared, bytes);
    }

    /**
     * Puts the larger one of each element of global memory and of this block's shared memory into global memory
     * ({@code cp.reduce.async.bulk.global.shared::cta.bulk_group.max.f16}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.f16 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void maxToGlobal(F16Ptr global, F16Ptr shared, int bytes) {
        start(BulkReduction.MAX, DataType.FLOAT16, global, shared, bytes);
    }

    /**
     * Puts the larger one of each element of global memory and of this block's shared memory into global memory
     * ({@code cp.reduce.async.bulk.global.shared::cta.bulk_group.max.bf16}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.bf16 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void maxToGlobal(BF16Ptr global, BF16Ptr shared, int bytes) {
        start(BulkReduction.MAX, DataType.BFLOAT16, global, shared, bytes);
    }

    /**
     * Puts the larger one of each element of global memory and of this block's shared memory into global memory
     * ({@code cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void maxToGlobal(I32Ptr global, I32Ptr shared, int bytes) {
        start(BulkReduction.MAX, DataType.INT32, global, shared, bytes);
    }

    /**
     * Puts the larger one of each element of global memory and of this block's shared memory into global memory
     * ({@code cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s64}).
     */
    @InlinePtx(
            value = "{ .reg .b64 g; cvta.to.global.u64 g, $1; "
                    + "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s64 [g], [$2], $3; }",
            shared = 2,
            since = 90)
    public static void maxToGlobal(I64Ptr global, I64Ptr shared, int bytes) {
        start(BulkReduction.MAX, DataType.INT64, global, shared, bytes);
    }

    /**
     * Adds elements of this block's shared memory to those of a block of the cluster, both pointers of {@link
     * Cluster#map}; {@code barrier}, from {@link Mbarrier#map} of the same block, gets {@code bytes} ({@code
     * cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.s32}).
     */
    @InlinePtx(
            value = "{ .reg .b64 d, s, m; cvta.to.shared::cluster.u64 d, $1; cvta.to.shared.u64 s, $2; "
                    + "cvta.to.shared::cluster.u64 m, $4; "
                    + "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.s32 "
                    + "[d], [s], $3, [m]; }",
            since = 90)
    public static void addToCluster(I32Ptr remote, I32Ptr shared, int bytes, Mbarrier barrier) {
        BulkCopy.check("reduction", remote, shared, bytes);
        barrier.copy(
                remote.segment,
                remote.offset,
                bytes,
                () -> reduce(BulkReduction.ADD, DataType.INT32, remote, shared, bytes));
    }

    private static void start(BulkReduction by, DataType type, Ptr global, Ptr shared, int bytes) {
        BulkCopy.check("reduction", global, shared, bytes);
        KernelThread.current().bulkCopies().add(() -> reduce(by, type, global, shared, bytes));
    }

    private static void reduce(BulkReduction by, DataType type, Ptr to, Ptr from, int bytes) {
        by.apply(
                type,
                new I8Ptr(to.segment, to.offset, null),
                new I8Ptr(from.segment, from.offset, null),
                bytes / type.bytes());
    }
}
