// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.AsyncStore;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BulkCopy;
import org.comm4j.kernel.lang.BulkReduce;
import org.comm4j.kernel.lang.Cluster;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Mbarrier;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.TensorCopy;
import org.comm4j.kernel.lang.TensorMap;
import org.comm4j.kernel.lang.ThreadIdx;

/** Kernels with pixels of images, boxes of more dimensions, reductions, and stores that a barrier counts. */
final class CopyEngineKernels {
    static final int ADD = 0;
    static final int MIN = 1;
    static final int MAX = 2;

    /** Bytes that a block of {@link #stores} gets. */
    static final int STORED = 4 + 8 + 4 + 8 + 4 + 16;

    private CopyEngineKernels() {}

    private static I8Ptr aligned() {
        I8Ptr memory = Shared.dynamicI8();
        return memory.plus(-memory.address() & 1023);
    }

    private static Mbarrier begin(TensorMap map) {
        Mbarrier barrier = Mbarrier.of(Shared.i64(1));
        if (ThreadIdx.x() == 0) {
            map.acquire();
            barrier.init(1);
            Fence.mbarrierInit();
        }
        Block.sync();
        return barrier;
    }

    /** Pixels of an image of {@code dimensions} dimensions, 1 to 3, as they are in shared memory. */
    @Kernel
    static void pixels(
            @Constant int dimensions,
            TensorMap map,
            int channel,
            int column,
            int row,
            int layer,
            int image,
            int filterColumn,
            int filterRow,
            int filterLayer,
            int bytes,
            I8Ptr to) {
        I8Ptr tile = aligned();
        Mbarrier barrier = begin(map);
        if (ThreadIdx.x() == 0) {
            barrier.arriveExpecting(bytes);
            short w = (short) filterColumn;
            short h = (short) filterRow;
            short d = (short) filterLayer;
            if (dimensions == 1) {
                TensorCopy.im2col(tile, map, channel, column, image, w, barrier);
            } else if (dimensions == 2) {
                TensorCopy.im2col(tile, map, channel, column, row, image, w, h, barrier);
            } else {
                TensorCopy.im2col(tile, map, channel, column, row, layer, image, w, h, d, barrier);
            }
        }
        barrier.await(0);
        for (int i = ThreadIdx.x(); i < bytes; i += BlockDim.x()) {
            to.set(i, tile.get(i));
        }
    }

    /** Moves a box of 4 or 5 dimensions to the beginning of another tensor. */
    @Kernel
    static void move(@Constant int dimensions, TensorMap from, TensorMap to, int x, int y, int z, int u, int bytes) {
        I8Ptr tile = aligned();
        Mbarrier barrier = begin(from);
        if (ThreadIdx.x() == 0) {
            to.acquire();
            barrier.arriveExpecting(bytes);
            if (dimensions == 4) {
                TensorCopy.toShared(tile, from, x, y, z, u, barrier);
            } else {
                TensorCopy.toShared(tile, from, x, y, z, u, 1, barrier);
            }
            barrier.await(0);
            Fence.async();
            if (dimensions == 4) {
                TensorCopy.toGlobal(to, 0, 0, 0, 0, tile);
            } else {
                TensorCopy.toGlobal(to, 0, 0, 0, 0, 0, tile);
            }
            BulkCopy.commit();
            BulkCopy.waitFor(0);
        }
    }

    /** Combines a box of 2 or 3 dimensions with one of another tensor. */
    @Kernel
    static void combine(
            @Constant int operation, @Constant int dimensions, TensorMap from, TensorMap to, int x, int y, int bytes) {
        I8Ptr tile = aligned();
        Mbarrier barrier = begin(from);
        if (ThreadIdx.x() == 0) {
            to.acquire();
            barrier.arriveExpecting(bytes);
            if (dimensions == 2) {
                TensorCopy.toShared(tile, from, 0, 0, barrier);
            } else {
                TensorCopy.toShared(tile, from, 0, 0, 0, barrier);
            }
            barrier.await(0);
            Fence.async();
            if (dimensions == 3) {
                TensorCopy.addToGlobal(to, x, y, 1, tile);
            } else if (operation == MIN) {
                TensorCopy.minToGlobal(to, x, y, tile);
            } else if (operation == MAX) {
                TensorCopy.maxToGlobal(to, x, y, tile);
            } else {
                TensorCopy.addToGlobal(to, x, y, tile);
            }
            BulkCopy.commit();
            BulkCopy.waitFor(0);
        }
    }

    /** Combines bytes with other bytes, once in each block. */
    @Kernel
    static void reduce(@Constant DataType type, @Constant int operation, I8Ptr values, I8Ptr to, int bytes) {
        I8Ptr tile = aligned();
        for (int i = ThreadIdx.x(); i < bytes; i += BlockDim.x()) {
            tile.set(i, values.get(i));
        }
        Fence.async();
        Block.sync();
        if (ThreadIdx.x() == 0) {
            reduction(type, operation, tile, to, bytes);
            BulkCopy.commit();
            BulkCopy.waitFor(0);
        }
    }

    private static void reduction(@Constant DataType type, @Constant int operation, I8Ptr tile, I8Ptr to, int bytes) {
        switch (type) {
            case FLOAT32 -> BulkReduce.addToGlobal(to.asF32(), tile.asF32(), bytes);
            case FLOAT64 -> BulkReduce.addToGlobal(to.asF64(), tile.asF64(), bytes);
            case FLOAT16 -> {
                if (operation == ADD) {
                    BulkReduce.addToGlobal(to.asF16(), tile.asF16(), bytes);
                } else if (operation == MIN) {
                    BulkReduce.minToGlobal(to.asF16(), tile.asF16(), bytes);
                } else {
                    BulkReduce.maxToGlobal(to.asF16(), tile.asF16(), bytes);
                }
            }
            case BFLOAT16 -> {
                if (operation == ADD) {
                    BulkReduce.addToGlobal(to.asBF16(), tile.asBF16(), bytes);
                } else if (operation == MIN) {
                    BulkReduce.minToGlobal(to.asBF16(), tile.asBF16(), bytes);
                } else {
                    BulkReduce.maxToGlobal(to.asBF16(), tile.asBF16(), bytes);
                }
            }
            case INT32 -> {
                if (operation == ADD) {
                    BulkReduce.addToGlobal(to.asI32(), tile.asI32(), bytes);
                } else if (operation == MIN) {
                    BulkReduce.minToGlobal(to.asI32(), tile.asI32(), bytes);
                } else {
                    BulkReduce.maxToGlobal(to.asI32(), tile.asI32(), bytes);
                }
            }
            default -> {
                if (operation == ADD) {
                    BulkReduce.addToGlobal(to.asI64(), tile.asI64(), bytes);
                } else if (operation == MIN) {
                    BulkReduce.minToGlobal(to.asI64(), tile.asI64(), bytes);
                } else {
                    BulkReduce.maxToGlobal(to.asI64(), tile.asI64(), bytes);
                }
            }
        }
    }

    /** Both blocks of a cluster store numbers in the other's shared memory; each writes what it has got. */
    @Kernel(cluster = 2)
    static void stores(I32Ptr integers, I64Ptr longs, F32Ptr floats, F64Ptr doubles) {
        I8Ptr memory = aligned();
        I32Ptr words = memory.asI32();
        I64Ptr wide = memory.plus(64).asI64();
        F32Ptr single = memory.plus(128).asF32();
        F64Ptr twice = memory.plus(192).asF64();
        I32Ptr sent = memory.plus(256).asI32();
        Mbarrier barrier = Mbarrier.of(Shared.i64(1));
        int rank = Cluster.rank();
        int other = 1 - rank;
        if (ThreadIdx.x() == 0) {
            for (int i = 0; i < 8; i++) {
                words.set(i, 7);
                sent.set(i, 10 * rank + i);
            }
            barrier.init(1);
            Fence.mbarrierInit();
            barrier.arriveExpecting(STORED);
            Fence.async();
        }
        Cluster.sync();
        if (ThreadIdx.x() == 0) {
            Mbarrier there = barrier.map(other);
            I32Ptr to = Cluster.map(words, other);
            AsyncStore.store(to, 100 + rank, there);
            AsyncStore.store(Cluster.map(wide, other), 1L << 40 | rank, there);
            AsyncStore.store(Cluster.map(single, other), 0.5f + rank, there);
            AsyncStore.store(Cluster.map(twice, other), 0.25 + rank, there);
            AsyncStore.add(to.plus(1), 5 + rank, there);
            BulkReduce.addToCluster(to.plus(4), sent, 16, there);
        }
        barrier.await(0);
        if (ThreadIdx.x() == 0) {
            for (int i = 0; i < 8; i++) {
                integers.set(8 * rank + i, words.get(i));
            }
            longs.set(rank, wide.get(0));
            floats.set(rank, single.get(0));
            doubles.set(rank, twice.get(0));
        }
        Cluster.sync();
    }
}
