// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.comm4j.core.spi.Arguments.nonNull;
import static org.comm4j.core.spi.Arguments.timeoutNanos;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.core.World;
import org.comm4j.core.spi.AbstractCommunicator;
import org.comm4j.core.spi.Setting;
import org.comm4j.ffi.OperatingSystem;

/**
 * What processes of one machine have together: a symmetric heap in shared memory, in which each reaches the others'
 * copies of an array by loads and stores ({@link #ptr}, {@link #memory}), teams that synchronise, and waits that end.
 * Communicators, kernels on the CPU and comm4j's OpenSHMEM, which has puts, gets, atomics and signals for programs, are
 * made of it.
 *
 * <p>A PE (processing element) is a rank of the world. What one stores another sees in the order of the program only
 * across a store with release and a load with acquire, an atomic, or a synchronisation.
 *
 * <p>Safe for use by several threads, except for the collective methods ({@link #allocate}, {@link
 * SymmetricArray#close}, {@link #barrierAll}, {@link #close}), which one thread of each PE calls.
 *
 * <p>A wait ends with {@link org.comm4j.core.RankFailedException} when any rank died, or all others left, and with
 * {@link org.comm4j.core.CommTimeoutException} after {@link #timeout()}. After such an end of a collective method the
 * PEs are out of step, and every further one throws {@link IllegalStateException}.
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
     * Collective over {@code world}: {@link #init(World, long)} with the size that {@code COMM4J_HEAP_SIZE} gives
     * (bytes, or with a suffix: {@code 512M}, {@code 1.5G}), else with as much as the machine has memory.
     */
    public static HostShmem init(World world) {
        nonNull(world, "init", "world");
        return init(world, HeapSize.fromEnvironment());
    }

    /**
     * Collective over {@code world}: makes the symmetric heap ({@code shmem_init}). Where {@code comm4j run} started
     * the ranks, each one's calling thread is confined to its share of the processors, if there are enough for all;
     * {@code COMM4J_BIND=0} prevents it.
     *
     * @param heapBytes the most that a PE can allocate; memory is taken when it is allocated, not now. 0: as much as
     *     the machine has
     * @throws SymmetricMemoryException if the shared memory cannot be made or mapped, or the ranks are on several
     *     machines
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
     * Gives this thread its share of the processors, as {@code mpirun} does for its ranks. Otherwise a rank that is
     * woken often lands on its waker's processor, and both take turns there.
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
        heap.timeoutNanos = timeoutNanos(timeout, "timeout");
    }

    // ---- symmetric memory ----

    /**
     * Collective: zeroed memory for {@code count} elements on every PE, at the same place of each heap
     * ({@code shmem_calloc}). Every PE passes the same arguments; all have their memory when the method returns.
     *
     * @throws org.comm4j.core.CollectiveMismatchException if PEs pass different arguments
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

    /**
     * Zeroed memory of this PE alone that all PEs can reach: an offset in {@link SharedHeap#memory}. Not collective.
     */
    long allocateLocal(String what, long bytes) {
        checkOpen(what);
        return allocations.allocateLocal(what, bytes);
    }

    /** Frees local memory that nobody uses. */
    void freeLocal(long offset, long bytes) {
        allocations.freeLocal(offset, bytes);
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
     * The copy of {@code array} on {@code pe}, for loads and stores ({@code shmem_ptr}). Where {@code pe} may wait for
     * what was stored, {@link PeerMemory#written} tells it.
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

    /**
     * The heaps of all PEs by places in them, for kernels on the CPU and others who have pointers instead of arrays.
     */
    public PeerMemory memory() {
        checkOpen("memory");
        return new PeerMemory(this);
    }

    // ---- synchronisation ----

    /** Returns when every PE has called it; all stores before are visible after ({@code shmem_barrier_all}). */
    public void barrierAll() {
        checkOpen("barrierAll");
        world.calls("barrierAll");
        world.sync("barrierAll", heap.timeoutNanos);
    }

    void checkOpen(String what) {
        if (closed) {
            throw new IllegalStateException(what + ": this symmetric heap is closed");
        }
    }

    // ---- end ----

    /**
     * Leaves the symmetric heap and unmaps it: all its arrays are dead ({@code shmem_finalize}, without its barrier).
     * Ranks close when they no longer need the others, nor the others them; call {@link #barrierAll} before if in
     * doubt.
     *
     * @throws IllegalStateException if a native call or a channel of another thread is still using the memory after a
     *     while; closing again, when that has ended, unmaps it
     */
    @Override
    public void close() {
        closed = true;
        heap.close();
    }

    @Override
    public String toString() {
        return "HostShmem[PE " + myPe() + " of " + nPes() + (closed ? ", closed]" : "]");
    }
}
