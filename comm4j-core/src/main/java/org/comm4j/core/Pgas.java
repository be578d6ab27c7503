// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * This process as a PE (processing element) of a partitioned global address space: a symmetric heap, puts, gets,
 * atomics, signals and waits, teams and their collectives. It is what OpenSHMEM and NVSHMEM have in common when the
 * host calls them, so that one source runs over the embedded engine, over an OpenSHMEM library, and between the
 * memories of GPUs; {@link World#pgas} finds the engine.
 *
 * <pre>{@code
 * try (World world = World.join(); Pgas shmem = world.pgas()) {
 *     SymmetricBuffer inbox = shmem.allocate(DataType.INT64, 1);
 *     shmem.p(inbox, 0, shmem.myPe(), (shmem.myPe() + 1) % shmem.nPes());
 *     shmem.barrierAll();
 *     System.out.println(shmem.g(inbox, 0, shmem.myPe()));
 * }
 * }</pre>
 *
 * <p>What only one engine has is on its own class: contexts, scans and non-blocking fetches of {@code OpenShmem};
 * streams, kernels and registration of {@code Nvshmem}.
 *
 * <p><b>Collective methods</b> ({@link #allocate}, {@link #newLock}, {@link #barrierAll}, {@link #syncAll}, {@link
 * SymmetricBuffer#close}, {@link #close}, all of {@link PgasTeam}) are called by one thread of all PEs, or all members,
 * in the same order with the same arguments. Everything else can be called by several threads.
 *
 * <p><b>Memory on this side</b> of puts and gets is a {@link HostArray}, or a buffer of the engine; a symmetric buffer
 * of another engine is an {@link IllegalArgumentException}. On a GPU, every call without a stream costs some
 * microseconds, single values too: move many elements at once where it matters.
 *
 * <p>A wait ends with {@link RankFailedException} when a PE died, and with {@link CommTimeoutException} after {@link
 * #timeout()}. After such an end of a collective method the PEs are out of step, and nothing is left but {@link
 * #close}. PEs do not go on without one that died, since the heap is of all of them and OpenSHMEM has no call for it:
 * programs that shall survive a death use a {@link Communicator}, which {@linkplain Communicator#shrink() shrinks}.
 */
public interface Pgas extends AutoCloseable {

    // ---- who ----

    /** This PE ({@code shmem_my_pe}). */
    int myPe();

    /** Returns the number of PEs ({@code shmem_n_pes}). */
    int nPes();

    /** Returns the engine, and what is behind it: {@code embedded}, a library's name and version. */
    String engine();

    /** Returns the team of all PEs ({@code SHMEM_TEAM_WORLD}). */
    PgasTeam world();

    /** Returns the team of the PEs that reach each other's memory by loads and stores ({@code SHMEM_TEAM_SHARED}). */
    PgasTeam shared();

    /** Returns whether the memory of {@code pe} is within reach of loads and stores here. */
    boolean reaches(int pe);

    /**
     * Returns the limit of every wait; {@link Duration#ZERO}, the default unless {@code COMM4J_TIMEOUT} is set, means
     * none.
     */
    Duration timeout();

    /** Sets the limit of every wait from now on, also of teams; {@link Duration#ZERO}: no limit. */
    void timeout(Duration timeout);

    // ---- symmetric memory ----

    /**
     * Collective: zeroed memory for {@code count} elements on every PE, at the same place of each heap ({@code
     * shmem_calloc}). All have their memory when the method returns.
     *
     * @throws CollectiveMismatchException on all PEs if they pass different arguments; nothing is allocated then
     * @throws SymmetricMemoryException on all PEs if a heap is exhausted; nothing is allocated then, and the heap can
     *     still be used
     */
    SymmetricBuffer allocate(DataType type, long count);

    // ---- put, get ----

    /**
     * Copies all of {@code source} to the front of {@code destination} on {@code pe} ({@code shmem_put}). When the
     * method returns, {@code source} can be used again; the data is there after {@link #quiet}, a barrier, or when
     * {@code pe} sees something that this PE did after a {@link #fence}.
     *
     * @throws IllegalArgumentException if the types differ or {@code pe} is no PE
     * @throws IndexOutOfBoundsException if {@code destination} is too small
     */
    void put(SymmetricBuffer destination, Buffer source, int pe);

    /** {@link #put(SymmetricBuffer, Buffer, int)} of the first {@code count} elements. */
    void put(SymmetricBuffer destination, Buffer source, long count, int pe);

    /**
     * {@link #put(SymmetricBuffer, Buffer, int)} of {@code count} elements from {@code sourceIndex} on, to {@code
     * index} and the following ones.
     */
    void put(SymmetricBuffer destination, long index, Buffer source, long sourceIndex, long count, int pe);

    /**
     * {@link #put(SymmetricBuffer, Buffer, int)} that may return earlier: {@code source} must stay as it is until
     * {@link #quiet}. Two of these arrive in any order unless a {@link #fence} is between them ({@code shmem_put_nbi}).
     */
    void putNbi(SymmetricBuffer destination, Buffer source, int pe);

    /** {@link #putNbi(SymmetricBuffer, Buffer, int)} of the first {@code count} elements. */
    void putNbi(SymmetricBuffer destination, Buffer source, long count, int pe);

    /**
     * {@link #putNbi(SymmetricBuffer, Buffer, int)} of {@code count} elements from {@code sourceIndex} on, to {@code
     * index} and the following ones.
     */
    void putNbi(SymmetricBuffer destination, long index, Buffer source, long sourceIndex, long count, int pe);

    /**
     * Fills {@code destination} from the front of {@code source} on {@code pe}; it is filled when the method returns
     * ({@code shmem_get}).
     *
     * @throws IllegalArgumentException if the types differ or {@code pe} is no PE
     * @throws IndexOutOfBoundsException if {@code source} is too small
     */
    void get(Buffer destination, SymmetricBuffer source, int pe);

    /** {@link #get(Buffer, SymmetricBuffer, int)} of the first {@code count} elements. */
    void get(Buffer destination, SymmetricBuffer source, long count, int pe);

    /**
     * {@link #get(Buffer, SymmetricBuffer, int)} of {@code count} elements from {@code sourceIndex} on, to {@code
     * index} and the following ones.
     */
    void get(Buffer destination, long index, SymmetricBuffer source, long sourceIndex, long count, int pe);

    /**
     * {@link #get(Buffer, SymmetricBuffer, int)} that may return earlier: {@code destination} is filled after {@link
     * #quiet} ({@code shmem_get_nbi}).
     */
    void getNbi(Buffer destination, SymmetricBuffer source, int pe);

    /** {@link #getNbi(Buffer, SymmetricBuffer, int)} of the first {@code count} elements. */
    void getNbi(Buffer destination, SymmetricBuffer source, long count, int pe);

    /**
     * {@link #getNbi(Buffer, SymmetricBuffer, int)} of {@code count} elements from {@code sourceIndex} on, to {@code
     * index} and the following ones.
     */
    void getNbi(Buffer destination, long index, SymmetricBuffer source, long sourceIndex, long count, int pe);

    /**
     * Copies {@code count} elements, every {@code sourceStride}-th of {@code source} to every {@code
     * destinationStride}-th of {@code destination} on {@code pe} ({@code shmem_iput}).
     *
     * @param destinationStride in elements, at least 1
     * @param sourceStride likewise
     */
    void iput(
            SymmetricBuffer destination, Buffer source, long destinationStride, long sourceStride, long count, int pe);

    /**
     * The counterpart of {@link #iput}: from {@code source} on {@code pe} to {@code destination} ({@code shmem_iget}).
     */
    void iget(
            Buffer destination, SymmetricBuffer source, long destinationStride, long sourceStride, long count, int pe);

    // ---- single values ----

    /** Stores one integer, cut to the element type, on {@code pe} ({@code shmem_p}). */
    void p(SymmetricBuffer destination, long index, long value, int pe);

    /** Stores one real floating-point number, rounded to the element type, on {@code pe} ({@code shmem_p}). */
    void p(SymmetricBuffer destination, long index, double value, int pe);

    /** Loads one integer of {@code pe}, unsigned types zero-extended ({@code shmem_g}). */
    long g(SymmetricBuffer source, long index, int pe);

    /** Loads one real floating-point number of {@code pe} ({@code shmem_g}). */
    double gDouble(SymmetricBuffer source, long index, int pe);

    // ---- signals ----

    /**
     * Copies all of {@code source} to the front of {@code destination} on {@code pe}, then changes the signal there:
     * who sees the signal sees the data ({@code shmem_put_signal}). When the method returns, {@code source} can be used
     * again.
     *
     * @param signal an {@code INT64} or {@code UINT64} array
     * @param index of the signal in it
     */
    void putSignal(
            SymmetricBuffer destination,
            Buffer source,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe);

    /**
     * {@link #putSignal(SymmetricBuffer, Buffer, SymmetricBuffer, long, long, SignalOp, int)} of the first {@code
     * count} elements.
     */
    void putSignal(
            SymmetricBuffer destination,
            Buffer source,
            long count,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe);

    /**
     * {@link #putSignal(SymmetricBuffer, Buffer, SymmetricBuffer, long, long, SignalOp, int)} that may return earlier:
     * {@code source} must stay as it is until {@link #quiet} ({@code shmem_put_signal_nbi}).
     */
    void putSignalNbi(
            SymmetricBuffer destination,
            Buffer source,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe);

    /**
     * {@link #putSignalNbi(SymmetricBuffer, Buffer, SymmetricBuffer, long, long, SignalOp, int)} of the first {@code
     * count} elements.
     */
    void putSignalNbi(
            SymmetricBuffer destination,
            Buffer source,
            long count,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe);

    /** A signal without data ({@code shmem_signal_set}, {@code shmem_signal_add}). */
    void signal(SymmetricBuffer signal, long index, long value, SignalOp op, int pe);

    /** Returns the value of a signal of this PE ({@code shmem_signal_fetch}). */
    long signalFetch(SymmetricBuffer signal, long index);

    /** Waits for a signal of this PE and returns its value ({@code shmem_signal_wait_until}). */
    long signalWaitUntil(SymmetricBuffer signal, long index, Comparison comparison, long value);

    // ---- waits ----

    /**
     * Waits until an integer of 32 or 64 bits of this PE compares as asked with {@code value}, cut to the type as in C
     * ({@code shmem_wait_until}); what the PE that stored it did before, in order, is visible afterwards. Returns the
     * value that was seen.
     */
    long waitUntil(SymmetricBuffer variable, long index, Comparison comparison, long value);

    /** Returns whether an integer of this PE compares as asked with {@code value} now ({@code shmem_test}). */
    boolean test(SymmetricBuffer variable, long index, Comparison comparison, long value);

    /**
     * Waits until all integers of {@code variables} (a slice, to wait for some) on this PE compare as asked, each seen
     * to do so at one time or another ({@code shmem_wait_until_all}, {@code shmem_wait_until_all_vector}).
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    void waitUntilAll(SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values);

    /**
     * Waits until one of the integers of {@code variables} on this PE compares as asked, and returns its index; −1 at
     * once if all are left out, or there are none ({@code shmem_wait_until_any}, {@code shmem_wait_until_any_vector}).
     * Fair: repeated calls with the same object go round, and with a new slice each time begin anywhere, so that none
     * is passed over for ever.
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    long waitUntilAny(SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values);

    /**
     * Waits until at least one of the integers of {@code variables} on this PE compares as asked, and returns the
     * indices of all that do, ascending; none at once if all are left out ({@code shmem_wait_until_some}, {@code
     * shmem_wait_until_some_vector}).
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    long[] waitUntilSome(SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values);

    /**
     * Returns whether {@link #waitUntilAll} would return now ({@code shmem_test_all}, {@code shmem_test_all_vector}).
     */
    boolean testAll(SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values);

    /**
     * Returns what {@link #waitUntilAny} would return now, −1 if it would wait ({@code shmem_test_any}, {@code
     * shmem_test_any_vector}).
     */
    long testAny(SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values);

    /**
     * Returns what {@link #waitUntilSome} would return now, none if it would wait ({@code shmem_test_some}, {@code
     * shmem_test_some_vector}).
     */
    long[] testSome(SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values);

    // ---- atomics: integers of 32 and 64 bits ----

    /** Atomic load ({@code shmem_atomic_fetch}). */
    long atomicFetch(SymmetricBuffer source, long index, int pe);

    /** Atomic store ({@code shmem_atomic_set}). */
    void atomicSet(SymmetricBuffer target, long index, long value, int pe);

    /** Atomically replaces an integer on {@code pe} and returns what was there ({@code shmem_atomic_swap}). */
    long atomicSwap(SymmetricBuffer target, long index, long value, int pe);

    /**
     * Atomically replaces an integer on {@code pe} by {@code value} if it is {@code condition}; returns what was there
     * ({@code shmem_atomic_compare_swap}).
     */
    long atomicCompareSwap(SymmetricBuffer target, long index, long condition, long value, int pe);

    /** Atomic addition; returns what was there ({@code shmem_atomic_fetch_add}). */
    long atomicFetchAdd(SymmetricBuffer target, long index, long value, int pe);

    /** Atomic addition of 1; returns what was there ({@code shmem_atomic_fetch_inc}). */
    long atomicFetchInc(SymmetricBuffer target, long index, int pe);

    /** Atomic bitwise AND; returns what was there ({@code shmem_atomic_fetch_and}). */
    long atomicFetchAnd(SymmetricBuffer target, long index, long value, int pe);

    /** Atomic bitwise OR; returns what was there ({@code shmem_atomic_fetch_or}). */
    long atomicFetchOr(SymmetricBuffer target, long index, long value, int pe);

    /** Atomic bitwise exclusive OR; returns what was there ({@code shmem_atomic_fetch_xor}). */
    long atomicFetchXor(SymmetricBuffer target, long index, long value, int pe);

    /** Atomic addition ({@code shmem_atomic_add}). */
    void atomicAdd(SymmetricBuffer target, long index, long value, int pe);

    /** Atomic addition of 1 ({@code shmem_atomic_inc}). */
    void atomicInc(SymmetricBuffer target, long index, int pe);

    /** Atomic bitwise AND ({@code shmem_atomic_and}). */
    void atomicAnd(SymmetricBuffer target, long index, long value, int pe);

    /** Atomic bitwise OR ({@code shmem_atomic_or}). */
    void atomicOr(SymmetricBuffer target, long index, long value, int pe);

    /** Atomic bitwise exclusive OR ({@code shmem_atomic_xor}). */
    void atomicXor(SymmetricBuffer target, long index, long value, int pe);

    // ---- atomics: FLOAT32 and FLOAT64 ----

    /** Atomic load ({@code shmem_atomic_fetch}). */
    double atomicFetchDouble(SymmetricBuffer source, long index, int pe);

    /** Atomic store ({@code shmem_atomic_set}). */
    void atomicSet(SymmetricBuffer target, long index, double value, int pe);

    /** Atomically replaces a number on {@code pe} and returns what was there ({@code shmem_atomic_swap}). */
    double atomicSwap(SymmetricBuffer target, long index, double value, int pe);

    /** Atomic addition; returns what was there. OpenSHMEM has none of floating-point numbers. */
    double atomicFetchAdd(SymmetricBuffer target, long index, double value, int pe);

    /** Atomic addition. OpenSHMEM has none of floating-point numbers. */
    void atomicAdd(SymmetricBuffer target, long index, double value, int pe);

    // ---- order and synchronisation ----

    /** Orders this PE's earlier puts, signals and atomics before its later ones, PE by PE ({@code shmem_fence}). */
    void fence();

    /**
     * Returns when this PE's puts, signals and atomics are done everywhere, and what was begun without waiting has
     * ended ({@code shmem_quiet}).
     */
    void quiet();

    /** Returns when every PE has called it and all that was put before has arrived ({@code shmem_barrier_all}). */
    void barrierAll();

    /** Returns when every PE has called it ({@code shmem_sync_all}); puts need not have arrived. */
    void syncAll();

    /** Collective: a lock that nobody holds. */
    default PgasLock newLock() {
        return new PgasLock(this, allocate(DataType.INT64, PgasLock.WORDS));
    }

    // ---- end ----

    boolean isOpen();

    /**
     * Leaves the symmetric heap: all its arrays are dead ({@code shmem_finalize}). All PEs close when they no longer
     * need the others, nor the others them; call {@link #barrierAll} before if in doubt.
     */
    @Override
    void close();
}
