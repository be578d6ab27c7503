// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.core.World;
import org.comm4j.core.spi.LastWords;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.OperatingSystem;
import org.comm4j.ffi.OperatingSystemException;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all ranks of a world share: one nameless file, mapped as a whole by every rank, so that a place in it
 * is one offset for everybody.
 *
 * <pre>
 * 0          number of ranks found dead, number of sleepers
 * SLEEPERS   two ints for each rank: how many of its threads sleep, or are about to; how many of these wait for what
 *            others store in its memory
 * ranks      128 bytes for each rank: state, process id, whether it has a heavy barrier; doorbell
 * teams      TEAMS slots of Team.SLOT_BYTES for each rank
 * data       for each rank {@link #stride} bytes: first the symmetric half, then the half that the rank allocates alone; then
 *            nothing, up to a place where the next one's may begin
 * </pre>
 *
 * <p>The file is sparse, so the halves can be as large as the machine's memory: only what is touched costs anything.
 *
 * <p>Sleeping and waking. A rank that writes something another rank may wait for stores it and then looks whether
 * somebody {@linkplain #ring sleeps}; who only waits for the others to come to a step is left alone until {@linkplain
 * #ringAll one comes}. A rank that is about to sleep announces it and then looks once more at what it waits for ({@link
 * Pause}). Between its two steps each side needs a full memory barrier; the sleeper pays for both with {@link
 * OperatingSystem#heavyBarrier()}, so that the writer, whose path is the hot one, pays nothing, if all ranks can.
 */
final class SharedHeap {
    static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    /** Slots for teams; one word of {@link Team}'s search is 64 of them. */
    static final int TEAMS = 1024;

    /** Each needs a cache line of every other one's stage. */
    static final int MOST_RANKS = (int) (HostCommunicator.STAGE / 64);

    private static final long DEATHS = 0;
    private static final long SLEEPERS_TOTAL = 64;
    private static final long SLEEPERS = 128;
    private static final long RANK_BYTES = 128;
    private static final long STATE = 0;
    private static final long PROCESS = 8;
    private static final long HEAVY_BARRIER = 16;
    private static final long DOORBELL = 64;
    private static final int PRESENT = 1;
    private static final int LEFT = 2;
    private static final int DEAD = 3;
    private static final long LARGE_PAGE = 2 << 20;
    /** The largest ordinary page of the processors in use. */
    private static final long PAGE = 64 << 10;

    /** The largest alignment that OpenSHMEM's allocations can have. */
    private static final long MOST_LIKENESS = 1 << 30;

    /** All halves together; leaves most of a 47-bit address space to the rest of the process. */
    private static final long LARGEST_FILE = 1L << 45;

    /** The size below which a half that nobody gave a size is not halved again. */
    private static final long LEAST_AUTOMATIC = 64 << 20;

    /** The beginning of an offer that may be followed by a smaller one. */
    private static final String MORE = "+";

    /** Calls that copy end in this time; what takes longer waits for something else. */
    private static final long UNMAP_NANOS = 1_000_000_000;

    private static final Map<World, Integer> HEAPS_OF = new WeakHashMap<>();

    final OperatingSystem os = OperatingSystem.current();
    final int me;
    final int size;
    final MemorySegment memory;
    /** Bytes that a rank allocates symmetrically, at the front of its data; and again alone, behind them. */
    final long half;
    /** Bytes from one rank's data to the next one's: a multiple of {@link #likeness}. */
    final long stride;

    private final World world;
    private final Arena arena = Arena.ofShared();
    /** Arenas of memory that ends on its own. */
    private final Set<Arena> parts = ConcurrentHashMap.newKeySet();

    private final int descriptor;
    /**
     * Whether writers need a fence of their own, because some rank's system has no heavy barrier; known when all have
     * come.
     */
    private boolean fence = true;
    /** Whether there are more ranks than processors; known when all have come. */
    boolean crowded;
    /** What sets this heap apart from others of the same world; the same on all ranks. */
    String name = "";
    /** The limit of every wait that has none of its own; 0 for none. */
    volatile long timeoutNanos;

    private final long ranksStart;
    private final long teamsStart;
    private final long dataStart;
    private volatile boolean closed;

    private SharedHeap(World world, int descriptor, long half) {
        this.world = world;
        this.me = world.rank();
        this.size = world.size();
        this.descriptor = descriptor;
        this.ranksStart = ranksStart(size);
        this.teamsStart = teamsStart(size);
        this.dataStart = dataStart(size);
        this.half = half;
        this.stride = stride(half);
        try {
            this.memory = os.map(descriptor, dataStart + stride * size, likeness(half), arena);
            if (!os.lockByte(descriptor, me)) {
                throw new SymmetricMemoryException("rank " + me + " of " + size + " is already in this shared memory");
            }
        } catch (OperatingSystemException | SymmetricMemoryException e) {
            arena.close();
            os.closeFile(descriptor);
            throw e;
        }
        memory.set(
                ValueLayout.JAVA_LONG,
                rank(me) + PROCESS,
                ProcessHandle.current().pid());
        memory.set(ValueLayout.JAVA_INT, rank(me) + HEAVY_BARRIER, os.hasHeavyBarrier() ? 1 : 0);
        INT.setRelease(memory, rank(me) + STATE, PRESENT);
    }

    /**
     * The ranks' data begin at addresses that differ by a multiple of this, each rank's in its own process: what is
     * aligned on one is so on all. It is as much as fits into a half, up to {@link #MOST_LIKENESS}.
     */
    private static long likeness(long half) {
        return Math.min(Long.highestOneBit(half), MOST_LIKENESS);
    }

    private static long stride(long half) {
        return alignUp(2 * half, likeness(half));
    }

    private static long ranksStart(int size) {
        return alignUp(sleepersAt(size), RANK_BYTES);
    }

    private static long teamsStart(int size) {
        return alignUp(ranksStart(size) + RANK_BYTES * size, 4096);
    }

    private static long dataStart(int size) {
        return alignUp(teamsStart(size) + (long) TEAMS * Team.SLOT_BYTES * size, LARGE_PAGE);
    }

    static long alignUp(long value, long alignment) {
        return value + alignment - 1 & -alignment;
    }

    /**
     * Collective: makes the memory and maps it on every rank; when it returns, all have mapped it.
     *
     * @param heapBytes bytes that a rank can allocate symmetrically, and again alone; 0 for as much as the machine has
     */
    static SharedHeap open(World world, long heapBytes) {
        if (world.localSize() != world.size()) {
            throw new SymmetricMemoryException("rank " + world.rank() + " of " + world.size()
                    + ": the engine 'host' joins processes of one machine, and of this job only " + world.localSize()
                    + (world.localSize() == 1 ? " rank is" : " ranks are")
                    + " on this one; between machines use COMM4J_ENGINE=mpi (comm4j-mpi), or nccl between GPUs");
        }
        if (world.size() > MOST_RANKS) {
            throw new SymmetricMemoryException("rank " + world.rank() + " of " + world.size()
                    + ": the engine 'host' joins at most " + MOST_RANKS + " ranks");
        }
        int serial;
        synchronized (HEAPS_OF) {
            serial = HEAPS_OF.merge(world, 1, Integer::sum);
        }
        String key = "comm4j.host.heap." + serial;
        // A process may have less address space than its machine has memory (RLIMIT_AS, sandboxes).
        long half = half(world.size(), heapBytes);
        SharedHeap heap = null;
        while (heap == null) {
            heap = tryToOpen(world, key, half, heapBytes > 0 || half < LEAST_AUTOMATIC);
            key += ".half";
            half = half / 2 & -LARGE_PAGE;
        }
        return heap;
    }

    /**
     * Returns the heap, mapped by all ranks; null if one of them could not map it, unless this attempt is the last.
     *
     * @param key of this attempt, and the heap's name
     * @param half of rank 0, which decides
     * @param last of rank 0
     */
    private static @Nullable SharedHeap tryToOpen(World world, String key, long half, boolean last) {
        OperatingSystem os = OperatingSystem.current();
        int created = -1;
        SharedHeap heap = null;
        boolean complete = false;
        try {
            String offer = "";
            if (world.rank() == 0) {
                long bytes = dataStart(world.size()) + stride(half) * world.size();
                try {
                    created = os.createSharedFile("comm4j", bytes);
                    offer = (last ? "" : MORE) + half + " " + os.sharedPath(created);
                } catch (OperatingSystemException e) {
                    offer = "! could not create " + bytes + " bytes of shared memory: " + e.getMessage();
                }
            }
            String offered =
                    new String(world.exchange(key, offer.getBytes(UTF_8)).getFirst(), UTF_8);
            boolean more = offered.startsWith(MORE);
            String problem = "";
            try {
                heap = mapOffered(world, more ? offered.substring(MORE.length()) : offered);
            } catch (OperatingSystemException | SymmetricMemoryException e) {
                problem = "rank " + world.rank() + " could not map the shared memory: " + e.getMessage();
            }
            // Every rank learns whether all are there, so that either all go on or all fail.
            for (byte[] each : world.exchange(key + ".mapped", problem.getBytes(UTF_8))) {
                if (each.length > 0) {
                    if (more) {
                        return null;
                    }
                    throw new SymmetricMemoryException(new String(each, UTF_8));
                }
            }
            Objects.requireNonNull(heap).fence = !heap.allHaveHeavyBarrier();
            heap.name = key;
            heap.crowded = Processors.areCrowded(world, key + ".processors");
            complete = true;
            return heap;
        } finally {
            // Also when a rank died in the meantime.
            if (created >= 0) {
                os.closeFile(created);
            }
            if (!complete && heap != null) {
                heap.close();
            }
        }
    }

    private boolean allHaveHeavyBarrier() {
        for (int rank = 0; rank < size; rank++) {
            if (memory.get(ValueLayout.JAVA_INT, rank(rank) + HEAVY_BARRIER) == 0) {
                return false;
            }
        }
        return true;
    }

    /** @param offer of rank 0: bytes of a half and a path, or "!" and why there is nothing */
    private static SharedHeap mapOffered(World world, String offer) {
        if (offer.startsWith("!")) {
            throw new SymmetricMemoryException("rank 0" + offer.substring(1));
        }
        int space = offer.indexOf(' ');
        try {
            long half = Long.parseLong(offer.substring(0, Math.max(0, space)));
            if (half < LARGE_PAGE || half > LARGEST_FILE / (2L * world.size())) {
                throw new IllegalArgumentException("a half of " + half + " bytes");
            }
            return new SharedHeap(world, OperatingSystem.current().openSharedFile(offer.substring(space + 1)), half);
        } catch (IllegalArgumentException e) {
            throw new SymmetricMemoryException("what rank 0 offers is not to be trusted: " + e.getMessage());
        }
    }

    private static long half(int size, long heapBytes) {
        long most = LARGEST_FILE / (2L * size) & -LARGE_PAGE;
        long wanted = heapBytes > 0 ? heapBytes : OperatingSystem.current().totalMemory();
        return Math.min(alignUp(Math.min(wanted, most), LARGE_PAGE), most);
    }

    // ---- places ----

    /** Where the data of a rank starts in {@link #memory}. */
    long data(int rank) {
        return dataStart + stride * rank;
    }

    /** Where slot {@code slot} of a rank starts in {@link #memory}. */
    long team(int rank, int slot) {
        return teamsStart + ((long) rank * TEAMS + slot) * Team.SLOT_BYTES;
    }

    private long rank(int rank) {
        return ranksStart + RANK_BYTES * rank;
    }

    /** The offset in {@link #memory} of an address in this process, or −1 if the range is not inside. */
    long offsetOf(long address, long bytes) {
        long offset = address - memory.address();
        return offset >= dataStart && offset + bytes <= memory.byteSize() ? offset : -1;
    }

    long processOf(int rank) {
        return memory.get(ValueLayout.JAVA_LONG, rank(rank) + PROCESS);
    }

    // ---- memory ----

    /**
     * Takes memory for a range of this rank's data now, in large pages where they fit; false if there is not enough.
     */
    boolean populate(long offset, long bytes) {
        MemorySegment range = memory.asSlice(offset, bytes);
        os.adviseLargePages(range);
        return os.populate(range);
    }

    /** Zeroes a range; the whole pages in it go back to the system. Nothing once the heap is closed. */
    synchronized void discard(long offset, long bytes) {
        if (closed) {
            return;
        }
        long first = alignUp(offset, PAGE);
        long end = offset + bytes & -PAGE;
        if (first >= end) {
            memory.asSlice(offset, bytes).fill((byte) 0);
            return;
        }
        memory.asSlice(offset, first - offset).fill((byte) 0);
        memory.asSlice(end, offset + bytes - end).fill((byte) 0);
        os.punchHole(descriptor, first, end - first);
    }

    // ---- sleeping and waking ----

    /** Where it says how many threads of a rank sleep. */
    private static long sleepersAt(int rank) {
        return SLEEPERS + 8L * rank;
    }

    /** Where it says how many of them wait for stores. */
    private static long sleepersForStoresAt(int rank) {
        return sleepersAt(rank) + 4;
    }

    /** To be called after a store to memory of {@code rank}, which may wait for it. */
    void ring(int rank) {
        if (fence) {
            VarHandle.fullFence();
        }
        if ((int) INT.getOpaque(memory, sleepersForStoresAt(rank)) != 0) {
            wake(rank);
        }
    }

    /** To be called after a store that any rank may wait for, wherever it is. */
    void ringAll() {
        if (fence) {
            VarHandle.fullFence();
        }
        if ((int) INT.getOpaque(memory, SLEEPERS_TOTAL) != 0) {
            wakeSleepers();
        }
    }

    private void wakeSleepers() {
        for (int rank = 0; rank < size; rank++) {
            if ((int) INT.getOpaque(memory, sleepersAt(rank)) != 0) {
                wake(rank);
            }
        }
    }

    private void wake(int rank) {
        INT.getAndAdd(memory, rank(rank) + DOORBELL, 1);
        os.wakeAll(memory.address() + rank(rank) + DOORBELL);
    }

    /**
     * Announces a sleeper of this rank; what it waits for must be looked at once more before {@link #nap}.
     *
     * @param forStores whether {@link #ring} is to wake it, too, not only {@link #ringAll}
     */
    int announceSleep(boolean forStores) {
        int doorbell = doorbell();
        countSleeper(forStores, 1);
        // All ranks decide alike: a writer that spares its fence relies on every sleeper.
        if (fence) {
            VarHandle.fullFence();
        } else {
            os.heavyBarrier();
        }
        return doorbell;
    }

    void withdrawSleep(boolean forStores) {
        countSleeper(forStores, -1);
    }

    /**
     * Nobody sleeps here any more when the heap is closed, which has withdrawn all; one that stayed would cost the
     * others system calls.
     */
    private synchronized void countSleeper(boolean forStores, int by) {
        if (closed) {
            return;
        }
        INT.getAndAdd(memory, sleepersAt(me), by);
        if (forStores) {
            INT.getAndAdd(memory, sleepersForStoresAt(me), by);
        }
        INT.getAndAdd(memory, SLEEPERS_TOTAL, by);
    }

    /** How many threads of all ranks sleep, or are about to. */
    int sleepers() {
        return (int) INT.getAcquire(memory, SLEEPERS_TOTAL);
    }

    /**
     * Sleeps until this rank's doorbell is no longer {@code doorbell}, or a little while; returns the doorbell then.
     */
    int nap(int doorbell) {
        os.sleepWhile(memory.address() + rank(me) + DOORBELL, doorbell);
        return closed ? doorbell : doorbell();
    }

    private int doorbell() {
        return (int) INT.getAcquire(memory, rank(me) + DOORBELL);
    }

    // ---- liveness ----

    /** Whether a rank closed its heap in good order. */
    boolean hasLeft(int rank) {
        return (int) INT.getAcquire(memory, rank(rank) + STATE) == LEFT;
    }

    /** Returns whether a rank has left, or was found dead: it reads and writes nothing here any more. */
    boolean isGone(int rank) {
        int state = (int) INT.getAcquire(memory, rank(rank) + STATE);
        return state == LEFT || state == DEAD;
    }

    /** Returns whether somebody found a rank dead. */
    boolean isDead(int rank) {
        return (int) INT.getAcquire(memory, rank(rank) + STATE) == DEAD;
    }

    /** The first rank that somebody found dead, without {@code those}, or −1; a look at one word if there is none. */
    int knownDead(BitSet those) {
        if ((int) INT.getAcquire(memory, DEATHS) > 0) {
            for (int rank = 0; rank < size; rank++) {
                if (isDead(rank) && !those.get(rank)) {
                    return rank;
                }
            }
        }
        return -1;
    }

    /** Looks for ranks whose process ended without leaving; tells all the others. */
    synchronized void findDead() {
        if (closed) {
            return;
        }
        boolean found = false;
        for (int rank = 0; rank < size; rank++) {
            if (rank != me
                    && !isGone(rank)
                    && !os.isByteLocked(descriptor, rank)
                    && INT.compareAndSet(memory, rank(rank) + STATE, PRESENT, DEAD)) {
                INT.getAndAdd(memory, DEATHS, 1);
                found = true;
            }
        }
        if (found) {
            ringAll();
        }
    }

    RankFailedException dead(int rank, String waiting) {
        return new RankFailedException(
                rank,
                waiting + ": rank " + rank + " (process " + processOf(rank)
                        + ") is gone: its process ended without closing (killed, crashed, or exited)"
                        + LastWords.awaited(world, rank));
    }

    /**
     * Returns memory in here that ends when {@code life} does, or with the heap.
     *
     * @param ended runs then
     */
    MemorySegment part(long offset, long bytes, Arena life, Runnable ended) {
        parts.add(life);
        return NativeMemory.at(memory.address() + offset, bytes, life, () -> {
            parts.remove(life);
            ended.run();
        });
    }

    // ---- end ----

    boolean isOpen() {
        return !closed;
    }

    World world() {
        return world;
    }

    /**
     * Leaves the memory, and unmaps it when the last native call or channel of this process that uses it has ended.
     *
     * @throws IllegalStateException if that takes too long; the others know all the same that this rank has left, and
     *     closing again tries again
     */
    void close() {
        synchronized (this) {
            if (!closed) {
                closed = true;
                INT.getAndAdd(memory, SLEEPERS_TOTAL, -(int) INT.getAndSet(memory, sleepersAt(me), 0));
                INT.setRelease(memory, sleepersForStoresAt(me), 0);
                INT.setRelease(memory, rank(me) + STATE, LEFT);
                ringAll();
                wake(me);
                os.closeFile(descriptor);
            }
        }
        boolean unused = true;
        for (Arena each : parts) {
            unused &= NativeMemory.close(each, UNMAP_NANOS);
        }
        if (!unused || !NativeMemory.close(arena, UNMAP_NANOS)) {
            throw new IllegalStateException("close of the shared memory of rank " + me + " of " + size
                    + ": a native call or a channel of this process is still using it; close again when that"
                    + " has ended");
        }
    }
}
