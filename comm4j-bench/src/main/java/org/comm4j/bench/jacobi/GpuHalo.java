// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.nccl.NcclCommunicator;

/** How the ranks of a solve on GPUs communicate; all of it is put into streams. */
interface GpuHalo extends AutoCloseable {

    /** Sends the first and the last own rows of a grid to the neighbours, as many as the halo has, and receives theirs. */
    void exchange(int grid, Stream stream);

    /** Adds up the ranks' numbers, in place. */
    void sum(DeviceArray sum, Stream stream);

    @Override
    void close();

    /** The ranks of a communicator, in a ring. */
    static GpuHalo of(NcclCommunicator comm, GpuSlab slab) {
        return comm.size() == 1 ? alone(slab) : new Ring(comm, slab);
    }

    /** One rank that is its own neighbour. */
    static GpuHalo alone(GpuSlab slab) {
        return new GpuHalo() {
            @Override
            public void exchange(int grid, Stream stream) {
                int depth = slab.depth();
                slab.rows(grid, -depth, depth).copyFrom(slab.rows(grid, slab.rows() - depth, depth), stream);
                slab.rows(grid, slab.rows(), depth).copyFrom(slab.rows(grid, 0, depth), stream);
            }

            @Override
            public void sum(DeviceArray sum, Stream stream) {}

            @Override
            public void close() {}
        };
    }

    /** Rows go by send and receive in one group; sums have a communicator of their own, so that they do not wait for rows. */
    final class Ring implements GpuHalo {
        private final NcclCommunicator comm;
        private final NcclCommunicator sums;
        private final List<Consumer<Operations>> exchanges;

        Ring(NcclCommunicator comm, GpuSlab slab) {
            this.comm = comm;
            this.sums = Objects.requireNonNull(comm.split(0, comm.rank()));
            this.exchanges = List.of(exchange(comm, slab, 0), exchange(comm, slab, 1));
        }

        private static Consumer<Operations> exchange(NcclCommunicator comm, GpuSlab slab, int grid) {
            int above = (comm.rank() + comm.size() - 1) % comm.size();
            int below = (comm.rank() + 1) % comm.size();
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
