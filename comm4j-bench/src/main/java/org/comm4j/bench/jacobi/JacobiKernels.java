// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Float4;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.KernelMath;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;

/**
 * The kernels of the solver. A grid's rows are {@code pitch} floats apart, of which {@code nx} belong to it; {@code
 * pitch} is a multiple of 32. The first and the last rows hold what the neighbours compute.
 *
 * <p>{@code relax}N makes N iterations for some rows: block y works on {@code rows} rows from {@code first + y * step}
 * on, but none from {@code last} on, and needs N rows above and below them. If {@code norms}, the squares of all
 * changes of each iteration are added to {@code squares}. The order of the additions within a point is that of the
 * solver for processors: both give the same grid, bit for bit.
 */
@KernelMath(Kernel.Math.EXACT)
final class JacobiKernels {
    /** Threads of a block, at most. */
    static final int THREADS = 128;

    private static final int MOST_WARPS = THREADS / Warp.SIZE;

    /** Points that a thread computes at once. */
    static final int WIDTH = 4;

    /** Rows of an iteration that the next one needs. */
    private static final int WINDOW = 3;

    static final int MOST_DEPTH = 8;

    /** Rows of which a thread adds up squares as floats; their error is then some 10⁻⁶ at most. */
    private static final int PART = 24;

    private JacobiKernels() {}

    /** Writes the fixed values of all rows into their first and last column. */
    @Kernel
    static void start(F32Ptr grid, F32Ptr values, int nx, long pitch, int rows) {
        int y = GlobalIdx.x();
        if (y < rows) {
            grid.set(y * pitch, values.get(y));
            grid.set(y * pitch + nx - 1, values.get(y));
        }
    }

    /** The sums of a graph's iterations go to where they belong, and the graph's own places are empty again. */
    @Kernel
    static void collect(F64Ptr sums, F64Ptr history, I64Ptr position, int count) {
        long from = position.get(0);
        for (int i = ThreadIdx.x(); i < count; i += BlockDim.x()) {
            history.set(from + i, sums.get(i));
            sums.set(i, 0);
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            position.set(0, from + count);
        }
    }

    /** Which of four points next to each other change. */
    record Changes(boolean x, boolean y, boolean z, boolean w) {
        static Changes of(int column, int nx) {
            return new Changes(
                    column > 0 && column < nx - 1,
                    column >= 0 && column + 1 < nx - 1,
                    column >= 0 && column + 2 < nx - 1,
                    column >= 0 && column + 3 < nx - 1);
        }
    }

    /** Four points of a row after an iteration; neighbours in the row are given for the outer ones. */
    static Float4 relaxed(Float4 up, Float4 mid, Float4 down, float left, float right) {
        return new Float4(
                0.25f * (mid.y() + left + down.x() + up.x()),
                0.25f * (mid.z() + mid.x() + down.y() + up.y()),
                0.25f * (mid.w() + mid.y() + down.z() + up.z()),
                0.25f * (right + mid.z() + down.w() + up.w()));
    }

    static Float4 where(Changes changes, Float4 next, Float4 mid) {
        return new Float4(
                changes.x ? next.x() : mid.x(),
                changes.y ? next.y() : mid.y(),
                changes.z ? next.z() : mid.z(),
                changes.w ? next.w() : mid.w());
    }

    static float squares(Float4 next, Float4 mid, float sum) {
        float x = next.x() - mid.x();
        float y = next.y() - mid.y();
        float z = next.z() - mid.z();
        float w = next.w() - mid.w();
        return Math.fma(x, x, Math.fma(y, y, Math.fma(z, z, Math.fma(w, w, sum))));
    }

    static Float4 none() {
        return new Float4(0, 0, 0, 0);
    }

    /** In the first lane. */
    static double sumOfWarp(double value) {
        double sum = value;
        for (int distance = Warp.SIZE / 2; distance > 0; distance /= 2) {
            Unroll.all();
            sum += Warp.shuffleDown(sum, distance);
        }
        return sum;
    }

    /**
     * One iteration. A thread marches down over four columns with three rows in registers, so that every row is read
     * once by each block; neighbours in a row come from the neighbouring lanes.
     */
    @Kernel(maxThreads = THREADS)
    static void relax(
            @Restrict F32Ptr in,
            @Restrict F32Ptr out,
            F64Ptr squares,
            boolean norms,
            int nx,
            long pitch,
            int first,
            int step,
            int rows,
            int last) {
        int lane = ThreadIdx.x() % Warp.SIZE;
        int column = WIDTH * GlobalIdx.x();
        // Threads beyond the end of the rows only take part in exchanges.
        boolean inside = column < pitch;
        Changes changes = Changes.of(column, nx);
        boolean readsLeft = lane == 0 && inside && column > 0;
        boolean readsRight = lane == Warp.SIZE - 1 && column + WIDTH < pitch;
        int begin = first + BlockIdx.y() * step;
        int end = Math.min(begin + rows, last);
        F32Ptr row = in.plus(begin * pitch + column);
        F32Ptr target = out.plus(begin * pitch + column);
        Float4 up = inside ? row.get4(-pitch) : none();
        Float4 mid = inside ? row.get4(0) : none();
        double sum = 0;
        for (int y = begin; y < end; y++) {
            Unroll.times(4);
            Float4 down = inside ? row.get4(pitch) : none();
            float left = Warp.shuffleUp(mid.w(), 1);
            float right = Warp.shuffleDown(mid.x(), 1);
            if (readsLeft) {
                left = row.get(-1);
            }
            if (readsRight) {
                right = row.get(WIDTH);
            }
            Float4 next = where(changes, relaxed(up, mid, down, left, right), mid);
            if (inside) {
                target.set4(0, next);
            }
            sum += squares(next, mid, 0);
            up = mid;
            mid = down;
            row = row.plus(pitch);
            target = target.plus(pitch);
        }
        if (!norms) {
            return;
        }
        sum = sumOfWarp(sum);
        double[] ofWarps = Shared.f64(MOST_WARPS);
        if (lane == 0) {
            ofWarps[ThreadIdx.x() / Warp.SIZE] = sum;
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            for (int warp = 1; warp < BlockDim.x() / Warp.SIZE; warp++) {
                sum += ofWarps[warp];
            }
            squares.atomicAdd(0, sum);
        }
    }

    @Kernel(maxThreads = THREADS, minBlocks = 6)
    static void relax2(
            @Restrict F32Ptr in,
            @Restrict F32Ptr out,
            F64Ptr squares,
            boolean norms,
            int nx,
            long pitch,
            int first,
            int step,
            int rows,
            int last) {
        sweep(2, in, out, squares, norms, nx, pitch, first, step, rows, last);
    }

    @Kernel(maxThreads = THREADS, minBlocks = 4)
    static void relax4(
            @Restrict F32Ptr in,
            @Restrict F32Ptr out,
            F64Ptr squares,
            boolean norms,
            int nx,
            long pitch,
            int first,
            int step,
            int rows,
            int last) {
        sweep(4, in, out, squares, norms, nx, pitch, first, step, rows, last);
    }

    @Kernel(maxThreads = THREADS, minBlocks = 3)
    static void relax8(
            @Restrict F32Ptr in,
            @Restrict F32Ptr out,
            F64Ptr squares,
            boolean norms,
            int nx,
            long pitch,
            int first,
            int step,
            int rows,
            int last) {
        sweep(8, in, out, squares, norms, nx, pitch, first, step, rows, last);
    }

    /** {@code depth} iterations for some rows, a warp's columns by each warp. */
    private static void sweep(
            int depth,
            F32Ptr in,
            F32Ptr out,
            F64Ptr squares,
            boolean norms,
            int nx,
            long pitch,
            int first,
            int step,
            int rows,
            int last) {
        int outer = (depth + WIDTH - 1) / WIDTH;
        int own = WIDTH * (Warp.SIZE - 2 * outer);
        int lane = ThreadIdx.x() % Warp.SIZE;
        int warp = BlockIdx.x() * (BlockDim.x() / Warp.SIZE) + ThreadIdx.x() / Warp.SIZE;
        int left = warp * own - WIDTH * outer;
        int column = left + WIDTH * lane;
        int begin = first + BlockIdx.y() * step;
        int end = Math.min(begin + rows, last);
        boolean owner = lane >= outer && lane < Warp.SIZE - outer;
        double[] sums = new double[MOST_DEPTH];
        if (left + WIDTH * outer < nx) {
            boolean fixed = warp == 0 || left + WIDTH * Warp.SIZE >= nx;
            // The compiler makes four marches of this, each without the tests of what it does not need.
            if (norms) {
                if (fixed) {
                    march(depth, true, true, in, out, nx, pitch, column, begin, end, owner, sums);
                } else {
                    march(depth, true, false, in, out, nx, pitch, column, begin, end, owner, sums);
                }
            } else if (fixed) {
                march(depth, false, true, in, out, nx, pitch, column, begin, end, owner, sums);
            } else {
                march(depth, false, false, in, out, nx, pitch, column, begin, end, owner, sums);
            }
        }
        if (!norms) {
            return;
        }
        double[] ofWarps = Shared.f64(MOST_WARPS * MOST_DEPTH);
        for (int t = 0; t < depth; t++) {
            Unroll.all();
            double sum = sumOfWarp(owner ? sums[t] : 0);
            if (lane == 0) {
                ofWarps[ThreadIdx.x() / Warp.SIZE * MOST_DEPTH + t] = sum;
            }
        }
        Block.sync();
        if (ThreadIdx.x() < depth) {
            double sum = 0;
            for (int each = 0; each < BlockDim.x() / Warp.SIZE; each++) {
                sum += ofWarps[each * MOST_DEPTH + ThreadIdx.x()];
            }
            squares.atomicAdd(ThreadIdx.x(), sum);
        }
    }

    /**
     * A warp's way down over 128 columns, {@code depth} iterations deep: with every row that comes in, iteration t
     * computes a row, t rows above it, from three rows of iteration t - 1 that stay in registers. To give rows {@code
     * begin} to {@code end} - 1 after the last iteration, it begins {@code depth} rows above them and ends as many
     * below, and computes there again what other warps compute, too. So also at both ends of its columns: the outer
     * lanes have no neighbour on one side, and what they get wrong spreads by a column an iteration.
     *
     * @param norms whether squares of changes are added up in {@code sums}
     * @param fixed whether columns that do not change, or are none, are among the 128
     */
    static void march(
            int depth,
            boolean norms,
            boolean fixed,
            F32Ptr in,
            F32Ptr out,
            int nx,
            long pitch,
            int column,
            int begin,
            int end,
            boolean owner,
            double[] sums) {
        boolean reads = !fixed || column >= 0 && column < pitch;
        boolean writes = owner && column < pitch;
        Changes changes = Changes.of(column, nx);
        F32Ptr source = in.plus((begin - depth) * pitch + column);
        // What comes out first is ignored.
        F32Ptr target = out.plus((begin - 2 * depth) * pitch + column);
        // Rows that come in.
        int total = end - begin + 2 * depth;
        // Iteration t reads rows 3 t to 3 t + 2 of it, which take turns.
        Float4[] window = new Float4[WINDOW * MOST_DEPTH];
        for (int i = 0; i < WINDOW * depth; i++) {
            Unroll.all();
            window[i] = none();
        }
        Float4[] ahead = new Float4[WINDOW];
        for (int i = 0; i < WINDOW; i++) {
            Unroll.all();
            ahead[i] = reads ? source.get4(i * pitch) : none();
        }
        // Of the steps in between all iterations compute rows that count, and there are rows to read ahead.
        int steady = Math.min(total - depth + 1, total - WINDOW) - WINDOW;
        // Of some rows, added up with less precision: so the sums need no registers in the inner loop.
        float[] parts = new float[MOST_DEPTH];
        int now = 0;
        while (now < total) {
            Unroll.times(1);
            if (now >= 2 * depth && now <= steady) {
                int stop = Math.min(steady, now + PART - 1);
                while (now <= stop) {
                    Unroll.times(1);
                    three(
                            depth, norms, fixed, true, source, target, pitch, reads, writes, changes, now, total,
                            window, ahead, parts);
                    now += WINDOW;
                    source = source.plus(WINDOW * pitch);
                    target = target.plus(WINDOW * pitch);
                }
            } else {
                three(
                        depth, norms, fixed, false, source, target, pitch, reads, writes, changes, now, total, window,
                        ahead, parts);
                now += WINDOW;
                source = source.plus(WINDOW * pitch);
                target = target.plus(WINDOW * pitch);
            }
            if (norms) {
                for (int t = 0; t < depth; t++) {
                    Unroll.all();
                    sums[t] += parts[t];
                    parts[t] = 0;
                }
            }
        }
    }

    /** Three rows of a march: after them the rows of the windows are where they were. */
    private static void three(
            int depth,
            boolean norms,
            boolean fixed,
            boolean steady,
            F32Ptr source,
            F32Ptr target,
            long pitch,
            boolean reads,
            boolean writes,
            Changes changes,
            int step,
            int total,
            Float4[] window,
            Float4[] ahead,
            float[] parts) {
        for (int i = 0; i < WINDOW; i++) {
            Unroll.all();
            int now = step + i;
            window[(i + 2) % WINDOW] = ahead[i];
            if (steady || now + WINDOW < total) {
                ahead[i] = reads ? source.get4((i + WINDOW) * pitch) : none();
            }
            for (int t = 0; t < depth; t++) {
                Unroll.all();
                // Before the rows above are there, what comes of it is ignored: a branch would keep iterations from
                // being computed side by side.
                Float4 mid = window[WINDOW * t + (i + 1) % WINDOW];
                Float4 next = relaxed(
                        window[WINDOW * t + i],
                        mid,
                        window[WINDOW * t + (i + 2) % WINDOW],
                        Warp.shuffleUp(mid.w(), 1),
                        Warp.shuffleDown(mid.x(), 1));
                if (fixed) {
                    next = where(changes, next, mid);
                }
                if (norms) {
                    float part = squares(next, mid, parts[t]);
                    parts[t] = steady || now > depth + t && now <= total - depth + t ? part : parts[t];
                }
                if (t + 1 < depth) {
                    window[WINDOW * (t + 1) + (i + 2) % WINDOW] = next;
                } else if (writes && (steady || now >= 2 * depth && now < total)) {
                    target.set4(i * pitch, next);
                }
            }
        }
    }
}
