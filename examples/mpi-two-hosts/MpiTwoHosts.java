// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.mpi.Mpi;
import org.comm4j.mpi.MpiCommunicator;
import org.comm4j.mpi.MpiWindow;

/** A sum over all ranks: in the shared memory of each host, and between the first ranks of the hosts. */
class MpiTwoHosts {
    public static void main(String[] args) {
        try (World world = World.join();
                MpiCommunicator comm = Mpi.communicator(world);
                MpiCommunicator host = comm.splitByHost();
                MpiWindow numbers = host.allocateShared(DataType.INT64, 1);
                Communicator firsts = comm.split(host.rank() == 0 ? 0 : -1, comm.rank())) {
            numbers.local().setLong(0, comm.rank() + 1);
            numbers.fence();
            if (firsts != null) {
                HostArray sum = HostArray.allocate(DataType.INT64, 1);
                for (int r = 0; r < host.size(); r++) {
                    sum.setLong(0, sum.getLong(0) + numbers.of(r).getLong(0));
                }
                firsts.allReduce(sum, sum, ReduceOp.SUM);
                long expected = comm.size() * (comm.size() + 1L) / 2;
                System.out.println("rank " + comm.rank() + " of " + comm.size() + " for the " + host.size()
                        + " of its host, " + firsts.size() + (firsts.size() == 1 ? " host: " : " hosts: ")
                        + sum.getLong(0)
                        + (sum.getLong(0) == expected ? ", as it should be" : " instead of " + expected));
            }
            numbers.fence();
        }
    }
}
