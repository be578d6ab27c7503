// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.mpi.Mpi;
import org.comm4j.mpi.MpiCommunicator;
import org.comm4j.mpi.Received;

/** Messages with tags: a parcel goes around the ring, and rank 0 hears from all the others. */
class MpiRing {
    private static final int ROUNDS = 100;
    private static final int REPORT = ROUNDS;

    public static void main(String[] args) {
        try (World world = World.join();
                MpiCommunicator comm = Mpi.communicator(world)) {
            int me = comm.rank();
            int n = comm.size();
            HostArray parcel = HostArray.allocate(DataType.INT64, 1);
            for (int round = 0; round < ROUNDS; round++) {
                if (me > 0) {
                    Received ignored = comm.receive(parcel, me - 1, round);
                }
                parcel.setLong(0, parcel.getLong(0) + me);
                if (n > 1) {
                    comm.send(parcel, (me + 1) % n, round);
                }
                if (me == 0 && n > 1) {
                    Received ignored = comm.receive(parcel, n - 1, round);
                }
            }
            if (me > 0) {
                comm.send(HostArray.of((long) ROUNDS), 0, REPORT);
                return;
            }
            long turns = 0;
            HostArray report = HostArray.allocate(DataType.INT64, 1);
            for (int other = 1; other < n; other++) {
                Received message = comm.receive(report, Mpi.ANY_SOURCE, REPORT);
                turns += report.getLong(0) * message.count();
            }
            long expected = (long) ROUNDS * n * (n - 1) / 2;
            System.out.println(turns + " turns of the others, parcel " + parcel.getLong(0)
                    + (parcel.getLong(0) == expected ? ", as it should be" : " instead of " + expected));
        }
    }
}
