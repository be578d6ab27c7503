// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;

/** One process a GPU: every rank contributes its number plus one, and gets the sum in the memory of its GPU. */
class NcclHello {
    public static void main(String[] args) {
        try (World world = World.join();
                Device gpu = Device.of(world.localRank());
                Stream stream = gpu.newStream();
                NcclCommunicator comm = Nccl.communicator(world, gpu);
                DeviceArray x = gpu.allocate(DataType.FLOAT32, 1 << 20)) {
            x.fill(comm.rank() + 1, stream);
            comm.allReduce(x, x, ReduceOp.SUM, stream);
            comm.synchronize(stream);
            System.out.println("rank " + comm.rank() + " of " + comm.size() + " on " + gpu.name() + ", NCCL "
                    + Objects.toString(Nccl.version()) + ": "
                    + x.slice(0, 1).toHost().getFloat(0));
        }
    }
}
