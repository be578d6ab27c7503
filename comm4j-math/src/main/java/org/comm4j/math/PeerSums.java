// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.PeerPointers;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Sums of a few numbers over ranks that reach each other's memory, within a kernel. Every rank writes its numbers to
 * all others, each half of a number together with how often the number was summed, which tells that it has come (as
 * NCCL's protocol LL does). Odd and even sums have places of their own: who writes to one again has got the sum in
 * between from the rank that reads it.
 */
final class PeerSums {
    /** The most numbers that are summed at once. */
    static final int MOST_NUMBERS = 64;

    /** The most ranks. */
    static final int MOST_RANKS = PeerPointers.MAX;

    private static final long LOW = 0xffff_ffffL;

    /**
     * The numbers, and the memory of the ranks.
     *
     * @param limit nanoseconds that a rank is waited for; 0 for no limit
     * @param report see {@link PeerMemory#report}
     */
    record Peers(int rank, int ranks, int count, F64Ptr numbers, long limit, I64Ptr report, PeerPointers memory) {
        I64Ptr at(int rank) {
            return memory.at(rank).asI64();
        }

        /** Returns the two halves of a number that {@code from} writes to {@code to}. */
        I64Ptr slot(int to, int from, long turn, int i) {
            return at(to).plus(MOST_NUMBERS + 2L * (((turn & 1) * ranks + from) * MOST_NUMBERS + i));
        }
    }

    private PeerSums() {}

    /** Returns the integers that a rank needs. */
    static long length(int ranks) {
        return MOST_NUMBERS + 4L * ranks * MOST_NUMBERS;
    }

    /** Returns what sums nothing. */
    static Peers none(F64Ptr nowhere, I64Ptr none) {
        return new Peers(0, 1, 0, nowhere, 0, none, PeerPointers.of(1, rank -> none.asI8()));
    }

    /**
     * Returns what sums numbers.
     *
     * @param memory of {@link #length} integers on each rank
     * @param numbers of {@code FLOAT64}
     */
    static Peers of(PeerMemory memory, Buffer numbers) {
        List<Buffer> parts = memory.parts();
        if (numbers.count() > MOST_NUMBERS || parts.size() > MOST_RANKS) {
            throw new IllegalArgumentException("sums over ranks in a kernel: " + numbers.count() + " numbers on "
                    + parts.size() + " ranks; there may be " + MOST_NUMBERS + " on " + MOST_RANKS);
        }
        return new Peers(
                memory.rank(),
                parts.size(),
                (int) numbers.count(),
                F64Ptr.of(numbers),
                memory.timeout().toNanos(),
                I64Ptr.of(memory.report()),
                PeerPointers.of(parts.size(), rank -> I64Ptr.of(parts.get(rank)).asI8()));
    }

    /** Sums the numbers in the order of ranks; all threads of one block call it, of at least as many threads. */
    static void ofBlock(Peers peers) {
        // The numbers are those of another thread.
        Block.sync();
        if (ThreadIdx.x() < peers.count) {
            sum(peers, ThreadIdx.x());
        }
        Block.sync();
    }

    /** Sums a number; NaN if one has not come in time. */
    static void sum(Peers peers, int i) {
        int rank = peers.rank;
        int ranks = peers.ranks;
        I64Ptr turns = peers.at(rank);
        long turn = turns.get(i) + 1 & LOW;
        turns.set(i, turn);
        double own = peers.numbers.get(i);
        long bits = Double.doubleToRawLongBits(own);
        for (int k = 1; k < ranks; k++) {
            I64Ptr slot = peers.slot((rank + k) % ranks, rank, turn, i);
            slot.setVolatile(0, turn << 32 | bits & LOW);
            slot.setVolatile(1, turn << 32 | bits >>> 32);
        }
        double sum = 0;
        for (int from = 0; from < ranks; from++) {
            double next = from == rank ? own : receive(peers, from, turn, i);
            sum = from == 0 ? next : sum + next;
        }
        peers.numbers.set(i, sum);
    }

    private static double receive(Peers peers, int from, long turn, int i) {
        I64Ptr slot = peers.slot(peers.rank, from, turn, i);
        long start = 0;
        int polls = 0;
        while (true) {
            long low = slot.getVolatile(0);
            long high = slot.getVolatile(1);
            if (low >>> 32 == turn && high >>> 32 == turn) {
                return Double.longBitsToDouble(high << 32 | low & LOW);
            }
            if (++polls % PeerWaits.POLLS == 0) {
                start = PeerWaits.nap(start, from, peers.limit, peers.report);
                if (start == PeerWaits.IN_VAIN) {
                    return Double.NaN;
                }
            }
        }
    }
}
