// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Int4;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;

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

    /** What rows are made of, 16 bytes at once. */
    @FunctionalInterface
    interface RowSource {
        Int4 at(int token, int vector);
    }

    /**
     * Sends the rows of tokens to the PEs of their experts.
     *
     * @param quantize whether rows become FLOAT8_E4M3
     * @param powers whether their scales are powers of two
     * @param type of what is quantized
     * @param plain whether the space is ({@link MoeSpace#isPlain})
     * @param alone whether there are no payloads
     * @param x rows of {@code inputBytes}
     * @param chosen experts of each token
     * @param routeBytes of an expert's number, 4 or 8
     * @param bound of the number of tokens, if {@code bounded}; else it is {@code most}
     * @param weights of choices, where a token goes to a PE once
     * @param scales of tokens, at these strides
     * @param parts of a row, which blocks share
     * @param receives whether this PE's rows are waited for, too
     */
    @Kernel(maxThreads = THREADS)
    static void dispatch(
            @Constant boolean quantize,
            @Constant boolean powers,
            @Constant SumType type,
            @Constant boolean plain,
            @Constant boolean alone,
            MoeSpace any,
            I8Ptr x,
            int inputBytes,
            I8Ptr chosen,
            int routeBytes,
            int most,
            I32Ptr bound,
            boolean bounded,
            F32Ptr weights,
            I8Ptr scales,
            long scaleRow,
            long scaleStep,
            Payloads payloads,
            int parts,
            boolean receives) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        MoeSpace space = plain ? any.plain() : any;
        int tokens = bounded ? Math.max(Math.min(bound.get(0), most), 0) : most;
        RowSource source =
                (token, vector) -> x.plus((long) token * inputBytes).asI32().get4(4L * vector);
        send(
                quantize,
                powers,
                type,
                space,
                x,
                inputBytes,
                source,
                chosen,
                routeBytes,
                tokens,
                new Payloads.Along(weights, scales, scaleRow, scaleStep, alone ? Payloads.none(x) : payloads),
                parts,
                receives);
        if (bounded && BlockIdx.x() == 0 && ThreadIdx.x() == 0 && bound.get(0) != tokens) {
            space.report().setVolatile(MoeSpace.REPORT_TOKENS, 1L << 32 | bound.get(0) & 0xffff_ffffL);
        }
    }

    /** Sends rows; to be called by all threads of a grid. */
    static void send(
            boolean quantize,
            boolean powers,
            SumType type,
            MoeSpace space,
            I8Ptr x,
            int inputBytes,
            RowSource source,
            I8Ptr chosen,
            int routeBytes,
            int tokens,
            Payloads.Along along,
            int parts,
            boolean receives) {
        int slots = space.counters();
        int epoch = space.nextEpoch();
        I32Ptr rows = Shared.dynamicI32();
        I32Ptr own = rows.plus(slots);
        I32Ptr all = own.plus(slots);
        I32Ptr starts = all.plus(slots);

        int items = tokens * parts;
        int share = (items + GridDim.x() - 1) / GridDim.x();
        int from = Math.min(BlockIdx.x() * share, items);
        int to = Math.min(from + share, items);
        Counting.own(space, chosen, routeBytes, tokens, from / parts, rows, own);
        if (BlockIdx.x() == 0) {
            Counting.send(space, epoch, own);
        }
        Counting.begins(space, rows);
        boolean complete = Block.syncAnd(Counting.receive(space, epoch, rows, all));
        if (complete) {
            Counting.layOut(space, rows, all, starts);
            Block.sync();
            rows(
                    quantize,
                    powers,
                    type,
                    space,
                    x,
                    inputBytes,
                    source,
                    chosen,
                    routeBytes,
                    0,
                    along,
                    parts,
                    from,
                    to,
                    rows);
        }
        boolean last = end(space, epoch, tokens, complete);
        if (complete && space.maxRows() == 0) {
            // Rows, and the word that they are there, are on their way meanwhile.
            Counting.describe(space, all, starts);
        }
        if (complete && last) {
            Counting.record(space, all);
            if (receives) {
                boolean _ = arrived(space, epoch);
            }
        }
    }

    private static void rows(
            boolean quantize,
            boolean powers,
            SumType type,
            MoeSpace space,
            I8Ptr x,
            int inputBytes,
            RowSource source,
            I8Ptr chosen,
            int routeBytes,
            long earlier,
            Payloads.Along along,
            int parts,
            int from,
            int to,
            I32Ptr rows) {
        // Twice, so that one barrier a token is enough.
        long[] places = Shared.i64(2 * Warp.SIZE);
        long[] targets = Shared.i64(2 * Warp.SIZE);
        long[] experts = Shared.i64(2 * Warp.SIZE);
        int vectors = space.rowBytes() / 16;
        // Threads of a block of quantization are neighbours.
        int unit = quantize ? QuantizeRows.THREADS : 1;
        int piece = ((vectors + unit - 1) / unit + parts - 1) / parts * unit;
        for (int token = from / parts; token * parts < to; token++) {
            int half = (token & 1) * Warp.SIZE;
            boolean begins = token * parts >= from;
            int begin = Math.max(from - token * parts, 0) * piece;
            int end = Math.min(Math.min(to - token * parts, parts) * piece, vectors);
            // On its way while the first warp looks where the row goes.
            Int4 first = new Int4(0, 0, 0, 0);
            if (!quantize && begin + ThreadIdx.x() < end) {
                first = source.at(token, begin + ThreadIdx.x());
            }
            if (Warp.id() == 0) {
                int lane = Warp.laneId();
                long place = 0;
                if (earlier != 0) {
                    place = earlierPlace(space, earlier, token, lane);
                } else if (space.rankRows() > 0) {
                    place = Counting.rankRoute(space, chosen, routeBytes, token, rows, begins, experts, half);
                } else {
                    place = Counting.route(space, chosen, routeBytes, token, rows, begins);
                }
                if (begins && lane < space.perToken()) {
                    space.place((long) token * space.perToken() + lane).set(0, place);
                }
                // Of PEs with the same tokens, each sends its own.
                boolean sends = place >= 0 && space.sender(token) == space.me();
                places[half + lane] = sends ? place : -1;
                targets[half + lane] = sends
                        ? space.distances().get(place >>> 32) + space.rows() + (place & 0xffff_ffffL) * space.rowBytes()
                        : NOWHERE;
            }
            Block.sync();
            I32Ptr row = x.plus((long) token * inputBytes).asI32();
            if (quantize) {
                quantized(powers, type, space, row, places, targets, half, begin, end);
            } else {
                copied(space, source, token, first, targets, half, begin, end);
            }
            if (begins) {
                AlongRows.send(quantize, space, along, token, places, half);
                if (space.rankRows() > 0 && earlier == 0) {
                    AlongRows.choices(space, along.weights(), token, places, experts, half);
                }
            }
        }
    }

    private static long earlierPlace(MoeSpace space, long earlier, int token, int lane) {
        long route = (long) token * space.perToken() + lane;
        return lane < space.perToken()
                ? space.base().plus(space.places() + earlier).asI64().get(route)
                : -1;
    }

    /**
     * Sends other rows along the routes of an earlier dispatch, without counting.
     *
     * @param earlier bytes from this dispatch's memory to that one's
     * @param receives whether this PE's rows are waited for, too
     */
    @Kernel(maxThreads = THREADS)
    static void again(
            @Constant boolean quantize,
            @Constant boolean powers,
            @Constant SumType type,
            MoeSpace space,
            I8Ptr x,
            int inputBytes,
            int parts,
            long earlier,
            boolean receives) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        int epoch = space.nextEpoch();
        int tokens = space.base()
                .plus(space.slot() + MoeSpace.TOKENS + earlier)
                .asI32()
                .get(0);
        if (BlockIdx.x() == 0) {
            Counting.begin(space, epoch);
        }
        boolean complete = Block.syncAnd(Counting.begun(space, epoch));
        if (complete) {
            Counting.describeAgain(space, earlier);
            int items = tokens * parts;
            int share = (items + GridDim.x() - 1) / GridDim.x();
            int from = Math.min(BlockIdx.x() * share, items);
            int to = Math.min(from + share, items);
            I32Ptr unused = space.ticket();
            I8Ptr none = space.base();
            Payloads.Along alone = new Payloads.Along(none.asF32(), none, 0, 1, Payloads.none(none));
            RowSource source =
                    (token, vector) -> x.plus((long) token * inputBytes).asI32().get4(4L * vector);
            rows(quantize, powers, type, space, x, inputBytes, source, x, 4, earlier, alone, parts, from, to, unused);
        }
        if (end(space, epoch, tokens, complete) && complete && receives) {
            boolean _ = arrived(space, epoch);
        }
    }

    private static void copied(
            MoeSpace space, RowSource source, int token, Int4 first, long[] targets, int half, int begin, int end) {
        Int4 data = first;
        int i = begin + ThreadIdx.x();
        while (i < end) {
            for (int k = 0; k < space.perToken(); k++) {
                long target = targets[half + k];
                if (target != NOWHERE) {
                    space.base().plus(target).asI32().set4(4L * i, data);
                }
            }
            i += BlockDim.x();
            if (i < end) {
                data = source.at(token, i);
            }
        }
    }

    private static void quantized(
            boolean powers,
            SumType type,
            MoeSpace space,
            I32Ptr row,
            long[] places,
            long[] targets,
            int half,
            int begin,
            int end) {
        float[] values = new float[QuantizeRows.UNIT];
        float whole = space.scales() == 1 ? rowScale(powers, type, row, space.rowBytes() / 16, values) : 0;
        // All threads of a warp, as its shuffles need, also behind the end.
        for (int first = begin; first < end; first += BlockDim.x()) {
            int i = first + ThreadIdx.x();
            for (int e = 0; e < QuantizeRows.UNIT; e++) {
                Unroll.all();
                values[e] = 0;
            }
            if (i < end) {
                QuantizeRows.load(type, row, i, values);
            }
            float scale = space.scales() == 1 ? whole : QuantizeRows.scale(powers, values);
            Int4 data = QuantizeRows.quantized(values, scale);
            for (int k = 0; k < space.perToken() && i < end; k++) {
                long target = targets[half + k];
                if (target != NOWHERE) {
                    space.base().plus(target).asI32().set4(4L * i, data);
                    if (space.scales() == 1 ? i == 0 : i % QuantizeRows.THREADS == 0) {
                        I8Ptr to = AlongRows.scale(space, places[half + k], i / QuantizeRows.THREADS);
                        if (powers) {
                            to.set(0, (byte) (Float.floatToRawIntBits(scale) >>> 23));
                        } else {
                            to.asF32().set(0, scale);
                        }
                    }
                }
            }
        }
    }

    /** Returns the scale of a token that has one; to be called by all threads of the block. */
    private static float rowScale(boolean powers, SumType type, I32Ptr row, int vectors, float[] values) {
        float[] warps = Shared.f32(THREADS / Warp.SIZE);
        float most = 0;
        for (int i = ThreadIdx.x(); i < vectors; i += BlockDim.x()) {
            QuantizeRows.load(type, row, i, values);
            most = QuantizeRows.largest(values, most);
        }
        for (int lane = Warp.SIZE / 2; lane > 0; lane /= 2) {
            float other = Warp.shuffleXor(most, lane);
            most = other > most ? other : most;
        }
        // Those of the token before were read.
        Block.sync();
        if (Warp.laneId() == 0) {
            warps[Warp.id()] = most;
        }
        Block.sync();
        for (int warp = 0; warp < BlockDim.x() / Warp.SIZE; warp++) {
            most = warps[warp] > most ? warps[warp] : most;
        }
        return QuantizeRows.scale(powers, most);
    }

    /** The block that is the last to come here ends the dispatch; whether it is this one. */
    private static boolean end(MoeSpace space, int epoch, int tokens, boolean complete) {
        if (!Grid.isLastBlock(space.ticket())) {
            return false;
        }
        for (int i = ThreadIdx.x(); i < space.living() && complete; i += BlockDim.x()) {
            space.at(space.turn(i))
                    .plus(space.flags() + 4L * space.me())
                    .asI32()
                    .setRelease(0, epoch, Scope.SYSTEM);
        }
        if (ThreadIdx.x() == 0) {
            space.parts().set(0, 0);
            space.epoch().set(0, epoch);
            space.tokens().set(0, tokens);
            tell(space);
        }
        return true;
    }

    /** What was found wrong goes to the host. */
    private static void tell(MoeSpace space) {
        long wrong = space.wrong().get(0);
        if (wrong != MoeSpace.NO_ROUTE) {
            space.wrong().set(0, MoeSpace.NO_ROUTE);
            space.report().setVolatile(MoeSpace.REPORT_ROUTE, wrong + 1);
        }
        long overflow = space.overflow().get(0);
        if (overflow != MoeSpace.NO_ROUTE) {
            space.overflow().set(0, MoeSpace.NO_ROUTE);
            space.report().setVolatile(MoeSpace.REPORT_OVERFLOW, overflow);
        }
    }

    /** Waits for the rows of all PEs; whether they came, for those that this thread looked at. */
    static boolean arrived(MoeSpace space, int epoch) {
        boolean complete = true;
        for (int i = ThreadIdx.x(); i < space.living() && complete; i += BlockDim.x()) {
            int pe = space.peer(i);
            I32Ptr flag = space.base().plus(space.flags() + 4L * pe).asI32();
            complete = Waiting.flag(space, flag, epoch, Waiting.ROWS, pe);
        }
        return complete;
    }

    /** Waits for the rows of a dispatch that has only sent. One block. */
    @Kernel(maxThreads = THREADS)
    static void receive(MoeSpace space) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        boolean _ = arrived(space, space.epoch().get(0));
    }
}
