// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.device.Shmem;
import org.comm4j.device.ShmemWarp;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/**
 * Kernels that put counts, rows and answers to PEs over a network. A block has a PE: it puts runs of rows, which follow
 * each other here and there, waits until they have arrived, and tells the PE.
 */
final class NetworkKernels {
    private NetworkKernels() {}

    /**
     * Places of a network.
     *
     * @param symmetric this PE's memory, as NVSHMEM knows it
     * @param far PEs that are out of reach
     * @param count of them
     * @param stride bytes of what stands for the memory of a PE
     * @param counts of the dispatch, by PE and counter: what {@link MoeSpace#words} had
     * @param columns arrays that have something for each row: begin, bytes, rows behind which it goes on elsewhere, and
     *     bytes from there to there
     * @param arrays number of them
     */
    @KernelLibrary
    record Network(I8Ptr symmetric, I32Ptr far, int count, long stride, I64Ptr counts, I64Ptr columns, int arrays) {
        /** Bytes from this PE's memory to what stands here for that of {@code other}, or there for that of this one. */
        long staged(int of, int on) {
            return stride * (of < on ? of + 1 : of);
        }
    }

    /** Counts the routes of this PE's tokens, and sends the counts to all PEs. One block. */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void count(
            MoeSpace space, Network network, I8Ptr chosen, int routeBytes, int most, I32Ptr bound, boolean bounded) {
        int tokens = bounded ? Math.max(Math.min(bound.get(0), most), 0) : most;
        I32Ptr rows = Shared.dynamicI32();
        I32Ptr own = rows.plus(space.counters());
        Counting.own(space, chosen, routeBytes, tokens, 0, rows, own);
        Counting.send(space, space.nextEpoch(), own);
        Fence.system();
        Block.sync();
        long bytes = 8L * space.counters();
        long at = space.words() + space.me() * bytes;
        for (int i = Warp.id(); i < network.count(); i += BlockDim.x() / Warp.SIZE) {
            int pe = network.far().get(i);
            put(network, at, space.base().plus(network.staged(pe, space.me()) + at), bytes, pe);
        }
        Shmem.quiet();
    }

    /** Puts bytes of this PE to {@code to} of another one, in bytes from the beginning; a warp's. */
    static void put(Network network, long to, I8Ptr from, long bytes, int pe) {
        ShmemWarp.putNbi(network.symmetric().plus(to), from, bytes, pe);
    }

    /** Says to PEs over a network that this one begins a dispatch without counting. One block. */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void begin(MoeSpace space, Network network) {
        long at = space.words() + 8L * space.me() * space.counters();
        for (int i = ThreadIdx.x(); i < network.count(); i += BlockDim.x()) {
            int pe = network.far().get(i);
            Shmem.p(network.symmetric().plus(at).asI64(), (long) space.nextEpoch() << 32, pe);
        }
        Shmem.quiet();
    }

    /** Keeps the counts of a dispatch, for others along its routes. */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void keep(MoeSpace space, Network network) {
        I64Ptr words = space.base().plus(space.words()).asI64();
        int all = space.pes() * space.counters();
        for (int i = BlockIdx.x() * BlockDim.x() + ThreadIdx.x(); i < all; i += GridDim.x() * BlockDim.x()) {
            network.counts().set(i, words.getVolatile(i));
        }
    }

    /**
     * Puts this PE's rows, which the kernel of dispatch has staged.
     *
     * @param beside whether rows themselves go another way ({@link HostKernels}), and what says that these are there is
     *     beside them
     */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void rows(MoeSpace space, Network network, boolean beside) {
        Fence.system();
        for (int i = BlockIdx.x(); i < network.count(); i += GridDim.x()) {
            int pe = network.far().get(i);
            long from = network.staged(pe, space.me());
            runs(space, network, space.me(), pe, pe, from, 0);
            Shmem.quiet();
            Block.sync();
            if (ThreadIdx.x() == 0) {
                long flags = beside ? network.staged(space.me(), pe) + space.answers() : space.flags();
                I32Ptr flag = network.symmetric().plus(flags + 4L * space.me()).asI32();
                Shmem.p(flag, space.epoch().get(0), pe);
                Shmem.quiet();
            }
        }
    }

    /** Puts the answers to rows of PEs over a network to where this PE's memory is staged there. */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void answers(MoeSpace space, Network network) {
        Fence.system();
        for (int i = BlockIdx.x(); i < network.count(); i += GridDim.x()) {
            int pe = network.far().get(i);
            runs(space, network, pe, space.me(), pe, 0, network.staged(space.me(), pe));
            Shmem.quiet();
            Block.sync();
            if (ThreadIdx.x() == 0) {
                I32Ptr flag = network.symmetric()
                        .plus(space.answers() + 4L * space.me())
                        .asI32();
                Shmem.p(flag, space.epoch().get(0), pe);
                Shmem.quiet();
            }
        }
    }

    /**
     * Puts all runs of rows of {@code source} that {@code owner} has; a block's.
     *
     * @param from bytes from this PE's memory to that which has them
     * @param to bytes from the other PE's memory to that which gets them
     */
    private static void runs(MoeSpace space, Network network, int source, int owner, int pe, long from, long to) {
        int counters = space.counters();
        I64Ptr counts = network.counts();
        if (space.rankRows() > 0) {
            int rows = (int) counts.get((long) source * counters + owner);
            if (Warp.id() == 0) {
                run(space, network, (long) source * space.rankRows(), rows, pe, from, to);
            }
            return;
        }
        int first = space.first(owner);
        int local = space.local(owner);
        int padding = space.padding();
        long start = 0;
        for (int e = 0; e < local; e++) {
            boolean fixed = space.maxRows() > 0;
            long row = fixed ? (long) e * space.maxRows() : start;
            long end = fixed ? row + space.maxRows() : space.capacity();
            long begin = row;
            for (int each = 0; each < space.pes(); each++) {
                int rows = (int) counts.get((long) each * counters + first + e);
                begin += each < source ? rows : 0;
                row += rows;
            }
            int rows = (int) counts.get((long) source * counters + first + e);
            long fit = Math.min(rows, end - begin);
            if (e % (BlockDim.x() / Warp.SIZE) == Warp.id() && fit > 0) {
                run(space, network, begin, (int) fit, pe, from, to);
            }
            start = (row + padding - 1) / padding * padding;
        }
    }

    /** A warp's. */
    private static void run(MoeSpace space, Network network, long first, int rows, int pe, long from, long to) {
        for (int i = 0; i < network.arrays() && rows > 0; i++) {
            I64Ptr column = network.columns().plus(4L * i);
            long bytes = column.get(1);
            long period = column.get(2);
            long at = column.get(0)
                    + (period == 0 ? first * bytes : first / period * column.get(3) + first % period * bytes);
            put(network, to + at, space.base().plus(from + at), bytes * rows, pe);
        }
    }
}
