// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.comm4j.bench.jacobi.PersistentKernels.Place;
import org.comm4j.bench.jacobi.PersistentKernels.Work;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;

/** A GPU that reaches the memory of its neighbours. */
class GpuPersistentRun extends PersistentRun {
    private static final long SPARE = 64 << 20;

    final Nvshmem shmem;
    final GpuSlab slab;
    private final Device device;
    private final Stream stream;
    private final SymmetricArray progress;
    private final SymmetricArray squares;
    private final PinnedArray seen;
    private final DeviceArray status;
    private final PinnedArray statusSeen;
    private final Place mine;
    private final Place above;
    private final Place below;
    private final KernelCompiler<GpuKernel> compiler;
    private final Map<Integer, GpuKernel> kernels = new HashMap<>();

    /** Collective. The slab stays the caller's. */
    GpuPersistentRun(Nvshmem shmem, GpuSlab slab, int iterations) {
        super(shmem.myPe(), shmem.nPes());
        for (int pe : new int[] {above(), below()}) {
            if (!shmem.reaches(pe)) {
                throw new UnsupportedOperationException("jacobi: the GPU of rank " + rank
                        + " does not reach the memory of rank " + pe + ", which its kernels write halo rows to");
            }
        }
        this.shmem = shmem;
        this.slab = slab;
        device = shmem.device();
        stream = device.newStream();
        progress = shmem.allocate(DataType.INT32, progressWords(slab.problem(), size));
        squares = shmem.allocate(DataType.FLOAT64, iterations);
        seen = device.allocatePinned(DataType.FLOAT64, iterations);
        status = device.allocate(DataType.INT32, 1);
        statusSeen = device.allocatePinned(DataType.INT32, 1);
        mine = place(rank);
        above = place(above());
        below = place(below());
        compiler = KernelCompiler.of(device);
    }

    static long bytes(JacobiProblem problem, int iterations, int ranks) {
        return (long) iterations * Double.BYTES + progressWords(problem, ranks) * Integer.BYTES + SPARE;
    }

    /** For the most tiles that there can be: as narrow as those of the deepest passes, and a row high. */
    private static long progressWords(JacobiProblem problem, int ranks) {
        return (long) PersistentTiles.across(problem, JacobiKernels.MOST_DEPTH)
                * (Math.ceilDiv(problem.rows(), ranks) + PersistentKernels.ROWS_OF_OTHERS);
    }

    private Place place(int pe) {
        return new Place(grid(0, pe), grid(1, pe), I32Ptr.of(shmem.ptr(progress, pe)));
    }

    private F32Ptr grid(int grid, int pe) {
        int depth = slab.depth();
        int most = Math.ceilDiv(slab.problem().rows(), size);
        return F32Ptr.of(shmem.ptr((SymmetricArray) slab.rows(grid, -depth, most + 2 * depth), pe));
    }

    @Override
    void barrier() {
        shmem.barrierAll();
    }

    @Override
    PersistentTiles tiles(int depth) {
        return PersistentTiles.of(slab.problem(), slab.rows(), depth, multiprocessors(), warpsAtOnce(depth));
    }

    final int multiprocessors() {
        return device.properties().multiprocessors();
    }

    /** Warps that run on a multiprocessor at the same time. */
    final int warpsAtOnce(int depth) {
        int block = JacobiKernels.THREADS;
        return kernel(depth).function().blocksPerMultiprocessor(block, 0) * (block / Warp.SIZE);
    }

    private GpuKernel kernel(int depth) {
        return kernels.computeIfAbsent(depth, _ -> compiler.compile(method(depth)));
    }

    Method method(int depth) {
        return KernelMethod.named(PersistentKernels.class, "persist" + depth);
    }

    @Override
    void clearProgress() {
        progress.fill(0, stream);
        stream.synchronize();
    }

    @Override
    void launch(int depth, PersistentTiles tiles, Work work) {
        kernel(depth).launch(tiles.config(), stream, mine, above, below, squares, status, work);
    }

    @Override
    int status() {
        status.copyTo(statusSeen, stream);
        stream.synchronize();
        return statusSeen.getInt(0);
    }

    @Override
    double[] squares(int first, int count) {
        SymmetricArray sums = squares.slice(first, count);
        shmem.world().reduce(sums, sums, ReduceOp.SUM, stream);
        sums.copyTo(seen.slice(first, count), stream);
        shmem.synchronize(stream);
        double[] result = new double[count];
        Arrays.setAll(result, i -> seen.getDouble(first + i));
        return result;
    }

    @Override
    CommException failure(String message) {
        return shmem.failedPes().isEmpty()
                ? new CommTimeoutException(message)
                : new RankFailedException(shmem.failedPes().getFirst(), message);
    }

    @Override
    public void close() {
        kernels.values().forEach(GpuKernel::close);
        compiler.close();
        if (shmem.isOpen()) {
            progress.close();
            squares.close();
        }
        status.close();
        statusSeen.close();
        seen.close();
        stream.close();
    }
}
