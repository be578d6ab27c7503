// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.util.SplittableRandom;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.mpi.Mpi;
import org.comm4j.mpi.MpiCommunicator;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;

/** A rank of {@link GpuMpiTest}: operations of MPI on memory of GPUs beside those of NCCL. */
final class GpuMpiProgram {
    private static final int[] COUNTS = {1, 1001, 1 << 20};
    private static final long SEED = 20_261_127;

    private GpuMpiProgram() {}

    public static void main(String[] arguments) {
        try (World world = World.join();
                Device gpu = Device.inTurn(world.localRank());
                MpiCommunicator mpi = Mpi.communicator(world)) {
            boolean beside = world.localSize() <= Cuda.deviceCount();
            for (int count : COUNTS) {
                compare(world, gpu, mpi, count, beside);
            }
            System.out.println("MPI agrees with " + (beside ? "NCCL" : "sums on the host"));
        }
    }

    /** Small whole numbers, whose sums are exact in any order. */
    private static HostArray values(int rank, int count) {
        SplittableRandom random = new SplittableRandom(SEED + rank);
        HostArray values = HostArray.allocate(DataType.FLOAT32, count);
        for (int i = 0; i < count; i++) {
            values.setFloat(i, random.nextInt(-1000, 1000));
        }
        return values;
    }

    private static void compare(World world, Device gpu, MpiCommunicator mpi, int count, boolean beside) {
        HostArray expected = HostArray.allocate(DataType.FLOAT32, count);
        for (int rank = 0; rank < world.size(); rank++) {
            HostArray each = values(rank, count);
            for (int i = 0; i < count; i++) {
                expected.setFloat(i, expected.getFloat(i) + each.getFloat(i));
            }
        }
        try (Stream stream = gpu.newStream();
                DeviceArray x = gpu.allocate(DataType.FLOAT32, count);
                DeviceArray sum = gpu.allocate(DataType.FLOAT32, count)) {
            // What is in a stream comes before.
            x.copyFrom(values(world.rank(), count), stream);
            mpi.allReduce(x, sum, ReduceOp.SUM);
            same(sum, expected, "allReduce of " + count);
            if (beside) {
                try (NcclCommunicator nccl = Nccl.communicator(world, gpu)) {
                    nccl.allReduce(x, sum, ReduceOp.SUM, stream);
                    nccl.synchronize(stream);
                    same(sum, expected, "NCCL's allReduce of " + count);
                }
            }
            int size = world.size();
            mpi.group(g -> {
                g.send(x, (mpi.rank() + 1) % size);
                g.recv(sum, (mpi.rank() + size - 1) % size);
            });
            same(sum, values((mpi.rank() + size - 1) % size, count), "a message of " + count);
            mpi.broadcast(x, size - 1);
            same(x, values(size - 1, count), "a broadcast of " + count);
        }
    }

    private static void same(DeviceArray actual, HostArray expected, String what) {
        long different = actual.toHost().segment().mismatch(expected.segment());
        if (different >= 0) {
            throw new AssertionError(what + " differs from byte " + different + " on");
        }
    }
}
