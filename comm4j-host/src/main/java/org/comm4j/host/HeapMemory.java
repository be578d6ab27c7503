// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.comm4j.host.SharedHeap.LONG;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SymmetricMemoryException;

/**
 * Who has which part of the heap. Each rank's data has two halves: one where all ranks allocate together, at the same
 * places, and one where each allocates alone.
 *
 * <p>Freeing together waits for nobody, so that a rank which leaves with an exception does not hang in the clean-up.
 * Behind each allocation, on every rank, is a word that says whether this rank has freed it. The last one to free gives
 * the memory of all back to the system; the place can be handed out again at the next allocation, where all ranks meet
 * and look at the same words.
 */
final class HeapMemory {
    /** What all ranks allocated together at one place; slices share it. */
    static final class Allocation {
        final long start;
        final long bytes;
        volatile boolean freed;

        private Allocation(long start, long bytes) {
            this.start = start;
            this.bytes = bytes;
        }

        /** Where, in a rank's data, the word is that says whether this rank has freed it. */
        private long mark() {
            return start + FirstFit.rounded(bytes);
        }

        private long span() {
            return span(bytes);
        }

        private static long span(long bytes) {
            return FirstFit.rounded(bytes) + FirstFit.GRANULE;
        }
    }

    /** Memory of a closed communicator that slower members may still be reading. */
    private record Retired(Team team, long offset, long bytes) {}

    private final SharedHeap heap;
    private final FirstFit symmetric;
    private final FirstFit local;
    /** Freed by this rank, but perhaps not by all. */
    private final List<Allocation> freed = new ArrayList<>();

    private final List<Retired> retired = new ArrayList<>();

    HeapMemory(SharedHeap heap) {
        this.heap = heap;
        this.symmetric = new FirstFit(0, heap.half);
        this.local = new FirstFit(heap.half, heap.half);
    }

    // ---- together ----

    /** Collective over {@code world}: zeroed memory at the same place of every rank's data. */
    Allocation allocate(Team world, DataType type, long count, String what, long timeoutNanos) {
        long bytes = HostArray.bytes(type, count);
        world.calls("allocate");
        long[][] asked = world.exchange("allocate", timeoutNanos, type.ordinal(), count);
        for (int pe = 0; pe < asked.length; pe++) {
            if (asked[pe][0] != type.ordinal() || asked[pe][1] != count) {
                throw new CollectiveMismatchException(what + ": PE " + pe + " allocates " + asked[pe][1] + " x "
                        + DataType.values()[(int) asked[pe][0]] + " instead; all PEs must allocate the same");
            }
        }
        reclaim(world, timeoutNanos);
        if (bytes >= HeapSize.CHECKED) {
            // PE 0's figure, so that all decide alike.
            long available = world.exchange("allocate", timeoutNanos, heap.os.availableMemory())[0][0];
            HeapSize.checkAvailable(what, bytes, heap.size, available);
        }
        long start = bytes > heap.half ? -1 : symmetric.allocate(Allocation.span(bytes));
        if (start < 0) {
            throw exhausted(what + notFreedByAll(), bytes, symmetric);
        }
        Allocation allocation = new Allocation(start, bytes);
        boolean here = bytes < HeapSize.CHECKED || heap.populate(heap.data(heap.me) + start, bytes);
        boolean everywhere = true;
        for (long[] each : world.exchange("allocate", timeoutNanos, here ? 1 : 0)) {
            everywhere &= each[0] != 0;
        }
        if (!everywhere) {
            heap.discard(heap.data(heap.me) + start, allocation.span());
            symmetric.free(start, allocation.span());
            throw HeapSize.refused(what, bytes);
        }
        return allocation;
    }

    /** Collective in the sense that every rank calls it some time; waits for nobody. */
    void free(Allocation allocation) {
        synchronized (freed) {
            if (allocation.freed) {
                return;
            }
            allocation.freed = true;
            freed.add(allocation);
        }
        LONG.setVolatile(heap.memory, heap.data(heap.me) + allocation.mark(), 1L);
        if (freedByAll(allocation)) {
            for (int rank = 0; rank < heap.size; rank++) {
                heap.discard(heap.data(rank) + allocation.start, FirstFit.rounded(allocation.bytes));
            }
        }
    }

    private boolean freedByAll(Allocation allocation) {
        for (int rank = 0; rank < heap.size; rank++) {
            if ((long) LONG.getVolatile(heap.memory, heap.data(rank) + allocation.mark()) == 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * The memory that this rank has freed, but not all others, for the message when there is not enough; empty if there
     * is none.
     */
    private String notFreedByAll() {
        synchronized (freed) {
            long bytes = 0;
            int who = -1;
            for (Allocation each : freed) {
                for (int rank = 0; rank < heap.size; rank++) {
                    if ((long) LONG.getVolatile(heap.memory, heap.data(rank) + each.mark()) == 0) {
                        who = rank;
                        bytes += each.bytes;
                        break;
                    }
                }
            }
            return who < 0
                    ? ""
                    : " (" + HeapSize.text(bytes) + " that this PE has freed are still held by others, PE " + who
                            + " among them; every PE frees what all allocate)";
        }
    }

    /**
     * Makes the places that all have freed available again. All ranks are in {@link #allocate}, so all find the same.
     */
    private void reclaim(Team world, long timeoutNanos) {
        synchronized (freed) {
            List<Allocation> done = freed.stream().filter(this::freedByAll).toList();
            if (done.isEmpty()) {
                return;
            }
            // Nobody may clear a mark that another one has yet to look at.
            world.sync("allocate", timeoutNanos);
            for (Allocation each : done) {
                LONG.setRelease(heap.memory, heap.data(heap.me) + each.mark(), 0L);
                symmetric.free(each.start, each.span());
            }
            freed.removeAll(done);
        }
    }

    private SymmetricMemoryException exhausted(String what, long bytes, FirstFit half) {
        return HeapSize.exhausted(
                what, bytes, Math.max(0, half.largestFree() - FirstFit.GRANULE), heap.half - FirstFit.GRANULE);
    }

    // ---- alone ----

    /** Zeroed memory of this rank alone that all can reach: an offset in {@link SharedHeap#memory}. Not collective. */
    long allocateLocal(String what, long bytes) {
        synchronized (retired) {
            retired.removeIf(each -> {
                boolean unused = each.team.allOthersLeft();
                if (unused) {
                    freeLocal(each.offset, each.bytes);
                }
                return unused;
            });
        }
        if (bytes >= HeapSize.CHECKED) {
            HeapSize.checkAvailable(what, bytes, 1, heap.os.availableMemory());
        }
        long start = bytes > heap.half ? -1 : local.allocate(bytes);
        if (start < 0) {
            throw exhausted(what, bytes, local);
        }
        long offset = heap.data(heap.me) + start;
        if (bytes >= HeapSize.CHECKED && !heap.populate(offset, bytes)) {
            freeLocal(offset, bytes);
            throw HeapSize.refused(what, bytes);
        }
        return offset;
    }

    /** Frees memory of {@link #allocateLocal} that nobody uses. */
    void freeLocal(long offset, long bytes) {
        heap.discard(offset, FirstFit.rounded(bytes));
        local.free(offset - heap.data(heap.me), bytes);
    }

    /** Frees memory of {@link #allocateLocal} when all other members of {@code team} have left it. */
    void retire(Team team, long offset, long bytes) {
        synchronized (retired) {
            retired.add(new Retired(team, offset, bytes));
        }
    }
}
