// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.comm4j.bench.jacobi.PersistentKernels.Place;
import org.comm4j.bench.jacobi.PersistentKernels.Work;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.ReduceOp;
import org.comm4j.host.HostCommunicator;
import org.comm4j.host.HostShmem;
import org.comm4j.host.SymmetricArray;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I32Ptr;

/** A process of the embedded engine, whose threads of kernels are run on the CPU. */
final class CpuPersistentRun extends PersistentRun {
    private final HostCommunicator comm;
    private final HostShmem shmem;
    private final JacobiProblem problem;
    private final int depth;
    private final int rows;
    private final int pitch;
    private final SymmetricArray[] grids = new SymmetricArray[2];
    private final SymmetricArray progress;
    private final HostArray squares;
    private final HostArray status = HostArray.allocate(DataType.INT32, 1);
    private final Place mine;
    private final Place above;
    private final Place below;
    private final KernelCompiler<CompiledKernel> compiler;
    private final Map<Integer, CompiledKernel> kernels = new HashMap<>();

    /** Collective: the grids at the start, with the fixed values in their places, those of the halo, too. */
    CpuPersistentRun(HostCommunicator comm, JacobiProblem problem, int iterations, int depth, CpuOptions options) {
        super(comm.rank(), comm.size());
        this.comm = comm;
        this.problem = problem;
        this.depth = depth;
        shmem = comm.shmem();
        rows = problem.rowsOf(rank, size);
        pitch = GpuSlab.pitch(problem);
        int all = rows + 2 * depth;
        // As many as the rank with the most needs, everywhere.
        long most = Math.ceilDiv(problem.rows(), size) + 2L * depth;
        for (int grid = 0; grid < grids.length; grid++) {
            grids[grid] = shmem.allocate(DataType.FLOAT32, most * pitch);
            for (int row = 0; row < all; row++) {
                float fixed = problem.boundary(
                        1 + Math.floorMod(problem.firstRow(rank, size) - 1 + row - depth, problem.rows()));
                grids[grid].setFloat((long) row * pitch, fixed);
                grids[grid].setFloat((long) row * pitch + problem.nx() - 1, fixed);
            }
        }
        progress = shmem.allocate(
                DataType.INT32,
                (long) PersistentTiles.across(problem, JacobiKernels.MOST_DEPTH)
                        * (Math.ceilDiv(problem.rows(), size) + PersistentKernels.ROWS_OF_OTHERS));
        squares = comm.allocate(DataType.FLOAT64, iterations);
        mine = place(rank);
        above = place(above());
        below = place(below());
        compiler = KernelCompiler.cpu(options);
    }

    private Place place(int pe) {
        return new Place(
                F32Ptr.of(shmem.ptr(grids[0], pe)),
                F32Ptr.of(shmem.ptr(grids[1], pe)),
                I32Ptr.of(shmem.ptr(progress, pe)));
    }

    @Override
    void barrier() {
        comm.barrier();
    }

    @Override
    PersistentTiles tiles(int iterations) {
        return PersistentTiles.onCpu(problem, rows, iterations);
    }

    @Override
    void clearProgress() {
        progress.fill(0);
    }

    @Override
    void launch(int iterations, PersistentTiles tiles, Work work) {
        kernels.computeIfAbsent(
                        iterations,
                        _ -> compiler.compile(KernelMethod.named(PersistentKernels.class, "persist" + iterations)))
                .launch(tiles.config(), mine, above, below, squares, status, work);
    }

    @Override
    int status() {
        return status.getInt(0);
    }

    @Override
    double[] squares(int first, int count) {
        HostArray sums = squares.slice(first, count);
        comm.allReduce(sums, sums, ReduceOp.SUM);
        double[] result = new double[count];
        Arrays.setAll(result, sums::getDouble);
        return result;
    }

    @Override
    CommException failure(String message) {
        try {
            shmem.memory().lookAround(message, System.nanoTime());
        } catch (RankFailedException e) {
            return e;
        }
        return new CommTimeoutException(message);
    }

    /** The rows of one of the grids. */
    Slab slab(int grid) {
        Slab slab = new Slab(problem, rank, size, 1);
        float[] row = new float[problem.nx()];
        for (int y = 0; y < rows; y++) {
            MemorySegment.copy(
                    grids[grid].segment(),
                    ValueLayout.JAVA_FLOAT,
                    (long) (depth + y) * pitch * Float.BYTES,
                    row,
                    0,
                    row.length);
            slab.setRow(y, row);
        }
        return slab;
    }

    @Override
    public void close() {
        compiler.close();
        for (SymmetricArray grid : grids) {
            grid.close();
        }
        progress.close();
    }
}
