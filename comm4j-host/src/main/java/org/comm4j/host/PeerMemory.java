// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.function.Supplier;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.spi.Standstill;

/**
 * The symmetric heaps of all PEs by places in them instead of by arrays, and waits for what is stored there: what
 * kernels on the CPU and comm4j's OpenSHMEM communicate with. Threads may share it.
 */
public final class PeerMemory {
    private final HostShmem shmem;
    private final SharedHeap heap;
    /** This PE, for messages. */
    private final String waiter;

    PeerMemory(HostShmem shmem) {
        this.shmem = shmem;
        this.heap = shmem.heap();
        this.waiter = "PE " + heap.me + " of " + heap.size;
    }

    /** Whose memory it is. */
    public HostShmem shmem() {
        return shmem;
    }

    public boolean isOpen() {
        return heap.isOpen();
    }

    /**
     * The memory of {@code pe} at the place that {@code mine} has here, for loads and stores ({@code shmem_ptr}).
     *
     * @param mine within a symmetric array of this PE
     * @throws IllegalArgumentException if it is other memory, or {@code pe} is no PE
     */
    public MemorySegment on(MemorySegment mine, int pe) {
        if (pe < 0 || pe >= heap.size) {
            throw new IllegalArgumentException("PE " + pe + " is not one of 0 to " + (heap.size - 1));
        }
        long offset = symmetric(mine);
        if (offset < 0) {
            throw new IllegalArgumentException("the address 0x" + Long.toHexString(mine.address())
                    + " is not in the symmetric heap of PE " + heap.me + " of " + heap.size
                    + ": it must be in an array that this HostShmem has allocated");
        }
        return heap.memory.asSlice(heap.data(pe) + offset, mine.byteSize());
    }

    /**
     * The memory from the place that {@code mine} has on PE 0 to its end on the last PE: that of PE p begins at byte
     * {@code p * stride()}. What is between them is other memory of theirs.
     *
     * @throws IllegalArgumentException if {@code mine} is not within a symmetric array of this PE
     */
    public MemorySegment onAll(MemorySegment mine) {
        MemorySegment first = on(mine, 0);
        return heap.memory.asSlice(
                first.address() - heap.memory.address(), stride() * (heap.size - 1) + mine.byteSize());
    }

    /**
     * The heaps of all PEs, one behind the other: that of {@code pe} begins at byte {@link #start}. What is in them
     * beside symmetric arrays belongs to the engine.
     */
    public MemorySegment all() {
        return heap.memory;
    }

    /** Where the heap of {@code pe} begins in {@link #all}. */
    public long start(int pe) {
        return heap.data(pe);
    }

    /** Bytes from a place on a PE to the same one on the next PE. */
    public long stride() {
        return heap.stride;
    }

    /** Whether it is memory of this PE that all PEs have. */
    public boolean isSymmetric(MemorySegment mine) {
        return symmetric(mine) >= 0;
    }

    /** The place in this PE's symmetric half; −1 if it is not there. */
    private long symmetric(MemorySegment mine) {
        if (!mine.isNative()) {
            return -1;
        }
        long offset = heap.offsetOf(mine.address(), mine.byteSize()) - heap.data(heap.me);
        return offset >= 0 && offset + mine.byteSize() <= heap.half ? offset : -1;
    }

    /** To be called after stores to memory of {@code pe}, which may wait for them. */
    public void written(int pe) {
        heap.ring(pe);
    }

    /**
     * To be called now and then by who waits for other PEs.
     *
     * @param waiting what is waited for, for messages
     * @param start {@link System#nanoTime} when it began
     * @throws org.comm4j.core.RankFailedException if a PE died
     * @throws CommTimeoutException after {@link HostShmem#timeout()}
     * @throws CommException if this thread was interrupted; it stays so
     * @throws IllegalStateException if the heap was closed
     */
    public void lookAround(String waiting, long start) {
        lookAround(waiting, start, Pause.NOBODY_ELSE);
    }

    /**
     * {@link #lookAround(String, long)} for who goes on without some PEs.
     *
     * @param without PEs whose death ends no wait
     */
    public void lookAround(String waiting, long start, BitSet without) {
        String who = waiting + " on " + waiter;
        if (!heap.isOpen()) {
            throw new IllegalStateException(who + ": the heap was closed by another thread");
        }
        heap.findDead();
        int dead = heap.knownDead(without);
        if (dead >= 0) {
            throw heap.dead(dead, who);
        }
        long limit = heap.timeoutNanos;
        long waited = System.nanoTime() - start;
        Standstill.look(waited, waiter, () -> waiting);
        if (limit > 0 && waited >= limit) {
            throw new CommTimeoutException(String.format(
                    "%s: waited %.1f s in vain, though no rank died (timeout %.1f s)", who, waited / 1e9, limit / 1e9));
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new CommException(who + ": interrupted while it waited");
        }
    }

    /**
     * A wait of this thread for other PEs' stores to this PE's memory: it spins, yields, then sleeps until it is woken,
     * with {@link HostShmem#timeout()} as its limit.
     *
     * @param what the operation, for messages
     * @param waitedFor what it waits for, for messages; asked when it ends in vain
     */
    public Wait newWait(String what, Supplier<String> waitedFor) {
        Pause pause = new Pause(heap, new AnyPe(heap, waiter, waitedFor));
        pause.begin(what, heap.timeoutNanos, Pause.NOBODY);
        return new Wait(pause);
    }

    /** Any PE can end a wait on memory: it is hopeless only when all others are gone. */
    private record AnyPe(SharedHeap heap, String waiter, Supplier<String> what) implements Pause.Peers {
        @Override
        public int gone(int peer) {
            int gone = -1;
            for (int pe = 0; pe < heap.size; pe++) {
                if (pe != heap.me) {
                    if (!heap.hasLeft(pe)) {
                        return -1;
                    }
                    gone = pe;
                }
            }
            return gone;
        }

        @Override
        public String waitedFor(int peer) {
            return what.get();
        }
    }

    /** See {@link #newWait}. */
    public static final class Wait {
        private final Pause pause;

        private Wait(Pause pause) {
            this.pause = pause;
        }

        /**
         * To be called in turns with a look at what is waited for.
         *
         * @throws org.comm4j.core.RankFailedException if a PE died, or all others left
         * @throws CommTimeoutException after {@link HostShmem#timeout()}
         * @throws IllegalStateException if the heap was closed
         */
        public void once() {
            pause.once();
        }

        /** To be called when what was waited for has come. */
        public void end() {
            pause.end();
        }
    }

    /**
     * This PE comes to the next synchronisation of a team; what it stored before is seen by members that find it {@link
     * #arrived}.
     */
    public long arrive(Team team) {
        team.calls("sync");
        return team.arrive();
    }

    /** Whether all members have come to the synchronisation of which {@link #arrive} has returned the number. */
    public boolean arrived(Team team, long number) {
        return team.haveAllArrived(number, "sync");
    }
}
