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
import org.comm4j.kernel.lang.I32Ptr;
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
 * A product of matrices by the tensor cores of Hopper, for kernels: {@link #multiply} computes op(A) op(B), and a
 * lambda says what becomes of each element. One warpgroup copies tiles to a ring in shared memory, two multiply. Blocks
 * take tiles of the result in turns ("persistent"), in groups of rows so that what neighbours read is in the L2 cache.
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

    /** The blocks of a cluster of two. */
    private static final short BOTH = 3;

    private GemmTile() {}

    /** What becomes of two elements of a product that are neighbours in a row. */
    @FunctionalInterface
    public interface Epilogue {
        /**
         * Takes elements ({@code row}, {@code column}) and ({@code row}, {@code column + 1}).
         *
         * @param group number of the product; 0 of a single one
         * @param row in the result; of grouped products, in the rows of all groups
         * @param column an even number
         */
        void apply(int group, int row, int column, float x, float y);
    }

    /**
     * One product, or a group of products of different numbers of rows whose A and C are below each other.
     *
     * @param a the map of A, from {@link Gemm#mapA}
     * @param b the map of B, from {@link Gemm#mapB}; of grouped products from {@link Gemm#mapGroupedB}
     * @param groups number of products
     * @param offsets the first row of each group, and the end of the last one: {@code groups + 1} numbers in global
     *     memory that do not decrease; not read for a single product
     * @param m rows of the result of a single product
     * @param n columns of the result, an even number
     * @param k summed indices
     * @param order rows of tiles that are taken together, at least 1
     */
    public record Problem(TensorMap a, TensorMap b, int groups, I32Ptr offsets, int m, int n, int k, int order) {}

    /**
     * The rows of a group, in which a block looks for its next tile.
     *
     * @param before tiles of the groups before it
     * @param first its first row
     * @param end the row after its last one
     */
    private record Cursor(int group, int before, int first, int end) {
        /** The group of tile {@code number}, this one or one after it; a group that does not exist if there is none. */
        Cursor reach(@Constant int grouped, Problem problem, int number, int columns, int height) {
            int group = this.group;
            int before = this.before;
            int first = this.first;
            int end = this.end;
            int tiles = (end - first + height - 1) / height * columns;
            while (group < problem.groups && number - before >= tiles) {
                group++;
                before += tiles;
                first = end;
                if (grouped != 0 && group < problem.groups) {
                    end = problem.offsets.get(group + 1);
                }
                tiles = (end - first + height - 1) / height * columns;
            }
            return new Cursor(group, before, first, end);
        }

        /** Where a tile of this group begins; {@code order} rows of tiles are taken column by column. */
        Place place(int number, int columns, int height, int order) {
            int rows = (end - first + height - 1) / height;
            int together = order * columns;
            int inGroup = number - before;
            int row = inGroup / together * order;
            int most = Math.min(rows - row, order);
            int rest = inGroup % together;
            return new Place(first + (row + rest % most) * height, rest / most * COLUMNS);
        }
    }

    private static Cursor start(@Constant int grouped, Problem problem) {
        return grouped != 0
                ? new Cursor(0, 0, problem.offsets.get(0), problem.offsets.get(1))
                : new Cursor(0, 0, 0, problem.m);
    }

    private static int columns(Problem problem) {
        return (problem.n + COLUMNS - 1) / COLUMNS;
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
     * @param type of A and B: {@code BFLOAT16}, {@code FLOAT16}, {@code FLOAT8_E4M3}, {@code FLOAT8_E5M2}, or
     *     {@code FLOAT32} as tf32
     * @param transposeA 1 if A is stored as k × m, else 0; 0 for types of other than 16 bits and grouped products
     * @param transposeB 1 if B is stored as n × k, else 0; 1 for types of other than 16 bits
     * @param cluster blocks of a cluster along x, 1 or 2: two take tiles below each other and copy B for both
     * @param grouped 1 for grouped products, 0 for a single one
     */
    public static void multiply(
            @Constant DataType type,
            @Constant int transposeA,
            @Constant int transposeB,
            @Constant int cluster,
            @Constant int grouped,
            Problem problem,
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
        int steps = (problem.k + inner - 1) / inner;
        if (Warpgroup.rank() == 0) {
            Warpgroup.decreaseRegisters(40);
            if (ThreadIdx.x() < 32 && Warp.isLeader()) {
                produce(transposeA, transposeB, cluster, grouped, ring, problem, inner, steps);
            }
        } else {
            Warpgroup.increaseRegisters(232);
            consume(type, transposeA, transposeB, cluster, grouped, ring, problem, steps, epilogue);
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
            @Constant int grouped,
            Ring ring,
            Problem problem,
            int inner,
            int steps) {
        TensorMap a = problem.a;
        TensorMap b = problem.b;
        a.acquire();
        b.acquire();
        int rank = rank(cluster);
        int height = ROWS * cluster;
        int columns = columns(problem);
        int stage = 0;
        int parity = 1;
        Cursor cursor = start(grouped, problem);
        for (int number = BlockIdx.x() / cluster; ; number += GridDim.x() / cluster) {
            cursor = cursor.reach(grouped, problem, number, columns, height);
            if (cursor.group >= problem.groups) {
                return;
            }
            Place place = cursor.place(number, columns, height, problem.order);
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
                for (int half = cluster > 1 ? rank : 0; half <= (cluster > 1 ? rank : 1); half++) {
                    half(transposeB, cluster, grouped, ring.b(stage), b, from, place.column, half, cursor.group, full);
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
            @Constant int grouped,
            I8Ptr tile,
            TensorMap b,
            int from,
            int column,
            int half,
            int group,
            Mbarrier full) {
        I8Ptr to = tile.plus((long) half * HALF_BYTES);
        int first = column + half * B_ROWS;
        if (transposeB != 0) {
            box(cluster, grouped, to, b, from, first, group, full);
        } else {
            box(cluster, grouped, to, b, first, from, group, full);
            box(cluster, grouped, to.plus(BOX_BYTES), b, first + 64, from, group, full);
        }
    }

    private static void box(
            @Constant int cluster,
            @Constant int grouped,
            I8Ptr to,
            TensorMap map,
            int x,
            int y,
            int group,
            Mbarrier full) {
        if (grouped == 0) {
            if (cluster > 1) {
                TensorCopy.toCluster(to, map, x, y, full, BOTH);
            } else {
                TensorCopy.toShared(to, map, x, y, full);
            }
        } else if (cluster > 1) {
            TensorCopy.toCluster(to, map, x, y, group, full, BOTH);
        } else {
            TensorCopy.toShared(to, map, x, y, group, full);
        }
    }

    /** Gives a place of the ring back to all that copy to it. */
    private static void release(@Constant int cluster, Ring ring, int stage) {
        if (cluster > 1) {
            ring.empty(stage).map(0).arriveInClusterAfterReads();
            ring.empty(stage).map(1).arriveInClusterAfterReads();
        } else {
            ring.empty(stage).arrive();
        }
    }

    private static void consume(
            @Constant DataType type,
            @Constant int transposeA,
            @Constant int transposeB,
            @Constant int cluster,
            @Constant int grouped,
            Ring ring,
            Problem problem,
            int steps,
            Epilogue epilogue) {
        int height = ROWS * cluster;
        int columns = columns(problem);
        int n = problem.n;
        int half = Warpgroup.rank() - 1;
        boolean speaks = ThreadIdx.x() % Warpgroup.THREADS == 0;
        float[] d = new float[COLUMNS / 2];
        int stage = 0;
        int parity = 0;
        Cursor cursor = start(grouped, problem);
        for (int number = BlockIdx.x() / cluster; ; number += GridDim.x() / cluster) {
            cursor = cursor.reach(grouped, problem, number, columns, height);
            if (cursor.group >= problem.groups) {
                return;
            }
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
                    } else if (type == DataType.FLOAT32) {
                        Wgmma.tf32(d, x, y, accumulate, COLUMNS);
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
            Place place = cursor.place(number, columns, height, problem.order);
            int row = place.row + rank(cluster) * ROWS + half * 64 + Wgmma.row(0);
            int column = place.column + Wgmma.column(0);
            for (int i = 0; i < COLUMNS / 8; i++) {
                Unroll.all();
                if (column + 8 * i < n) {
                    if (row < cursor.end) {
                        epilogue.apply(cursor.group, row, column + 8 * i, d[4 * i], d[4 * i + 1]);
                    }
                    if (row + 8 < cursor.end) {
                        epilogue.apply(cursor.group, row + 8, column + 8 * i, d[4 * i + 2], d[4 * i + 3]);
                    }
                }
            }
        }
    }
}
