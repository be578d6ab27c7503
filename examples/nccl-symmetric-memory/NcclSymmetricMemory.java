// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Stream;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.nccl.Window;

/** The same allReduce in ordinary memory and in symmetric windows, which need no copies and fewer steps. */
class NcclSymmetricMemory {
    private static final int REPEATS = 200;

    public static void main(String[] args) {
        try (World world = World.join();
                Device gpu = Device.of(world.localRank());
                Stream stream = gpu.newStream();
                Event start = gpu.newTimingEvent();
                Event end = gpu.newTimingEvent();
                NcclCommunicator comm = Nccl.communicator(world, gpu)) {
            for (long bytes = 1 << 10; bytes <= 1 << 24; bytes <<= 2) {
                long count = bytes / Float.BYTES;
                double[] micros = new double[2];
                for (int symmetric = 0; symmetric < 2; symmetric++) {
                    // NCCL's own memory can be mapped by the other GPUs; a window is made of it by all ranks together.
                    try (DeviceArray x = symmetric == 0
                                    ? gpu.allocate(DataType.FLOAT32, count)
                                    : Nccl.allocate(gpu, DataType.FLOAT32, count);
                            Window window = symmetric == 0 ? null : comm.registerWindow(x, Window.Flag.SYMMETRIC)) {
                        x.fill(1, stream);
                        comm.allReduce(x, x, ReduceOp.SUM, stream);
                        comm.synchronize(stream);
                        float sum = x.slice(count - 1, 1).toHost().getFloat(0);
                        if (sum != comm.size()) {
                            throw new AssertionError((window == null ? "ordinary: " : window + ": ") + sum);
                        }
                        x.fill(0, stream);
                        stream.record(start);
                        for (int i = 0; i < REPEATS; i++) {
                            comm.allReduce(x, x, ReduceOp.SUM, stream);
                        }
                        stream.record(end);
                        comm.synchronize(stream);
                        micros[symmetric] = 1000 * end.millisSince(start) / REPEATS;
                    }
                }
                if (comm.rank() == 0) {
                    System.out.printf(
                            "%9d bytes: %7.1f us ordinary, %7.1f us symmetric%n", bytes, micros[0], micros[1]);
                }
            }
        }
    }
}
