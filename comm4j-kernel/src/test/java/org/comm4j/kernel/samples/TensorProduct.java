// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import org.comm4j.kernel.lang.AsyncCopy;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Mma;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;

/**
 * {@code c = a b} on tensor cores, row by row in memory. A block of {@link #THREADS} threads makes a tile of {@link
 * #TILE} × {@link #TILE} elements; while it multiplies a pair of tiles in shared memory, the next pair is on its way
 * there. Any sizes will do whose rows are multiples of 16 bytes: what is outside is 0.
 */
public final class TensorProduct {
    /** Rows and columns of a block's tile of the result. */
    public static final int TILE = 64;

    /** Four warps, each with a quarter of the tile. */
    public static final int THREADS = 128;

    /** Columns of a tile of {@code a}, and rows of one of {@code b}, of 16 bits each. */
    private static final int DEPTH = 32;

    /** Of tf32. */
    private static final int DEPTH_TF32 = 16;

    /** Rows in shared memory are 16 bytes longer, so that those that are read together are in different banks. */
    private static final int ROW_A = DEPTH + 8;

    private static final int ROW_B = TILE + 8;
    private static final int ROW_A_TF32 = DEPTH_TF32 + 4;
    private static final int SIZE_A = TILE * ROW_A;
    private static final int SIZE_B = DEPTH * ROW_B;
    private static final int SIZE_A_TF32 = TILE * ROW_A_TF32;
    private static final int SIZE_B_TF32 = DEPTH_TF32 * ROW_B;

    private TensorProduct() {}

    /** {@code inner} and {@code columns} are multiples of 8. */
    @Kernel(maxThreads = THREADS)
    public static void f16(int rows, int columns, int inner, F16Ptr a, F16Ptr b, F32Ptr c) {
        product(false, rows, columns, inner, a.asI16(), b.asI16(), c);
    }

    /** {@code inner} and {@code columns} are multiples of 8. */
    @Kernel(maxThreads = THREADS)
    public static void bf16(int rows, int columns, int inner, BF16Ptr a, BF16Ptr b, F32Ptr c) {
        product(true, rows, columns, inner, a.asI16(), b.asI16(), c);
    }

    /** Of 16 bits each, which are moved the same way: what they mean, the multiplication alone has to know. */
    private static void product(boolean brain, int rows, int columns, int inner, I16Ptr a, I16Ptr b, F32Ptr c) {
        I16Ptr tileA = I16Ptr.of(Shared.i16(2 * SIZE_A));
        I16Ptr tileB = I16Ptr.of(Shared.i16(2 * SIZE_B));
        int row = BlockIdx.y() * TILE;
        int column = BlockIdx.x() * TILE;
        int warpRow = Warp.id() / 2 * 32;
        int warpColumn = Warp.id() % 2 * 32;
        Mma.C[] sums = new Mma.C[8];
        for (int i = 0; i < sums.length; i++) {
            Unroll.all();
            sums[i] = Mma.C.zero();
        }
        int tiles = (inner + DEPTH - 1) / DEPTH;
        load(a, b, rows, columns, inner, row, column, 0, tileA, tileB);
        for (int tile = 0; tile < tiles; tile++) {
            int now = tile & 1;
            if (tile + 1 < tiles) {
                load(
                        a,
                        b,
                        rows,
                        columns,
                        inner,
                        row,
                        column,
                        (tile + 1) * DEPTH,
                        tileA.plus((now ^ 1L) * SIZE_A),
                        tileB.plus((now ^ 1L) * SIZE_B));
                AsyncCopy.waitFor(1);
            } else {
                AsyncCopy.waitFor(0);
            }
            Block.sync();
            for (int k = 0; k < DEPTH; k += Mma.K) {
                Unroll.all();
                I16Ptr fromA =
                        tileA.plus(now * SIZE_A + (warpRow + Warp.laneId() % 16) * ROW_A + k + Warp.laneId() / 16 * 8);
                I16Ptr fromB = tileB.plus(now * SIZE_B + (k + Warp.laneId() % 16) * ROW_B + warpColumn);
                for (int i = 0; i < 2; i++) {
                    Unroll.all();
                    Mma.A left = Mma.load4(fromA.plus((long) i * Mma.M * ROW_A));
                    for (int j = 0; j < 4; j++) {
                        Unroll.all();
                        Mma.B right = Mma.load2Transposed(fromB.plus((long) j * Mma.N));
                        Mma.C sum = sums[i * 4 + j];
                        sums[i * 4 + j] = brain ? Mma.bf16(left, right, sum) : Mma.f16(left, right, sum);
                    }
                }
            }
            Block.sync();
        }
        store(sums, rows, columns, row + warpRow, column + warpColumn, c);
    }

    /** {@code inner} and {@code columns} are multiples of 4. */
    @Kernel(maxThreads = THREADS)
    public static void tf32(int rows, int columns, int inner, F32Ptr a, F32Ptr b, F32Ptr c) {
        F32Ptr tileA = F32Ptr.of(Shared.f32(2 * SIZE_A_TF32));
        F32Ptr tileB = F32Ptr.of(Shared.f32(2 * SIZE_B_TF32));
        int row = BlockIdx.y() * TILE;
        int column = BlockIdx.x() * TILE;
        int warpRow = Warp.id() / 2 * 32;
        int warpColumn = Warp.id() % 2 * 32;
        Mma.C[] sums = new Mma.C[8];
        for (int i = 0; i < sums.length; i++) {
            Unroll.all();
            sums[i] = Mma.C.zero();
        }
        int tiles = (inner + DEPTH_TF32 - 1) / DEPTH_TF32;
        load(a, b, rows, columns, inner, row, column, 0, tileA, tileB);
        for (int tile = 0; tile < tiles; tile++) {
            int now = tile & 1;
            if (tile + 1 < tiles) {
                load(
                        a,
                        b,
                        rows,
                        columns,
                        inner,
                        row,
                        column,
                        (tile + 1) * DEPTH_TF32,
                        tileA.plus((now ^ 1L) * SIZE_A_TF32),
                        tileB.plus((now ^ 1L) * SIZE_B_TF32));
                AsyncCopy.waitFor(1);
            } else {
                AsyncCopy.waitFor(0);
            }
            Block.sync();
            for (int k = 0; k < DEPTH_TF32; k += Mma.K_TF32) {
                Unroll.all();
                F32Ptr fromA = tileA.plus(now * SIZE_A_TF32 + warpRow * ROW_A_TF32 + k);
                F32Ptr fromB = tileB.plus(now * SIZE_B_TF32 + k * ROW_B + warpColumn);
                for (int i = 0; i < 2; i++) {
                    Unroll.all();
                    Mma.A left = Mma.loadA(fromA.plus((long) i * Mma.M * ROW_A_TF32), ROW_A_TF32);
                    for (int j = 0; j < 4; j++) {
                        Unroll.all();
                        Mma.B right = Mma.loadB(fromB.plus((long) j * Mma.N), ROW_B);
                        sums[i * 4 + j] = Mma.tf32(left, right, sums[i * 4 + j]);
                    }
                }
            }
            Block.sync();
        }
        store(sums, rows, columns, row + warpRow, column + warpColumn, c);
    }

    /** Starts to copy the tiles of both factors that begin at column, and row, {@code k}. */
    private static void load(
            I16Ptr a,
            I16Ptr b,
            int rows,
            int columns,
            int inner,
            int row,
            int column,
            int k,
            I16Ptr tileA,
            I16Ptr tileB) {
        for (int i = ThreadIdx.x(); i < TILE * DEPTH / 8; i += THREADS) {
            Unroll.all();
            int y = i / (DEPTH / 8);
            int x = i % (DEPTH / 8) * 8;
            boolean inside = row + y < rows && k + x < inner;
            AsyncCopy.copy16(tileA.plus(y * ROW_A + x), a.plus((long) (row + y) * inner + k + x), inside ? 16 : 0);
        }
        for (int i = ThreadIdx.x(); i < TILE * DEPTH / 8; i += THREADS) {
            Unroll.all();
            int y = i / (TILE / 8);
            int x = i % (TILE / 8) * 8;
            boolean inside = k + y < inner && column + x < columns;
            AsyncCopy.copy16(tileB.plus(y * ROW_B + x), b.plus((long) (k + y) * columns + column + x), inside ? 16 : 0);
        }
        AsyncCopy.commit();
    }

    /** Starts to copy the tiles of both factors that begin at column, and row, {@code k}. */
    private static void load(
            F32Ptr a,
            F32Ptr b,
            int rows,
            int columns,
            int inner,
            int row,
            int column,
            int k,
            F32Ptr tileA,
            F32Ptr tileB) {
        for (int i = ThreadIdx.x(); i < TILE * DEPTH_TF32 / 4; i += THREADS) {
            Unroll.all();
            int y = i / (DEPTH_TF32 / 4);
            int x = i % (DEPTH_TF32 / 4) * 4;
            boolean inside = row + y < rows && k + x < inner;
            AsyncCopy.copy16(tileA.plus(y * ROW_A_TF32 + x), a.plus((long) (row + y) * inner + k + x), inside ? 16 : 0);
        }
        for (int i = ThreadIdx.x(); i < TILE * DEPTH_TF32 / 4; i += THREADS) {
            Unroll.all();
            int y = i / (TILE / 4);
            int x = i % (TILE / 4) * 4;
            boolean inside = k + y < inner && column + x < columns;
            AsyncCopy.copy16(tileB.plus(y * ROW_B + x), b.plus((long) (k + y) * columns + column + x), inside ? 16 : 0);
        }
        AsyncCopy.commit();
    }

    private static void store(Mma.C[] sums, int rows, int columns, int row, int column, F32Ptr c) {
        for (int i = 0; i < 2; i++) {
            Unroll.all();
            for (int j = 0; j < 4; j++) {
                Unroll.all();
                Mma.storeC(c, columns, sums[i * 4 + j], row + i * Mma.M, column + j * Mma.N, rows, columns);
            }
        }
    }
}
