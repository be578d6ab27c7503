// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.host.HostCommunicator;

/** Ranks of the embedded engine: sums and rows through the communicator, halos by put and signal. */
final class CommunicatorRanks extends HostRanks {
    private final HostCommunicator comm;
    private final HostArray sums;

    CommunicatorRanks(HostCommunicator comm) {
        this.comm = comm;
        this.sums = comm.allocate(DataType.FLOAT64, Slab.MAX_DEPTH);
    }

    @Override
    public String engine() {
        return "host";
    }

    @Override
    public int rank() {
        return comm.rank();
    }

    @Override
    public int size() {
        return comm.size();
    }

    @Override
    public void barrier() {
        comm.barrier();
    }

    @Override
    HaloExchange halo(Slab slab) {
        return new ShmemHalo(comm.shmem(), slab);
    }

    @Override
    void sum(double[] values) {
        HostArray part = sums.slice(0, values.length);
        part.copyFrom(values);
        comm.allReduce(part, part, ReduceOp.SUM);
        for (int i = 0; i < values.length; i++) {
            values[i] = part.getDouble(i);
        }
    }

    @Override
    Rows rows(DataType type, long count) {
        HostArray array = comm.allocate(type, count);
        return new Rows() {
            @Override
            public HostArray array() {
                return array;
            }

            @Override
            public void toFirst(long count, int from) {
                if (from != 0 && comm.rank() == from) {
                    comm.send(array.slice(0, count), 0);
                } else if (from != 0 && comm.rank() == 0) {
                    comm.recv(array.slice(0, count), from);
                }
            }

            @Override
            public void close() {
                // The communicator frees it.
            }
        };
    }
}
