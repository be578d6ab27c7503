// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Stream;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;

/** Rank 0 gives every rank another number of elements, by sends in one group, which NCCL runs as one kernel. */
class NcclFusedBroadcast {
    private static final int REPEATS = 100;

    public static void main(String[] args) {
        try (World world = World.join();
                Device gpu = Device.of(world.localRank());
                Stream stream = gpu.newStream();
                Event start = gpu.newTimingEvent();
                Event end = gpu.newTimingEvent();
                NcclCommunicator comm = Nccl.communicator(world, gpu)) {
            int size = comm.size();
            int rank = comm.rank();
            // Rank r gets r + 1 rows of 1000 elements, all with the value r.
            DeviceArray all = gpu.allocate(DataType.FLOAT32, 1000L * size * (size + 1) / 2);
            DeviceArray mine = gpu.allocate(DataType.FLOAT32, 1000L * (rank + 1));
            if (rank == 0) {
                for (int r = 0; r < size; r++) {
                    part(all, r).fill(r, stream);
                }
            }
            for (boolean fused : new boolean[] {true, false}) {
                for (int i = -1; i < REPEATS; i++) {
                    if (i == 0) {
                        stream.record(start);
                    }
                    if (fused) {
                        comm.group(
                                g -> {
                                    for (int r = 0; rank == 0 && r < size; r++) {
                                        g.send(part(all, r), r);
                                    }
                                    g.recv(mine, 0);
                                },
                                stream);
                    } else if (rank == 0) {
                        mine.copyFrom(part(all, 0), stream);
                        for (int r = 1; r < size; r++) {
                            comm.send(part(all, r), r, stream);
                        }
                    } else {
                        comm.recv(mine, 0, stream);
                    }
                }
                stream.record(end);
                comm.synchronize(stream);
                System.out.printf(
                        "rank %d: %d elements of %.0f, %s: %.1f us%n",
                        rank,
                        mine.count(),
                        mine.slice(mine.count() - 1, 1).toHost().getFloat(0),
                        fused ? "in one group" : "one by one",
                        1000 * end.millisSince(start) / REPEATS);
            }
            all.close();
            mine.close();
        }
    }

    private static DeviceArray part(DeviceArray all, int rank) {
        return all.slice(1000L * rank * (rank + 1) / 2, 1000L * (rank + 1));
    }
}
