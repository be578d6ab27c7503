// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.time.Duration;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Pgas;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.core.World;
import org.jspecify.annotations.Nullable;

/**
 * This process as a PE (processing element) of OpenSHMEM: a symmetric heap, puts, gets, atomics, signals and waits, teams and their collectives. Names and argument order
 * (destination, source, count, PE) are those of comm4j's NVSHMEM, so that a program moves between the two by changing the engine.
 *
 * <pre>{@code
 * try (World world = World.join(); OpenShmem shmem = OpenShmem.init(world)) {
 *     SymmetricArray inbox = shmem.allocate(DataType.INT64, 1);
 *     shmem.p(inbox, 0, shmem.myPe(), (shmem.myPe() + 1) % shmem.nPes());
 *     shmem.barrierAll();
 *     System.out.println(inbox.getLong(0));
 * }
 * }</pre>
 *
 * <p>Safe for use by several threads, except for the collective methods ({@link #allocate}, {@link #barrierAll}, {@link #newLock}, {@link #close}, all of {@link Team}), which
 * one thread of each PE calls.
 *
 * <p>A wait ends with {@link org.comm4j.core.RankFailedException} when any PE died, and with {@link org.comm4j.core.CommTimeoutException} after {@link #timeout()}. After such an
 * end of a collective method the PEs are out of step, and every further one throws {@link IllegalStateException}.
 */
public final class OpenShmem extends OneSided implements Pgas {
    private final Waits waits;
    private final Team world;
    private final Team shared;

    private OpenShmem(Engine engine) {
        super(new Session(engine));
        this.waits = new Waits(session);
        Members all = engine.world();
        this.world = new Team(session, all, "world", true);
        this.shared = engine.allWithinReach ? new Team(session, all, "shared", true) : shared(all);
    }

    /** Those PEs of one machine reach each other; they are those who reach the same first one. */
    private Team shared(Members all) {
        int first = 0;
        while (session.heaps[first] < 0) {
            first++;
        }
        Members near = all.split("init", first, myPe());
        return new Team(session, near == null ? all : near, "shared", true);
    }

    /** Collective over {@code world}: {@link #init(World, OpenShmemOptions)} with {@link OpenShmemOptions#defaults()}. */
    public static OpenShmem init(World world) {
        return init(world, OpenShmemOptions.defaults());
    }

    /**
     * Collective over {@code world}: makes the symmetric heap ({@code shmem_init_thread} with {@code SHMEM_THREAD_MULTIPLE}).
     *
     * @throws SymmetricMemoryException if the heap cannot be made
     */
    public static OpenShmem init(World world, OpenShmemOptions options) {
        return new OpenShmem(
                switch (options.engine()) {
                    case EMBEDDED -> EmbeddedEngine.open(world, options.heapBytes());
                    case NATIVE -> NativeEngine.open(world, options.heapBytes());
                });
    }

    // ---- who ----

    /** This PE ({@code shmem_my_pe}). */
    @Override
    public int myPe() {
        return session.myPe;
    }

    /** The number of PEs ({@code shmem_n_pes}). */
    @Override
    public int nPes() {
        return session.nPes;
    }

    /** The team of all PEs ({@code SHMEM_TEAM_WORLD}). */
    @Override
    public Team world() {
        return world;
    }

    /** The team of the PEs whose memory is within reach of this one's loads and stores ({@code SHMEM_TEAM_SHARED}). */
    @Override
    public Team shared() {
        return shared;
    }

    /** The limit of every wait; {@link Duration#ZERO}, the default unless {@code COMM4J_TIMEOUT} is set, means none. */
    @Override
    public Duration timeout() {
        return session.engine.timeout();
    }

    /** Sets the limit of every wait from now on, also of teams; {@link Duration#ZERO}: no limit. */
    @Override
    public void timeout(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout " + timeout + " is negative");
        }
        session.engine.timeout(timeout);
    }

    // ---- symmetric memory ----

    /**
     * Collective: zeroed memory for {@code count} elements on every PE, at the same place of each heap ({@code shmem_calloc}). Every PE passes the same arguments; all have their
     * memory, zeroed, when the method returns. It begins at a cache line of its own.
     *
     * @throws org.comm4j.core.CollectiveMismatchException on all PEs if they pass different arguments; nothing is allocated then
     * @throws SymmetricMemoryException on all PEs if the heap or the machine's memory is exhausted; nothing is allocated then, and the heap can still be used
     */
    @Override
    public SymmetricArray allocate(DataType type, long count) {
        String what = "allocate of " + count + " x " + type + " on " + session.where();
        session.check(what);
        Engine.Allocation allocation = session.engine.allocate(type, count, what);
        return new SymmetricArray(session, allocation, type, allocation.offset(), count);
    }

    /**
     * The copy of {@code array} on {@code pe}, for direct loads and stores ({@code shmem_ptr}); nothing is copied. Null if it is out of reach. Who waits there for such a store
     * notices it late; use the methods of this class where somebody waits, and where order or atomicity matters.
     */
    public @Nullable HostArray ptr(SymmetricArray array, int pe) {
        return ptr(session, array, session.checkPe("ptr", pe));
    }

    static @Nullable HostArray ptr(Session session, SymmetricArray array, int pe) {
        long offset = session.offset("ptr", "array", array, 0, array.count());
        long heap = session.heaps[pe];
        return heap < 0 ? null : HostArray.wrap(session.memory.asSlice(heap + offset, array.byteSize()), array.type());
    }

    /** Whether the memory of {@code pe} is within reach of this PE's loads and stores. */
    @Override
    public boolean reaches(int pe) {
        return session.heaps[session.checkPe("reaches", pe)] >= 0;
    }

    // ---- waits ----

    /** The value of a signal of this PE ({@code shmem_signal_fetch}). */
    @Override
    public long signalFetch(SymmetricBuffer signal, long index) {
        return session.atomic(Atomic.Operation.FETCH, true, signal("signalFetch", signal, index), 0, 0, myPe());
    }

    /** Waits for a signal of this PE and returns its value ({@code shmem_signal_wait_until}). */
    @Override
    public long signalWaitUntil(SymmetricBuffer signal, long index, Comparison comparison, long value) {
        long at = session.heaps[myPe()] + signal("signalWaitUntil", signal, index);
        return waits.await("signalWaitUntil", signal, index, at, comparison, value);
    }

    /**
     * Waits until an integer of this PE compares as asked with {@code value} ({@code shmem_wait_until}); what the PE that stored it did before, in order, is visible afterwards.
     * Returns the value that was seen.
     */
    @Override
    public long waitUntil(SymmetricBuffer variable, long index, Comparison comparison, long value) {
        return waits.await("waitUntil", variable, index, place("waitUntil", variable, index, 1), comparison, value);
    }

    /** Whether an integer of this PE compares as asked with {@code value} now ({@code shmem_test}). */
    @Override
    public boolean test(SymmetricBuffer variable, long index, Comparison comparison, long value) {
        return waits.test(variable, place("test", variable, index, 1), comparison, value);
    }

    /**
     * Waits until all integers of {@code variables} (a slice, to wait for some) on this PE compare as asked, each seen to do so at one time or another
     * ({@code shmem_wait_until_all}, {@code shmem_wait_until_all_vector}).
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    @Override
    public void waitUntilAll(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        several("waitUntilAll", variables, skip, comparison, values).awaitAll();
    }

    /**
     * Waits until one of the integers of {@code variables} on this PE compares as asked, and returns its index; −1 at once if all are left out, or there are none
     * ({@code shmem_wait_until_any}, {@code shmem_wait_until_any_vector}). Fair: repeated calls with the same array object go round, so that no element that compares as asked is
     * passed over for ever.
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    @Override
    public long waitUntilAny(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        return several("waitUntilAny", variables, skip, comparison, values).awaitAny();
    }

    /**
     * Waits until at least one of the integers of {@code variables} on this PE compares as asked, and returns the indices of all that do, ascending; none at once if all are left out
     * ({@code shmem_wait_until_some}, {@code shmem_wait_until_some_vector}).
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    @Override
    public long[] waitUntilSome(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        return several("waitUntilSome", variables, skip, comparison, values).awaitSome();
    }

    /** Whether {@link #waitUntilAll} would return now ({@code shmem_test_all}, {@code shmem_test_all_vector}). */
    @Override
    public boolean testAll(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        return several("testAll", variables, skip, comparison, values).all();
    }

    /** What {@link #waitUntilAny} would return now, −1 if it would wait ({@code shmem_test_any}, {@code shmem_test_any_vector}). */
    @Override
    public long testAny(SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        return several("testAny", variables, skip, comparison, values).any();
    }

    /** What {@link #waitUntilSome} would return now, none if it would wait ({@code shmem_test_some}, {@code shmem_test_some_vector}). */
    @Override
    public long[] testSome(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        return several("testSome", variables, skip, comparison, values).some();
    }

    private Waits.Several several(
            String operation,
            SymmetricBuffer variables,
            boolean @Nullable [] skip,
            Comparison comparison,
            long[] values) {
        long at = place(operation, variables, 0, variables.count());
        return waits.new Several(operation, (SymmetricArray) variables, at, skip, comparison, values);
    }

    private long place(String operation, SymmetricBuffer variable, long index, long count) {
        boolean ignored = session.isWide(operation, variable);
        return session.own(operation, "variable", variable, index, count);
    }

    // ---- order and synchronisation ----

    /** Orders this PE's earlier puts, signals and atomics before its later ones, PE by PE ({@code shmem_fence}). */
    @Override
    public void fence() {
        session.check("fence");
        session.engine.fence();
    }

    /** Returns when this PE's puts, signals and atomics are done everywhere, and what was begun without waiting has ended ({@code shmem_quiet}). */
    @Override
    public void quiet() {
        session.check("quiet");
        session.engine.quiet();
    }

    /** {@link Team#barrier} of all PEs ({@code shmem_barrier_all}). */
    @Override
    public void barrierAll() {
        world.barrier();
    }

    /** {@link Team#sync} of all PEs ({@code shmem_sync_all}). */
    @Override
    public void syncAll() {
        world.sync();
    }

    /** {@link Team#barrier}. */
    public void barrier(Team team) {
        team.barrier();
    }

    /** A context of all PEs ({@code shmem_ctx_create}). Not collective. */
    public Context newContext(Context.Option... options) {
        return world.newContext(options);
    }

    // ---- end ----

    @Override
    int pe(String operation, int pe) {
        return session.checkPe(operation, pe);
    }

    /**
     * Ends all PEs now, wherever they are ({@code shmem_global_exit}).
     *
     * @param status 1 to 255
     */
    public void globalExit(int status) {
        session.engine.globalExit(status);
    }

    /** The engine, and what is behind it: {@code embedded}, or {@code native} with the library's name, version and file. */
    @Override
    public String engine() {
        return session.engine.toString();
    }

    @Override
    public boolean isOpen() {
        return session.isOpen();
    }

    /**
     * Leaves the symmetric heap: all its arrays are dead ({@code shmem_finalize}). PEs close when they no longer need the others, nor the others them; call {@link #barrierAll}
     * before if in doubt. With the native engine all PEs end together: each waits for the others, at most {@link #timeout()}; there is no other {@code OpenShmem} in
     * this process after it, and a process that ends without it fails its job.
     */
    @Override
    public void close() {
        session.close();
    }

    @Override
    public String toString() {
        return "OpenShmem[" + session.where() + ", " + engine() + (isOpen() ? "]" : ", closed]");
    }
}
