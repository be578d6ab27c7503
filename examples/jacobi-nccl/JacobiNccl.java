// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;

/**
 * A Laplace problem by Jacobi iterations, rows split over the GPUs. The rows at the edges are computed first, on a
 * stream of high priority, and travel to the neighbours while the rows inside are computed.
 */
class JacobiNccl {
    private static final int N = 4096;
    private static final int ROWS = 4096;
    private static final int ITERATIONS = 1000;

    /** Rows from {@code first} to before {@code last}; a thread takes several, so that few warps add to the one sum. */
    @Kernel
    static void relax(F32Ptr in, F32Ptr out, F32Ptr squares, int n, int first, int last) {
        int x = GlobalIdx.x();
        float square = 0;
        for (int y = first + BlockIdx.y(); x > 0 && x < n - 1 && y < last; y += GridDim.y()) {
            long i = (long) y * n + x;
            float next = 0.25f * (in.get(i + 1) + in.get(i - 1) + in.get(i + n) + in.get(i - n));
            square += (next - in.get(i)) * (next - in.get(i));
            out.set(i, next);
        }
        for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
            square += Warp.shuffleDown(square, by);
        }
        if (Warp.laneId() == 0) {
            squares.atomicAdd(0, square);
        }
    }

    public static void main(String[] args) {
        try (World world = World.join();
                Device gpu = Device.of(world.localRank());
                NcclCommunicator comm = Nccl.communicator(world, gpu);
                KernelCompiler<GpuKernel> compiler = KernelCompiler.of(gpu);
                GpuKernel relax = compiler.compile(JacobiNccl::relax);
                Stream inside = gpu.newStream();
                Stream edges = gpu.newStream(gpu.streamPriorities()[0]);
                Event insideDone = gpu.newEvent();
                Event edgesDone = gpu.newEvent();
                DeviceArray squares = gpu.allocate(DataType.FLOAT32, 1)) {
            int rows = ROWS / comm.size();
            int above = (comm.rank() + comm.size() - 1) % comm.size();
            int below = (comm.rank() + 1) % comm.size();
            // Own rows are 1 to rows; rows 0 and rows + 1 are the neighbours'. Left and right columns are fixed.
            DeviceArray in = slab(gpu, rows, comm.rank() * rows);
            DeviceArray out = slab(gpu, rows, comm.rank() * rows);
            long start = System.nanoTime();
            for (int i = 0; i < ITERATIONS; i++) {
                DeviceArray from = in;
                DeviceArray to = out;
                squares.fill(0, edges);
                launch(relax, edges, from, to, squares, 1, 2);
                launch(relax, edges, from, to, squares, rows, rows + 1);
                edges.record(edgesDone);
                inside.await(edgesDone);
                launch(relax, inside, from, to, squares, 2, rows);
                inside.record(insideDone);
                comm.group(
                        g -> {
                            g.send(row(to, 1), above);
                            g.send(row(to, rows), below);
                            g.recv(row(to, rows + 1), below);
                            g.recv(row(to, 0), above);
                        },
                        edges);
                edges.await(insideDone);
                comm.allReduce(squares, squares, ReduceOp.SUM, edges);
                if (i % 100 == 0) {
                    comm.synchronize(edges);
                    if (comm.rank() == 0) {
                        System.out.printf(
                                "%5d, %.6f%n", i, Math.sqrt(squares.toHost().getFloat(0)));
                    }
                }
                in = to;
                out = from;
            }
            comm.synchronize(edges);
            comm.barrier();
            if (comm.rank() == 0) {
                System.out.printf(
                        "%d GPUs, %d x %d, %d iterations: %.3f s%n",
                        comm.size(), N, ROWS, ITERATIONS, (System.nanoTime() - start) * 1e-9);
            }
        }
    }

    private static void launch(
            GpuKernel kernel,
            Stream stream,
            DeviceArray in,
            DeviceArray out,
            DeviceArray squares,
            int first,
            int last) {
        LaunchConfig shape =
                LaunchConfig.grid(N / 256, Math.min(last - first, 128)).block(256);
        kernel.launch(shape, stream, in, out, squares, N, first, last);
    }

    private static DeviceArray row(DeviceArray slab, int row) {
        return slab.slice((long) row * N, N);
    }

    private static DeviceArray slab(Device gpu, int rows, int firstRow) {
        HostArray host = HostArray.allocate(DataType.FLOAT32, (rows + 2L) * N);
        for (int y = 0; y < rows + 2; y++) {
            float fixed = (float) Math.sin(2 * Math.PI * (firstRow + y) / (ROWS + 1));
            host.setFloat((long) y * N, fixed);
            host.setFloat((long) y * N + N - 1, fixed);
        }
        DeviceArray slab = gpu.allocate(DataType.FLOAT32, host.count());
        slab.copyFrom(host);
        return slab;
    }
}
