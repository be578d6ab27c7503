// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.comm4j.host.SharedHeap.INT;
import static org.comm4j.host.SharedHeap.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SignalOp;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.core.World;
import org.comm4j.core.spi.AbstractCommunicator;
import org.comm4j.ffi.OperatingSystem;
import org.jspecify.annotations.Nullable;

/**
 * One-sided communication between the processes of one machine: a symmetric heap in shared memory with put and get, atomics,
 * signals, waits and teams. Names, argument order (destination, source, count, PE) and meaning are those of OpenSHMEM 1.5.
 *
 * <p>A PE (processing element) is a rank of the world. Puts and gets are copies that this thread makes: they are complete
 * when the method returns, on both sides, which is more than OpenSHMEM promises. What still needs care is order: another PE
 * sees stores in the order of the program only across {@link #fence}, {@link #quiet}, a signal, an atomic or a
 * synchronisation.
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
    private final Waits waits;
    private volatile boolean closed;

    private HostShmem(SharedHeap heap) {
        this.heap = heap;
        this.world = Team.world(heap);
        this.allocations = new HeapMemory(heap);
        this.waits = new Waits(heap);
        timeout(AbstractCommunicator.defaultTimeout());
    }

    /**
     * Collective over {@code world}: {@link #init(World, long)} with the size that {@code COMM4J_HEAP_SIZE} gives (bytes, or
     * with a suffix: {@code 512M}, {@code 1.5G}), else with as much as the machine has memory.
     */
    public static HostShmem init(World world) {
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
        Objects.requireNonNull(world, "world");
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
        if (world.origin().equals("comm4j run") && world.size() > 1 && !"0".equals(System.getenv("COMM4J_BIND"))) {
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
        String what = "allocate of " + count + " x " + type + " on PE " + myPe() + " of " + nPes();
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
     * The copy of {@code array} on {@code pe}, for direct loads and stores ({@code shmem_ptr}); no copy is made. Use the
     * methods of this class where order or atomicity matters.
     */
    public HostArray ptr(SymmetricArray array, int pe) {
        long at = place(array, "array", 0, array.count(), pe);
        return HostArray.wrap(heap.memory.asSlice(at, array.byteSize()), array.type());
    }

    /** The heaps of all PEs by places in them, for kernels on the CPU and others who have pointers instead of arrays. */
    public PeerMemory memory() {
        checkOpen("memory");
        return new PeerMemory(this);
    }

    // ---- put and get ----

    /**
     * Copies all of {@code source} to the front of {@code destination} on {@code pe} ({@code shmem_put}).
     *
     * @throws IllegalArgumentException if the types differ or {@code pe} is no PE
     * @throws IndexOutOfBoundsException if {@code destination} is too small
     */
    public void put(SymmetricArray destination, HostArray source, int pe) {
        put(destination, source, source.count(), pe);
    }

    /** Copies {@code count} elements from the front of {@code source} to the front of {@code destination} on {@code pe}. */
    public void put(SymmetricArray destination, HostArray source, long count, int pe) {
        long at = place(destination, "destination", 0, count, pe);
        checkOther(source, "source", count, destination);
        MemorySegment.copy(
                source.segment(), 0, heap.memory, at, count * source.type().bytes());
        heap.ring(pe);
    }

    /** Copies {@code source} on {@code pe} to the front of {@code destination}, all of it ({@code shmem_get}). */
    public void get(HostArray destination, SymmetricArray source, int pe) {
        get(destination, source, destination.count(), pe);
    }

    /** Copies {@code count} elements from the front of {@code source} on {@code pe} to the front of {@code destination}. */
    public void get(HostArray destination, SymmetricArray source, long count, int pe) {
        long at = place(source, "source", 0, count, pe);
        checkOther(destination, "destination", count, source);
        MemorySegment.copy(
                heap.memory, at, destination.segment(), 0, count * source.type().bytes());
    }

    /**
     * Copies {@code count} elements, every {@code sourceStride}-th of {@code source} to every {@code destinationStride}-th of
     * {@code destination} on {@code pe} ({@code shmem_iput}). Strides are in elements, at least 1.
     */
    public void iput(
            SymmetricArray destination,
            HostArray source,
            long destinationStride,
            long sourceStride,
            long count,
            int pe) {
        long at = place(destination, "destination", 0, span(count, destinationStride), pe);
        checkOther(source, "source", span(count, sourceStride), destination);
        copyStrided(
                source.segment(),
                0,
                sourceStride,
                heap.memory,
                at,
                destinationStride,
                count,
                source.type().bytes());
        heap.ring(pe);
    }

    /** The counterpart of {@link #iput}: from {@code source} on {@code pe} to {@code destination} ({@code shmem_iget}). */
    public void iget(
            HostArray destination,
            SymmetricArray source,
            long destinationStride,
            long sourceStride,
            long count,
            int pe) {
        long at = place(source, "source", 0, span(count, sourceStride), pe);
        checkOther(destination, "destination", span(count, destinationStride), source);
        copyStrided(
                heap.memory,
                at,
                sourceStride,
                destination.segment(),
                0,
                destinationStride,
                count,
                source.type().bytes());
    }

    private static long span(long count, long stride) {
        if (stride < 1) {
            throw new IllegalArgumentException("stride " + stride + " is not at least 1");
        }
        if (count < 0 || count > 0 && count - 1 > (Long.MAX_VALUE - 1) / stride) {
            throw new IllegalArgumentException("count " + count + " with stride " + stride);
        }
        return count == 0 ? 0 : (count - 1) * stride + 1;
    }

    private static void copyStrided(
            MemorySegment from,
            long fromAt,
            long fromStride,
            MemorySegment to,
            long toAt,
            long toStride,
            long count,
            int bytes) {
        for (long i = 0; i < count; i++) {
            long source = fromAt + i * fromStride * bytes;
            long target = toAt + i * toStride * bytes;
            switch (bytes) {
                case 1 -> to.set(JAVA_BYTE, target, from.get(JAVA_BYTE, source));
                case 2 -> to.set(JAVA_SHORT, target, from.get(JAVA_SHORT, source));
                case 4 -> to.set(JAVA_INT, target, from.get(JAVA_INT, source));
                default -> MemorySegment.copy(from, source, to, target, bytes);
            }
        }
    }

    /** Stores one integer, cut to the element type, on {@code pe} ({@code shmem_p}). */
    public void p(SymmetricArray destination, long index, long value, int pe) {
        long at = place(destination, "destination", index, 1, pe);
        switch (destination.type()) {
            case INT8, UINT8 -> heap.memory.set(JAVA_BYTE, at, (byte) value);
            case INT16, UINT16 -> heap.memory.set(JAVA_SHORT, at, (short) value);
            case INT32, UINT32 -> INT.setOpaque(heap.memory, at, (int) value);
            case INT64, UINT64 -> LONG.setOpaque(heap.memory, at, value);
            default -> throw wrongType("p of an integer", destination);
        }
        heap.ring(pe);
    }

    /** Stores one {@code FLOAT32} or {@code FLOAT64} on {@code pe} ({@code shmem_p}). */
    public void p(SymmetricArray destination, long index, double value, int pe) {
        long at = place(destination, "destination", index, 1, pe);
        switch (destination.type()) {
            case FLOAT32 -> INT.setOpaque(heap.memory, at, Float.floatToRawIntBits((float) value));
            case FLOAT64 -> LONG.setOpaque(heap.memory, at, Double.doubleToRawLongBits(value));
            default -> throw wrongType("p of a floating-point number", destination);
        }
        heap.ring(pe);
    }

    /** Loads one integer of {@code pe}, unsigned types zero-extended ({@code shmem_g}). */
    public long g(SymmetricArray source, long index, int pe) {
        long at = place(source, "source", index, 1, pe);
        return switch (source.type()) {
            case INT8 -> heap.memory.get(JAVA_BYTE, at);
            case UINT8 -> heap.memory.get(JAVA_BYTE, at) & 0xffL;
            case INT16 -> heap.memory.get(JAVA_SHORT, at);
            case UINT16 -> heap.memory.get(JAVA_SHORT, at) & 0xffffL;
            case INT32 -> (int) INT.getOpaque(heap.memory, at);
            case UINT32 -> (int) INT.getOpaque(heap.memory, at) & 0xffff_ffffL;
            case INT64, UINT64 -> (long) LONG.getOpaque(heap.memory, at);
            default -> throw wrongType("g of an integer", source);
        };
    }

    /** Loads one {@code FLOAT32} or {@code FLOAT64} of {@code pe} ({@code shmem_g}). */
    public double gDouble(SymmetricArray source, long index, int pe) {
        long at = place(source, "source", index, 1, pe);
        return switch (source.type()) {
            case FLOAT32 -> Float.intBitsToFloat((int) INT.getOpaque(heap.memory, at));
            case FLOAT64 -> Double.longBitsToDouble((long) LONG.getOpaque(heap.memory, at));
            default -> throw wrongType("g of a floating-point number", source);
        };
    }

    // ---- atomics: integers of 32 and 64 bits ----

    /** Atomically replaces an integer on {@code pe} and returns what was there ({@code shmem_atomic_swap}). */
    public long atomicSwap(SymmetricArray target, long index, long value, int pe) {
        long at = place(target, "target", index, 1, pe);
        long old = Waits.isWide(target)
                ? (long) LONG.getAndSet(heap.memory, at, value)
                : Waits.widened(target, (int) INT.getAndSet(heap.memory, at, (int) value));
        heap.ring(pe);
        return old;
    }

    /** Atomically adds to an integer on {@code pe} and returns what was there ({@code shmem_atomic_fetch_add}). */
    public long atomicFetchAdd(SymmetricArray target, long index, long value, int pe) {
        long at = place(target, "target", index, 1, pe);
        long old = Waits.isWide(target)
                ? (long) LONG.getAndAdd(heap.memory, at, value)
                : Waits.widened(target, (int) INT.getAndAdd(heap.memory, at, (int) value));
        heap.ring(pe);
        return old;
    }

    /**
     * Atomically replaces an integer on {@code pe} by {@code value} if it is {@code condition}; returns what was there
     * ({@code shmem_atomic_compare_swap}).
     */
    public long atomicCompareSwap(SymmetricArray target, long index, long condition, long value, int pe) {
        long at = place(target, "target", index, 1, pe);
        long old = Waits.isWide(target)
                ? (long) LONG.compareAndExchange(heap.memory, at, condition, value)
                : Waits.widened(target, (int) INT.compareAndExchange(heap.memory, at, (int) condition, (int) value));
        heap.ring(pe);
        return old;
    }

    /** Atomic bitwise AND; returns what was there ({@code shmem_atomic_fetch_and}). */
    public long atomicFetchAnd(SymmetricArray target, long index, long value, int pe) {
        long at = place(target, "target", index, 1, pe);
        long old = Waits.isWide(target)
                ? (long) LONG.getAndBitwiseAnd(heap.memory, at, value)
                : Waits.widened(target, (int) INT.getAndBitwiseAnd(heap.memory, at, (int) value));
        heap.ring(pe);
        return old;
    }

    /** Atomic bitwise OR; returns what was there ({@code shmem_atomic_fetch_or}). */
    public long atomicFetchOr(SymmetricArray target, long index, long value, int pe) {
        long at = place(target, "target", index, 1, pe);
        long old = Waits.isWide(target)
                ? (long) LONG.getAndBitwiseOr(heap.memory, at, value)
                : Waits.widened(target, (int) INT.getAndBitwiseOr(heap.memory, at, (int) value));
        heap.ring(pe);
        return old;
    }

    /** Atomic bitwise exclusive OR; returns what was there ({@code shmem_atomic_fetch_xor}). */
    public long atomicFetchXor(SymmetricArray target, long index, long value, int pe) {
        long at = place(target, "target", index, 1, pe);
        long old = Waits.isWide(target)
                ? (long) LONG.getAndBitwiseXor(heap.memory, at, value)
                : Waits.widened(target, (int) INT.getAndBitwiseXor(heap.memory, at, (int) value));
        heap.ring(pe);
        return old;
    }

    /** {@link #atomicFetchAdd} of 1 ({@code shmem_atomic_fetch_inc}). */
    public long atomicFetchInc(SymmetricArray target, long index, int pe) {
        return atomicFetchAdd(target, index, 1, pe);
    }

    /** Atomic addition ({@code shmem_atomic_add}). */
    public void atomicAdd(SymmetricArray target, long index, long value, int pe) {
        long ignored = atomicFetchAdd(target, index, value, pe);
    }

    /** Atomic addition of 1 ({@code shmem_atomic_inc}). */
    public void atomicInc(SymmetricArray target, long index, int pe) {
        long ignored = atomicFetchAdd(target, index, 1, pe);
    }

    /** Atomic bitwise AND ({@code shmem_atomic_and}). */
    public void atomicAnd(SymmetricArray target, long index, long value, int pe) {
        long ignored = atomicFetchAnd(target, index, value, pe);
    }

    /** Atomic bitwise OR ({@code shmem_atomic_or}). */
    public void atomicOr(SymmetricArray target, long index, long value, int pe) {
        long ignored = atomicFetchOr(target, index, value, pe);
    }

    /** Atomic bitwise exclusive OR ({@code shmem_atomic_xor}). */
    public void atomicXor(SymmetricArray target, long index, long value, int pe) {
        long ignored = atomicFetchXor(target, index, value, pe);
    }

    /** Atomic load of an integer ({@code shmem_atomic_fetch}). */
    public long atomicFetch(SymmetricArray source, long index, int pe) {
        return waits.load(source, place(source, "source", index, 1, pe));
    }

    /** Atomic store of an integer ({@code shmem_atomic_set}). */
    public void atomicSet(SymmetricArray target, long index, long value, int pe) {
        long at = place(target, "target", index, 1, pe);
        if (Waits.isWide(target)) {
            LONG.setVolatile(heap.memory, at, value);
        } else {
            INT.setVolatile(heap.memory, at, (int) value);
        }
        heap.ring(pe);
    }

    // ---- atomics: FLOAT32 and FLOAT64 ----

    /** Atomic load of a {@code FLOAT32} or {@code FLOAT64} ({@code shmem_atomic_fetch}). */
    public double atomicFetchDouble(SymmetricArray source, long index, int pe) {
        return decode(source, bits(source, place(source, "source", index, 1, pe)));
    }

    /** Atomic store of a {@code FLOAT32} or {@code FLOAT64} ({@code shmem_atomic_set}). */
    public void atomicSet(SymmetricArray target, long index, double value, int pe) {
        double ignored = atomicSwap(target, index, value, pe);
    }

    /** Atomic replacement of a {@code FLOAT32} or {@code FLOAT64}; returns what was there ({@code shmem_atomic_swap}). */
    public double atomicSwap(SymmetricArray target, long index, double value, int pe) {
        long at = place(target, "target", index, 1, pe);
        long bits = encode(target, value);
        double old = decode(
                target,
                target.type() == DataType.FLOAT64
                        ? (long) LONG.getAndSet(heap.memory, at, bits)
                        : (int) INT.getAndSet(heap.memory, at, (int) bits));
        heap.ring(pe);
        return old;
    }

    /** Atomic addition to a {@code FLOAT32} or {@code FLOAT64}; returns what was there. OpenSHMEM has none; NVSHMEM does. */
    public double atomicFetchAdd(SymmetricArray target, long index, double value, int pe) {
        long at = place(target, "target", index, 1, pe);
        while (true) {
            long bits = bits(target, at);
            double old = decode(target, bits);
            long sum = encode(target, old + value);
            boolean done = target.type() == DataType.FLOAT64
                    ? LONG.weakCompareAndSet(heap.memory, at, bits, sum)
                    : INT.weakCompareAndSet(heap.memory, at, (int) bits, (int) sum);
            if (done) {
                heap.ring(pe);
                return old;
            }
        }
    }

    private long bits(SymmetricArray array, long at) {
        return switch (array.type()) {
            case FLOAT32 -> (int) INT.getVolatile(heap.memory, at);
            case FLOAT64 -> (long) LONG.getVolatile(heap.memory, at);
            default -> throw wrongType("a floating-point atomic", array);
        };
    }

    private static long encode(SymmetricArray array, double value) {
        return switch (array.type()) {
            case FLOAT32 -> Float.floatToRawIntBits((float) value);
            case FLOAT64 -> Double.doubleToRawLongBits(value);
            default -> throw wrongType("a floating-point atomic", array);
        };
    }

    private static double decode(SymmetricArray array, long bits) {
        return array.type() == DataType.FLOAT64 ? Double.longBitsToDouble(bits) : Float.intBitsToFloat((int) bits);
    }

    // ---- signals and waits ----

    /**
     * {@link #put}, then a signal: the PE that sees the signal sees the data ({@code shmem_put_signal}).
     *
     * @param signal an {@code INT64} or {@code UINT64} array
     */
    public void putSignal(
            SymmetricArray destination,
            HostArray source,
            SymmetricArray signal,
            long index,
            long value,
            SignalOp op,
            int pe) {
        putSignal(destination, source, source.count(), signal, index, value, op, pe);
    }

    /** {@link #putSignal} of {@code count} elements. */
    public void putSignal(
            SymmetricArray destination,
            HostArray source,
            long count,
            SymmetricArray signal,
            long index,
            long value,
            SignalOp op,
            int pe) {
        long at = place(destination, "destination", 0, count, pe);
        long signalAt = signalPlace(signal, index, pe);
        Objects.requireNonNull(op, "op");
        checkOther(source, "source", count, destination);
        MemorySegment.copy(
                source.segment(), 0, heap.memory, at, count * source.type().bytes());
        signal(signalAt, value, op);
        heap.ring(pe);
    }

    /** A signal without data ({@code shmem_signal_set}, {@code shmem_signal_add}). */
    public void signal(SymmetricArray signal, long index, long value, SignalOp op, int pe) {
        signal(signalPlace(signal, index, pe), value, Objects.requireNonNull(op, "op"));
        heap.ring(pe);
    }

    private void signal(long at, long value, SignalOp op) {
        if (op == SignalOp.SET) {
            LONG.setRelease(heap.memory, at, value);
        } else {
            LONG.getAndAdd(heap.memory, at, value);
        }
    }

    private long signalPlace(SymmetricArray signal, long index, int pe) {
        if (signal.type() != DataType.INT64 && signal.type() != DataType.UINT64) {
            throw wrongType("a signal (INT64 or UINT64)", signal);
        }
        return place(signal, "signal", index, 1, pe);
    }

    /** The value of a signal of this PE ({@code shmem_signal_fetch}). */
    public long signalFetch(SymmetricArray signal, long index) {
        return (long) LONG.getAcquire(heap.memory, signalPlace(signal, index, myPe()));
    }

    /** Waits for a signal of this PE and returns its value ({@code shmem_signal_wait_until}). */
    public long signalWaitUntil(SymmetricArray signal, long index, Comparison comparison, long value) {
        long at = signalPlace(signal, index, myPe());
        return waits.await("signalWaitUntil", signal, at, comparison, value);
    }

    /**
     * Waits until an integer of this PE compares as asked with {@code value} ({@code shmem_wait_until}); what the PE that
     * stored it did before, in order, is visible afterwards. Returns the value that was seen.
     */
    public long waitUntil(SymmetricArray variable, long index, Comparison comparison, long value) {
        return waits.await("waitUntil", variable, place(variable, "variable", index, 1, myPe()), comparison, value);
    }

    /** Whether an integer of this PE compares as asked with {@code value} now ({@code shmem_test}). */
    public boolean test(SymmetricArray variable, long index, Comparison comparison, long value) {
        long at = place(variable, "variable", index, 1, myPe());
        return Waits.holds(variable, comparison, waits.load(variable, at), value);
    }

    // ---- waits for several integers ----

    /**
     * Waits until all integers of {@code variables} (a slice, to wait for some) on this PE compare as asked, each seen to do
     * so at one time or another ({@code shmem_wait_until_all}, {@code shmem_wait_until_all_vector}).
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    public void waitUntilAll(
            SymmetricArray variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        several("waitUntilAll", variables, skip, comparison, values).awaitAll("waitUntilAll");
    }

    /**
     * Waits until one of the integers of {@code variables} on this PE compares as asked, and returns its index; −1 at once if
     * all are left out, or there are none ({@code shmem_wait_until_any}, {@code shmem_wait_until_any_vector}). Fair: repeated
     * calls with the same array object go round, so that no element that compares as asked is passed over for ever.
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    public long waitUntilAny(
            SymmetricArray variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        return several("waitUntilAny", variables, skip, comparison, values).awaitAny("waitUntilAny");
    }

    /**
     * Waits until at least one of the integers of {@code variables} on this PE compares as asked, and returns the indices of
     * all that do, ascending; none at once if all are left out ({@code shmem_wait_until_some},
     * {@code shmem_wait_until_some_vector}).
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    public long[] waitUntilSome(
            SymmetricArray variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        return several("waitUntilSome", variables, skip, comparison, values).awaitSome("waitUntilSome");
    }

    /** Whether {@link #waitUntilAll} would return now ({@code shmem_test_all}, {@code shmem_test_all_vector}). */
    public boolean testAll(SymmetricArray variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        return several("testAll", variables, skip, comparison, values).firstMissing(0) == variables.count();
    }

    /** What {@link #waitUntilAny} would return now, −1 if it would wait ({@code shmem_test_any}, {@code …_vector}). */
    public long testAny(SymmetricArray variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        return several("testAny", variables, skip, comparison, values).any();
    }

    /** What {@link #waitUntilSome} would return now, none if it would wait ({@code shmem_test_some}, {@code …_vector}). */
    public long[] testSome(SymmetricArray variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        return several("testSome", variables, skip, comparison, values).some();
    }

    private Waits.Several several(
            String method, SymmetricArray variables, boolean @Nullable [] skip, Comparison comparison, long[] values) {
        long at = place(variables, "variables", 0, variables.count(), myPe());
        return waits
        .new Several(variables, at, skip, comparison, values, method + " on PE " + myPe() + " of " + nPes());
    }

    // ---- order and synchronisation ----

    /** Orders this PE's earlier stores before its later ones, for every other PE ({@code shmem_fence}). */
    public void fence() {
        VarHandle.releaseFence();
    }

    /** All earlier stores of this PE are visible to every other one ({@code shmem_quiet}). */
    public void quiet() {
        VarHandle.fullFence();
    }

    /** Returns when every PE has called it; all stores before are visible after ({@code shmem_barrier_all}). */
    public void barrierAll() {
        checkOpen("barrierAll");
        world.sync("barrierAll", heap.timeoutNanos);
    }

    /** {@link #barrierAll} for the members of {@code team} ({@code nvshmem_barrier}; {@code shmem_team_sync} after a quiet). */
    public void barrier(Team team) {
        checkOpen("barrier");
        team.sync("barrier", heap.timeoutNanos);
    }

    /**
     * Collective over {@code parent}: the team of its members {@code start}, {@code start + stride}, … ({@code size} of them;
     * {@code shmem_team_split_strided}). Null for a rank that is not among them.
     *
     * @param stride may be negative; 0 only if {@code size} is 1
     */
    public @Nullable Team splitStrided(Team parent, int start, int stride, int size) {
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

    // ---- checks ----

    /** The place in {@link SharedHeap#memory} of elements of a symmetric array on {@code pe}, everything checked. */
    private long place(SymmetricArray array, String name, long index, long count, int pe) {
        if (array.shmem() != this || !array.isAlive()) {
            throw unusable(array, name);
        }
        if (pe < 0 || pe >= heap.size) {
            throw new IllegalArgumentException("PE " + pe + " is not one of 0 to " + (heap.size - 1));
        }
        if (index < 0 || count < 0 || index > array.count() - count) {
            throw new IndexOutOfBoundsException(
                    name + ": " + count + " elements at " + index + " leave " + array + " (PE " + myPe() + ")");
        }
        return heap.data(pe) + array.offset() + index * array.type().bytes();
    }

    private void checkOther(HostArray other, String name, long count, SymmetricArray symmetric) {
        if (other.type() != symmetric.type()) {
            throw new IllegalArgumentException(
                    name + " " + other + " has not the type of " + symmetric + " (PE " + myPe() + ")");
        }
        if (count > other.count()) {
            throw new IndexOutOfBoundsException(
                    name + ": " + count + " elements leave " + other + " (PE " + myPe() + ")");
        }
        if (!other.isAlive()) {
            throw new IllegalStateException(name + " " + other + " was freed (PE " + myPe() + ")");
        }
    }

    private RuntimeException unusable(SymmetricArray array, String name) {
        checkOpen(name + " " + array);
        return array.isAlive()
                ? new IllegalArgumentException(name + " " + array + " belongs to another symmetric heap")
                : new IllegalStateException(name + " " + array + " was freed (PE " + myPe() + ")");
    }

    private static IllegalArgumentException wrongType(String use, SymmetricArray array) {
        return new IllegalArgumentException(array + " is not for " + use);
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
