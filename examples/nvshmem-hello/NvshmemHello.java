// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;

/** One process a GPU: every PE puts its number into the memory of the next one's GPU. */
class NvshmemHello {
    public static void main(String[] args) {
        try (World world = World.join();
                Device gpu = Device.of(world.localRank());
                Stream stream = gpu.newStream();
                Nvshmem shmem = Nvshmem.init(world, gpu);
                SymmetricArray inbox = shmem.allocate(DataType.INT32, 1);
                DeviceArray mine = gpu.allocate(DataType.INT32, 1)) {
            int next = (shmem.myPe() + 1) % shmem.nPes();
            mine.fill(shmem.myPe(), stream);
            shmem.put(inbox, mine, next, stream);
            // What was put before is there when all have come to this point.
            shmem.barrierAll(stream);
            shmem.synchronize(stream);
            System.out.println("PE " + shmem.myPe() + " of " + shmem.nPes() + " on " + gpu.name() + ", NVSHMEM "
                    + Nvshmem.version() + ": got " + inbox.toHost().getInt(0));
        }
    }
}
