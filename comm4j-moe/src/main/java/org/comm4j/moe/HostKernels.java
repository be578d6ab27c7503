// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.device.Shmem;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/**
 * Kernels of {@link ExpertLayout#BY_RANK} between hosts, in two steps. A row crosses the network to a host once: to the
 * PE there that has the same number on its host, the <em>relay</em>, which stores it to all PEs of its host that have
 * experts of the token. Back come sums: the relay adds the answers of its host's PEs, in their order, and puts one row.
 *
 * <p>What crosses lies in memory that stands for the sender's, at rows that the sender has on no PE: those of itself.
 * A block has another host.
 */
final class HostKernels {
    private HostKernels() {}

    /** The PE of this one's number on a host; {@code other} counts hosts but for this one's. */
    private static int relay(MoeSpace space, int reach, int other) {
        int mine = space.me() / reach;
        return (other < mine ? other : other + 1) * reach + space.me() % reach;
    }

    /** Bytes from this PE's memory to that which stands here for {@code pe}'s. */
    private static long image(MoeSpace space, NetworkKernels.Network network, int pe) {
        return network.staged(pe, space.me());
    }

    /** Whether the other PEs' flag in the image of a PE has become the epoch. */
    private static boolean came(
            MoeSpace space, NetworkKernels.Network network, long flags, int epoch, int what, int pe) {
        I32Ptr flag = space.base().plus(image(space, network, pe) + flags + 4L * pe).asI32();
        return Waiting.flag(space, flag, epoch, what, pe);
    }

    /**
     * Puts this PE's rows to relays, with what they need to pass them on, and writes where sums will be.
     *
     * @param sums by token and choice, in bytes from the beginning: places of answers, with those of another host's PEs
     *     replaced by the relay's, once
     */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void toRelays(MoeSpace space, NetworkKernels.Network network, int reach, long sums) {
        int choices = space.perToken();
        int relay = relay(space, reach, BlockIdx.x());
        int host = relay / reach;
        int lane = Warp.laneId();
        long here = image(space, network, relay);
        long there = network.staged(space.me(), relay);
        // Of each row: on which PE of the host it belongs into which row. Rows of a neighbour are nowhere else in it.
        int neighbour = space.me() / reach * reach + (space.me() + 1) % reach;
        long lists = here + space.rowChoices() + 4L * choices * neighbour * space.rankRows();
        I64Ptr answers = space.base().plus(sums).asI64();
        int rows = 0;
        for (int token = 0; token < space.tokens().get(0); token++) {
            long route = (long) token * choices + lane;
            long place = lane < choices ? space.place(route).get(0) : -1;
            int pe = (int) (place >>> 32);
            boolean goes = place >= 0 && pe / reach == host;
            int those = Warp.ballot(goes);
            boolean any = those != 0;
            int leader = any ? Integer.numberOfTrailingZeros(those) : 0;
            // Each warp counts all rows.
            if (any && Warp.id() == rows % (BlockDim.x() / Warp.SIZE)) {
                long row = (long) space.me() * space.rankRows() + rows;
                long first = Warp.shuffle(place, leader);
                long from = image(space, network, (int) (first >>> 32)) + space.rows()
                        + (first & 0xffff_ffffL) * space.rowBytes();
                NetworkKernels.put(
                        network,
                        there + space.rows() + row * space.rowBytes(),
                        space.base().plus(from),
                        space.rowBytes(),
                        relay);
                if (lane < choices) {
                    int number = (int) place - space.me() * space.rankRows();
                    int entry = goes ? pe % reach * space.rankRows() + number : -1;
                    space.base().plus(lists).asI32().set((long) rows * choices + lane, entry);
                }
                if (goes) {
                    answers.set(route, lane == leader ? (long) relay << 32 | row : -1);
                }
            }
            boolean own = place < 0 || pe / reach == space.me() / reach;
            if (BlockIdx.x() == 0 && Warp.id() == 0 && lane < choices && own) {
                answers.set(route, place);
            }
            rows += any ? 1 : 0;
        }
        Fence.system();
        Block.sync();
        if (Warp.id() == 0 && rows > 0) {
            long to = there + space.rowChoices() + 4L * choices * space.me() * space.rankRows();
            NetworkKernels.put(network, to, space.base().plus(lists), 4L * choices * rows, relay);
        }
        if (ThreadIdx.x() == 0) {
            Shmem.p(at(network, there + space.counts(), space.me()), rows, relay);
        }
        Shmem.quiet();
        Block.sync();
        if (ThreadIdx.x() == 0) {
            Shmem.p(at(network, there + space.flags(), space.me()), space.epoch().get(0), relay);
            Shmem.quiet();
        }
    }

    private static I32Ptr at(NetworkKernels.Network network, long words, int number) {
        return network.symmetric().plus(words + 4L * number).asI32();
    }

    /** Passes rows on to the PEs of this host. */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void forward(MoeSpace space, NetworkKernels.Network network, int reach) {
        int epoch = space.epoch().get(0);
        int source = relay(space, reach, BlockIdx.x());
        if (!Block.syncAnd(came(space, network, space.flags(), epoch, Waiting.ROWS, source))) {
            return;
        }
        long image = image(space, network, source);
        int rows = space.base().plus(image + space.counts()).asI32().get(source);
        int choices = space.perToken();
        int host = space.me() / reach;
        long begin = (long) source * space.rankRows();
        I32Ptr lists = space.base().plus(image + space.rowChoices()).asI32();
        for (int row = 0; row < rows; row++) {
            I32Ptr from = space.base()
                    .plus(image + space.rows() + (begin + row) * space.rowBytes())
                    .asI32();
            for (int k = 0; k < choices; k++) {
                int entry = lists.get((begin + row) * choices + k);
                if (entry >= 0) {
                    int pe = host * reach + entry / space.rankRows();
                    long to = begin + entry % space.rankRows();
                    I32Ptr there =
                            space.at(pe).plus(space.rows() + to * space.rowBytes()).asI32();
                    for (int i = ThreadIdx.x(); i < space.rowBytes() / 16; i += BlockDim.x()) {
                        there.set4(4L * i, from.get4(4L * i));
                    }
                }
            }
        }
        Fence.system();
        Block.sync();
        for (int i = ThreadIdx.x(); i < reach; i += BlockDim.x()) {
            int pe = host * reach + i;
            long flag = network.staged(source, pe) + space.flags() + 4L * source;
            if (pe != space.me()) {
                space.at(pe).plus(flag).asI32().setRelease(0, epoch, Scope.SYSTEM);
            }
        }
    }

    /** Waits for what other hosts' PEs have put here, and for their rows from relays; then says that rows are there. */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void arrived(MoeSpace space, NetworkKernels.Network network) {
        int epoch = space.epoch().get(0);
        for (int i = ThreadIdx.x(); i < network.count(); i += BlockDim.x()) {
            int pe = network.far().get(i);
            boolean complete = came(space, network, space.answers(), epoch, Waiting.ROWS, pe)
                    && came(space, network, space.flags(), epoch, Waiting.ROWS, pe);
            if (complete) {
                space.base().plus(space.flags() + 4L * pe).asI32().setRelease(0, epoch, Scope.SYSTEM);
            }
        }
    }

    /**
     * Adds the answers of this host's PEs to rows of other hosts, in the order of PEs, in FLOAT32 from 0, rounded to
     * their type.
     */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void sums(
            @Constant SumType type, MoeSpace space, NetworkKernels.Network network, int reach, int hidden) {
        int epoch = space.epoch().get(0);
        int host = space.me() / reach;
        boolean complete = true;
        for (int i = ThreadIdx.x(); i < reach && complete; i += BlockDim.x()) {
            int pe = host * reach + i;
            I32Ptr flag = space.base().plus(space.answers() + 4L * pe).asI32();
            complete = Waiting.flag(space, flag, epoch, Waiting.RESULTS, pe);
        }
        if (!Block.syncAnd(complete)) {
            return;
        }
        int source = relay(space, reach, BlockIdx.x());
        long image = image(space, network, source);
        int rows = space.base().plus(image + space.counts()).asI32().get(source);
        int choices = space.perToken();
        long begin = (long) source * space.rankRows();
        long bytes = (long) hidden * type.bytes();
        I32Ptr lists = space.base().plus(image + space.rowChoices()).asI32();
        for (int row = 0; row < rows; row++) {
            I8Ptr to = space.base().plus(image + space.results() + (begin + row) * bytes);
            for (int i = ThreadIdx.x(); i < hidden; i += BlockDim.x()) {
                float sum = 0;
                for (int k = 0; k < choices; k++) {
                    int entry = lists.get((begin + row) * choices + k);
                    if (entry >= 0) {
                        int pe = host * reach + entry / space.rankRows();
                        long at = begin + entry % space.rankRows();
                        sum += SumType.get(type, space.at(pe).plus(space.results() + at * bytes), i);
                    }
                }
                SumType.set(type, to, i, sum);
            }
        }
    }

    /** Puts the sums back, and says to all PEs of other hosts that this PE's results are there. */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void back(MoeSpace space, NetworkKernels.Network network, int reach, long bytes) {
        Fence.system();
        int source = relay(space, reach, BlockIdx.x());
        long image = image(space, network, source);
        int rows = space.base().plus(image + space.counts()).asI32().get(source);
        long at = space.results() + bytes * source * space.rankRows();
        if (Warp.id() == 0 && rows > 0) {
            long to = network.staged(space.me(), source) + at;
            NetworkKernels.put(network, to, space.base().plus(image + at), bytes * rows, source);
        }
        Shmem.quiet();
        Block.sync();
        for (int i = ThreadIdx.x(); i < reach; i += BlockDim.x()) {
            Shmem.p(at(network, space.answers(), space.me()), space.epoch().get(0), source / reach * reach + i);
        }
        Shmem.quiet();
    }
}
