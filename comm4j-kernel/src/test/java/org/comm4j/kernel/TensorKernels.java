// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.BulkCopy;
import org.comm4j.kernel.lang.Cluster;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Mbarrier;
import org.comm4j.kernel.lang.Mma;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.SharedMatrix;
import org.comm4j.kernel.lang.TensorCopy;
import org.comm4j.kernel.lang.TensorMap;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Wgmma;

/** Kernels with copies of tensors and products of warpgroups. */
final class TensorKernels {
    private TensorKernels() {}

    private static I8Ptr aligned() {
        I8Ptr memory = Shared.dynamicI8();
        return memory.plus(-memory.address() & 1023);
    }

    private static void write(I8Ptr from, I8Ptr to, int bytes) {
        for (int i = ThreadIdx.x(); i < bytes; i += BlockDim.x()) {
            to.set(i, from.get(i));
        }
    }

    /** The bytes of a box as they are in shared memory. */
    @Kernel
    static void box2(TensorMap map, int x, int y, int bytes, I8Ptr to) {
        I8Ptr tile = aligned();
        Mbarrier barrier = Mbarrier.of(Shared.i64(1));
        if (ThreadIdx.x() == 0) {
            map.acquire();
            barrier.init(1);
            Fence.mbarrierInit();
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            barrier.arriveExpecting(bytes);
            TensorCopy.toShared(tile, map, x, y, barrier);
        }
        barrier.await(0);
        write(tile, to, bytes);
    }

    /** As {@link #box2}, of three dimensions. */
    @Kernel
    static void box3(TensorMap map, int x, int y, int z, int bytes, I8Ptr to) {
        I8Ptr tile = aligned();
        Mbarrier barrier = Mbarrier.of(Shared.i64(1));
        if (ThreadIdx.x() == 0) {
            map.acquire();
            barrier.init(1);
            Fence.mbarrierInit();
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            barrier.arriveExpecting(bytes);
            TensorCopy.toShared(tile, map, x, y, z, barrier);
        }
        barrier.await(0);
        write(tile, to, bytes);
    }

    /** Moves a box from one tensor to another. */
    @Kernel
    static void move(TensorMap from, TensorMap to, int x, int y, int toX, int toY, int bytes) {
        I8Ptr tile = aligned();
        Mbarrier barrier = Mbarrier.of(Shared.i64(1));
        if (ThreadIdx.x() == 0) {
            from.acquire();
            to.acquire();
            barrier.init(1);
            Fence.mbarrierInit();
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            barrier.arriveExpecting(bytes);
            TensorCopy.toShared(tile, from, x, y, barrier);
            barrier.await(0);
            Fence.async();
            TensorCopy.toGlobal(to, toX, toY, tile);
            BulkCopy.commit();
            BulkCopy.waitFor(0);
        }
    }

    /** Adds a box of one tensor to one of another, in each block. */
    @Kernel
    static void add(TensorMap from, TensorMap to, int x, int y, int toX, int toY, int bytes) {
        I8Ptr tile = aligned();
        Mbarrier barrier = Mbarrier.of(Shared.i64(1));
        if (ThreadIdx.x() == 0) {
            from.acquire();
            to.acquire();
            barrier.init(1);
            Fence.mbarrierInit();
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            barrier.arriveExpecting(bytes);
            TensorCopy.toShared(tile, from, x, y, barrier);
            barrier.await(0);
            Fence.async();
            TensorCopy.addToGlobal(to, toX, toY, tile);
            BulkCopy.commit();
            BulkCopy.waitFor(0);
        }
    }

    /** Block r of a cluster of two copies box r to both; each writes what it has got. */
    @Kernel(cluster = 2)
    static void shares(TensorMap map, int bytes, I8Ptr to) {
        I8Ptr tile = aligned();
        Mbarrier barrier = Mbarrier.of(Shared.i64(1));
        if (ThreadIdx.x() == 0) {
            map.acquire();
            barrier.init(1);
            Fence.mbarrierInit();
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            barrier.arriveExpecting(2 * bytes);
        }
        Cluster.sync();
        int rank = Cluster.rank();
        if (ThreadIdx.x() == 0) {
            TensorCopy.toCluster(tile.plus((long) rank * bytes), map, 0, 8 * rank, barrier, (short) 3);
        }
        barrier.await(0);
        write(tile, to.plus(2L * bytes * BlockIdx.x()), 2 * bytes);
        Cluster.sync();
    }

    /** One product of 64 × n and as many summed indices as a row of 128 bytes has. */
    @Kernel(maxThreads = 128)
    static void product(
            @Constant DataType type,
            @Constant int n,
            @Constant int transposeA,
            @Constant int transposeB,
            TensorMap a,
            TensorMap b,
            F32Ptr c) {
        I8Ptr left = aligned();
        I8Ptr right = left.plus(64 * 128);
        Mbarrier barrier = Mbarrier.of(Shared.i64(1));
        if (ThreadIdx.x() == 0) {
            a.acquire();
            b.acquire();
            barrier.init(1);
            Fence.mbarrierInit();
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            int columns = transposeB != 0 ? (n + 63) / 64 * 64 : n;
            barrier.arriveExpecting(64 * 128 + columns * 128);
            TensorCopy.toShared(left, a, 0, 0, barrier);
            if (transposeB != 0) {
                for (int i = 0; i < n; i += 64) {
                    TensorCopy.toShared(right.plus(i * 128L), b, i, 0, barrier);
                }
            } else {
                TensorCopy.toShared(right, b, 0, 0, barrier);
            }
        }
        barrier.await(0);
        float[] d = new float[n / 2];
        SharedMatrix x = transposeA != 0 ? SharedMatrix.transposed(left, 8192) : SharedMatrix.of(left);
        SharedMatrix y = transposeB != 0 ? SharedMatrix.transposed(right, 8192) : SharedMatrix.of(right);
        Wgmma.fence(d, n);
        for (int i = 0; i < 4; i++) {
            Unroll.all();
            SharedMatrix p = x.plus(i * (transposeA != 0 ? 2048 : 32));
            SharedMatrix q = y.plus(i * (transposeB != 0 ? 2048 : 32));
            if (type == DataType.BFLOAT16) {
                Wgmma.bf16(d, p, q, i, n, transposeA, transposeB);
            } else if (type == DataType.FLOAT16) {
                Wgmma.f16(d, p, q, i, n, transposeA, transposeB);
            } else if (type == DataType.FLOAT8_E4M3) {
                Wgmma.e4m3(d, p, q, i, n);
            } else if (type == DataType.FLOAT32) {
                Wgmma.tf32(d, p, q, i, n);
            } else {
                Wgmma.e5m2(d, p, q, i, n);
            }
        }
        Wgmma.commit();
        Wgmma.waitFor(d, n, 0);
        for (int i = 0; i < n / 2; i++) {
            Unroll.all();
            c.set((long) Wgmma.row(i) * n + Wgmma.column(i), d[i]);
        }
    }

    /** As {@link #product} of 8 columns and 16 summed indices, with A in registers; A is read from global memory. */
    @Kernel(maxThreads = 128)
    static void fromRegisters(@Constant DataType type, I16Ptr a, TensorMap b, F32Ptr c) {
        I8Ptr right = aligned();
        Mbarrier barrier = Mbarrier.of(Shared.i64(1));
        if (ThreadIdx.x() == 0) {
            b.acquire();
            barrier.init(1);
            Fence.mbarrierInit();
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            barrier.arriveExpecting(8 * 128);
            TensorCopy.toShared(right, b, 0, 0, barrier);
        }
        barrier.await(0);
        int warp = ThreadIdx.x() / 32;
        float[] d = new float[4];
        Mma.A left = type == DataType.BFLOAT16
                ? Mma.loadA(a.plus(warp * 16L * 16).asBF16(), 16)
                : Mma.loadA(a.plus(warp * 16L * 16).asF16(), 16);
        Wgmma.fence(d, 8);
        if (type == DataType.BFLOAT16) {
            Wgmma.bf16(d, left, SharedMatrix.of(right), 0, 8, 0);
        } else {
            Wgmma.f16(d, left, SharedMatrix.of(right), 0, 8, 0);
        }
        Wgmma.commit();
        Wgmma.waitFor(d, 8, 0);
        for (int i = 0; i < 4; i++) {
            Unroll.all();
            c.set((long) Wgmma.row(i) * 8 + Wgmma.column(i), d[i]);
        }
    }
}
