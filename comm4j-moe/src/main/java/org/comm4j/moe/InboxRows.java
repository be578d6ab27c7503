// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Int4;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;

/**
 * Rows of few tokens, which go at the same time as counts: to an inbox of the PE, where the sender can tell their
 * number by its own counts alone. The receiver, which gets the counts of all, places them. Each four bytes have their
 * epoch beside them, as in the LL protocol of NCCL, so they need no flag behind them, and no flight of their own.
 *
 * <p>Words of a row: the local expert, which of the sender's rows of it this is, the row, its scales, its payloads.
 */
@KernelLibrary
final class InboxRows {
    /** Words before the row. */
    static final int HEAD = 2;
    /** Words of a row that a lane of a warp loads before it waits for the first. */
    private static final int BATCH = 8;

    private InboxRows() {}

    /**
     * A lane's: where the row of a choice goes, and what it says of its place. To be called by all lanes, for the tokens
     * of a block in their order.
     *
     * @param next by slot: the number of this PE's next route of it
     * @param own by slot: the number of this PE's routes
     * @param targets by choice: where the row goes, {@link PullKernels#NOWHERE} for none that goes to another PE
     * @param heads by choice: the local expert, above which of the rows of it this is
     */
    static void address(
            MoeSpace space,
            int epoch,
            I8Ptr chosen,
            int routeBytes,
            int token,
            I32Ptr next,
            I32Ptr own,
            long[] targets,
            long[] heads,
            int half) {
        int lane = Warp.laneId();
        int slot = Counting.slot(space, chosen, routeBytes, token, false);
        boolean valid = slot >= 0;
        int same = Warp.matchAny(valid ? slot : -1 - lane);
        int before = Integer.bitCount(same & (1 << lane) - 1);
        int number = valid ? next.get(slot) + before : 0;
        Warp.sync();
        if (valid && before == 0) {
            next.set(slot, number + Integer.bitCount(same));
        }
        Warp.sync();
        int owner = valid ? space.owner(slot) : space.me();
        long target = PullKernels.NOWHERE;
        if (owner != space.me()) {
            int first = space.first(owner);
            int inbox = number;
            for (int e = first; e < slot; e++) {
                inbox += own.get(e);
            }
            heads[half + lane] = (long) (slot - first) << 32 | number;
            target = space.distances().get(owner) + space.inbox(epoch, space.me(), inbox);
        }
        targets[half + lane] = target;
    }

    /** Sends some parts of a token; a block's. */
    static void send(
            MoeSpace space,
            int epoch,
            SendKernels.RowSource source,
            Payloads.Along along,
            int token,
            int parts,
            int first,
            int last,
            long[] targets,
            long[] heads,
            int half) {
        int vectors = space.rowBytes() / 16;
        int begin = (int) ((long) first * vectors / parts);
        int end = (int) ((long) last * vectors / parts);
        for (int i = begin + ThreadIdx.x(); i < end; i += BlockDim.x()) {
            Int4 data = source.at(token, i);
            for (int k = 0; k < space.perToken(); k++) {
                long target = targets[half + k];
                if (target != PullKernels.NOWHERE) {
                    put(space, epoch, target, HEAD + 4 * i, data.x());
                    put(space, epoch, target, HEAD + 4 * i + 1, data.y());
                    put(space, epoch, target, HEAD + 4 * i + 2, data.z());
                    put(space, epoch, target, HEAD + 4 * i + 3, data.w());
                }
            }
        }
        if (first == 0) {
            rest(space, epoch, along, token, targets, heads, half);
        }
    }

    private static void put(MoeSpace space, int epoch, long target, int word, int data) {
        I64Ptr to = space.base().plus(target).asI64();
        to.setVolatile(word, (long) epoch << 32 | data & 0xffff_ffffL);
    }

    /** Sends heads, scales and payloads of a token. */
    private static void rest(
            MoeSpace space, int epoch, Payloads.Along along, int token, long[] targets, long[] heads, int half) {
        int choices = space.perToken();
        int scales = HEAD + space.rowBytes() / 4;
        int each = HEAD + space.scales();
        for (int i = ThreadIdx.x(); i < each * choices; i += BlockDim.x()) {
            int k = i / each;
            int number = i - k * each - HEAD;
            long target = targets[half + k];
            if (target != PullKernels.NOWHERE) {
                int word = number < 0 ? HEAD + number : scales + number;
                int data = number < 0
                        ? (int) (number == -HEAD ? heads[half + k] >>> 32 : heads[half + k])
                        : scale(space, along, token, number);
                put(space, epoch, target, word, data);
            }
        }
        int at = scales + space.scales();
        for (int p = 0; p < Payloads.MOST; p++) {
            Unroll.all();
            Payloads.One payload = along.payloads().at(p);
            int words = payload.bytes() / 4;
            for (int i = ThreadIdx.x(); i < words * choices; i += BlockDim.x()) {
                int k = i / words;
                int word = i - k * words;
                long target = targets[half + k];
                if (target != PullKernels.NOWHERE) {
                    int data = payload.from().asI32().get((long) token * words + word);
                    put(space, epoch, target, at + word, data);
                }
            }
            at += words;
        }
    }

    private static int scale(MoeSpace space, Payloads.Along along, int token, int number) {
        long at = token * along.scaleRow() + number * along.scaleStep();
        return space.scaleBytes() == 1
                ? along.scales().get(at)
                : along.scales().asI32().get(at);
    }

    /**
     * Places the rows that other PEs have sent to this one's inboxes; a grid's, whose warps share the words. Those
     * behind the end are left out.
     *
     * @param starts of this PE's experts, where areas follow each other
     */
    static void place(MoeSpace space, int epoch, Payloads payloads, I32Ptr starts) {
        int words = space.inboxBytes() / 8;
        int pieces = (words + BATCH * Warp.SIZE - 1) / (BATCH * Warp.SIZE);
        int warps = BlockDim.x() / Warp.SIZE;
        int turn = BlockIdx.x() * warps + Warp.id();
        boolean came = true;
        for (int i = 0; i < space.living() && came; i++) {
            int source = space.peer(i);
            if (source != space.me() && Counting.areFew(space, epoch, source)) {
                int items = pieces * came(space, epoch, source);
                for (; turn < items && came; turn += GridDim.x() * warps) {
                    came = piece(space, epoch, payloads, starts, source, turn / pieces, turn % pieces);
                }
                // The next source goes on with the warp behind.
                turn -= items;
            }
        }
    }

    /** The rows that a PE has for this one; a warp's. */
    private static int came(MoeSpace space, int epoch, int source) {
        int first = space.first(space.me());
        int rows = 0;
        for (int e = Warp.laneId(); e < space.local(space.me()); e += Warp.SIZE) {
            rows += Counting.count(Counting.word(space, epoch, source, first + e));
        }
        return sum(rows);
    }

    private static int sum(int value) {
        int all = value;
        for (int lane = Warp.SIZE / 2; lane > 0; lane /= 2) {
            all += Warp.shuffleXor(all, lane);
        }
        return all;
    }

    /** A warp's: places words of a row; whether they came. */
    private static boolean piece(
            MoeSpace space, int epoch, Payloads payloads, I32Ptr starts, int source, int number, int piece) {
        I64Ptr from = space.base().plus(space.inbox(epoch, source, number)).asI64();
        int lane = Warp.laneId();
        int first = piece * BATCH * Warp.SIZE;
        long head = get(space, epoch, from, Math.min(lane, HEAD - 1), source);
        int words = space.inboxBytes() / 8;
        long[] found = new long[BATCH];
        for (int j = 0; j < BATCH; j++) {
            Unroll.all();
            int word = first + j * Warp.SIZE + lane;
            found[j] = word < words ? from.getVolatile(word) : 0;
        }
        if (!Warp.all(head != 0)) {
            return false;
        }
        int expert = Warp.shuffle((int) head, 0);
        int row = row(space, epoch, starts, source, expert, Warp.shuffle((int) head, 1));
        boolean came = true;
        for (int j = 0; j < BATCH; j++) {
            Unroll.all();
            int word = first + j * Warp.SIZE + lane;
            if (word < words && came) {
                long value = Waiting.word(space, from.plus(word), found[j], epoch, Waiting.ROWS, source);
                came = value != 0;
                if (came && row >= 0) {
                    store(space, payloads, row, word - HEAD, (int) value);
                }
            }
        }
        return Warp.all(came);
    }

    private static long get(MoeSpace space, int epoch, I64Ptr from, int word, int source) {
        return Waiting.word(space, from.plus(word), from.getVolatile(word), epoch, Waiting.ROWS, source);
    }

    /** A warp's: the place of a PE's row of an expert; below 0 if it is behind the end. */
    private static int row(MoeSpace space, int epoch, I32Ptr starts, int source, int expert, int number) {
        int slot = space.first(space.me()) + expert;
        int before = 0;
        for (int i = Warp.laneId(); i < space.living(); i += Warp.SIZE) {
            int pe = space.peer(i);
            before += pe < source ? Counting.count(Counting.word(space, epoch, pe, slot)) : 0;
        }
        boolean padded = space.maxRows() > 0;
        int row = (padded ? expert * space.maxRows() : starts.get(expert)) + sum(before) + number;
        return row < (padded ? (expert + 1) * space.maxRows() : space.capacity()) ? row : -1;
    }

    /** Stores a word of a row behind its head. */
    private static void store(MoeSpace space, Payloads payloads, int row, int word, int data) {
        int rowWords = space.rowBytes() / 4;
        int scale = word - rowWords;
        int at = scale - space.scales();
        if (word < 0) {
            return;
        }
        if (scale < 0) {
            space.base().plus(space.rows() + (long) row * space.rowBytes()).asI32().set(word, data);
        } else if (at < 0) {
            I8Ptr to = space.base().plus(space.scale(row, scale));
            if (space.scaleBytes() == 1) {
                to.set(0, (byte) data);
            } else {
                to.asI32().set(0, data);
            }
        } else {
            for (int p = 0; p < Payloads.MOST; p++) {
                Unroll.all();
                Payloads.One payload = payloads.at(p);
                int words = payload.bytes() / 4;
                if (at >= 0 && at < words) {
                    space.base().plus(payload.to() + (long) row * payload.bytes()).asI32().set(at, data);
                }
                at -= words;
            }
        }
    }
}
