// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Cluster;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Mbarrier;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.SharedMatrix;
import org.comm4j.kernel.lang.TensorCopy;
import org.comm4j.kernel.lang.TensorMap;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.kernel.lang.Warpgroup;
import org.comm4j.kernel.lang.Wgmma;

/**
 * A product of matrices by the tensor cores of Hopper, for kernels: {@link #multiply} computes op(A) op(B), and a lambda
 * says what becomes of each element. One warpgroup copies tiles to a ring in shared memory, two multiply. Blocks take
 * tiles of the result in turns ("persistent"), in groups of rows so that what neighbours read is in the L2 cache.
 */
public final class GemmTile {
    /** Rows of a tile of the result. */
    public static final int ROWS = 128;

    /** Columns of a tile of the result. */
    public static final int COLUMNS = 256;

    /** Threads of a block. */
    public static final int THREADS = 3 * Warpgroup.THREADS;

    /** Bytes of dynamic shared memory of a block. */
    public static final int SHARED_BYTES = 4 * (ROWS + COLUMNS) * 128 + 1024;

    /** Bytes of a row of a tile in shared memory. */
    static final int ROW_BYTES = 128;

    private static final int STAGES = 4;
    private static final int A_BYTES = ROWS * ROW_BYTES;
    private static final int B_BYTES = COLUMNS * ROW_BYTES;
    private static final int STAGE_BYTES = A_BYTES + B_BYTES;
    /** Bytes of a box of a matrix that is stored the other way round: 64 summed indices of 64 rows or columns. */
    private static final int BOX_BYTES = 64 * ROW_BYTES;
    /** Columns of a box of B that is stored as n × k. */
    static final int B_ROWS = 128;

    /** Bytes of half a tile of B. */
    private static final int HALF_BYTES = B_BYTES / 2;

    private GemmTile() {}

    /** What becomes of two elements of the product that are neighbours in a row. */
    @FunctionalInterface
    public interface Epilogue {
        /**
         * Takes elements ({@code row}, {@code column}) and ({@code row}, {@code column + 1}).
         *
         * @param column an even number
         */
        void apply(int row, int column, float x, float y);
    }

    /**
     * The tiles of the result, and in which order they are taken.
     *
     * @param rows of tiles; of pairs of them where two blocks share columns of B
     * @param columns of tiles
     * @param group rows that are taken together, column by column
     * @param height of a row, in rows of the result
     */
    private record Tiles(int rows, int columns, int group, int height) {
        int count() {
            return rows * columns;
        }

        /** The tile's first row and column. */
        Place place(int number) {
            int perGroup = group * columns;
            int first = number / perGroup * group;
            int most = Math.min(rows - first, group);
            int inGroup = number % perGroup;
            return new Place((first + inGroup % most) * height, inGroup / most * COLUMNS);
        }
    }

    /** Where a tile of the result begins. */
    private record Place(int row, int column) {}

    /** The ring of tiles in shared memory, with a barrier for full and one for empty places. */
    private record Ring(I8Ptr tiles, Mbarrier full, Mbarrier empty) {
        I8Ptr a(int stage) {
            return tiles.plus((long) stage * STAGE_BYTES);
        }

        I8Ptr b(int stage) {
            return tiles.plus((long) stage * STAGE_BYTES + A_BYTES);
        }

        Mbarrier full(int stage) {
            return new Mbarrier(full.place().plus(stage));
        }

        Mbarrier empty(int stage) {
            return new Mbarrier(empty.place().plus(stage));
        }
    }

    /**
     * Multiplies; the whole grid calls it, with {@link #THREADS} threads and {@link #SHARED_BYTES} a block, in a kernel
     * that says {@code maxThreads} and {@code minBlocks = 1}.
     *
     * @param type of A and B: {@code BFLOAT16}, {@code FLOAT16}, {@code FLOAT8_E4M3} or {@code FLOAT8_E5M2}
     * @param transposeA 1 if A is stored as k × m, else 0; 0 for types of 8 bits
     * @param transposeB 1 if B is stored as n × k, else 0; 1 for types of 8 bits
     * @param cluster blocks of a cluster along x, 1 or 2: two take tiles below each other and copy B for both
     * @param a the map of A, from {@link Gemm#mapA}
     * @param b the map of B, from {@link Gemm#mapB}
     * @param m rows of the result
     * @param n columns of the result, an even number
     * @param k summed indices
     * @param group rows of tiles that are taken together, at least 1
     */
    public static void multiply(
            @Constant DataType type,
            @Constant int transposeA,
            @Constant int transposeB,
            @Constant int cluster,
            TensorMap a,
            TensorMap b,
            int m,
            int n,
            int k,
            int group,
            Epilogue epilogue) {
        I8Ptr memory = Shared.dynamicI8();
        long[] barriers = Shared.i64(2 * STAGES);
        Ring ring =
                new Ring(memory.plus(-memory.address() & 1023), Mbarrier.of(barriers), Mbarrier.of(barriers, STAGES));
        if (ThreadIdx.x() == 0) {
            for (int i = 0; i < STAGES; i++) {
                ring.full(i).init(1);
                ring.empty(i).init(2 * cluster);
            }
            Fence.mbarrierInit();
        }
        meet(cluster);
        int inner = ROW_BYTES / type.bytes();
        int steps = (k + inner - 1) / inner;
        int height = ROWS * cluster;
        Tiles tiles = new Tiles((m + height - 1) / height, (n + COLUMNS - 1) / COLUMNS, group, height);
        if (Warpgroup.rank() == 0) {
            Warpgroup.decreaseRegisters(40);
            if (ThreadIdx.x() < 32 && Warp.isLeader()) {
                produce(transposeA, transposeB, cluster, ring, a, b, tiles, inner, steps);
            }
        } else {
            Warpgroup.increaseRegisters(232);
            consume(type, transposeA, transposeB, cluster, ring, m, n, tiles, steps, epilogue);
        }
        if (cluster > 1) {
            // The other block may still write to this one's memory.
            Cluster.sync();
        }
    }

    private static void meet(@Constant int cluster) {
        if (cluster > 1) {
            Cluster.sync();
        } else {
            Block.sync();
        }
    }

    private static int rank(@Constant int cluster) {
        return cluster > 1 ? Cluster.rank() : 0;
    }

    private static void produce(
            @Constant int transposeA,
            @Constant int transposeB,
            @Constant int cluster,
            Ring ring,
            TensorMap a,
            TensorMap b,
            Tiles tiles,
            int inner,
            int steps) {
        a.acquire();
        b.acquire();
        int rank = rank(cluster);
        int stage = 0;
        int parity = 1;
        for (int number = BlockIdx.x() / cluster; number < tiles.count(); number += GridDim.x() / cluster) {
            Place place = tiles.place(number);
            int row = place.row + rank * ROWS;
            for (int step = 0; step < steps; step++) {
                ring.empty(stage).await(parity);
                Mbarrier full = ring.full(stage);
                full.arriveExpecting(STAGE_BYTES);
                int from = step * inner;
                if (transposeA == 0) {
                    TensorCopy.toShared(ring.a(stage), a, from, row, full);
                } else {
                    TensorCopy.toShared(ring.a(stage), a, row, from, full);
                    TensorCopy.toShared(ring.a(stage).plus(BOX_BYTES), a, row + 64, from, full);
                }
                if (cluster > 1) {
                    half(transposeB, cluster, ring.b(stage), b, from, place.column, rank, full);
                } else {
                    half(transposeB, cluster, ring.b(stage), b, from, place.column, 0, full);
                    half(transposeB, cluster, ring.b(stage), b, from, place.column, 1, full);
                }
                stage++;
                if (stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
        }
    }

    /** Copies the left or right half of a tile of B, to all blocks of the cluster. */
    private static void half(
            @Constant int transposeB,
            @Constant int cluster,
            I8Ptr tile,
            TensorMap b,
            int from,
            int column,
            int half,
            Mbarrier full) {
        I8Ptr to = tile.plus((long) half * HALF_BYTES);
        int first = column + half * B_ROWS;
        if (transposeB != 0) {
            box(cluster, to, b, from, first, full);
        } else {
            box(cluster, to, b, first, from, full);
            box(cluster, to.plus(BOX_BYTES), b, first + 64, from, full);
        }
    }

    private static void box(@Constant int cluster, I8Ptr to, TensorMap map, int x, int y, Mbarrier full) {
        if (cluster > 1) {
            TensorCopy.toCluster(to, map, x, y, full, (short) 3);
        } else {
            TensorCopy.toShared(to, map, x, y, full);
        }
    }

    /** Gives a place of the ring back to all that copy to it. */
    private static void release(@Constant int cluster, Ring ring, int stage) {
        if (cluster > 1) {
            ring.empty(stage).map(0).arriveInCluster();
            ring.empty(stage).map(1).arriveInCluster();
        } else {
            ring.empty(stage).arrive();
        }
    }

    private static void consume(
            @Constant DataType type,
            @Constant int transposeA,
            @Constant int transposeB,
            @Constant int cluster,
            Ring ring,
            int m,
            int n,
            Tiles tiles,
            int steps,
            Epilogue epilogue) {
        int half = Warpgroup.rank() - 1;
        boolean speaks = ThreadIdx.x() % Warpgroup.THREADS == 0;
        float[] d = new float[COLUMNS / 2];
        int stage = 0;
        int parity = 0;
        for (int number = BlockIdx.x() / cluster; number < tiles.count(); number += GridDim.x() / cluster) {
            int last = 0;
            for (int step = 0; step < steps; step++) {
                ring.full(stage).await(parity);
                I8Ptr left = ring.a(stage).plus((long) half * BOX_BYTES);
                SharedMatrix a = transposeA == 0 ? SharedMatrix.of(left) : SharedMatrix.transposed(left, BOX_BYTES);
                SharedMatrix b = transposeB != 0
                        ? SharedMatrix.of(ring.b(stage))
                        : SharedMatrix.transposed(ring.b(stage), BOX_BYTES);
                Wgmma.fence(d, COLUMNS);
                for (int i = 0; i < 4; i++) {
                    Unroll.all();
                    SharedMatrix x = a.plus(i * (transposeA == 0 ? 32 : 2048));
                    SharedMatrix y = b.plus(i * (transposeB != 0 ? 32 : 2048));
                    int accumulate = step + i;
                    if (type == DataType.BFLOAT16) {
                        Wgmma.bf16(d, x, y, accumulate, COLUMNS, transposeA, 1 - transposeB);
                    } else if (type == DataType.FLOAT16) {
                        Wgmma.f16(d, x, y, accumulate, COLUMNS, transposeA, 1 - transposeB);
                    } else if (type == DataType.FLOAT8_E4M3) {
                        Wgmma.e4m3(d, x, y, accumulate, COLUMNS);
                    } else {
                        Wgmma.e5m2(d, x, y, accumulate, COLUMNS);
                    }
                }
                Wgmma.commit();
                Wgmma.waitFor(d, COLUMNS, 1);
                if (step > 0 && speaks) {
                    release(cluster, ring, last);
                }
                last = stage;
                stage++;
                if (stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
            Wgmma.waitFor(d, COLUMNS, 0);
            if (steps > 0 && speaks) {
                release(cluster, ring, last);
            }
            Place place = tiles.place(number);
            int row = place.row + rank(cluster) * ROWS + half * 64 + Wgmma.row(0);
            int column = place.column + Wgmma.column(0);
            for (int i = 0; i < COLUMNS / 8; i++) {
                Unroll.all();
                if (column + 8 * i < n) {
                    if (row < m) {
                        epilogue.apply(row, column + 8 * i, d[4 * i], d[4 * i + 1]);
                    }
                    if (row + 8 < m) {
                        epilogue.apply(row + 8, column + 8 * i, d[4 * i + 2], d[4 * i + 3]);
                    }
                }
            }
        }
    }
}
