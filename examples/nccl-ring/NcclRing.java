// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;

/** Every rank's number travels once round the ring of all ranks, from GPU to GPU. */
class NcclRing {
    public static void main(String[] args) {
        try (World world = World.join();
                Device gpu = Device.of(world.localRank());
                Stream stream = gpu.newStream();
                NcclCommunicator comm = Nccl.communicator(world, gpu);
                DeviceArray out = gpu.allocate(DataType.INT32, 1);
                DeviceArray in = gpu.allocate(DataType.INT32, 1)) {
            int next = (comm.rank() + 1) % comm.size();
            int previous = (comm.rank() + comm.size() - 1) % comm.size();
            out.copyFrom(HostArray.of(comm.rank()));
            StringBuilder seen = new StringBuilder();
            for (int step = 0; step < comm.size(); step++) {
                // Everybody sends and receives: without the group all would wait for each other to receive.
                comm.group(
                        g -> {
                            g.send(out, next);
                            g.recv(in, previous);
                        },
                        stream);
                out.copyFrom(in, stream);
                comm.synchronize(stream);
                seen.append(' ').append(in.toHost().getInt(0));
            }
            System.out.println("rank " + comm.rank() + " saw" + seen);
        }
    }
}
