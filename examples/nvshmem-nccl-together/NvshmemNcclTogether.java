// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.Stream;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;

/** NCCL and NVSHMEM on one stream and the same memory: a put to the next PE, then NCCL's sum of what all have got. */
class NvshmemNcclTogether {
    public static void main(String[] args) {
        try (World world = World.join();
                Device gpu = Device.of(world.localRank());
                Stream stream = gpu.newStream();
                NcclCommunicator comm = Nccl.communicator(world, gpu);
                Nvshmem shmem = Nvshmem.init(world, gpu);
                SymmetricArray out = shmem.allocate(DataType.FLOAT32, 1 << 20);
                SymmetricArray in = shmem.allocate(DataType.FLOAT32, 1 << 20)) {
            out.fill(shmem.myPe() + 1, stream);
            shmem.put(in, out, (shmem.myPe() + 1) % shmem.nPes(), stream);
            shmem.barrierAll(stream);
            // A symmetric array is an array of this device like any other.
            comm.allReduce(in, out, ReduceOp.SUM, stream);
            comm.synchronize(stream);
            System.out.println("rank " + comm.rank() + " of " + comm.size() + ": got "
                    + in.slice(0, 1).toHost().getFloat(0) + " from NVSHMEM, the sum by NCCL is "
                    + out.slice(0, 1).toHost().getFloat(0));
        }
    }
}
