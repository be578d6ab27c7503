// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.kernels;

import org.comm4j.kernel.lang.AsyncCopy;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Float2;
import org.comm4j.kernel.lang.Float4;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Int4;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Mma;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;

/**
 * The kernels that are measured, line for line those of {@code kernels.cu}: 16 bytes at once where memory is the limit.
 */
public final class BenchKernels {
    /** Threads of a block, where it is a row. */
    public static final int THREADS = 256;

    /** Rows and columns of the part of the product that a block makes; 16 × 16 threads make 4 × 4 elements each. */
    public static final int PRODUCT_TILE = 64;

    /** Threads of a block along each side of that part. */
    public static final int PRODUCT_THREADS = 16;

    /**
     * Rows and columns of the part of the product on tensor cores that a block makes; each of its four warps makes a
     * quarter.
     */
    public static final int TENSOR_TILE = 128;

    /** Threads of a block of the product on tensor cores. */
    public static final int TENSOR_THREADS = 128;

    private static final int TENSOR_DEPTH = 32;
    private static final int TENSOR_PART = TENSOR_TILE / 2;
    /** Pairs of tiles that are on their way or in use. */
    private static final int STAGES = 4;
    // 16 bytes more than needed, so that rows that are read together are in different banks.
    private static final int ROW_A = TENSOR_DEPTH + 8;
    private static final int ROW_B = TENSOR_TILE + 8;
    private static final int SIZE_A = TENSOR_TILE * ROW_A;
    private static final int STAGE = SIZE_A + TENSOR_DEPTH * ROW_B;

    /** Bytes of shared memory that the product on tensor cores needs. */
    public static final int TENSOR_SHARED = 2 * STAGES * STAGE;

    /** Rows and columns of a tile that is transposed; a block has {@link #TRANSPOSE_ROWS} rows of threads. */
    public static final int TRANSPOSE_TILE = 32;

    /** Rows of threads. */
    public static final int TRANSPOSE_ROWS = 8;

    /** Values of a byte. */
    public static final int BINS = 256;

    /** Elements that a block scans. */
    public static final int SCANNED = 4 * THREADS;

    private static final int DEPTH = 16;
    private static final int EACH = 4;
    // A column more than needed, so that those of a tile are in different banks.
    private static final int PITCH = TRANSPOSE_TILE + 1;
    private static final int WARPS = THREADS / Warp.SIZE;

    private BenchKernels() {}

    /** {@code to = from}, 4 elements for each thread. */
    @Kernel
    public static void copy(int quads, F32Ptr from, F32Ptr to) {
        int i = GlobalIdx.x();
        if (i < quads) {
            to.set4(4L * i, from.get4(4L * i));
        }
    }

    /** {@code y = a x + y}, 4 elements for each thread. */
    @Kernel
    public static void saxpy(int quads, float a, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < quads) {
            Float4 left = x.get4(4L * i);
            Float4 right = y.get4(4L * i);
            y.set4(
                    4L * i,
                    new Float4(
                            Math.fma(a, left.x(), right.x()),
                            Math.fma(a, left.y(), right.y()),
                            Math.fma(a, left.z(), right.z()),
                            Math.fma(a, left.w(), right.w())));
        }
    }

    /** {@code y = a x + y}, an element for each thread. */
    @Kernel
    public static void pointers(int n, float a, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, Math.fma(a, x.get(i), y.get(i)));
        }
    }

    /**
     * The same through views, whose indices are checked; beside it, too, is a kernel in CUDA C++ that checks nothing.
     */
    @Kernel
    public static void views(int n, float a, F32View x, F32View y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, Math.fma(a, x.get(i), y.get(i)));
        }
    }

    /** Each inner point becomes the mean of its four neighbours. */
    @Kernel
    public static void stencil(int width, int height, F32Ptr from, F32Ptr to) {
        int x = GlobalIdx.x();
        int y = GlobalIdx.y();
        if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
            int at = y * width + x;
            to.set(at, 0.25f * (from.get(at - 1) + from.get(at + 1) + from.get(at - width) + from.get(at + width)));
        }
    }

    /** {@code c = a b}, square matrices of {@code n} rows, a multiple of {@link #PRODUCT_TILE}. */
    @Kernel(maxThreads = PRODUCT_THREADS * PRODUCT_THREADS)
    public static void product(int n, F32Ptr a, F32Ptr b, F32Ptr c) {
        float[] tileA = Shared.f32(DEPTH * PRODUCT_TILE);
        float[] tileB = Shared.f32(DEPTH * PRODUCT_TILE);
        int tx = ThreadIdx.x();
        int ty = ThreadIdx.y();
        int t = ty * PRODUCT_THREADS + tx;
        // Each thread brings 4 neighbours of each factor's tile; a's is turned, so that the product reads rows.
        int rowA = t / 4;
        int columnA = t % 4 * 4;
        int rowB = t / 16;
        int columnB = t % 16 * 4;
        F32Ptr fromA = a.plus((long) (BlockIdx.y() * PRODUCT_TILE + rowA) * n + columnA);
        int tileColumn = BlockIdx.x() * PRODUCT_TILE;
        F32Ptr fromB = b.plus((long) rowB * n + tileColumn + columnB);
        F32Ptr sharedA = F32Ptr.of(tileA);
        F32Ptr sharedB = F32Ptr.of(tileB);
        float[] sums = new float[EACH * EACH];
        for (int k = 0; k < n; k += DEPTH) {
            Float4 quadA = fromA.get4(k);
            sharedA.set(columnA * PRODUCT_TILE + rowA, quadA.x());
            sharedA.set((columnA + 1) * PRODUCT_TILE + rowA, quadA.y());
            sharedA.set((columnA + 2) * PRODUCT_TILE + rowA, quadA.z());
            sharedA.set((columnA + 3) * PRODUCT_TILE + rowA, quadA.w());
            sharedB.set4(rowB * PRODUCT_TILE + columnB, fromB.get4((long) k * n));
            Block.sync();
            for (int i = 0; i < DEPTH; i++) {
                Unroll.all();
                Float4 left = sharedA.get4(i * PRODUCT_TILE + ty * EACH);
                Float4 right = sharedB.get4(i * PRODUCT_TILE + tx * EACH);
                sums[0] = Math.fma(left.x(), right.x(), sums[0]);
                sums[1] = Math.fma(left.x(), right.y(), sums[1]);
                sums[2] = Math.fma(left.x(), right.z(), sums[2]);
                sums[3] = Math.fma(left.x(), right.w(), sums[3]);
                sums[4] = Math.fma(left.y(), right.x(), sums[4]);
                sums[5] = Math.fma(left.y(), right.y(), sums[5]);
                sums[6] = Math.fma(left.y(), right.z(), sums[6]);
                sums[7] = Math.fma(left.y(), right.w(), sums[7]);
                sums[8] = Math.fma(left.z(), right.x(), sums[8]);
                sums[9] = Math.fma(left.z(), right.y(), sums[9]);
                sums[10] = Math.fma(left.z(), right.z(), sums[10]);
                sums[11] = Math.fma(left.z(), right.w(), sums[11]);
                sums[12] = Math.fma(left.w(), right.x(), sums[12]);
                sums[13] = Math.fma(left.w(), right.y(), sums[13]);
                sums[14] = Math.fma(left.w(), right.z(), sums[14]);
                sums[15] = Math.fma(left.w(), right.w(), sums[15]);
            }
            Block.sync();
        }
        int firstRow = BlockIdx.y() * PRODUCT_TILE + ty * EACH;
        int firstColumn = tileColumn + tx * EACH;
        F32Ptr to = c.plus((long) firstRow * n + firstColumn);
        for (int row = 0; row < EACH; row++) {
            Unroll.all();
            to.set4(
                    (long) row * n,
                    new Float4(sums[row * EACH], sums[row * EACH + 1], sums[row * EACH + 2], sums[row * EACH + 3]));
        }
    }

    /** {@code c = a b} on tensor cores, square matrices of {@code n} rows, a multiple of {@link #TENSOR_TILE}. */
    @SuppressWarnings("NarrowCalculation") // places in the tiles of a block are small
    @Kernel(maxThreads = TENSOR_THREADS)
    public static void tensor(int n, F16Ptr a, F16Ptr b, F32Ptr c) {
        F16Ptr stages = Shared.dynamicF16();
        int t = ThreadIdx.x();
        int lane = t % Warp.SIZE;
        int warpRow = t / Warp.SIZE / 2 * TENSOR_PART;
        int warpColumn = t / Warp.SIZE % 2 * TENSOR_PART;
        // Each thread brings 8 neighbours of every fourth part of each tile.
        F16Ptr fromA = a.plus((long) (BlockIdx.y() * TENSOR_TILE + t / 4) * n + t % 4 * 8);
        F16Ptr fromB = b.plus((long) (t / 16) * n + BlockIdx.x() * TENSOR_TILE + t % 16 * 8);
        int toA = t / 4 * ROW_A + t % 4 * 8;
        int toB = SIZE_A + t / 16 * ROW_B + t % 16 * 8;
        int tiles = n / TENSOR_DEPTH;
        for (int tile = 0; tile < STAGES - 1; tile++) {
            Unroll.all();
            bring(n, fromA, fromB, tile, stages.plus(tile * STAGE), toA, toB, tile < tiles);
        }
        Mma.C[] sums = new Mma.C[4 * 8];
        for (int i = 0; i < sums.length; i++) {
            Unroll.all();
            sums[i] = Mma.C.zero();
        }
        Mma.A[] left = new Mma.A[4];
        Mma.A[] right = new Mma.A[4];
        for (int tile = 0; tile < tiles; tile++) {
            AsyncCopy.waitFor(STAGES - 2);
            Block.sync();
            int next = tile + STAGES - 1;
            bring(n, fromA, fromB, next, stages.plus(next % STAGES * STAGE), toA, toB, next < tiles);
            F16Ptr now = stages.plus(tile % STAGES * STAGE);
            for (int k = 0; k < TENSOR_DEPTH; k += Mma.K) {
                Unroll.all();
                F16Ptr rowsA = now.plus((warpRow + lane % 16) * ROW_A + k + lane / 16 * 8);
                F16Ptr rowsB = now.plus(SIZE_A + (k + lane % 16) * ROW_B + warpColumn + lane / 16 * 8);
                for (int i = 0; i < 4; i++) {
                    Unroll.all();
                    left[i] = Mma.load4(rowsA.plus(i * Mma.M * ROW_A));
                    right[i] = Mma.load4Transposed(rowsB.plus(i * 2 * Mma.N));
                }
                for (int i = 0; i < 4; i++) {
                    Unroll.all();
                    for (int j = 0; j < 4; j++) {
                        Unroll.all();
                        int at = i * 8 + 2 * j;
                        sums[at] = Mma.f16(left[i], new Mma.B(right[j].x(), right[j].y()), sums[at]);
                        sums[at + 1] = Mma.f16(left[i], new Mma.B(right[j].z(), right[j].w()), sums[at + 1]);
                    }
                }
            }
        }
        F32Ptr to = c.plus((long) (BlockIdx.y() * TENSOR_TILE + warpRow + lane / 4) * n
                + BlockIdx.x() * TENSOR_TILE
                + warpColumn
                + lane % 4 * 2);
        for (int i = 0; i < 4; i++) {
            Unroll.all();
            for (int j = 0; j < 8; j++) {
                Unroll.all();
                Mma.C sum = sums[i * 8 + j];
                to.set2((long) i * Mma.M * n + j * Mma.N, new Float2(sum.x(), sum.y()));
                to.set2((long) (i * Mma.M + 8) * n + j * Mma.N, new Float2(sum.z(), sum.w()));
            }
        }
    }

    /** Starts to copy a pair of tiles, or nothing, which counts as a copy, too. */
    @SuppressWarnings("NarrowCalculation") // as above
    private static void bring(
            int n, F16Ptr fromA, F16Ptr fromB, int tile, F16Ptr stage, int toA, int toB, boolean more) {
        if (more) {
            for (int i = 0; i < 4; i++) {
                Unroll.all();
                AsyncCopy.copy16(stage.plus(toA + i * 32 * ROW_A), fromA.plus((long) i * 32 * n + tile * TENSOR_DEPTH));
                AsyncCopy.copy16(stage.plus(toB + i * 8 * ROW_B), fromB.plus((long) (tile * TENSOR_DEPTH + i * 8) * n));
            }
        }
        AsyncCopy.commit();
    }

    /** Adds the sum of all elements to {@code total}. */
    @Kernel
    public static void reduction(int quads, F32Ptr values, F64Ptr total) {
        float[] ofWarps = Shared.f32(WARPS);
        float sum = 0;
        for (int i = GlobalIdx.x(); i < quads; i += GridDim.x() * BlockDim.x()) {
            Float4 four = values.get4(4L * i);
            sum += four.x() + four.y() + (four.z() + four.w());
        }
        sum = warpSum(sum);
        if (Warp.laneId() == 0) {
            ofWarps[ThreadIdx.x() / Warp.SIZE] = sum;
        }
        Block.sync();
        if (ThreadIdx.x() < Warp.SIZE) {
            float all = warpSum(ThreadIdx.x() < WARPS ? ofWarps[ThreadIdx.x()] : 0);
            if (ThreadIdx.x() == 0) {
                total.atomicAdd(0, all);
            }
        }
    }

    private static float warpSum(float value) {
        float sum = value;
        for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
            sum += Warp.shuffleDown(sum, by);
        }
        return sum;
    }

    /** Adds to {@code counts} how often each byte is there; 16 of them are a {@code Int4}. */
    @Kernel
    public static void histogram(int quads, I32Ptr bytes, I32Ptr counts) {
        I32Ptr own = I32Ptr.of(Shared.i32(BINS));
        for (int bin = ThreadIdx.x(); bin < BINS; bin += BlockDim.x()) {
            own.set(bin, 0);
        }
        Block.sync();
        for (int i = GlobalIdx.x(); i < quads; i += GridDim.x() * BlockDim.x()) {
            Int4 four = bytes.get4(4L * i);
            count(own, four.x());
            count(own, four.y());
            count(own, four.z());
            count(own, four.w());
        }
        Block.sync();
        for (int bin = ThreadIdx.x(); bin < BINS; bin += BlockDim.x()) {
            counts.atomicAdd(bin, own.get(bin));
        }
    }

    private static void count(I32Ptr own, int four) {
        own.atomicAdd(four & 0xff, 1);
        own.atomicAdd((four >>> 8) & 0xff, 1);
        own.atomicAdd((four >>> 16) & 0xff, 1);
        own.atomicAdd(four >>> 24, 1);
    }

    /** Columns become rows, of a square matrix of {@code n} rows, a multiple of {@link #TRANSPOSE_TILE}. */
    @Kernel
    public static void transpose(int n, F32Ptr from, F32Ptr to) {
        float[] tile = Shared.f32(TRANSPOSE_TILE * PITCH);
        int x = BlockIdx.x() * TRANSPOSE_TILE + ThreadIdx.x();
        int y = BlockIdx.y() * TRANSPOSE_TILE + ThreadIdx.y();
        for (int i = 0; i < TRANSPOSE_TILE; i += TRANSPOSE_ROWS) {
            Unroll.all();
            tile[(ThreadIdx.y() + i) * PITCH + ThreadIdx.x()] = from.get((long) (y + i) * n + x);
        }
        Block.sync();
        x = BlockIdx.y() * TRANSPOSE_TILE + ThreadIdx.x();
        y = BlockIdx.x() * TRANSPOSE_TILE + ThreadIdx.y();
        for (int i = 0; i < TRANSPOSE_TILE; i += TRANSPOSE_ROWS) {
            Unroll.all();
            to.set((long) (y + i) * n + x, tile[ThreadIdx.x() * PITCH + ThreadIdx.y() + i]);
        }
    }

    /**
     * The sums of all elements up to each, within blocks of {@link #SCANNED} elements; each block's whole sum goes to
     * {@code sums}.
     */
    @Kernel
    public static void scan(int n, I32Ptr from, I32Ptr to, I32Ptr sums) {
        int[] ofWarps = Shared.i32(WARPS);
        int i = 4 * GlobalIdx.x();
        Int4 four = i < n ? from.get4(i) : new Int4(0, 0, 0, 0);
        int two = four.x() + four.y();
        int three = two + four.z();
        int own = three + four.w();
        int sum = own;
        for (int by = 1; by < Warp.SIZE; by *= 2) {
            Unroll.all();
            int below = Warp.shuffleUp(sum, by);
            if (Warp.laneId() >= by) {
                sum += below;
            }
        }
        if (Warp.laneId() == Warp.SIZE - 1) {
            ofWarps[ThreadIdx.x() / Warp.SIZE] = sum;
        }
        Block.sync();
        int before = sum - own;
        for (int warp = 0; warp < WARPS; warp++) {
            Unroll.all();
            before += warp < ThreadIdx.x() / Warp.SIZE ? ofWarps[warp] : 0;
        }
        if (i < n) {
            to.set4(i, new Int4(before + four.x(), before + two, before + three, before + own));
        }
        if (ThreadIdx.x() == THREADS - 1) {
            sums.set(BlockIdx.x(), before + own);
        }
    }

    /** Adds the sums of all blocks before. */
    @Kernel
    public static void addSums(int n, I32Ptr to, I32Ptr sums) {
        int i = 4 * GlobalIdx.x();
        if (i < n && BlockIdx.x() > 0) {
            int before = sums.get(BlockIdx.x() - 1);
            Int4 four = to.get4(i);
            to.set4(i, new Int4(four.x() + before, four.y() + before, four.z() + before, four.w() + before));
        }
    }
}
