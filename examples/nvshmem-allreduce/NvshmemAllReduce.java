// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Stream;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;
import org.comm4j.nvshmem.Team;

/** Sums over all PEs, on a stream, a hundred of them one after the other. */
class NvshmemAllReduce {
    private static final int CALLS = 100;

    public static void main(String[] args) {
        try (World world = World.join();
                Device gpu = Device.of(world.localRank());
                Stream stream = gpu.newStream();
                Event begin = gpu.newTimingEvent();
                Event end = gpu.newTimingEvent();
                Nvshmem shmem = Nvshmem.init(world, gpu);
                SymmetricArray x = shmem.allocate(DataType.FLOAT32, 1 << 20);
                SymmetricArray sum = shmem.allocate(DataType.FLOAT32, 1 << 20)) {
            Team all = shmem.world();
            x.fill(shmem.myPe() + 1, stream);
            all.reduce(sum, x, ReduceOp.SUM, stream);
            stream.record(begin);
            for (int i = 0; i < CALLS; i++) {
                all.reduce(sum, x, ReduceOp.SUM, stream);
            }
            stream.record(end);
            shmem.synchronize(stream);
            float last = sum.slice(sum.count() - 1, 1).toHost().getFloat(0);
            System.out.printf(
                    "PE %d of %d: sum %.1f, %.1f us a call%n",
                    shmem.myPe(), shmem.nPes(), last, end.millisSince(begin) * 1000 / CALLS);
        }
    }
}
