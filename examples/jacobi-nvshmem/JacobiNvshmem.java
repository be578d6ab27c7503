// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.Buffer;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SignalOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.device.Shmem;
import org.comm4j.device.ShmemBlock;
import org.comm4j.device.ShmemCompiler;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Order;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.nvshmem.Nvshmem;

/**
 * A Laplace problem by Jacobi iterations, rows split over the PEs, all iterations in one kernel: blocks put the outer
 * rows into the neighbours' memory with a signal, and wait for theirs. The host only starts it.
 */
class JacobiNvshmem {
    /** Of a block on a GPU; the compiler limits registers to what so many threads have. */
    private static final int THREADS = 1024;

    /**
     * A ring of rows of {@code n} floats, of which this PE has {@code rows}, and a copy of a neighbour's row above and
     * below them.
     *
     * @param a and {@code b}: iterations read one and write the other
     * @param squares of the changes of each iteration, on PE 0
     * @param arrived how many times the row above, and the row below, have come
     */
    @Kernel(maxThreads = THREADS)
    static void solve(F32Ptr a, F32Ptr b, F64Ptr squares, I64Ptr arrived, int n, int rows, int iterations) {
        int above = (Shmem.myPe() + Shmem.nPes() - 1) % Shmem.nPes();
        int below = (Shmem.myPe() + 1) % Shmem.nPes();
        F64Ptr all = Shmem.ptr(squares, 0);
        for (int i = 0; i < iterations; i++) {
            F32Ptr in = i % 2 == 0 ? a : b;
            F32Ptr out = i % 2 == 0 ? b : a;
            if (ThreadIdx.x() < 2) {
                // When they are there, the neighbours have also read what is overwritten now.
                Shmem.signalWaitUntil(arrived.plus(ThreadIdx.x()), Comparison.GE, i);
            }
            Block.sync();
            double sum = 0;
            for (int y = 1 + BlockIdx.x(); y <= rows; y += GridDim.x()) {
                for (int x = 1 + ThreadIdx.x(); x < n - 1; x += BlockDim.x()) {
                    long at = (long) y * n + x;
                    float next = 0.25f * (in.get(at + 1) + in.get(at - 1) + in.get(at + n) + in.get(at - n));
                    double change = next - in.get(at);
                    sum += change * change;
                    out.set(at, next);
                }
            }
            for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
                sum += Warp.shuffleDown(sum, by);
            }
            if (Warp.laneId() == 0) {
                all.atomicAdd(i, sum, Scope.SYSTEM, Order.RELAXED);
            }
            Grid.sync();
            F32Ptr last = out.plus((long) rows * n);
            if (BlockIdx.x() == 0) {
                ShmemBlock.putSignal(last.plus(n), out.plus(n), n, arrived.plus(1), i + 1, SignalOp.SET, above);
            }
            if (BlockIdx.x() == GridDim.x() - 1) {
                ShmemBlock.putSignal(out, last, n, arrived, i + 1, SignalOp.SET, below);
            }
        }
    }

    public static void main(String[] args) {
        try (World world = World.join()) {
            if (Cuda.problem() == null && Nvshmem.problem() == null) {
                try (Device gpu = Device.of(world.localRank());
                        Nvshmem shmem = Nvshmem.init(world, gpu);
                        KernelCompiler<?> compiler = ShmemCompiler.of(shmem)) {
                    LaunchConfig config = LaunchConfig.grid(gpu.properties().multiprocessors())
                            .block(THREADS);
                    run(world, compiler, shmem::allocate, config, 4096, 1024, 1000);
                }
            } else {
                try (HostShmem shmem = HostShmem.init(world);
                        KernelCompiler<?> compiler = ShmemCompiler.of(shmem)) {
                    run(world, compiler, shmem::allocate, LaunchConfig.grid(2).block(32), 64, 16, 40);
                }
            }
        }
    }

    /** Memory that all PEs have. */
    private interface Heap {
        Buffer allocate(DataType type, long count);
    }

    private static void run(
            World world, KernelCompiler<?> compiler, Heap heap, LaunchConfig config, int n, int rows, int iterations) {
        Buffer a = heap.allocate(DataType.FLOAT32, (rows + 2L) * n);
        Buffer b = heap.allocate(DataType.FLOAT32, (rows + 2L) * n);
        Buffer squares = heap.allocate(DataType.FLOAT64, iterations);
        Buffer arrived = heap.allocate(DataType.INT64, 2);
        HostArray start = start(n, rows + 2);
        a.copyFrom(start);
        b.copyFrom(start);
        try (CompiledKernel solve = compiler.compile(JacobiNvshmem::solve)) {
            world.barrier();
            long begin = System.nanoTime();
            solve.launch(config, a, b, squares, arrived, n, rows, iterations);
            world.barrier();
            double seconds = (System.nanoTime() - begin) * 1e-9;
            if (world.rank() == 0) {
                double norm = Math.sqrt(squares.toHost().getDouble(iterations - 1));
                double expected = plain(n, rows, world.size(), iterations);
                boolean right = Math.abs(norm - expected) <= 1e-9 * expected;
                System.out.printf(
                        "%d x %d on %d PEs, %d iterations: %.3f s, norm %.9f, %s%n",
                        n,
                        rows * world.size(),
                        world.size(),
                        iterations,
                        seconds,
                        norm,
                        right ? "as in plain Java" : "WRONG");
                if (!right) {
                    System.exit(1);
                }
            }
        }
    }

    /** Hot on the left side. */
    private static HostArray start(int n, int rows) {
        HostArray plate = HostArray.allocate(DataType.FLOAT32, (long) n * rows);
        for (long y = 0; y < rows; y++) {
            plate.setFloat(y * n, 1);
        }
        return plate;
    }

    /** The last norm, without kernels: all rows are the same, so one is enough. */
    private static double plain(int n, int rows, int pes, int iterations) {
        float[] from = start(n, 1).toFloatArray();
        double squares = 0;
        for (int i = 0; i < iterations; i++) {
            float[] to = from.clone();
            squares = 0;
            for (int x = 1; x < n - 1; x++) {
                to[x] = 0.25f * (from[x + 1] + from[x - 1] + from[x] + from[x]);
                double change = to[x] - from[x];
                squares += change * change;
            }
            from = to;
        }
        return Math.sqrt(squares * rows * pes);
    }
}
