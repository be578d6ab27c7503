// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Order;
import org.comm4j.kernel.lang.ThreadIdx;

/** Kernels with what {@link NcclDevice} makes. */
final class NcclKernels {
    private NcclKernels() {}

    @Kernel
    static void who(DeviceComm comm, LsaWindow window, LsaBarriers barriers, I64Ptr found) {
        found.set(0, comm.rank());
        found.set(1, comm.size());
        found.set(2, comm.lsaRank());
        found.set(3, comm.lsaSize());
        found.set(4, window.rank());
        found.set(5, window.size());
        found.set(6, window.bytes());
        found.set(7, barriers.count());
        found.set(8, comm.rankOf(0));
    }

    /** y of each rank becomes the sum of all x. */
    @Kernel
    static void allReduce(LsaBarriers barriers, LsaWindow x, LsaWindow y, int count) {
        boolean met = barriers.sync(Coop.BLOCK, BlockIdx.x());
        int step = BlockDim.x() * GridDim.x();
        for (int i = BlockIdx.x() * BlockDim.x() + ThreadIdx.x(); met && i < count; i += step) {
            float sum = 0;
            for (int rank = 0; rank < x.size(); rank++) {
                sum += x.pointer(rank).asF32().get(i);
            }
            y.local().asF32().set(i, sum);
        }
        barriers.sync(Coop.BLOCK, BlockIdx.x());
    }

    /** Each rank sums its part of x and gives it to all. */
    @Kernel
    static void twoShot(LsaBarriers barriers, LsaWindow x, LsaWindow y, int count) {
        barriers.sync(Coop.BLOCK, BlockIdx.x(), Order.RELAXED);
        int part = (count + x.size() - 1) / x.size();
        int end = Math.min(count, (x.rank() + 1) * part);
        int step = BlockDim.x() * GridDim.x();
        for (int i = x.rank() * part + BlockIdx.x() * BlockDim.x() + ThreadIdx.x(); i < end; i += step) {
            float sum = 0;
            for (int rank = 0; rank < x.size(); rank++) {
                sum += x.pointer(rank, 4L * i + 4).asF32().get(-1);
            }
            for (int rank = 0; rank < y.size(); rank++) {
                y.pointer(rank, 4L * i).asF32().set(0, sum);
            }
        }
        barriers.sync(Coop.BLOCK, BlockIdx.x());
    }

    /**
     * Groups of threads tell each other their rounds, by words that are no atomics.
     *
     * @param words for each group and rank one
     * @param wrong what was not found
     */
    @Kernel
    static void rounds(@Constant Coop coop, LsaBarriers barriers, LsaWindow words, int rounds, I32Ptr wrong) {
        int group = BlockIdx.x() * (BlockDim.x() / coop.size()) + ThreadIdx.x() / coop.size();
        for (int round = 1; round <= rounds; round++) {
            if (coop.rank() == 0) {
                for (int rank = 0; rank < words.size(); rank++) {
                    words.pointer(rank).asI32().set(group * words.size() + words.rank(), round);
                }
            }
            // Both ways in which a program can meet.
            if (round % 2 == 0) {
                barriers.sync(coop, group);
            } else {
                barriers.arrive(coop, group, Order.RELEASE);
                barriers.await(coop, group, Order.ACQUIRE);
            }
            for (int rank = 0; rank < words.size(); rank++) {
                if (words.local().asI32().get(group * words.size() + rank) != round) {
                    wrong.atomicAdd(0, 1);
                }
            }
            barriers.sync(coop, group);
        }
    }

    @Kernel
    static void barriers(LsaBarriers barriers, int rounds) {
        for (int round = 0; round < rounds; round++) {
            barriers.sync(Coop.BLOCK, 0);
        }
    }

    private static long message(int round, int from, int to, int thread) {
        return ((long) round << 40) ^ ((long) from << 32) ^ ((long) to << 24) ^ thread * 0x9e3779b97f4a7c15L;
    }

    /** Every thread exchanges something with that of the same number of every rank. */
    @Kernel
    static void exchange(LowLatencyAllToAll exchange, int rounds, I32Ptr wrong) {
        int thread = ThreadIdx.x();
        int threads = BlockDim.x();
        LowLatencyAllToAll.Epoch epoch = exchange.open(BlockIdx.x());
        for (int round = 0; round < rounds; round++) {
            for (int rank = 0; rank < exchange.size(); rank++) {
                epoch.send(rank, exchange.rank() * threads + thread, message(round, exchange.rank(), rank, thread));
            }
            for (int rank = 0; rank < exchange.size(); rank++) {
                if (epoch.receive(rank * threads + thread, rank) != message(round, rank, exchange.rank(), thread)) {
                    wrong.atomicAdd(0, 1);
                }
            }
            epoch = epoch.end(Coop.BLOCK);
        }
    }

    /** Everybody tells all the same, of which they make the sum. */
    @Kernel
    static void sums(LowLatencyAllToAll exchange, I64Ptr values, I64Ptr sums) {
        int thread = ThreadIdx.x();
        int threads = BlockDim.x();
        LowLatencyAllToAll.Epoch epoch = exchange.open(BlockIdx.x());
        long at = (long) BlockIdx.x() * threads + thread;
        epoch.broadcast(exchange.rank() * threads + thread, values.get(at));
        long sum = 0;
        for (int rank = 0; rank < exchange.size(); rank++) {
            sum += epoch.receive(rank * threads + thread, rank);
        }
        sums.set(at, sum);
        epoch.end(Coop.BLOCK);
    }

    /** Ends epochs without anything being sent, as a program does that has run for months. */
    @Kernel
    static void epoch(LowLatencyAllToAll exchange, LsaWindow memory, int number) {
        memory.local().asI32().set(0, number);
    }

    @Kernel
    static void poke(LsaWindow window, int rank, long offset, int value) {
        window.pointer(rank, offset).asI32().set(0, value);
    }

    @Kernel
    static void meet(LsaBarriers barriers, int index) {
        barriers.sync(Coop.BLOCK, index);
    }

    @Kernel
    static void element(LowLatencyAllToAll exchange, int block, int rank, int element) {
        LowLatencyAllToAll.Epoch epoch = exchange.open(block);
        epoch.send(rank, element, 1);
        epoch.end(Coop.BLOCK);
    }
}
