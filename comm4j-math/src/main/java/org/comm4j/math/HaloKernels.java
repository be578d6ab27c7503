// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Long2;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a rank and its neighbours write into each other's memory, within one kernel. A block copies a chunk of the
 * rows to the neighbour and raises a flag there, which has the number of the exchange; then it waits for its own flag
 * and copies what has arrived to the rim. Odd and even exchanges have places of their own: who writes to one again has
 * got rows in between from the rank that reads it.
 */
final class HaloKernels {
    static final int THREADS = 256;

    /** The most blocks of a side. */
    static final int MOST_BLOCKS = 32;

    /** Bytes of a pack, the most that is copied at once. */
    static final int PACK = 16;

    /** Packs of a thread, unless there are too many. */
    private static final int PACKS = 4;

    /** Integers before the rows: a flag and the exchanges so far, of each block of both sides. */
    private static final int HEADER = 4 * MOST_BLOCKS;

    /**
     * This rank's memory.
     *
     * @param capacity integers of the rows of a side
     * @param blocks of a side
     * @param limit nanoseconds that a rank is waited for; 0 for no limit
     * @param report see {@link PeerMemory#report}
     */
    record Space(I64Ptr own, long capacity, int blocks, long limit, I64Ptr report) {
        /** Returns how often a block of a side has exchanged rows. */
        I64Ptr turns(int side, int block) {
            return own.plus((2 + side) * MOST_BLOCKS + block);
        }

        /** Returns the flag that the neighbour at a side raises in {@code memory}. */
        I64Ptr flag(I64Ptr memory, int side, int block) {
            return memory.plus(side * MOST_BLOCKS + block);
        }

        /** Returns the place in {@code memory} of rows from the neighbour at a side. */
        I64Ptr rows(I64Ptr memory, int side, long turn) {
            return memory.plus(HEADER + (2 * (turn & 1) + side) * capacity);
        }
    }

    /**
     * The rows of a side, in units of what is copied at once.
     *
     * @param rank the neighbour, −1 for none
     * @param memory the neighbour's
     * @param x the array
     */
    record End(int rank, I64Ptr memory, I32Ptr x, Pieces sent, I32Ptr rim, Pieces received) {}

    /**
     * Pieces of a buffer.
     *
     * @param count units of all pieces
     * @param size units of a piece
     * @param chunk units of a block
     */
    record Pieces(int count, int size, long stride, long offset, int chunk) {
        long at(int i) {
            if (size == count) {
                return offset + i;
            }
            int piece = i / size;
            return offset + piece * stride + (i - piece * size);
        }

        static Pieces of(HaloExchange.Slices slices, int unit, int blocks) {
            long share = Math.ceilDiv(Math.ceilDiv(slices.total(), blocks), PACK) * PACK;
            return new Pieces(
                    Math.toIntExact(slices.total() / unit),
                    Math.toIntExact(slices.bytes() / unit),
                    slices.stride() / unit,
                    slices.offset() / unit,
                    Math.toIntExact(share / unit));
        }
    }

    private HaloKernels() {}

    // Sizes

    /** Returns the blocks of a side for so many bytes on the rank that has the most. */
    static int blocks(long bytes) {
        return Math.clamp(Math.ceilDiv(bytes, (long) THREADS * PACK * PACKS), 1, MOST_BLOCKS);
    }

    /** Returns the integers of the rows of a side. */
    static long capacity(long bytes) {
        return Math.ceilDiv(bytes, PACK) * PACK / Long.BYTES;
    }

    /** Returns the integers that a rank needs. */
    static long length(long bytes) {
        return HEADER + 4 * capacity(bytes);
    }

    static Space space(PeerMemory memory, long bytes) {
        return new Space(
                I64Ptr.of(memory.parts().get(memory.rank())),
                capacity(bytes),
                blocks(bytes),
                memory.timeout().toNanos(),
                I64Ptr.of(memory.report()));
    }

    /** Returns the rows of a side of {@code x}, of units of so many bytes. */
    static End end(PeerMemory memory, HaloExchange.@Nullable Side side, Buffer x, int unit, int blocks) {
        if (side == null) {
            I64Ptr none = I64Ptr.of(memory.parts().get(memory.rank()));
            Pieces nothing = new Pieces(0, 0, 0, 0, 0);
            return new End(-1, none, none.asI32(), nothing, none.asI32(), nothing);
        }
        return new End(
                side.rank(),
                I64Ptr.of(memory.parts().get(side.rank())),
                Ptr.of(x).asI32(),
                Pieces.of(side.sent(), unit, blocks),
                Ptr.of(side.rim()).asI32(),
                Pieces.of(side.received(), unit, blocks));
    }

    /** Returns the bytes that can be copied at once: 16, 8 or 4. */
    static int unit(Buffer x, HaloExchange.@Nullable Side... sides) {
        long all = PACK;
        for (HaloExchange.Side side : sides) {
            if (side != null) {
                all |= x.address() | side.rim().address() | parts(side.sent()) | parts(side.received());
            }
        }
        return (int) Long.lowestOneBit(all);
    }

    private static long parts(HaloExchange.Slices slices) {
        return slices.bytes() | slices.offset() | (slices.count() > 1 ? slices.stride() : 0);
    }

    // Kernel

    /**
     * Exchanges the rows of both sides: even blocks those before this rank's part, odd ones those after it.
     *
     * @param unit bytes that are copied at once
     */
    @Kernel(maxThreads = THREADS)
    static void exchange(@Constant int unit, Space space, End front, End back) {
        int block = BlockIdx.x() / 2;
        if (BlockIdx.x() % 2 == 0) {
            side(unit, space, 0, block, front);
        } else {
            side(unit, space, 1, block, back);
        }
    }

    private static void side(@Constant int unit, Space space, int side, int block, End end) {
        if (end.rank < 0) {
            return;
        }
        long turn = space.turns(side, block).get(0) + 1;
        push(unit, space, side, block, turn, end, ThreadIdx.x(), THREADS);
        Block.sync();
        if (ThreadIdx.x() == 0) {
            raise(space, side, block, turn, end);
            boolean _ = await(space, side, block, turn, end.rank);
        }
        Block.sync();
        pull(unit, space, side, block, turn, end, ThreadIdx.x(), THREADS);
    }

    /** Copies a block's chunk to the neighbour; each of several threads every so many units. */
    static void push(
            @Constant int unit, Space space, int side, int block, long turn, End end, int thread, int threads) {
        I64Ptr place = space.rows(end.memory, 1 - side, turn);
        int from = block * end.sent.chunk;
        int to = Math.min(from + end.sent.chunk, end.sent.count);
        for (int i = from + thread; i < to; i += threads) {
            Unroll.times(PACKS);
            store(unit, place.asI32(), i, load(unit, end.x, end.sent.at(i)));
        }
    }

    /** Tells the neighbour that a block's chunk is there. */
    static void raise(Space space, int side, int block, long turn, End end) {
        space.turns(side, block).set(0, turn);
        space.flag(end.memory, 1 - side, block).setRelease(0, turn, Scope.SYSTEM);
    }

    /** Waits for a block's chunk. Returns whether it is there; else the rank did not send it in time. */
    static boolean await(Space space, int side, int block, long turn, int rank) {
        return PeerWaits.until(space.flag(space.own, side, block), turn, rank, space.limit, space.report);
    }

    /** Copies a block's chunk, which is there, to the rim. */
    static void pull(
            @Constant int unit, Space space, int side, int block, long turn, End end, int thread, int threads) {
        I64Ptr place = space.rows(space.own, side, turn);
        int from = block * end.received.chunk;
        int to = Math.min(from + end.received.chunk, end.received.count);
        for (int i = from + thread; i < to; i += threads) {
            Unroll.times(PACKS);
            store(unit, end.rim, end.received.at(i), load(unit, place.asI32(), i));
        }
    }

    private static Long2 load(@Constant int unit, I32Ptr p, long i) {
        if (unit == PACK) {
            return p.asI64().get2(2 * i);
        }
        return new Long2(unit == Long.BYTES ? p.asI64().get(i) : p.get(i), 0);
    }

    private static void store(@Constant int unit, I32Ptr p, long i, Long2 value) {
        if (unit == PACK) {
            p.asI64().set2(2 * i, value);
        } else if (unit == Long.BYTES) {
            p.asI64().set(i, value.x());
        } else {
            p.set(i, (int) value.x());
        }
    }
}
