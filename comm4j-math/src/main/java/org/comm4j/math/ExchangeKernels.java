// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Long2;
import org.comm4j.kernel.lang.PeerPointers;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.math.Numbers.Pack;

/**
 * Messages that ranks write into each other's memory, within one kernel. A block has a chunk of the message to one rank
 * and of that rank's message. It tells the rank that there is room and where its message belongs, waits to be told the
 * same, writes its chunk, raises a flag, and waits for its own flag. Flags have the number of the exchange.
 */
final class ExchangeKernels {
    static final int THREADS = 256;

    /** The most blocks of all messages together, which must run at the same time: also on an eighth of a GPU. */
    private static final int MOST_BLOCKS = 128;

    /** Integers before the messages: exchanges so far, room, a place, and an arrival, of each block. */
    private static final int HEADER = 4 * MOST_BLOCKS;

    /** Bytes of a pack, the most that is copied at once. */
    static final int PACK = 16;

    /** Packs that a thread has on their way. */
    private static final int PACKS = 4;

    /** Integers of a message's plan: bytes before it and of it where it is sent, and where it is received. */
    private static final int PLAN = 4;

    /**
     * The memory of the ranks.
     *
     * @param blocks of a message
     * @param limit nanoseconds that a rank is waited for; 0 for no limit
     * @param report see {@link PeerMemory#report}
     */
    record Space(int rank, int ranks, int blocks, long limit, I64Ptr report, PeerPointers memory) {
        private I64Ptr word(int rank, int kind, int peer, int block) {
            return memory.at(rank).asI64().plus(kind * MOST_BLOCKS + peer * (MOST_BLOCKS / ranks) + block);
        }

        /** Returns how often a block of this rank has exchanged chunks with a peer. */
        I64Ptr turns(int peer, int block) {
            return word(rank, 0, peer, block);
        }

        /** Returns the flag on {@code rank} that there is room for its message on {@code peer}. */
        I64Ptr room(int rank, int peer, int block) {
            return word(rank, 1, peer, block);
        }

        /** Returns the bytes on {@code rank} before the place of its message on {@code peer}. */
        I64Ptr place(int rank, int peer, int block) {
            return word(rank, 2, peer, block);
        }

        /** Returns the flag on {@code rank} that a chunk from {@code peer} is there. */
        I64Ptr arrival(int rank, int peer, int block) {
            return word(rank, 3, peer, block);
        }

        I8Ptr landing(int rank) {
            return memory.at(rank).plus(HEADER * (long) Long.BYTES);
        }
    }

    private ExchangeKernels() {}

    // Sizes

    /** Returns the integers that a rank needs for messages of so many bytes. */
    static long length(long bytes) {
        return HEADER + Math.ceilDiv(bytes, PACK) * PACK / Long.BYTES;
    }

    /** Returns the blocks of a message where the rank that receives most receives so many bytes. */
    private static int blocks(int ranks, long bytes) {
        long share = Math.ceilDiv(bytes, (long) ranks * THREADS * PACK * PACKS);
        return Math.clamp(share, 1, MOST_BLOCKS / ranks);
    }

    static Space space(PeerMemory memory, long most) {
        List<Buffer> parts = memory.parts();
        return new Space(
                memory.rank(),
                parts.size(),
                blocks(parts.size(), most),
                memory.timeout().toNanos(),
                I64Ptr.of(memory.report()),
                PeerPointers.of(parts.size(), rank -> I64Ptr.of(parts.get(rank)).asI8()));
    }

    /** Returns the memory of this rank in which messages arrive. */
    static Buffer landing(PeerMemory memory) {
        Buffer own = memory.parts().get(memory.rank());
        return own.slice(HEADER, own.count() - HEADER);
    }

    /** Returns the plans of all messages of this rank, by rank. */
    static long[] plan(long[] sent, long[] received) {
        long[] plan = planOfNone(sent.length);
        long before = 0;
        long beforeReceived = 0;
        for (int rank = 0; rank < sent.length; rank++) {
            send(plan, rank, before, sent[rank]);
            receive(plan, rank, beforeReceived, received[rank]);
            before += sent[rank];
            beforeReceived += received[rank];
        }
        return plan;
    }

    /** Returns the plans of no messages, to which {@link #send} and {@link #receive} add some. */
    static long[] planOfNone(int ranks) {
        return new long[PLAN * ranks];
    }

    /** Plans the message to a rank: so many bytes, behind those before it. */
    static void send(long[] plan, int to, long before, long bytes) {
        plan[PLAN * to] = before;
        plan[PLAN * to + 1] = bytes;
    }

    /** Plans the message from a rank: so many bytes, which arrive behind those before it. */
    static void receive(long[] plan, int from, long before, long bytes) {
        plan[PLAN * from + 2] = before;
        plan[PLAN * from + 3] = bytes;
    }

    // Kernel

    /**
     * Exchanges messages: a block for each chunk and rank.
     *
     * @param plan see {@link #plan}
     * @param alignment of {@code send} and {@code recv}: a sum of powers of two below {@value #PACK}, 0 for all
     * @param copies whether {@code recv} is not where messages arrive
     */
    @Kernel(maxThreads = THREADS)
    static void run(Space space, I64Ptr plan, I8Ptr send, I8Ptr recv, int alignment, int copies) {
        int ranks = space.ranks;
        int peer = BlockIdx.x() % ranks;
        int block = BlockIdx.x() / ranks;
        I64Ptr own = plan.plus((long) PLAN * peer);
        long from = own.get(0);
        long sent = own.get(1);
        long to = own.get(2);
        long received = own.get(3);
        if (peer == space.rank) {
            copy(space, block, send.plus(from), recv.plus(to), sent, alignment | (int) (from | to | sent));
            return;
        }
        if (sent == 0 && received == 0) {
            return;
        }
        long turn = space.turns(peer, block).get(0) + 1;
        Block.sync();
        boolean room = true;
        if (ThreadIdx.x() == 0) {
            space.turns(peer, block).set(0, turn);
            if (received > 0) {
                space.place(peer, space.rank, block).setVolatile(0, to);
                space.room(peer, space.rank, block).setRelease(0, turn, Scope.SYSTEM);
            }
            room = sent == 0
                    || PeerWaits.until(space.room(space.rank, peer, block), turn, peer, space.limit, space.report);
        }
        if (!Block.syncAnd(room)) {
            return;
        }
        if (sent > 0) {
            long place = space.place(space.rank, peer, block).getVolatile(0);
            I8Ptr there = space.landing(peer).plus(place);
            copy(space, block, send.plus(from), there, sent, alignment | (int) (from | place | sent));
            Block.sync();
        }
        boolean arrived = true;
        if (ThreadIdx.x() == 0) {
            if (sent > 0) {
                space.arrival(peer, space.rank, block).setRelease(0, turn, Scope.SYSTEM);
            }
            arrived = received == 0
                    || PeerWaits.until(space.arrival(space.rank, peer, block), turn, peer, space.limit, space.report);
        }
        if (Block.syncAnd(arrived) && copies != 0) {
            I8Ptr here = space.landing(space.rank).plus(to);
            copy(space, block, here, recv.plus(to), received, alignment | (int) (to | received));
        }
    }

    /**
     * Adds up messages that have arrived, one of which is this rank's own: y = m₀ + m₁ + …, rounded after each. The
     * constants are those of {@link VectorKernels}.
     *
     * @param n numbers of a message
     * @param own which of them is {@code x}
     * @param arrived the others, in order
     * @param stride numbers from one of these to the next, a multiple of a pack
     */
    @Kernel
    static void sum(
            @Constant boolean wide,
            @Constant boolean aligned,
            long n,
            int messages,
            int own,
            Ptr x,
            Ptr arrived,
            long stride,
            Ptr y) {
        long i = GlobalIdx.xLong() * Numbers.lanes(wide);
        if (i >= n) {
            return;
        }
        Pack sum = message(wide, aligned, n, 0, own, x, arrived, stride, i);
        for (int m = 1; m < messages; m++) {
            sum = Numbers.plus(wide, sum, message(wide, aligned, n, m, own, x, arrived, stride, i));
        }
        Numbers.store(wide, aligned, y, i, n, sum);
    }

    private static Pack message(
            @Constant boolean wide,
            @Constant boolean aligned,
            long n,
            int m,
            int own,
            Ptr x,
            Ptr arrived,
            long stride,
            long i) {
        if (m == own) {
            return Numbers.load(wide, aligned, x, i, n, 0);
        }
        long before = (m < own ? m : m - 1) * stride;
        return Numbers.load(wide, true, arrived, before + i, before + n, 0);
    }

    /** Copies a block's chunk of a message, as many bytes at once as the lowest bit of {@code alignment} allows. */
    private static void copy(Space space, int block, I8Ptr from, I8Ptr to, long bytes, int alignment) {
        long share = (bytes + (long) space.blocks * PACK - 1) / ((long) space.blocks * PACK) * PACK;
        long begin = block * share;
        long size = Math.min(share, bytes - begin);
        if (size <= 0) {
            return;
        }
        if ((alignment & PACK - 1) == 0) {
            packs(from.plus(begin).asI64(), to.plus(begin).asI64(), size / PACK);
        } else if ((alignment & Long.BYTES - 1) == 0) {
            I64Ptr x = from.plus(begin).asI64();
            I64Ptr y = to.plus(begin).asI64();
            for (long i = ThreadIdx.x(); i < size / Long.BYTES; i += THREADS) {
                y.set(i, x.get(i));
            }
        } else {
            I32Ptr x = from.plus(begin).asI32();
            I32Ptr y = to.plus(begin).asI32();
            for (long i = ThreadIdx.x(); i < size / Integer.BYTES; i += THREADS) {
                y.set(i, x.get(i));
            }
        }
    }

    private static void packs(I64Ptr from, I64Ptr to, long count) {
        long i = ThreadIdx.x();
        for (; i + (PACKS - 1) * THREADS < count; i += PACKS * THREADS) {
            // All are loaded before the first is stored: the compiler does not know that they lie apart.
            Long2 a = from.get2(2 * i);
            Long2 b = from.get2(2 * (i + THREADS));
            Long2 c = from.get2(2 * (i + 2 * THREADS));
            Long2 d = from.get2(2 * (i + 3 * THREADS));
            to.set2(2 * i, a);
            to.set2(2 * (i + THREADS), b);
            to.set2(2 * (i + 2 * THREADS), c);
            to.set2(2 * (i + 3 * THREADS), d);
        }
        for (; i < count; i += THREADS) {
            to.set2(2 * i, from.get2(2 * i));
        }
    }
}
