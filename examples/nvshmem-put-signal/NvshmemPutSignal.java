// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.SignalOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;

/** Neighbours in a ring pass data on: what arrives from the previous PE goes to the next one, without a barrier. */
class NvshmemPutSignal {
    private static final int COUNT = 1 << 20;

    public static void main(String[] args) {
        try (World world = World.join();
                Device gpu = Device.of(world.localRank());
                Stream stream = gpu.newStream();
                Nvshmem shmem = Nvshmem.init(world, gpu);
                // A place for each step: nobody can overwrite what is still needed.
                SymmetricArray data = shmem.allocate(DataType.FLOAT32, (long) shmem.nPes() * COUNT);
                SymmetricArray arrived = shmem.allocate(DataType.UINT64, 1);
                DeviceArray own = gpu.allocate(DataType.FLOAT32, COUNT)) {
            int next = (shmem.myPe() + 1) % shmem.nPes();
            own.fill(shmem.myPe() + 0.5, stream);
            DeviceArray outgoing = own;
            for (int step = 0; step < shmem.nPes(); step++) {
                SymmetricArray incoming = data.slice((long) step * COUNT, COUNT);
                // The signal becomes visible after the data.
                shmem.putSignal(incoming, outgoing, arrived, 0, step + 1, SignalOp.SET, next, stream);
                shmem.signalWaitUntil(arrived, 0, Comparison.GE, step + 1, stream);
                outgoing = incoming;
            }
            shmem.synchronize(stream);
            StringBuilder seen = new StringBuilder();
            for (int step = 0; step < shmem.nPes(); step++) {
                seen.append(' ')
                        .append(data.slice((long) (step + 1) * COUNT - 1, 1)
                                .toHost()
                                .getFloat(0));
            }
            System.out.println("PE " + shmem.myPe() + " saw" + seen);
        }
    }
}
