// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.BlockIdx;
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
    /** Tiles in a column that are taken one after the other. */
    private static final int GROUP = 8;

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

    /** Where a tile of the result begins. */
    private record Tile(int row, int column) {
        static Tile of(int number, int rows, int columns) {
            int perGroup = GROUP * columns;
            int first = number / perGroup * GROUP;
            int height = Math.min(rows - first, GROUP);
            int inGroup = number % perGroup;
            return new Tile((first + inGroup % height) * ROWS, inGroup / height * COLUMNS);
        }
    }

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
     * @param a the map of A with boxes of {@link Gemm}
     * @param b the map of B
     * @param m rows of the result
     * @param n columns of the result, an even number
     * @param k summed indices
     */
    public static void multiply(
            @Constant DataType type,
            @Constant int transposeA,
            @Constant int transposeB,
            TensorMap a,
            TensorMap b,
            int m,
            int n,
            int k,
            Epilogue epilogue) {
        I8Ptr memory = Shared.dynamicI8();
        long[] barriers = Shared.i64(2 * STAGES);
        Ring ring = new Ring(
                memory.plus(-memory.address() & 1023), Mbarrier.of(barriers), Mbarrier.of(barriers, STAGES));
        if (ThreadIdx.x() == 0) {
            for (int i = 0; i < STAGES; i++) {
                ring.full(i).init(1);
                ring.empty(i).init(2);
            }
            Fence.mbarrierInit();
        }
        org.comm4j.kernel.lang.Block.sync();
        int inner = ROW_BYTES / type.bytes();
        int steps = (k + inner - 1) / inner;
        int rows = (m + ROWS - 1) / ROWS;
        int columns = (n + COLUMNS - 1) / COLUMNS;
        if (Warpgroup.rank() == 0) {
            Warpgroup.decreaseRegisters(40);
            if (ThreadIdx.x() < 32 && Warp.isLeader()) {
                produce(inner, transposeA, transposeB, ring, a, b, rows, columns, steps);
            }
        } else {
            Warpgroup.increaseRegisters(232);
            consume(type, transposeA, transposeB, ring, m, n, rows, columns, steps, epilogue);
        }
    }

    private static void produce(
            int inner,
            @Constant int transposeA,
            @Constant int transposeB,
            Ring ring,
            TensorMap a,
            TensorMap b,
            int rows,
            int columns,
            int steps) {
        a.acquire();
        b.acquire();
        int stage = 0;
        int parity = 1;
        for (int number = BlockIdx.x(); number < rows * columns; number += GridDim.x()) {
            Tile tile = Tile.of(number, rows, columns);
            for (int step = 0; step < steps; step++) {
                ring.empty(stage).await(parity);
                Mbarrier full = ring.full(stage);
                full.arriveExpecting(STAGE_BYTES);
                int from = step * inner;
                if (transposeA == 0) {
                    TensorCopy.toShared(ring.a(stage), a, from, tile.row, full);
                } else {
                    for (int i = 0; i < ROWS / 64; i++) {
                        Unroll.all();
                        TensorCopy.toShared(ring.a(stage).plus(i * BOX_BYTES), a, tile.row + 64 * i, from, full);
                    }
                }
                if (transposeB != 0) {
                    TensorCopy.toShared(ring.b(stage), b, from, tile.column, full);
                } else {
                    for (int i = 0; i < COLUMNS / 64; i++) {
                        Unroll.all();
                        TensorCopy.toShared(ring.b(stage).plus(i * BOX_BYTES), b, tile.column + 64 * i, from, full);
                    }
                }
                stage++;
                if (stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
        }
    }

    private static void consume(
            @Constant DataType type,
            @Constant int transposeA,
            @Constant int transposeB,
            Ring ring,
            int m,
            int n,
            int rows,
            int columns,
            int steps,
            Epilogue epilogue) {
        int half = Warpgroup.rank() - 1;
        boolean speaks = ThreadIdx.x() % Warpgroup.THREADS == 0;
        float[] d = new float[COLUMNS / 2];
        int stage = 0;
        int parity = 0;
        for (int number = BlockIdx.x(); number < rows * columns; number += GridDim.x()) {
            Tile tile = Tile.of(number, rows, columns);
            int last = 0;
            for (int step = 0; step < steps; step++) {
                ring.full(stage).await(parity);
                I8Ptr left = ring.a(stage).plus(half * BOX_BYTES);
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
                    ring.empty(last).arrive();
                }
                last = stage;
                stage++;
                if (stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
            Wgmma.waitFor(d, COLUMNS, 0);
            if (speaks) {
                ring.empty(last).arrive();
            }
            int row = tile.row + half * 64 + Wgmma.row(0);
            int column = tile.column + Wgmma.column(0);
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
