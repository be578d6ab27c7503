// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.host.FirstFit;
import org.comm4j.host.HeapSize;

/**
 * Who has which part of the one piece of memory that is all of a heap: the same on all PEs, because all hand out the
 * same ranges in the same order.
 *
 * <p>An OpenSHMEM library's own allocation is not used: PEs that ask for different sizes go on with heaps that differ,
 * and what it zeroes it may zero after another PE has put something there.
 *
 * <p>Freeing waits for nobody. Behind each allocation, on every PE, is a word that says whether this PE has freed it;
 * the place can be handed out again at the next allocation, where all PEs meet and look at the same words.
 */
final class PieceHeap {
    private final PolledEngine engine;
    private final FirstFit ranges;
    private final long bytes;
    /** Freed by this PE, but perhaps not by all. */
    private final List<Piece> freed = new ArrayList<>();

    PieceHeap(PolledEngine engine, long start, long bytes) {
        this.engine = engine;
        this.ranges = new FirstFit(start, bytes);
        this.bytes = bytes;
    }

    private final class Piece implements Engine.Allocation {
        private final long offset;
        private final long bytes;
        private volatile boolean free;

        Piece(long offset, long bytes) {
            this.offset = offset;
            this.bytes = bytes;
        }

        @Override
        public long offset() {
            return offset;
        }

        @Override
        public boolean isFreed() {
            return free;
        }

        @Override
        public void free() {
            synchronized (freed) {
                if (free) {
                    return;
                }
                free = true;
                freed.add(this);
            }
            engine.setWord(mark(), 1, engine.myPe);
        }

        private long mark() {
            return offset + FirstFit.rounded(bytes);
        }

        private boolean isFreedByAll() {
            for (int pe = 0; pe < engine.nPes; pe++) {
                if (engine.getWord(mark(), pe) == 0) {
                    return false;
                }
            }
            return true;
        }
    }

    private static long span(long bytes) {
        return FirstFit.rounded(bytes) + FirstFit.GRANULE;
    }

    /** Collective over {@code world}, whose PEs have met to ask the same. */
    Engine.Allocation allocate(Members world, DataType type, long count, String what) {
        long need = HostArray.bytes(type, count);
        reclaim(world);
        long start = need > bytes ? -1 : ranges.allocate(span(need));
        if (start < 0) {
            throw new SymmetricMemoryException(what + ": needs " + need
                    + " bytes, but the largest free range of the heap of " + bytes + " bytes is "
                    + Math.max(0, ranges.largestFree() - FirstFit.GRANULE)
                    + "; free arrays, or set " + HeapSize.VARIABLE + " higher");
        }
        boolean populated = engine.populate(start, span(need));
        if (populated) {
            engine.own(start, span(need)).fill((byte) 0);
        }
        long[][] all = world.exchange("allocate", populated ? 1 : 0);
        for (int member = 0; member < all.length; member++) {
            if (all[member][0] == 0) {
                ranges.free(start, span(need));
                throw new SymmetricMemoryException(what + ": the machine of PE " + world.pes[member] + " has not "
                        + need + " bytes of memory to spare");
            }
        }
        return new Piece(start, need);
    }

    /**
     * Makes the places that all have freed available again. All PEs have come to {@link #allocate}, so all find the
     * same.
     */
    private void reclaim(Members world) {
        synchronized (freed) {
            List<Piece> done = freed.stream().filter(Piece::isFreedByAll).toList();
            if (done.isEmpty()) {
                return;
            }
            // Nobody may clear a mark that another one has yet to look at.
            world.sync("allocate");
            for (Piece each : done) {
                engine.setWord(each.mark(), 0, engine.myPe);
                ranges.free(each.offset, span(each.bytes));
            }
            freed.removeAll(done);
        }
    }
}
