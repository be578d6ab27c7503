// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.Block;
import org.comm4j.kernel.BlockDim;
import org.comm4j.kernel.BlockIdx;
import org.comm4j.kernel.Constant;
import org.comm4j.kernel.GridDim;
import org.comm4j.kernel.I32Ptr;
import org.comm4j.kernel.I8Ptr;
import org.comm4j.kernel.Int4;
import org.comm4j.kernel.Kernel;
import org.comm4j.kernel.ThreadIdx;
import org.comm4j.kernel.Unroll;

/** The kernels of {@link PeerCollectives}. In all of them the numbers of PEs are constants, operands are combined in the order of PEs, and blocks need no other block of their own grid. */
final class PeerKernels {
    private PeerKernels() {}

    /**
     * All data goes to whoever needs it, word by word with its epoch, and is used there at once.
     *
     * @param parts whether each PE gets another part of the source, or all of them the same
     * @param sums whether what comes from all PEs is reduced to one part of the destination, or has a part each
     * @param report of the host, for {@link PeerSpace#STATUS}
     * @param begin the first element in each part
     * @param end behind the last
     * @param part elements from one part to the next
     */
    @Kernel(maxThreads = PeerSpace.THREADS)
    static void oneShot(
            @Constant int me,
            @Constant int pes,
            @Constant PeerType type,
            @Constant PeerOp op,
            @Constant boolean parts,
            @Constant boolean sums,
            PeerPointers peers,
            I32Ptr report,
            I8Ptr destination,
            I8Ptr source,
            long begin,
            long end,
            long part) {
        int block = BlockIdx.x();
        I8Ptr space = peers.at(me);
        int epoch = PeerSpace.exchanges(space, block).get(0);
        int width = Partial.isWide(type) ? 1 : 2;
        long first = begin + 2L * width * (block * BlockDim.x() + ThreadIdx.x());
        long step = 2L * width * BlockDim.x() * GridDim.x();

        int round = 0;
        for (long at = first; at < end; at += step) {
            int word = parts ? 0 : Partial.load(type, source, at, end);
            int second = parts ? 0 : Partial.load(type, source, at + width, end);
            for (int i = 1; i < pes; i++) {
                Unroll.all();
                int pe = (me + i) % pes;
                if (parts) {
                    long from = pe * part;
                    word = Partial.load(type, source, from + at, from + end);
                    second = Partial.load(type, source, from + at + width, from + end);
                }
                PeerExchange.send(me, pes, peers, epoch, pe, block, round, word, second);
            }
            round++;
        }

        int[] words = new int[PeerPointers.MAX];
        int[] seconds = new int[PeerPointers.MAX];
        boolean complete = true;
        round = 0;
        for (long at = first; at < end && complete; at += step) {
            long own = parts ? me * part : 0;
            int word = Partial.load(type, source, own + at, own + end);
            int second = Partial.load(type, source, own + at + width, own + end);
            complete = PeerExchange.receive(me, pes, space, report, epoch, block, round, words, seconds);
            words[me] = word;
            seconds[me] = second;
            if (complete && sums) {
                Partial sum = Partial.of(type, words[0]);
                Partial next = Partial.of(type, seconds[0]);
                for (int pe = 1; pe < pes; pe++) {
                    Unroll.all();
                    sum = sum.with(type, op, Partial.of(type, words[pe]));
                    next = next.with(type, op, Partial.of(type, seconds[pe]));
                }
                Partial.store(type, destination, at, end, sum.word(type));
                Partial.store(type, destination, at + width, end, next.word(type));
            } else if (complete) {
                for (int pe = 0; pe < pes; pe++) {
                    Unroll.all();
                    long to = pe * part;
                    Partial.store(type, destination, to + at, to + end, words[pe]);
                    Partial.store(type, destination, to + at + width, to + end, seconds[pe]);
                }
            }
            round++;
        }
        PeerExchange.endEpoch(me, pes, space, epoch, block);
        Block.sync();
        if (ThreadIdx.x() == 0) {
            PeerSpace.exchanges(space, block).set(0, PeerSpace.next(epoch));
        }
    }

    /**
     * The PEs meet, read and write each other's arrays, and meet again.
     *
     * @param parts whether each PE gets another part of the source, or all of them the same
     * @param sums whether what comes from all PEs is reduced, or has a part each
     * @param wide whether arrays and parts are at multiples of 16 bytes; else they are moved element by element
     * @param report of the host, for {@link PeerSpace#STATUS}
     * @param sources of all PEs, for reductions; else this PE's
     * @param part elements of a part; without parts and with sums, of all
     */
    @Kernel(maxThreads = 2 * PeerSpace.THREADS)
    static void direct(
            @Constant int me,
            @Constant int pes,
            @Constant PeerType type,
            @Constant PeerOp op,
            @Constant boolean parts,
            @Constant boolean sums,
            @Constant boolean wide,
            PeerPointers peers,
            I32Ptr report,
            PeerPointers destinations,
            PeerPointers sources,
            long part) {
        int block = BlockIdx.x();
        I8Ptr space = peers.at(me);
        int meeting = PeerSpace.meetings(space, block).get(0);
        // What the sources hold was written by kernels before.
        boolean met = PeerExchange.meet(me, pes, peers, space, report, meeting, block, false);
        if (Block.syncAnd(met)) {
            int unit = !wide ? 1 : Partial.isWide(type) ? 4 : 8;
            if (!parts && sums) {
                long vectors = part / unit;
                long share = (vectors + pes - 1) / pes;
                long begin = Math.min(me * share, vectors);
                reduceRange(
                        me,
                        pes,
                        type,
                        op,
                        wide,
                        destinations,
                        sources,
                        begin,
                        begin,
                        Math.min(share, vectors - begin),
                        true);
                long rest = vectors * unit + ThreadIdx.x();
                if (me == pes - 1 && block == 0 && rest < part) {
                    put(me, pes, type, false, destinations, rest, reduce(pes, type, op, false, sources, rest));
                }
            } else if (sums) {
                long vectors = part / unit;
                reduceRange(me, pes, type, op, wide, destinations, sources, 0, me * vectors, vectors, false);
            } else {
                long vectors = part / unit;
                long step = (long) BlockDim.x() * GridDim.x();
                for (long i = (long) block * BlockDim.x() + ThreadIdx.x(); i < vectors; i += step) {
                    Unroll.times(4);
                    if (parts) {
                        for (int k = 0; k < pes; k++) {
                            Unroll.all();
                            int pe = (me + k) % pes;
                            Int4 vector = get(type, wide, sources.at(me), pe * vectors + i);
                            set(type, wide, destinations.at(pe), me * vectors + i, vector);
                        }
                    } else {
                        put(me, pes, type, wide, destinations, me * vectors + i, get(type, wide, sources.at(me), i));
                    }
                }
            }
            Block.sync();
            PeerExchange.meet(me, pes, peers, space, report, meeting + 1, block, true);
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            PeerSpace.meetings(space, block).set(0, meeting + 2);
        }
    }

    /** Vectors of the sources from {@code from} on become those of the destination of this PE, or of all, from {@code to} on. */
    private static void reduceRange(
            int me,
            int pes,
            PeerType type,
            PeerOp op,
            boolean wide,
            PeerPointers destinations,
            PeerPointers sources,
            long to,
            long from,
            long vectors,
            boolean everywhere) {
        long step = (long) BlockDim.x() * GridDim.x();
        long i = (long) BlockIdx.x() * BlockDim.x() + ThreadIdx.x();
        if (pes <= 4) {
            // Stores might be to what is read next, for all that the compiler knows: the loads come first.
            for (; i + 3 * step < vectors; i += 4 * step) {
                Int4 a = reduce(pes, type, op, wide, sources, from + i);
                Int4 b = reduce(pes, type, op, wide, sources, from + i + step);
                Int4 c = reduce(pes, type, op, wide, sources, from + i + 2 * step);
                Int4 d = reduce(pes, type, op, wide, sources, from + i + 3 * step);
                store(me, pes, type, wide, destinations, to + i, a, everywhere);
                store(me, pes, type, wide, destinations, to + i + step, b, everywhere);
                store(me, pes, type, wide, destinations, to + i + 2 * step, c, everywhere);
                store(me, pes, type, wide, destinations, to + i + 3 * step, d, everywhere);
            }
        }
        for (; i < vectors; i += step) {
            store(
                    me,
                    pes,
                    type,
                    wide,
                    destinations,
                    to + i,
                    reduce(pes, type, op, wide, sources, from + i),
                    everywhere);
        }
    }

    private static Int4 reduce(int pes, PeerType type, PeerOp op, boolean wide, PeerPointers sources, long at) {
        Int4 first = get(type, wide, sources.at(0), at);
        Partial x = Partial.of(type, first.x());
        Partial y = Partial.of(type, first.y());
        Partial z = Partial.of(type, first.z());
        Partial w = Partial.of(type, first.w());
        for (int pe = 1; pe < pes; pe++) {
            Unroll.all();
            Int4 next = get(type, wide, sources.at(pe), at);
            x = x.with(type, op, Partial.of(type, next.x()));
            y = y.with(type, op, Partial.of(type, next.y()));
            z = z.with(type, op, Partial.of(type, next.z()));
            w = w.with(type, op, Partial.of(type, next.w()));
        }
        return new Int4(x.word(type), y.word(type), z.word(type), w.word(type));
    }

    private static void store(
            int me,
            int pes,
            PeerType type,
            boolean wide,
            PeerPointers destinations,
            long at,
            Int4 vector,
            boolean everywhere) {
        if (everywhere) {
            put(me, pes, type, wide, destinations, at, vector);
        } else {
            set(type, wide, destinations.at(me), at, vector);
        }
    }

    private static void put(
            int me, int pes, PeerType type, boolean wide, PeerPointers destinations, long at, Int4 vector) {
        for (int k = 0; k < pes; k++) {
            Unroll.all();
            set(type, wide, destinations.at((me + k) % pes), at, vector);
        }
    }

    /** 16 bytes, or one element in the first word. */
    private static Int4 get(PeerType type, boolean wide, I8Ptr array, long at) {
        return wide ? array.asI32().get4(4 * at) : new Int4(Partial.load(type, array, at, at + 1), 0, 0, 0);
    }

    private static void set(PeerType type, boolean wide, I8Ptr array, long at, Int4 vector) {
        if (wide) {
            array.asI32().set4(4 * at, vector);
        } else {
            Partial.store(type, array, at, at + 1, vector.x());
        }
    }
}
