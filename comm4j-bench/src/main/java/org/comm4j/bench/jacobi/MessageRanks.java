// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;

/** The ranks of a {@link Jacobi} over a communicator, whichever engine's: they send each other their borders. */
public final class MessageRanks implements HostRanks {
    private final Communicator comm;

    public MessageRanks(Communicator comm) {
        this.comm = comm;
    }

    @Override
    public String engine() {
        return comm.engine();
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
    public HaloExchange halo(Slab slab) {
        return new MessageHalo(comm, slab);
    }

    @Override
    public void sum(double[] values) {
        HostArray sums = HostArray.of(values);
        comm.allReduce(sums, sums, ReduceOp.SUM);
        for (int i = 0; i < values.length; i++) {
            values[i] = sums.getDouble(i);
        }
    }

    @Override
    public Rows rows(DataType type, long count) {
        return new MessageRows(HostArray.allocate(type, count));
    }

    private final class MessageRows implements Rows {
        private final HostArray array;

        MessageRows(HostArray array) {
            this.array = array;
        }

        @Override
        public HostArray array() {
            return array;
        }

        @Override
        public void toFirst(long count, int from) {
            if (from == 0) {
                return;
            }
            if (comm.rank() == 0) {
                comm.recv(array.slice(0, count), from);
            } else if (comm.rank() == from) {
                comm.send(array.slice(0, count), 0);
            }
        }

        @Override
        public void close() {
            // The garbage collector frees it.
        }
    }
}
