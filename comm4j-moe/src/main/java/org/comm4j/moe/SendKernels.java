// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.Block;
import org.comm4j.kernel.BlockDim;
import org.comm4j.kernel.BlockIdx;
import org.comm4j.kernel.Grid;
import org.comm4j.kernel.GridDim;
import org.comm4j.kernel.I32Ptr;
import org.comm4j.kernel.I8Ptr;
import org.comm4j.kernel.Int4;
import org.comm4j.kernel.Kernel;
import org.comm4j.kernel.Order;
import org.comm4j.kernel.Scope;
import org.comm4j.kernel.Shared;
import org.comm4j.kernel.ThreadIdx;
import org.comm4j.kernel.Warp;

/**
 * The kernels of dispatch. Block 0 sends counts before it waits for those of others, and the block that ends last tells
 * them that the rows are there: no block waits for one of its own grid, so a grid of any size goes.
 */
final class SendKernels {
    /** The most threads of a block. */
    static final int THREADS = 512;

    /** No place. */
    private static final long NOWHERE = Long.MIN_VALUE;

    private SendKernels() {}

    /**
     * Sends the rows of tokens to the PEs of their experts.
     *
     * @param x rows of {@code space.rowBytes()}
     * @param chosen experts of each token
     * @param routeBytes of an expert's number, 4 or 8
     * @param parts of a row, which blocks share
     * @param receives whether this PE's rows are waited for, too
     */
    @Kernel(maxThreads = THREADS)
    static void dispatch(
            MoeSpace space, I8Ptr x, I8Ptr chosen, int routeBytes, int tokens, int parts, boolean receives) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        int experts = space.experts();
        int epoch = space.epoch().get(0) + 1;
        I32Ptr rows = Shared.dynamicI32();
        I32Ptr own = rows.plus(experts);
        I32Ptr all = own.plus(experts);
        I32Ptr starts = all.plus(experts);

        int items = tokens * parts;
        int share = (items + GridDim.x() - 1) / GridDim.x();
        int from = Math.min(BlockIdx.x() * share, items);
        int to = Math.min(from + share, items);
        Counting.own(space, chosen, routeBytes, tokens, from / parts, rows, own);
        if (BlockIdx.x() == 0) {
            Counting.send(space, epoch, own);
        }
        boolean complete = Block.syncAnd(Counting.receive(space, epoch, rows, all));
        if (complete) {
            Counting.layOut(space, rows, all, starts);
            Block.sync();
            if (space.maxRows() == 0) {
                Counting.describe(space, all, starts);
            }
            rows(space, x, chosen, routeBytes, parts, from, to, rows);
        }
        end(space, epoch, complete, receives);
    }

    private static void rows(
            MoeSpace space, I8Ptr x, I8Ptr chosen, int routeBytes, int parts, int from, int to, I32Ptr rows) {
        // Twice, so that one barrier a token is enough.
        long[] targets = Shared.i64(2 * Warp.SIZE);
        int vectors = space.rowBytes() / 16;
        for (int token = from / parts; token * parts < to; token++) {
            int half = (token & 1) * Warp.SIZE;
            if (Warp.id() == 0) {
                boolean begins = token * parts >= from;
                long place = Counting.route(space, chosen, routeBytes, token, rows, begins);
                int lane = Warp.laneId();
                if (begins && lane < space.perToken()) {
                    space.place((long) token * space.perToken() + lane).set(0, place);
                }
                targets[half + lane] = place < 0
                        ? NOWHERE
                        : space.distances().get(place >>> 32)
                                + space.rows()
                                + (place & 0xffff_ffffL) * space.rowBytes();
            }
            Block.sync();
            int begin = (int) ((long) Math.max(from - token * parts, 0) * vectors / parts);
            int end = (int) ((long) Math.min(to - token * parts, parts) * vectors / parts);
            I32Ptr row = x.plus((long) token * space.rowBytes()).asI32();
            for (int i = begin + ThreadIdx.x(); i < end; i += BlockDim.x()) {
                Int4 data = row.get4(4L * i);
                for (int k = 0; k < space.perToken(); k++) {
                    long target = targets[half + k];
                    if (target != NOWHERE) {
                        space.base().plus(target).asI32().set4(4L * i, data);
                    }
                }
            }
        }
    }

    /** The block that is the last to come here ends the dispatch. */
    private static void end(MoeSpace space, int epoch, boolean complete, boolean receives) {
        int[] isLast = Shared.i32(1);
        Block.sync();
        if (ThreadIdx.x() == 0) {
            int before = space.ticket().atomicAdd(0, 1, Scope.DEVICE, Order.ACQ_REL);
            isLast[0] = before == GridDim.x() - 1 ? 1 : 0;
        }
        Block.sync();
        if (isLast[0] == 0) {
            return;
        }
        for (int i = ThreadIdx.x(); i < space.pes() && complete; i += BlockDim.x()) {
            int pe = space.me() + i < space.pes() ? space.me() + i : space.me() + i - space.pes();
            space.at(pe).plus(space.flags() + 4L * space.me()).asI32().setRelease(0, epoch, Scope.SYSTEM);
        }
        if (ThreadIdx.x() == 0) {
            space.ticket().set(0, 0);
            space.epoch().set(0, epoch);
            tell(space);
        }
        if (receives && complete) {
            arrived(space, epoch);
        }
    }

    /** What was found wrong goes to the host. */
    private static void tell(MoeSpace space) {
        long wrong = space.wrong().get(0);
        if (wrong != MoeSpace.NO_ROUTE) {
            space.wrong().set(0, MoeSpace.NO_ROUTE);
            space.report().setVolatile(MoeSpace.REPORT_ROUTE, wrong);
        }
        long overflow = space.overflow().get(0);
        if (overflow != MoeSpace.NO_ROUTE) {
            space.overflow().set(0, MoeSpace.NO_ROUTE);
            space.report().setVolatile(MoeSpace.REPORT_OVERFLOW, overflow);
        }
    }

    /** Waits for the rows of all PEs; a block's. */
    private static void arrived(MoeSpace space, int epoch) {
        for (int pe = ThreadIdx.x(); pe < space.pes(); pe += BlockDim.x()) {
            I32Ptr flag = space.base().plus(space.flags() + 4L * pe).asI32();
            if (!Waiting.flag(space, flag, epoch, Waiting.ROWS, pe)) {
                return;
            }
        }
    }

    /** Waits for the rows of a dispatch that has only sent. One block. */
    @Kernel(maxThreads = THREADS)
    static void receive(MoeSpace space) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        arrived(space, space.epoch().get(0));
    }
}
