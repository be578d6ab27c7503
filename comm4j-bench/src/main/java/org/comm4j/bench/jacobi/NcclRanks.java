// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.comm4j.core.DataType;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.nccl.NcclCommunicator;

/** The ranks of a communicator. */
final class NcclRanks extends GpuRanks {
    private final NcclCommunicator comm;

    NcclRanks(NcclCommunicator comm) {
        this.comm = comm;
    }

    @Override
    public String engine() {
        return "nccl";
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
    public Device device() {
        return comm.device();
    }

    @Override
    public void barrier() {
        comm.barrier();
    }

    @Override
    DeviceArray allocate(DataType type, long count) {
        return comm.device().allocate(type, count);
    }

    @Override
    GpuHalo halo(GpuSlab slab) {
        return comm.size() == 1 ? GpuHalo.alone(slab) : new Ring(slab);
    }

    @Override
    void toFirst(GpuSlab slab, int grid, int row, int count, int from, DeviceArray target) {
        if (rank() == from) {
            comm.send(slab.rows(grid, row, count), 0);
        } else {
            comm.recv(target, from);
        }
    }

    /**
     * Rows go by send and receive in one group; sums have a communicator of their own, so that they do not wait for
     * rows.
     */
    private final class Ring implements GpuHalo {
        private final NcclCommunicator sums;
        private final List<Consumer<Operations>> exchanges;

        Ring(GpuSlab slab) {
            this.sums = Objects.requireNonNull(comm.split(0, comm.rank()));
            this.exchanges = List.of(exchange(slab, 0), exchange(slab, 1));
        }

        private Consumer<Operations> exchange(GpuSlab slab, int grid) {
            int above = above();
            int below = below();
            int depth = slab.depth();
            DeviceArray first = slab.rows(grid, 0, depth);
            DeviceArray last = slab.rows(grid, slab.rows() - depth, depth);
            DeviceArray fromAbove = slab.rows(grid, -depth, depth);
            DeviceArray fromBelow = slab.rows(grid, slab.rows(), depth);
            return group -> {
                // With two ranks both neighbours are the same one: what it sends first, its first rows, come from
                // below.
                group.send(first, above);
                group.send(last, below);
                group.recv(fromBelow, below);
                group.recv(fromAbove, above);
            };
        }

        @Override
        public void exchange(int grid, Stream stream) {
            comm.group(exchanges.get(grid), stream);
        }

        @Override
        public void sum(DeviceArray sum, Stream stream) {
            sums.allReduce(sum, sum, ReduceOp.SUM, stream);
        }

        @Override
        public void close() {
            sums.close();
        }
    }
}
