// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.comm4j.kernel.CpuContext;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Float4;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.InlinePtx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.KernelMath;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;

/**
 * All passes of a solve in one kernel, on all ranks at the same time. The rows of a rank are cut into tiles, a warp's
 * columns wide and at least as many rows high as a pass has iterations. Tiles are all that there is: no barrier,
 * neither of blocks nor of grids nor of ranks. A tile may do a pass when the eight around it have done the one before,
 * since then what it reads is there, and what it overwrites has been read. Those around it may be another rank's: the
 * tiles at a rank's edges write their outer rows, and how far they are, into that rank's memory, too.
 *
 * <p>{@code persist}N does passes of N iterations. All warps of the launch run at the same time.
 */
@KernelMath(Kernel.Math.EXACT)
final class PersistentKernels {
    /**
     * Of what is in {@code progress}: a word for each tile of a row, the rows being the next rank's above, that below,
     * and the own ones.
     */
    static final int ROWS_OF_OTHERS = 2;

    /** Of {@code status}: all is well, or a rank did not come. */
    static final int ABOVE_IS_MISSING = 1;

    static final int BELOW_IS_MISSING = 2;

    /** Rows that are read ahead with one iteration. */
    private static final int AHEAD = 4;

    private static final int POLLS = 256;
    private static final long NAP_NANOS = 20_000;

    private PersistentKernels() {}

    /**
     * What a rank has.
     *
     * @param even the grid that passes with even numbers read, from its halo on
     * @param odd the other one
     * @param progress how many passes tiles have done; see {@link #ROWS_OF_OTHERS}
     */
    record Place(F32Ptr even, F32Ptr odd, I32Ptr progress) {}

    /**
     * What there is to do.
     *
     * @param halo rows of the grids before the first own one
     * @param rows own ones
     * @param rowsAbove own ones of the rank above
     * @param across tiles in a row of them
     * @param down rows of tiles
     * @param passes of this launch
     * @param grid which one the first pass reads
     * @param iteration the number of the first one
     * @param normEvery of every so many iterations a norm is wanted
     * @param limit nanoseconds that another rank is waited for; 0 for good
     */
    record Work(
            int nx,
            long pitch,
            int halo,
            int rows,
            int rowsAbove,
            int across,
            int down,
            int passes,
            int grid,
            int iteration,
            int normEvery,
            long limit) {}

    @Kernel(maxThreads = JacobiKernels.THREADS, minBlocks = 6)
    static void persist1(Place mine, Place above, Place below, F64Ptr squares, I32Ptr status, Work work) {
        persist(1, mine, above, below, squares, status, work);
    }

    @Kernel(maxThreads = JacobiKernels.THREADS, minBlocks = 6)
    static void persist2(Place mine, Place above, Place below, F64Ptr squares, I32Ptr status, Work work) {
        persist(2, mine, above, below, squares, status, work);
    }

    @Kernel(maxThreads = JacobiKernels.THREADS, minBlocks = 4)
    static void persist4(Place mine, Place above, Place below, F64Ptr squares, I32Ptr status, Work work) {
        persist(4, mine, above, below, squares, status, work);
    }

    @Kernel(maxThreads = JacobiKernels.THREADS, minBlocks = 2)
    static void persist8(Place mine, Place above, Place below, F64Ptr squares, I32Ptr status, Work work) {
        persist(8, mine, above, below, squares, status, work);
    }

    static void persist(int depth, Place mine, Place above, Place below, F64Ptr squares, I32Ptr status, Work work) {
        int warps = BlockDim.x() / Warp.SIZE;
        int first = BlockIdx.x() * warps + ThreadIdx.x() / Warp.SIZE;
        int tiles = work.across * work.down;
        boolean going = true;
        for (int pass = 0; pass < work.passes && going; pass++) {
            Unroll.times(1);
            for (int tile = first; tile < tiles && going; tile += GridDim.x() * warps) {
                Unroll.times(1);
                int x = tile % work.across;
                int y = tile / work.across;
                going = await(mine.progress, pass, x, y, status, work);
                if (going) {
                    tile(depth, mine, above, below, squares, pass, x, y, work);
                }
            }
        }
    }

    /** Iteration by iteration a warp gets less of its columns right; these it has at the end. */
    static int columns(int depth) {
        return JacobiKernels.WIDTH * (Warp.SIZE - 2 * outer(depth));
    }

    /** With one iteration, single values come from the columns beside the warp's. */
    private static int outer(int depth) {
        return depth == 1 ? 0 : (depth + JacobiKernels.WIDTH - 1) / JacobiKernels.WIDTH;
    }

    private static void tile(
            int depth, Place mine, Place above, Place below, F64Ptr squares, int pass, int x, int y, Work work) {
        int lane = ThreadIdx.x() % Warp.SIZE;
        int outer = outer(depth);
        int left = x * columns(depth) - JacobiKernels.WIDTH * outer;
        int column = left + JacobiKernels.WIDTH * lane;
        boolean owner = lane >= outer && lane < Warp.SIZE - outer;
        int begin = work.halo + (int) ((long) work.rows * y / work.down);
        int end = work.halo + (int) ((long) work.rows * (y + 1) / work.down);
        boolean even = (work.grid + pass) % 2 == 0;
        F32Ptr in = even ? mine.even : mine.odd;
        F32Ptr out = even ? mine.odd : mine.even;
        int iteration = work.iteration + pass * depth;
        boolean norms = (iteration + depth - 1) / work.normEvery * work.normEvery >= iteration;
        double[] sums = new double[JacobiKernels.MOST_DEPTH];
        if (depth == 1) {
            single(in, out, work.nx, work.pitch, column, begin, end, sums);
        } else {
            march(depth, norms, in, out, x, column, begin, end, owner, sums, work);
        }
        boolean first = y == 0;
        boolean last = y == work.down - 1;
        if (owner && column < work.pitch) {
            if (first) {
                copy(
                        depth,
                        out.plus(work.halo * work.pitch + column),
                        (even ? above.odd : above.even).plus((work.halo + work.rowsAbove) * work.pitch + column),
                        work.pitch);
            }
            if (last) {
                copy(
                        depth,
                        out.plus((work.halo + work.rows - depth) * work.pitch + column),
                        (even ? below.odd : below.even).plus((work.halo - depth) * work.pitch + column),
                        work.pitch);
            }
        }
        Warp.sync();
        if (lane == 0) {
            if (first || last) {
                orderSystem();
            } else {
                orderDevice();
            }
            mine.progress.setVolatile((ROWS_OF_OTHERS + y) * work.across + x, pass + 1);
            if (first) {
                above.progress.setVolatile(work.across + x, pass + 1);
            }
            if (last) {
                below.progress.setVolatile(x, pass + 1);
            }
        }
        if (norms) {
            for (int t = 0; t < depth; t++) {
                Unroll.all();
                double sum = JacobiKernels.sumOfWarp(owner ? sums[t] : 0);
                if (lane == 0) {
                    squares.atomicAdd(iteration + t, sum);
                }
            }
        }
    }

    private static void march(
            int depth,
            boolean norms,
            F32Ptr in,
            F32Ptr out,
            int x,
            int column,
            int begin,
            int end,
            boolean owner,
            double[] sums,
            Work work) {
        boolean fixed = x == 0 || (x + 1) * columns(depth) + JacobiKernels.WIDTH * outer(depth) >= work.nx;
        // The compiler makes four marches of this, each without the tests of what it does not need.
        if (norms) {
            if (fixed) {
                JacobiKernels.march(depth, true, true, in, out, work.nx, work.pitch, column, begin, end, owner, sums);
            } else {
                JacobiKernels.march(depth, true, false, in, out, work.nx, work.pitch, column, begin, end, owner, sums);
            }
        } else if (fixed) {
            JacobiKernels.march(depth, false, true, in, out, work.nx, work.pitch, column, begin, end, owner, sums);
        } else {
            JacobiKernels.march(depth, false, false, in, out, work.nx, work.pitch, column, begin, end, owner, sums);
        }
    }

    /** A warp's way down with one iteration: three rows in registers, and {@value #AHEAD} that are read ahead. */
    private static void single(
            F32Ptr in, F32Ptr out, int nx, long pitch, int column, int begin, int end, double[] sums) {
        int lane = ThreadIdx.x() % Warp.SIZE;
        boolean inside = column < pitch;
        JacobiKernels.Changes changes = JacobiKernels.Changes.of(column, nx);
        // Of the columns beside the warp's.
        boolean outer = lane == 0 && column > 0 || lane == Warp.SIZE - 1 && column + JacobiKernels.WIDTH < pitch;
        int beside = lane == 0 ? -1 : JacobiKernels.WIDTH;
        F32Ptr source = in.plus((begin - 1) * pitch + column);
        F32Ptr target = out.plus(begin * pitch + column);
        int rows = end - begin;
        Float4[] ahead = new Float4[AHEAD];
        float[] sides = new float[AHEAD];
        Float4 up = inside ? source.get4(0) : JacobiKernels.none();
        Float4 mid = inside ? source.get4(pitch) : JacobiKernels.none();
        float side = outer ? source.get(pitch + beside) : 0;
        for (int i = 0; i < AHEAD; i++) {
            Unroll.all();
            // The row below the last one is the last that there is.
            boolean there = i < rows;
            ahead[i] = inside && there ? source.get4((i + 2) * pitch) : JacobiKernels.none();
            sides[i] = outer && there ? source.get((i + 2) * pitch + beside) : 0;
        }
        double sum = 0;
        for (int y = 0; y < rows; y += AHEAD) {
            Unroll.times(1);
            float part = 0;
            for (int i = 0; i < AHEAD; i++) {
                Unroll.all();
                Float4 down = ahead[i];
                float next = sides[i];
                boolean more = y + i + AHEAD < rows;
                if (more && inside) {
                    ahead[i] = source.get4((i + 2 + AHEAD) * pitch);
                }
                if (more && outer) {
                    sides[i] = source.get((i + 2 + AHEAD) * pitch + beside);
                }
                float left = Warp.shuffleUp(mid.w(), 1);
                float right = Warp.shuffleDown(mid.x(), 1);
                Float4 relaxed = JacobiKernels.where(
                        changes,
                        JacobiKernels.relaxed(
                                up, mid, down, lane == 0 ? side : left, lane == Warp.SIZE - 1 ? side : right),
                        mid);
                if (y + i < rows && inside) {
                    target.set4(i * pitch, relaxed);
                    part = JacobiKernels.squares(relaxed, mid, part);
                }
                up = mid;
                mid = down;
                side = next;
            }
            sum += part;
            source = source.plus(AHEAD * pitch);
            target = target.plus(AHEAD * pitch);
        }
        sums[0] = sum;
    }

    /** Some rows of four columns. */
    private static void copy(int rows, F32Ptr from, F32Ptr to, long pitch) {
        Float4[] values = new Float4[JacobiKernels.MOST_DEPTH];
        for (int i = 0; i < rows; i++) {
            Unroll.all();
            values[i] = from.get4(i * pitch);
        }
        for (int i = 0; i < rows; i++) {
            Unroll.all();
            to.set4(i * pitch, values[i]);
        }
    }

    /**
     * Waits until the tiles around this one have done so many passes; what they wrote is then seen by the whole warp.
     *
     * @return whether they have; false if another rank did not come in time
     */
    private static boolean await(I32Ptr progress, int passes, int x, int y, I32Ptr status, Work work) {
        int lane = ThreadIdx.x() % Warp.SIZE;
        int row = y + lane / 3 - 1;
        boolean above = row < 0;
        boolean below = row == work.down;
        boolean come = true;
        if (lane < 9) {
            int place = above ? 0 : below ? 1 : ROWS_OF_OTHERS + row;
            int column = Math.max(0, Math.min(x + lane % 3 - 1, work.across - 1));
            I32Ptr flag = progress.plus(place * work.across + column);
            long start = 0;
            int polls = 0;
            while (come && flag.getAcquire(0, Scope.SYSTEM) < passes) {
                Unroll.times(1);
                if (++polls % POLLS == 0) {
                    come = status.getVolatile(0) == 0;
                    long now = Gpu.globalTimer();
                    if (start == 0) {
                        start = now;
                    } else if ((above || below) && work.limit > 0 && now - start > work.limit) {
                        status.atomicCas(0, 0, above ? ABOVE_IS_MISSING : BELOW_IS_MISSING);
                        come = false;
                    }
                    nap();
                }
            }
        }
        come = Warp.all(come);
        Warp.sync();
        return come;
    }

    /** What was written before is seen by whoever sees what is written after it. */
    @InlinePtx("fence.acq_rel.gpu;")
    private static void orderDevice() {
        VarHandle.fullFence();
    }

    @InlinePtx("fence.acq_rel.sys;")
    private static void orderSystem() {
        VarHandle.fullFence();
    }

    /** Others may run. What is waited for may be another process, on the CPU. */
    @InlinePtx("nanosleep.u32 20;")
    private static void nap() {
        CpuContext.pause();
        LockSupport.parkNanos(NAP_NANOS);
    }
}
