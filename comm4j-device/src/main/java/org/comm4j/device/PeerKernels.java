// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Int4;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.PeerPointers;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;

/**
 * The kernels of {@link PeerCollectives}. In all of them the numbers of PEs are constants, operands are combined in the
 * order of PEs, and blocks need no other block of their own grid.
 */
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
    static void words(
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
        Grid.awaitPrevious();
        Grid.launchDependents();
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
     * All data is pushed to whoever reduces it, 16 bytes at once, into places of its own, and from there to whoever
     * needs the sums. For elements of floating point: what is not there yet is one of their not-a-numbers.
     *
     * @param parts whether each PE reduces another part of the source; else all of them do all
     * @param everywhere whether all PEs get all sums, at the place of their part; else each PE gets its own, from
     *     {@code begin} on
     * @param wide whether arrays and parts are at multiples of 16 bytes; else they are moved element by element
     * @param report of the host, for {@link PeerSpace#STATUS}
     * @param row places to push to of a block
     * @param begin the first element in each part
     * @param length of each part, from there on
     * @param end behind the last element of the source
     * @param share elements from one part to the next; 0 without parts
     */
    @Kernel(maxThreads = PeerSpace.PUSH_THREADS)
    static void push(
            @Constant int me,
            @Constant int pes,
            @Constant PeerType type,
            @Constant PeerOp op,
            @Constant boolean parts,
            @Constant boolean everywhere,
            @Constant boolean wide,
            PeerPointers peers,
            I32Ptr report,
            int row,
            I8Ptr destination,
            I8Ptr source,
            long begin,
            long length,
            long end,
            long share) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        int block = BlockIdx.x();
        I8Ptr space = peers.at(me);
        int epoch = PeerSpace.pushes(space, block).get(0);
        int unit = unit(type);
        long first = (long) unit * (block * BlockDim.x() + ThreadIdx.x());
        long step = (long) unit * BlockDim.x() * GridDim.x();
        long stride = parts ? share : 0;
        long mine = begin + me * stride;
        long mineEnd = Math.min(mine + length, end);

        int[] words = new int[4 * PeerPointers.MAX];
        int place = ThreadIdx.x();
        for (long at = first; at < length; at += step) {
            // Whole ones are loaded at once, before the first is pushed.
            if (wide && at + unit <= length && begin + (pes - 1) * stride + at + unit <= end) {
                for (int k = 1; k < pes; k++) {
                    Unroll.all();
                    int pe = (me + k) % pes;
                    put(words, pe, source.asI32().get4((begin + pe * stride + at) / unit * 4));
                }
                for (int k = 1; k < pes; k++) {
                    Unroll.all();
                    int pe = (me + k) % pes;
                    PeerExchange.push(
                            PeerSpace.place(peers.at(pe), pes, row, epoch, 0, me, block, place), four(words, pe));
                }
            } else {
                for (int pe = 0; pe < pes; pe++) {
                    Unroll.all();
                    long from = begin + pe * stride;
                    if (pe != me && from + at < end) {
                        PeerExchange.push(
                                PeerSpace.place(peers.at(pe), pes, row, epoch, 0, me, block, place),
                                load(type, wide, source, from + at, Math.min(from + length, end)));
                    }
                }
            }
            place += BlockDim.x();
        }

        boolean complete = true;
        place = ThreadIdx.x();
        for (long at = first; at < length && mine + at < mineEnd && complete; at += step) {
            Int4 own = PeerExchange.pushed(load(type, wide, source, mine + at, mineEnd));
            complete = PeerExchange.pull(
                    me, pes, space, report, row, epoch, 0, block, place, mine + at, 0, mineEnd, words);
            if (complete) {
                put(words, me, own);
                Int4 sum = PeerExchange.pushed(sum(pes, type, op, words));
                for (int k = 1; k < pes && everywhere; k++) {
                    Unroll.all();
                    int pe = (me + k) % pes;
                    PeerExchange.push(PeerSpace.place(peers.at(pe), pes, row, epoch, 1, me, block, place), sum);
                }
                long to = everywhere ? mine : begin;
                store(type, wide, destination, to + at, to + mineEnd - mine, sum);
            }
            place += BlockDim.x();
        }

        place = ThreadIdx.x();
        for (long at = first; everywhere && at < length && complete; at += step) {
            complete = PeerExchange.pull(
                    me, pes, space, report, row, epoch, 1, block, place, begin + at, stride, end, words);
            if (complete) {
                for (int k = 1; k < pes; k++) {
                    Unroll.all();
                    int pe = (me + k) % pes;
                    long from = begin + pe * stride;
                    store(type, wide, destination, from + at, Math.min(from + length, end), four(words, pe));
                }
            }
            place += BlockDim.x();
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            PeerSpace.pushes(space, block).set(0, epoch + 1);
        }
    }

    /** Elements of 16 bytes. */
    private static int unit(PeerType type) {
        return Partial.isWide(type) ? 4 : 8;
    }

    private static void put(int[] words, int pe, Int4 four) {
        words[4 * pe] = four.x();
        words[4 * pe + 1] = four.y();
        words[4 * pe + 2] = four.z();
        words[4 * pe + 3] = four.w();
    }

    private static Int4 four(int[] words, int pe) {
        return new Int4(words[4 * pe], words[4 * pe + 1], words[4 * pe + 2], words[4 * pe + 3]);
    }

    /** In the order of PEs. */
    private static Int4 sum(int pes, PeerType type, PeerOp op, int[] words) {
        Partial x = Partial.of(type, words[0]);
        Partial y = Partial.of(type, words[1]);
        Partial z = Partial.of(type, words[2]);
        Partial w = Partial.of(type, words[3]);
        for (int pe = 1; pe < pes; pe++) {
            Unroll.all();
            x = x.with(type, op, Partial.of(type, words[4 * pe]));
            y = y.with(type, op, Partial.of(type, words[4 * pe + 1]));
            z = z.with(type, op, Partial.of(type, words[4 * pe + 2]));
            w = w.with(type, op, Partial.of(type, words[4 * pe + 3]));
        }
        return new Int4(x.word(type), y.word(type), z.word(type), w.word(type));
    }

    /** 16 bytes from an element on, with zeros for what is not below {@code end}. */
    private static Int4 load(PeerType type, boolean wide, I8Ptr array, long element, long end) {
        int unit = unit(type);
        if (wide && element + unit <= end) {
            return array.asI32().get4(4 * (element / unit));
        }
        int x = 0;
        int y = 0;
        int z = 0;
        int w = 0;
        for (int k = 0; k < 4; k++) {
            Unroll.all();
            int word = Partial.load(type, array, element + k * unit / 4, end);
            x = k == 0 ? word : x;
            y = k == 1 ? word : y;
            z = k == 2 ? word : z;
            w = k == 3 ? word : w;
        }
        return new Int4(x, y, z, w);
    }

    /** The counterpart of {@link #load}. */
    private static void store(PeerType type, boolean wide, I8Ptr array, long element, long end, Int4 words) {
        int unit = unit(type);
        if (wide && element + unit <= end) {
            array.asI32().set4(4 * (element / unit), words);
            return;
        }
        for (int k = 0; k < 4; k++) {
            Unroll.all();
            int word = k == 0 ? words.x() : k == 1 ? words.y() : k == 2 ? words.z() : words.w();
            Partial.store(type, array, element + k * unit / 4, end, word);
        }
    }

    /**
     * The PEs meet, read and write each other's arrays, and meet again.
     *
     * @param parts whether each PE gets another part of the source, or all of them the same
     * @param sums whether what comes from all PEs is reduced, or has a part each
     * @param wide whether arrays and parts are at multiples of 16 bytes; else they are moved element by element
     * @param unroll how often a thread reads before it writes
     * @param report of the host, for {@link PeerSpace#STATUS}
     * @param sources of all PEs, for reductions; else this PE's
     * @param part elements of a part; without parts and with sums, of all
     */
    @Kernel(maxThreads = PeerSpace.DIRECT_THREADS)
    static void direct(
            @Constant int me,
            @Constant int pes,
            @Constant PeerType type,
            @Constant PeerOp op,
            @Constant boolean parts,
            @Constant boolean sums,
            @Constant boolean wide,
            @Constant int unroll,
            PeerPointers peers,
            I32Ptr report,
            PeerPointers destinations,
            PeerPointers sources,
            long part) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        int block = BlockIdx.x();
        I8Ptr space = peers.at(me);
        int meeting = PeerSpace.meetings(space, block).get(0);
        // What the sources hold was written by kernels before.
        boolean met = PeerExchange.meet(me, pes, peers, space, report, meeting, block, false);
        if (Block.syncAnd(met)) {
            boolean all = !parts && sums;
            long vectors = wide ? part / unit(type) : part;
            long share = all ? (vectors + pes - 1) / pes : vectors;
            long own = Math.min(me * share, vectors * (all ? 1 : pes));
            long count = all ? Math.min(share, vectors - own) : vectors;
            long step = (long) BlockDim.x() * GridDim.x();
            long i = (long) block * BlockDim.x() + ThreadIdx.x();
            // Stores might be to what is read next, for all that the compiler knows: the loads come first.
            for (; i + (unroll - 1) * step < count; i += unroll * step) {
                some(me, pes, type, op, parts, sums, wide, unroll, destinations, sources, own, share, i, step);
            }
            for (; unroll > 1 && i < count; i += step) {
                some(me, pes, type, op, parts, sums, wide, 1, destinations, sources, own, share, i, step);
            }
            long rest = vectors * unit(type) + ThreadIdx.x();
            if (all && wide && me == pes - 1 && block == 0 && rest < part) {
                some(me, pes, type, op, parts, sums, false, 1, destinations, sources, 0, 0, rest, 1);
            }
            Block.sync();
            PeerExchange.meet(me, pes, peers, space, report, meeting + 1, block, true);
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            PeerSpace.meetings(space, block).set(0, meeting + 2);
        }
    }

    /**
     * Vectors {@code i}, {@code i + step} and so on, {@code unroll} of them.
     *
     * @param own the first of this PE's part
     * @param share from one part to the next
     */
    private static void some(
            int me,
            int pes,
            PeerType type,
            PeerOp op,
            boolean parts,
            boolean sums,
            boolean wide,
            int unroll,
            PeerPointers destinations,
            PeerPointers sources,
            long own,
            long share,
            long i,
            long step) {
        // As many as a thread reads, for so many PEs if there is one for each.
        int[] words = new int[4 * 4 * PeerPointers.MAX];
        for (int u = 0; u < unroll; u++) {
            Unroll.all();
            long at = i + u * step;
            if (sums) {
                for (int pe = 0; pe < pes; pe++) {
                    Unroll.all();
                    put(words, pe * unroll + u, get(type, wide, sources.at(pe), own + at));
                }
            } else if (parts) {
                for (int pe = 0; pe < pes; pe++) {
                    Unroll.all();
                    put(words, pe * unroll + u, get(type, wide, sources.at(me), pe * share + at));
                }
            } else {
                put(words, u, get(type, wide, sources.at(me), at));
            }
        }
        for (int u = 0; u < unroll; u++) {
            Unroll.all();
            long at = i + u * step;
            Int4 one = four(words, u);
            if (sums) {
                int[] operands = new int[4 * PeerPointers.MAX];
                for (int pe = 0; pe < pes; pe++) {
                    Unroll.all();
                    put(operands, pe, four(words, pe * unroll + u));
                }
                one = sum(pes, type, op, operands);
            }
            if (sums && parts) {
                set(type, wide, destinations.at(me), at, one);
            } else {
                for (int k = 0; k < pes; k++) {
                    Unroll.all();
                    int pe = (me + k) % pes;
                    Int4 vector = parts ? four(words, pe * unroll + u) : one;
                    set(type, wide, destinations.at(pe), own + at, vector);
                }
            }
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
