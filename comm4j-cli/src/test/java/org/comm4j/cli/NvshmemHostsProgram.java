// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;

/** A PE of {@link SimulatedHostsTest}: puts its number into the memory of the next one. */
final class NvshmemHostsProgram {
    private NvshmemHostsProgram() {}

    public static void main(String[] arguments) {
        try (World world = World.join();
                Device gpu = Device.of(world.localRank());
                Stream stream = gpu.newStream();
                Nvshmem shmem = Nvshmem.init(world, gpu);
                SymmetricArray inbox = shmem.allocate(DataType.INT32, 1);
                DeviceArray mine = gpu.allocate(DataType.INT32, 1)) {
            mine.fill(shmem.myPe(), stream);
            shmem.put(inbox, mine, (shmem.myPe() + 1) % shmem.nPes(), stream);
            shmem.barrierAll(stream);
            shmem.synchronize(stream);
            System.out.println("PE " + shmem.myPe() + " of " + shmem.nPes() + ", " + world.localSize()
                    + " on its host, got " + inbox.toHost().getInt(0));
        }
    }
}
