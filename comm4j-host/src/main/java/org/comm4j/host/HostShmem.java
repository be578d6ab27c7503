// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.core.World;
import org.comm4j.core.spi.AbstractCommunicator;
import org.comm4j.core.spi.Setting;
import org.comm4j.ffi.OperatingSystem;
import org.jspecify.annotations.Nullable;

/**
 * What processes of one machine have together: a symmetric heap in shared memory, in which each reaches the others' copies of
 * an array by loads and stores ({@link #ptr}, {@link #memory}), teams that synchronise, and waits that end. Communicators, kernels
 * on the CPU and comm4j's OpenSHMEM, which has puts, gets, atomics and signals for programs, are made of it.
 *
 * <p>A PE (processing element) is a rank of the world. What one stores another sees in the order of the program only across a
 * store with release and a load with acquire, an atomic, or a synchronisation.
 *
 * <p>Safe for use by several threads, except for the collective methods ({@link #allocate}, {@link SymmetricArray#close},
 * {@link #barrierAll}, {@link #splitStrided}, {@link #split2d}, {@link #close}), which one thread of each PE calls.
 *
 * <p>A wait ends with {@link org.comm4j.core.RankFailedException} when any rank died, or all others left, and with
 * {@link org.comm4j.core.CommTimeoutException} after {@link #timeout()}. After such an end of a collective method the PEs are
 * out of step, and every further one throws {@link IllegalStateException}.
 */
public final class HostShmem implements AutoCloseable {
    private final SharedHeap heap;
    private final Team world;
    private final HeapMemory allocations;
    private volatile boolean closed;

    private HostShmem(SharedHeap heap) {
        this.heap = heap;
        this.world = Team.world(heap);
        this.allocations = new HeapMemory(heap);
        timeout(AbstractCommunicator.defaultTimeout());
    }

    /**
     * Collective over {@code world}: {@link #init(World, long)} with the size that {@code COMM4J_HEAP_SIZE} gives (bytes, or
     * with a suffix: {@code 512M}, {@code 1.5G}), else with as much as the machine has memory.
     */
    public static HostShmem init(World world) {
        nonNull(world, "init", "world");
        return init(world, HeapSize.fromEnvironment());
    }

    /**
     * Collective over {@code world}: makes the symmetric heap ({@code shmem_init}). Where {@code comm4j run} started the ranks,
     * each one's calling thread is confined to its share of the processors, if there are enough for all;
     * {@code COMM4J_BIND=0} prevents it.
     *
     * @param heapBytes the most that a PE can allocate; memory is taken when it is allocated, not now. 0: as much as the
     *     machine has
     * @throws SymmetricMemoryException if the shared memory cannot be made or mapped, or the ranks are on several machines
     */
    public static HostShmem init(World world, long heapBytes) {
        nonNull(world, "init", "world");
        if (heapBytes < 0) {
            throw new IllegalArgumentException("heap of " + heapBytes + " bytes");
        }
        HostShmem shmem = new HostShmem(SharedHeap.open(world, heapBytes));
        bind(world);
        return shmem;
    }

    /**
     * Gives this thread its share of the processors, as {@code mpirun} does for its ranks. Otherwise a rank that is woken often
     * lands on its waker's processor, and both take turns there.
     */
    private static void bind(World world) {
        if (world.origin().equals("comm4j run")
                && world.size() > 1
                && Setting.isOn(System.getenv("COMM4J_BIND"), true)) {
            OperatingSystem.current().bindThread(world.rank(), world.size());
        }
    }

    SharedHeap heap() {
        return heap;
    }

    /** This rank ({@code shmem_my_pe}). */
    public int myPe() {
        return heap.me;
    }

    /** The number of ranks ({@code shmem_n_pes}). */
    public int nPes() {
        return heap.size;
    }

    /** The team of all PEs ({@code SHMEM_TEAM_WORLD}). */
    public Team world() {
        return world;
    }

    /** The limit of every wait; {@link Duration#ZERO}, the default unless {@code COMM4J_TIMEOUT} is set, means none. */
    public Duration timeout() {
        return Duration.ofNanos(heap.timeoutNanos);
    }

    /** Sets the limit of every wait from now on, also of teams; {@link Duration#ZERO}: no limit. */
    public void timeout(Duration timeout) {
        nonNull(timeout, "timeout", "timeout");
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout " + timeout + " is negative");
        }
        // More than a number can hold, 292 years, is as good as no limit.
        heap.timeoutNanos = TimeUnit.NANOSECONDS.convert(timeout);
    }

    // ---- symmetric memory ----

    /**
     * Collective: zeroed memory for {@code count} elements on every PE, at the same place of each heap
     * ({@code shmem_calloc}). Every PE passes the same arguments; all have their memory when the method returns.
     *
     * @throws CollectiveMismatchException if PEs pass different arguments
     * @throws SymmetricMemoryException if the heap or the machine's memory is exhausted; nothing is allocated then
     */
    public SymmetricArray allocate(DataType type, long count) {
        nonNull(type, "allocate", "type");
        return allocate("allocate of " + count + " x " + type + " on PE " + myPe() + " of " + nPes(), type, count);
    }

    /**
     * {@link #allocate(DataType, long)} for an operation of another name.
     *
     * @param what the operation, with who calls it, for messages
     */
    public SymmetricArray allocate(String what, DataType type, long count) {
        nonNull(what, "allocate", "what");
        nonNull(type, what, "type");
        checkOpen(what);
        HeapMemory.Allocation allocation = allocations.allocate(world, type, count, what, heap.timeoutNanos);
        return new SymmetricArray(this, type, allocation.start, count, allocation);
    }

    void free(HeapMemory.Allocation allocation) {
        if (!closed) {
            allocations.free(allocation);
        }
    }

    /** Zeroed memory of this PE alone that all PEs can reach: an offset in {@link SharedHeap#memory}. Not collective. */
    long allocateLocal(String what, long bytes) {
        checkOpen(what);
        return allocations.allocateLocal(what, bytes);
    }

    /** Frees local memory when all other members of {@code team} have left it. */
    void retire(Team team, long offset, long bytes) {
        allocations.retire(team, offset, bytes);
    }

    /** This PE's own memory at an offset of its data. */
    MemorySegment own(long offset, long bytes) {
        return heap.memory.asSlice(heap.data(myPe()) + offset, bytes);
    }

    /**
     * The copy of {@code array} on {@code pe}, for loads and stores ({@code shmem_ptr}). Where {@code pe} may wait for what was stored,
     * {@link PeerMemory#written} tells it.
     *
     * @throws IllegalArgumentException if {@code pe} is no PE, or the array of another heap
     * @throws IllegalStateException if the array was freed
     */
    public HostArray ptr(SymmetricArray array, int pe) {
        nonNull(array, "ptr", "array");
        if (array.shmem() != this || !array.isAlive()) {
            throw unusable(array);
        }
        if (pe < 0 || pe >= heap.size) {
            throw new IllegalArgumentException(
                    "ptr on PE " + myPe() + " of " + nPes() + ": PE " + pe + " is not one of 0 to " + (heap.size - 1));
        }
        return HostArray.wrap(heap.memory.asSlice(heap.data(pe) + array.offset(), array.byteSize()), array.type());
    }

    private RuntimeException unusable(SymmetricArray array) {
        String what = "ptr on PE " + myPe() + " of " + nPes() + ": " + array;
        checkOpen(what);
        return array.isAlive()
                ? new IllegalArgumentException(what + " belongs to another symmetric heap")
                : new IllegalStateException(what + " was freed");
    }

    /** The heaps of all PEs by places in them, for kernels on the CPU and others who have pointers instead of arrays. */
    public PeerMemory memory() {
        checkOpen("memory");
        return new PeerMemory(this);
    }

    // ---- synchronisation, teams ----

    /** Returns when every PE has called it; all stores before are visible after ({@code shmem_barrier_all}). */
    public void barrierAll() {
        checkOpen("barrierAll");
        world.sync("barrierAll", heap.timeoutNanos);
    }

    /**
     * Collective over {@code parent}: the team of its members {@code start}, {@code start + stride}, … ({@code size} of them;
     * {@code shmem_team_split_strided}). Null for a rank that is not among them.
     *
     * @param stride may be negative; 0 only if {@code size} is 1
     */
    public @Nullable Team splitStrided(Team parent, int start, int stride, int size) {
        nonNull(parent, "splitStrided", "parent");
        String what = "splitStrided(" + start + ", " + stride + ", " + size + ") on PE " + myPe() + " of " + nPes();
        checkOpen(what);
        long last = start + (long) stride * (size - 1);
        if (size < 1
                || start < 0
                || start >= parent.size()
                || last < 0
                || last >= parent.size()
                || stride == 0 && size > 1) {
            throw new IllegalArgumentException(
                    what + ": does not name " + size + " different members of a team of " + parent.size());
        }
        agree(what, parent, start, stride, size);
        int place = -1;
        for (int i = 0; i < size; i++) {
            if (start + stride * i == parent.rank()) {
                place = i;
            }
        }
        return parent.split(place < 0 ? -1 : 0, Math.max(place, 0), "splitStrided", heap.timeoutNanos);
    }

    /** The two teams that a member of a grid is in: those with the same y, numbered by x, and the other way round. */
    public record Axes(Team x, Team y) {}

    /**
     * Collective over {@code parent}: its members as a grid, {@code xRange} to a row ({@code shmem_team_split_2d}). Member m
     * is at x = m mod {@code xRange}, y = m / {@code xRange}; the last row may be shorter.
     *
     * @param xRange at least 1; more than {@code parent} has members means one row
     */
    public Axes split2d(Team parent, int xRange) {
        nonNull(parent, "split2d", "parent");
        String what = "split2d(" + xRange + ") on PE " + myPe() + " of " + nPes();
        checkOpen(what);
        if (xRange < 1) {
            throw new IllegalArgumentException(what + ": a row has at least 1 member");
        }
        agree(what, parent, xRange);
        int x = parent.rank() % xRange;
        int y = parent.rank() / xRange;
        Team row = parent.split(y, x, "split2d", heap.timeoutNanos);
        Team column = parent.split(x, y, "split2d", heap.timeoutNanos);
        return new Axes(Objects.requireNonNull(row), Objects.requireNonNull(column));
    }

    /** Teams made from different arguments would wait for each other in vain. */
    private void agree(String what, Team parent, long... arguments) {
        long[][] all = parent.exchange(what.substring(0, what.indexOf('(')), heap.timeoutNanos, arguments);
        for (int member = 0; member < all.length; member++) {
            if (!Arrays.equals(all[member], arguments)) {
                throw new CollectiveMismatchException(
                        what + ": PE " + parent.worldRank(member) + " passes " + Arrays.toString(all[member])
                                + " instead of " + Arrays.toString(arguments) + "; all members must pass the same");
            }
        }
    }

    void checkOpen(String what) {
        if (closed) {
            throw new IllegalStateException(what + ": this symmetric heap is closed");
        }
    }

    // ---- end ----

    /**
     * Leaves the symmetric heap and unmaps it: all its arrays are dead ({@code shmem_finalize}, without its barrier). Ranks
     * close when they no longer need the others, nor the others them; call {@link #barrierAll} before if in doubt.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        heap.close();
    }

    @Override
    public String toString() {
        return "HostShmem[PE " + myPe() + " of " + nPes() + (closed ? ", closed]" : "]");
    }
}
