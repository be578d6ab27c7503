// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.comm4j.core.spi.Arguments.nonNull;
import static org.comm4j.core.spi.Arguments.timeoutNanos;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Pgas;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.core.World;
import org.comm4j.core.spi.Events;
import org.comm4j.core.spi.WaitSet;
import org.comm4j.host.Signature;
import org.jspecify.annotations.Nullable;

/**
 * This process as a PE (processing element) of OpenSHMEM: a symmetric heap, puts, gets, atomics, signals and waits,
 * teams and their collectives. Names and argument order (destination, source, count, PE) are those of comm4j's NVSHMEM,
 * so that a program moves between the two by changing the engine.
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
 * <p>Safe for use by several threads, except for the collective methods ({@link #allocate}, {@link #barrierAll}, {@link
 * #newLock}, {@link #close}, all of {@link Team}), which one thread of each PE calls.
 *
 * <p>A wait ends with {@link org.comm4j.core.RankFailedException} when any PE died, and with {@link
 * org.comm4j.core.CommTimeoutException} after {@link #timeout()}. After such an end of a collective method the PEs are
 * out of step, and every further one throws {@link IllegalStateException}.
 */
public final class OpenShmem extends OneSided implements Pgas {
    /** Of the specification that this follows, with what 1.6 adds ({@code SHMEM_MAJOR_VERSION}). */
    public static final int MAJOR_VERSION = 1;

    /** {@code SHMEM_MINOR_VERSION}. */
    public static final int MINOR_VERSION = 5;

    private static final long LARGEST_ALIGNMENT = 1 << 30;
    /** What all allocations have. */
    private static final long LEAST_ALIGNMENT = 64;

    /** Those that are open, by the world of which they are; threads of one process may be PEs of their own. */
    private static final Map<World, Session> SESSIONS = new WeakHashMap<>();

    private final Waits waits;
    private final Members members;
    private final Team world;
    private final Team shared;

    private OpenShmem(Session session) {
        super(session, session.engine.stream());
        Engine engine = session.engine;
        this.waits = new Waits(session);
        Members all = engine.world();
        this.members = all;
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

    /**
     * Collective over {@code world}: {@link #init(World, OpenShmemOptions)} with {@link OpenShmemOptions#defaults()}.
     */
    public static OpenShmem init(World world) {
        nonNull(world, "init", "world");
        return init(world, OpenShmemOptions.defaults());
    }

    /**
     * Collective over {@code world}: makes the symmetric heap ({@code shmem_init_thread} with {@code
     * SHMEM_THREAD_MULTIPLE}). Again before it is closed, it gives the same heap once more, which ends with the last
     * {@link #close} (OpenSHMEM 1.6); so a library need not know whether its caller uses OpenSHMEM, too.
     *
     * @throws IllegalArgumentException if one is open that was made with other options, or the environment gives a size
     *     of the heap that is none
     * @throws SymmetricMemoryException if the heap cannot be made
     */
    public static OpenShmem init(World world, OpenShmemOptions options) {
        nonNull(options, "init", "options");
        Session session;
        synchronized (SESSIONS) {
            session = SESSIONS.get(world);
            if (session != null) {
                session = session.again(options);
            }
        }
        if (session == null) {
            OpenShmemOptions chosen = options.chosen(world);
            long heapBytes = chosen.wantedBytes();
            session = new Session(
                    switch (chosen.engine()) {
                        case NATIVE -> NativeEngine.open(world, heapBytes);
                        case MPI -> RemoteEngine.open(world, heapBytes);
                        case AUTO, EMBEDDED -> EmbeddedEngine.open(world, heapBytes);
                    },
                    chosen);
            synchronized (SESSIONS) {
                SESSIONS.put(world, session);
            }
        }
        return new OpenShmem(session);
    }

    /**
     * Why the native engine cannot be used on this machine, or null if it can, in a job whose launcher the library
     * knows. Loads the library.
     */
    public static @Nullable String nativeProblem() {
        return NativeEngine.libraryProblem();
    }

    /** Whether {@code world} has an open {@code OpenShmem} ({@code shmem_query_initialized}, OpenSHMEM 1.6). */
    public static boolean isInitialized(World world) {
        nonNull(world, "isInitialized", "world");
        synchronized (SESSIONS) {
            return SESSIONS.containsKey(world);
        }
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

    /**
     * Whether there is a PE of this number, which means that it can be communicated with ({@code shmem_pe_accessible}).
     */
    public boolean peAccessible(int pe) {
        session.check("peAccessible");
        return pe >= 0 && pe < session.nPes;
    }

    /**
     * Whether {@code array} can be named in operations on {@code pe}: it is a live symmetric array, and there is such a
     * PE ({@code shmem_addr_accessible}).
     */
    public boolean addrAccessible(HostArray array, int pe) {
        nonNull(array, "addrAccessible", "array");
        return peAccessible(pe)
                && array instanceof SymmetricArray symmetric
                && symmetric.session.shares(session)
                && symmetric.isAlive();
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
        session.engine.timeout(Duration.ofNanos(timeoutNanos(timeout, "timeout")));
    }

    // ---- symmetric memory ----

    /**
     * Collective: zeroed memory for {@code count} elements on every PE, at the same place of each heap ({@code
     * shmem_calloc}). Every PE passes the same arguments; all have their memory, zeroed, when the method returns. It
     * begins at a cache line of its own.
     *
     * @throws org.comm4j.core.CollectiveMismatchException on all PEs if they pass different arguments; nothing is
     *     allocated then
     * @throws SymmetricMemoryException on all PEs if the heap or the machine's memory is exhausted; nothing is
     *     allocated then, and the heap can still be used
     */
    @Override
    public SymmetricArray allocate(DataType type, long count) {
        String what = "allocate of " + count + " x " + type + " on " + session.where();
        session.check("allocate");
        nonNull(type, "allocate", "type");
        long[] ignored = agree(Request.ALLOCATE, what, type, count, 0, 0, 0);
        return allocated(what, type, count);
    }

    private SymmetricArray allocated(String what, DataType type, long count) {
        Engine.Allocation allocation = session.engine.allocate(type, count, what);
        return new SymmetricArray(session, allocation, type, allocation.offset(), count);
    }

    /** What PEs ask of their heaps together. */
    private enum Request {
        ALLOCATE,
        ALLOCATE_ALIGNED,
        REALLOCATE;

        /** The words that others exchange begin otherwise. */
        private static final long FIRST = 0x616c6c6f63_00L;

        long word() {
            return FIRST + ordinal();
        }

        static String describe(long[] words) {
            long request = words[0] - FIRST;
            if (request < 0 || request >= values().length) {
                return "another collective method";
            }
            DataType type = DataType.values()[(int) words[1]];
            return switch (values()[(int) request]) {
                case ALLOCATE -> "allocate of " + words[2] + " x " + type;
                case ALLOCATE_ALIGNED ->
                    "allocateAligned of " + words[2] + " x " + type + " at a multiple of " + words[3];
                case REALLOCATE ->
                    "reallocate of " + words[4] + " x " + type + " at byte " + words[5] + " of the heap to " + words[2]
                            + " elements";
            };
        }
    }

    /**
     * PEs with heaps that differ would find each other's arrays at wrong places.
     *
     * @return by PE, the address where its heap begins
     * @throws CollectiveMismatchException on all PEs if they do not ask the same
     */
    private long[] agree(
            Request request, String what, DataType type, long count, long alignment, long oldCount, long oldOffset) {
        long start = session.memory.address() + session.heaps[myPe()];
        long[] mine = {request.word(), type.ordinal(), count, alignment, oldCount, oldOffset, start};
        String method = what.substring(0, what.indexOf(' '));
        members.calls(Signature.comparing(Signature.operation(method)), 0);
        long[][] all = members.exchange(method, mine);
        long[] starts = new long[all.length];
        for (int pe = 0; pe < all.length; pe++) {
            if (!Arrays.equals(all[pe], 0, mine.length - 1, mine, 0, mine.length - 1)) {
                throw new CollectiveMismatchException(what + ": PE " + pe + " calls " + Request.describe(all[pe])
                        + " instead; all PEs must call the same");
            }
            starts[pe] = all[pe][mine.length - 1];
        }
        return starts;
    }

    /** What a program promises of memory, so that an engine can choose where it lies ({@code SHMEM_MALLOC_*}). */
    public enum Hint {
        /** Other PEs' atomics go there. */
        ATOMICS_REMOTE,
        /** Other PEs' signals go there. */
        SIGNAL_REMOTE
    }

    /**
     * {@link #allocate(DataType, long)} with hints, of which no engine makes use yet: all memory is good for everything
     * ({@code shmem_malloc_with_hints}).
     */
    public SymmetricArray allocate(DataType type, long count, Hint first, Hint... others) {
        nonNull(first, "allocate", "first");
        nonNull(others, "allocate", "others");
        for (Hint each : others) {
            Objects.requireNonNull(each, "hint");
        }
        return allocate(type, count);
    }

    /**
     * {@link #allocate(DataType, long)} that begins at a multiple of {@code alignment} bytes on every PE ({@code
     * shmem_align}). That is so of up to 64 everywhere; beyond, the PEs' heaps must lie alike: those of the embedded
     * engine do as far as the heap has room for the array, those of Open MPI's library always.
     *
     * @param alignment a power of two, at most 1 GiB; so many bytes more are taken from the heap if it is above 64
     * @throws org.comm4j.core.CollectiveMismatchException on all PEs if they pass different arguments; nothing is
     *     allocated then
     * @throws SymmetricMemoryException on all PEs if the heaps do not lie alike, or there is not so much memory;
     *     nothing is allocated then, and the heap can still be used
     */
    public SymmetricArray allocateAligned(DataType type, long count, long alignment) {
        nonNull(type, "allocateAligned", "type");
        String what = "allocateAligned of " + count + " x " + type + " at a multiple of " + alignment + " on "
                + session.where();
        session.check("allocateAligned");
        if (Long.bitCount(alignment) != 1 || alignment < 1 || alignment > LARGEST_ALIGNMENT) {
            throw new IllegalArgumentException(
                    what + ": an alignment is a power of two from 1 to " + LARGEST_ALIGNMENT);
        }
        long bytes = HostArray.bytes(type, count);
        long[] starts = agree(Request.ALLOCATE_ALIGNED, what, type, count, alignment, 0, 0);
        long start = starts[myPe()];
        long apart = 0;
        for (long each : starts) {
            apart |= each ^ start;
        }
        if ((apart & alignment - 1) != 0) {
            throw new SymmetricMemoryException(what + ": the heaps of the PEs lie alike only up to multiples of "
                    + Long.lowestOneBit(apart) + " with this engine (" + engine() + ")");
        }
        if (alignment <= LEAST_ALIGNMENT) {
            return allocated(what, type, count);
        }
        long most = bytes > Long.MAX_VALUE - alignment ? Long.MAX_VALUE : bytes + alignment;
        Engine.Allocation allocation = session.engine.allocate(DataType.INT8, most, what);
        long address = start + allocation.offset() + alignment - 1 & -alignment;
        Engine.Allocation aligned = new Aligned(allocation, address - start);
        return new SymmetricArray(session, aligned, type, aligned.offset(), count);
    }

    /** The part of an allocation that begins at the multiple asked for. */
    private record Aligned(Engine.Allocation all, long offset) implements Engine.Allocation {
        @Override
        public boolean isFreed() {
            return all.isFreed();
        }

        @Override
        public void free() {
            all.free();
        }
    }

    /**
     * Collective: as many elements as asked for with what {@code array} has, the rest zeros, and frees {@code array}
     * ({@code shmem_realloc}). If it throws, {@code array} is as it was.
     *
     * @param array all of an allocation, or its front, the same on all PEs; nobody uses it during the call or
     *     afterwards. What is returned begins where {@link #allocate} lets it, also if {@code array} is from {@link
     *     #allocateAligned}
     * @throws org.comm4j.core.CollectiveMismatchException on all PEs if they pass different arguments
     * @throws SymmetricMemoryException on all PEs if the heap or the machine's memory is exhausted
     */
    public SymmetricArray reallocate(SymmetricArray array, long count) {
        nonNull(array, "reallocate", "array");
        String what = "reallocate of " + array + " to " + count + " elements on " + session.where();
        long offset = session.offset("reallocate", "array", array, 0, array.count());
        if (offset != array.allocation.offset()) {
            throw new IllegalArgumentException(what + ": it is not the front of an allocation");
        }
        long[] ignored = agree(Request.REALLOCATE, what, array.type(), count, 0, array.count(), offset);
        SymmetricArray other = allocated(what, array.type(), count);
        long kept = Math.min(count, array.count());
        other.slice(0, kept).copyFrom((HostArray) array.slice(0, kept));
        array.close();
        members.sync("reallocate");
        return other;
    }

    /**
     * The copy of {@code array} on {@code pe}, for direct loads and stores ({@code shmem_ptr}); nothing is copied. Null
     * if it is out of reach. Who waits there for such a store notices it late; use the methods of this class where
     * somebody waits, and where order or atomicity matters.
     */
    public @Nullable HostArray ptr(SymmetricArray array, int pe) {
        nonNull(array, "ptr", "array");
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
        return session.atomic(stream, Atomic.Operation.FETCH, true, signal("signalFetch", signal, index), 0, 0, myPe());
    }

    /** Waits for a signal of this PE and returns its value ({@code shmem_signal_wait_until}). */
    @Override
    public long signalWaitUntil(SymmetricBuffer signal, long index, Comparison comparison, long value) {
        nonNull(comparison, "signalWaitUntil", "comparison");
        CommunicationEvent event = Events.begin();
        long at = session.heaps[myPe()] + signal("signalWaitUntil", signal, index);
        try {
            return waits.await("signalWaitUntil", signal, index, at, comparison, value);
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, "signalWaitUntil", signal, 1, myPe());
        }
    }

    /**
     * Waits until an integer of this PE compares as asked with {@code value}, cut to the type as in C ({@code
     * shmem_wait_until}); what the PE that stored it did before, in order, is visible afterwards. Returns the value
     * that was seen.
     */
    @Override
    public long waitUntil(SymmetricBuffer variable, long index, Comparison comparison, long value) {
        nonNull(comparison, "waitUntil", "comparison");
        CommunicationEvent event = Events.begin();
        long at = place("waitUntil", variable, index, 1);
        try {
            return waits.await("waitUntil", variable, index, at, comparison, value);
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, "waitUntil", variable, 1, myPe());
        }
    }

    /** Whether an integer of this PE compares as asked with {@code value} now ({@code shmem_test}). */
    @Override
    public boolean test(SymmetricBuffer variable, long index, Comparison comparison, long value) {
        nonNull(comparison, "test", "comparison");
        session.engine.progress();
        return waits.test(variable, place("test", variable, index, 1), comparison, value);
    }

    /**
     * Waits until all integers of {@code variables} (a slice, to wait for some) on this PE compare as asked, each seen
     * to do so at one time or another ({@code shmem_wait_until_all}, {@code shmem_wait_until_all_vector}).
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    @Override
    public void waitUntilAll(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        CommunicationEvent event = Events.begin();
        WaitSet set = several("waitUntilAll", variables, skip, comparison, values);
        try {
            set.awaitAll();
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, "waitUntilAll", variables, variables.count(), myPe());
        }
    }

    /**
     * Waits until one of the integers of {@code variables} on this PE compares as asked, and returns its index; −1 at
     * once if all are left out, or there are none ({@code shmem_wait_until_any}, {@code shmem_wait_until_any_vector}).
     * Fair: repeated calls with the same object go round, and with a new slice each time begin anywhere, so that none
     * is passed over for ever.
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    @Override
    public long waitUntilAny(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        CommunicationEvent event = Events.begin();
        WaitSet set = several("waitUntilAny", variables, skip, comparison, values);
        try {
            return set.awaitAny();
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, "waitUntilAny", variables, variables.count(), myPe());
        }
    }

    /**
     * Waits until at least one of the integers of {@code variables} on this PE compares as asked, and returns the
     * indices of all that do, ascending; none at once if all are left out ({@code shmem_wait_until_some}, {@code
     * shmem_wait_until_some_vector}).
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    @Override
    public long[] waitUntilSome(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        CommunicationEvent event = Events.begin();
        WaitSet set = several("waitUntilSome", variables, skip, comparison, values);
        try {
            return set.awaitSome();
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            session.ended(event, "waitUntilSome", variables, variables.count(), myPe());
        }
    }

    /** Whether {@link #waitUntilAll} would return now ({@code shmem_test_all}, {@code shmem_test_all_vector}). */
    @Override
    public boolean testAll(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        session.engine.progress();
        return several("testAll", variables, skip, comparison, values).testAll();
    }

    /**
     * What {@link #waitUntilAny} would return now, −1 if it would wait ({@code shmem_test_any}, {@code
     * shmem_test_any_vector}).
     */
    @Override
    public long testAny(SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        session.engine.progress();
        return several("testAny", variables, skip, comparison, values).testAny();
    }

    /**
     * What {@link #waitUntilSome} would return now, none if it would wait ({@code shmem_test_some}, {@code
     * shmem_test_some_vector}).
     */
    @Override
    public long[] testSome(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        session.engine.progress();
        return several("testSome", variables, skip, comparison, values).testSome();
    }

    /**
     * To be called now and then by who waits for other PEs in a loop of its own, so that this wait, too, ends when it
     * is in vain.
     *
     * @param waiting what is waited for, for messages
     * @param start {@link System#nanoTime} when it began
     * @throws org.comm4j.core.RankFailedException if a PE died
     * @throws org.comm4j.core.CommTimeoutException after {@link #timeout()}
     * @throws org.comm4j.core.CommException if this thread was interrupted; it stays so
     */
    public void lookAround(String waiting, long start) {
        nonNull(waiting, "lookAround", "waiting");
        session.check(waiting);
        session.engine.lookAround(waiting, start);
    }

    private WaitSet several(
            String operation,
            SymmetricBuffer variables,
            boolean @Nullable [] skip,
            Comparison comparison,
            long[] values) {
        nonNull(variables, operation, "variables");
        nonNull(comparison, operation, "comparison");
        nonNull(values, operation, "values");
        long at = place(operation, variables, 0, variables.count());
        return waits.several(operation, (SymmetricArray) variables, at, skip, comparison, values);
    }

    private long place(String operation, SymmetricBuffer variable, long index, long count) {
        boolean ignored = session.isWide(operation, variable);
        return session.own(operation, "variable", variable, index, count);
    }

    // ---- synchronisation ----

    /** {@link Team#barrier} of all PEs ({@code shmem_barrier_all}). */
    @Override
    public void barrierAll() {
        world.barrier("barrierAll");
    }

    /** {@link Team#sync} of all PEs ({@code shmem_sync_all}). */
    @Override
    public void syncAll() {
        world.sync("syncAll");
    }

    /** {@link Team#barrier}. */
    public void barrier(Team team) {
        nonNull(team, "barrier", "team");
        team.barrier();
    }

    /** A context of all PEs ({@code shmem_ctx_create}). Not collective. */
    public Context newContext(Context.Option... options) {
        nonNull(options, "newContext", "options");
        return world.newContext(options);
    }

    // ---- end ----

    @Override
    int pe(String operation, int pe) {
        return session.checkPe(operation, pe);
    }

    @Override
    void check(String operation) {
        session.check(operation);
    }

    /**
     * Ends all PEs now, wherever they are ({@code shmem_global_exit}).
     *
     * @param status 1 to 255
     */
    public void globalExit(int status) {
        session.engine.globalExit(status);
    }

    /**
     * The engine, and what is behind it: {@code embedded}, or {@code native} with the library's name, version and file.
     */
    @Override
    public String engine() {
        return session.engine.toString();
    }

    /** What it was made with, the engine chosen. */
    public OpenShmemOptions options() {
        return session.options;
    }

    @Override
    public boolean isOpen() {
        return session.isOpen();
    }

    /**
     * Leaves the symmetric heap: all its arrays are dead ({@code shmem_finalize}). PEs close when they no longer need
     * the others, nor the others them; call {@link #barrierAll} before if in doubt. With the native engine all PEs end
     * together: each waits for the others, at most {@link #timeout()}; there is no other {@code OpenShmem} in this
     * process after it, and a process that ends without it fails its job.
     */
    @Override
    public void close() {
        boolean last;
        synchronized (SESSIONS) {
            last = session.leave();
            if (last) {
                SESSIONS.values().removeIf(session::shares);
            }
        }
        if (last) {
            session.end();
        }
    }

    @Override
    public String toString() {
        return "OpenShmem[" + session.where() + ", " + engine() + (isOpen() ? "]" : ", closed]");
    }
}
