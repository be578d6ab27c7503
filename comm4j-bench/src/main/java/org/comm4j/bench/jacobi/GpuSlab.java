// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Warp;

/**
 * The rows of one rank in the memory of its GPU, twice: a pass of some iterations reads one grid and writes the other.
 * Row 0 is the first of the rank's own. Above it and below the last one are as many rows of the neighbours, the halo,
 * as the deepest pass has iterations.
 */
public final class GpuSlab implements AutoCloseable {
    /** The most iterations of a pass. */
    static final int MAX_DEPTH = 8;

    /** By kernel and architecture: ranks that are threads compile once. */
    private static final Map<String, KernelCode> COMPILED = new ConcurrentHashMap<>();

    /** Rows begin where a warp's accesses are aligned. */
    private static final int ALIGNMENT = 32;

    /**
     * Rows of a block at most, for passes of one iteration: the two that it reads without owning them weigh little
     * then.
     */
    private static final int MOST_ROWS = 32;

    /** Blocks that keep a multiprocessor busy with passes of one iteration. */
    private static final int BUSY = 8;

    /** Rows of a block at most, for deeper passes. */
    private static final int MOST_DEEP_ROWS = 512;

    /** Blocks of a grid in y. */
    private static final int MOST_BLOCKS = 65535;

    private final JacobiProblem problem;
    private final int firstRow;
    private final int rows;
    private final int pitch;
    private final int depth;
    private final GpuRanks ranks;
    private final Device device;
    private final DeviceArray[] grids = new DeviceArray[2];
    private final Map<String, GpuKernel> kernels = new HashMap<>();

    /**
     * Collective: this rank's rows at the start, with the fixed values in their places, those of the halo, too. Every
     * rank has memory for as many rows as the one with the most, so that a row has the same place everywhere.
     *
     * @param depth the most iterations of a pass: 1, 2, 4 or 8
     * @throws IllegalArgumentException if the depth is another, or a rank has fewer rows than that
     */
    GpuSlab(JacobiProblem problem, int depth, GpuRanks ranks) {
        check(problem, ranks.size(), depth);
        this.problem = problem;
        this.ranks = ranks;
        this.firstRow = problem.firstRow(ranks.rank(), ranks.size());
        this.rows = problem.rowsOf(ranks.rank(), ranks.size());
        this.pitch = pitch(problem);
        this.depth = depth;
        this.device = ranks.device();
        int all = rows + 2 * depth;
        HostArray fixed = HostArray.allocate(DataType.FLOAT32, all);
        for (int row = 0; row < all; row++) {
            // The rows are a ring.
            int computed = Math.floorMod(firstRow - 1 + row - depth, problem.rows());
            fixed.setFloat(row, problem.boundary(1 + computed));
        }
        try (DeviceArray values = device.allocate(DataType.FLOAT32, fixed.count())) {
            values.copyFrom(fixed);
            for (int i = 0; i < grids.length; i++) {
                grids[i] = ranks.allocate(DataType.FLOAT32, gridElements(problem, depth, ranks.size()));
                kernel("start")
                        .launch(
                                LaunchConfig.forElements(all),
                                device.defaultStream(),
                                grids[i],
                                values,
                                problem.nx(),
                                (long) pitch,
                                all);
            }
            device.synchronize();
        }
    }

    /**
     * Whether so many ranks can do {@code depth} iterations a pass.
     *
     * @throws IllegalArgumentException if not; the message says why
     */
    static void check(JacobiProblem problem, int ranks, int depth) {
        if (depth < 1 || depth > MAX_DEPTH || Integer.bitCount(depth) != 1) {
            throw new IllegalArgumentException(
                    "jacobi: blocking is " + depth + ", but on GPUs a pass has 1, 2, 4 or 8 iterations");
        }
        Slab.check(problem, ranks, depth);
    }

    /** Floats of a grid on each rank. */
    private static long gridElements(JacobiProblem problem, int depth, int ranks) {
        return (Math.ceilDiv(problem.rows(), ranks) + 2L * depth) * pitch(problem);
    }

    /** Bytes of both grids on each rank. */
    static long bytes(JacobiProblem problem, int depth, int ranks) {
        return 2 * gridElements(problem, depth, ranks) * Float.BYTES;
    }

    /** Floats from one row to the next. */
    static int pitch(JacobiProblem problem) {
        return Math.ceilDiv(problem.nx(), ALIGNMENT) * ALIGNMENT;
    }

    private GpuKernel kernel(String name) {
        return kernels.computeIfAbsent(name, _ -> {
            CudaArch architecture = CudaArch.of(device.computeCapability());
            return GpuKernel.load(
                    device,
                    COMPILED.computeIfAbsent(
                            name + " " + architecture,
                            _ -> KernelCode.compile(method(name), architecture, CompileOptions.DEFAULT)));
        });
    }

    static Method method(String name) {
        return KernelMethod.named(JacobiKernels.class, name);
    }

    JacobiProblem problem() {
        return problem;
    }

    Device device() {
        return device;
    }

    /** The ranks that have the other rows. */
    GpuRanks ranks() {
        return ranks;
    }

    /** The grid row that is this rank's first. */
    int firstRow() {
        return firstRow;
    }

    /** The number of rows that are this rank's own. */
    int rows() {
        return rows;
    }

    /** Floats from one row to the next. */
    int pitch() {
        return pitch;
    }

    /** The most iterations of a pass, and the rows of the halo at either side. */
    int depth() {
        return depth;
    }

    /**
     * Rows of one of the two grids, from −{@code depth}, the uppermost of the halo, to {@code rows + depth − 1}; {@code
     * rows} being those of the rank with the most, where a place in another rank's memory is meant.
     */
    DeviceArray rows(int grid, int from, int count) {
        return grids[grid].slice((long) (depth + from) * pitch, (long) count * pitch);
    }

    /** A pass of {@code iterations} over all own rows. */
    PreparedLaunch whole(int iterations, int from, DeviceArray squares) {
        return relax(iterations, from, squares, 0, rows);
    }

    /** A pass over the own rows that no neighbour needs; there must be some. */
    PreparedLaunch inner(int iterations, int from, DeviceArray squares) {
        return relax(iterations, from, squares, depth, rows - depth);
    }

    /** A pass over the other own rows. */
    PreparedLaunch edges(int iterations, int from, DeviceArray squares) {
        return prepared(iterations, from, squares, 0, rows - depth, depth, rows, 2);
    }

    private PreparedLaunch relax(int iterations, int from, DeviceArray squares, int first, int last) {
        int count = last - first;
        int each = iterations == 1 ? rowsOfABlock(count) : rowsOfABlock(iterations, count);
        return prepared(iterations, from, squares, first, each, each, last, Math.ceilDiv(count, each));
    }

    private int rowsOfABlock(int count) {
        int enough = BUSY * device.properties().multiprocessors();
        int each = MOST_ROWS;
        while (each > 1 && (long) blocksBeside(1) * Math.ceilDiv(count, each) < enough) {
            each /= 2;
        }
        return Math.max(each, Math.ceilDiv(count, MOST_BLOCKS));
    }

    private int rowsOfABlock(int iterations, int count) {
        return rowsOfABlock(
                iterations, count, blocksBeside(iterations), device.properties().multiprocessors());
    }

    /**
     * How many rows a block of a deep pass gets, so that the pass is short: a multiprocessor works through its blocks
     * at a certain speed however many of them it has at a time, each takes as long as its rows and the further ones
     * that it computes for itself, and while the last ones end there is room for one more.
     */
    static int rowsOfABlock(int iterations, int count, int beside, int multiprocessors) {
        int least = Math.ceilDiv(count, MOST_BLOCKS);
        int best = least;
        long shortest = Long.MAX_VALUE;
        for (int each = least; each <= Math.max(least, Math.min(count, MOST_DEEP_ROWS)); each++) {
            long turns = Math.ceilDiv((long) beside * Math.ceilDiv(count, each), multiprocessors) + 1;
            long time = turns * (each + 2 * iterations);
            if (time <= shortest) {
                shortest = time;
                best = each;
            }
        }
        return best;
    }

    /**
     * Columns that a warp computes for others; of a deep pass it computes more for itself, in whole lanes at either
     * side.
     */
    private static int columnsOfAWarp(int iterations) {
        int outer = iterations == 1 ? 0 : Math.ceilDiv(iterations, JacobiKernels.WIDTH);
        return JacobiKernels.WIDTH * (Warp.SIZE - 2 * outer);
    }

    private int warpsBeside(int iterations) {
        return Math.ceilDiv(problem.nx(), columnsOfAWarp(iterations));
    }

    private int blockThreads(int iterations) {
        return Math.min(JacobiKernels.THREADS, Warp.SIZE * warpsBeside(iterations));
    }

    private int blocksBeside(int iterations) {
        return Math.ceilDiv(Warp.SIZE * warpsBeside(iterations), blockThreads(iterations));
    }

    private PreparedLaunch prepared(
            int iterations, int from, DeviceArray squares, int first, int step, int each, int last, int blocksBelow) {
        return kernel(iterations == 1 ? "relax" : "relax" + iterations)
                .prepare(
                        LaunchConfig.grid(blocksBeside(iterations), blocksBelow).block(blockThreads(iterations)),
                        grids[from],
                        grids[1 - from],
                        squares,
                        true,
                        problem.nx(),
                        (long) pitch,
                        depth + first,
                        step,
                        each,
                        depth + last);
    }

    /** Moves sums to their places; see the kernel. */
    void collect(DeviceArray sums, DeviceArray history, DeviceArray position, Stream stream) {
        kernel("collect")
                .launch(
                        LaunchConfig.grid(1).block(Warp.SIZE),
                        stream,
                        sums,
                        history,
                        position,
                        Math.toIntExact(sums.count()));
    }

    @Override
    public void close() {
        for (DeviceArray grid : grids) {
            grid.close();
        }
        kernels.values().forEach(GpuKernel::close);
    }
}
