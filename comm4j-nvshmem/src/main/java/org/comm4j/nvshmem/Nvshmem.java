// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.comm4j.core.spi.Arguments.nonNull;
import static org.comm4j.core.spi.Arguments.timeoutNanos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.Pgas;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.CudaLibrary;
import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.jspecify.annotations.Nullable;

/**
 * This process as a PE of NVSHMEM: a processing element with a GPU, one in each process. It has a symmetric heap in the
 * memory of the GPU, reaches those of the others, and synchronises with them.
 *
 * <pre>{@code
 * try (World world = World.join();
 *         Device gpu = Device.of(world.localRank());
 *         Stream stream = gpu.newStream();
 *         Nvshmem shmem = Nvshmem.init(world, gpu)) {
 *     SymmetricArray mine = shmem.allocate(FLOAT32, n);
 *     SymmetricArray theirs = shmem.allocate(FLOAT32, n);
 *     shmem.put(theirs, mine, (shmem.myPe() + 1) % shmem.nPes(), stream);
 *     shmem.barrierAll(stream);
 *     shmem.synchronize(stream);
 *     theirs.close();
 *     mine.close();
 * }
 * }</pre>
 *
 * <p><b>Two forms of every operation.</b> Those with a {@link Stream} put the work into it and return; those without
 * have ended when they return.
 *
 * <p><b>Collective methods</b> ({@link #init}, {@link #allocate}, {@link #register}, {@link SymmetricArray#close},
 * {@link #close}, and what makes and closes teams) are called by all PEs, or all members, with the same arguments in
 * the same order; a PE that differs is an exception on all. They are for one thread of each PE; everything else can be
 * called by several.
 *
 * <p><b>Limits and failures.</b> Waits end with {@link org.comm4j.core.RankFailedException} when a PE died, and with
 * {@link org.comm4j.core.CommTimeoutException} after {@link #timeout()}; where no limit is set, collective methods have
 * that of the world. After such an end the PEs are out of step, unless it was only the limit of a wait for a value, or
 * of {@link #synchronize}: every call but {@link #close} is an {@link IllegalStateException}, and the process cannot
 * initialise NVSHMEM again. {@link Stream#synchronize} knows nothing of this, {@link #synchronize} does.
 *
 * <p><b>One at a time.</b> NVSHMEM allows a process to be one PE. When it is closed, it may be initialised again.
 */
public final class Nvshmem extends OneSided implements Pgas {
    /** How far NVSHMEM is in this process. */
    public enum State {
        /** Nothing has happened yet. */
        NOT_INITIALIZED,
        /** There is an {@link Nvshmem}, which is not closed. */
        INITIALIZED,
        /** It was closed, and may be initialised again. */
        FINALIZED,
        /** It was given up after a failure; this process cannot initialise it again. */
        ABANDONED
    }

    /** What ends with it: the device, if the engine has opened it. */
    private final Runnable end;

    private Nvshmem(Session session, Runnable end) {
        super(session);
        this.end = end;
    }

    /**
     * Collective over {@code world}: {@link #init(World, Device, NvshmemOptions)} with {@link NvshmemOptions#DEFAULT}.
     */
    public static Nvshmem init(World world, Device device) {
        nonNull(world, "init", "world");
        nonNull(device, "init", "device");
        return init(world, device, NvshmemOptions.DEFAULT);
    }

    /**
     * Collective over {@code world}: initialises NVSHMEM; the ranks are the PEs ({@code nvshmemx_hostlib_init_attr}
     * with a unique id). Waits at most {@link World#timeout()}.
     *
     * @param device of this PE; one for each PE, unless CUDA's MPS runs
     * @throws IllegalStateException if this process is a PE already, or was one that was given up
     * @throws org.comm4j.core.CommException if a PE cannot: on all of them, with the reason and who it is
     */
    public static Nvshmem init(World world, Device device, NvshmemOptions options) {
        nonNull(world, "init", "world");
        nonNull(device, "init", "device");
        nonNull(options, "init", "options");
        return init(world, device, options, () -> {});
    }

    static Nvshmem init(World world, Device device, NvshmemOptions options, Runnable end) {
        return new Nvshmem(Startup.run(world, device, options), end);
    }

    /**
     * Returns why NVSHMEM cannot be used in this process, or not with all GPUs that it sees; null if it can. It is
     * found out without initialising NVSHMEM, which ends the process where it cannot: no library, or one that is too
     * old, no bootstrap beside it, plugins of another version, no driver, no GPU, GPUs that do not reach each other's
     * memory.
     */
    public static @Nullable String problem() {
        String problem = Library.problem();
        return problem != null ? problem : Library.peerProblem();
    }

    /** Returns the loaded NVSHMEM's version, such as {@code 3.4.5}. */
    public static String version() {
        return Library.version();
    }

    /** Returns the file from which NVSHMEM was loaded. */
    public static Path file() {
        return Library.file();
    }

    /** Returns how far NVSHMEM is in this process. */
    public static State state() {
        return Lifecycle.state();
    }

    // ---- who is there ----

    /** This PE: the rank in the world ({@code nvshmem_my_pe}). */
    @Override
    public int myPe() {
        return session.myPe;
    }

    /** Returns the number of PEs ({@code nvshmem_n_pes}). */
    @Override
    public int nPes() {
        return session.nPes;
    }

    /** Returns the GPU of this PE. */
    public Device device() {
        return session.userDevice;
    }

    /** Returns the PEs that are known to have died, in ascending order. Never waits. */
    public List<Integer> failedPes() {
        return session.world.failedRanks();
    }

    /**
     * Returns the limit of every wait; {@link Duration#ZERO}, the default unless {@code COMM4J_TIMEOUT} is set, means
     * none.
     */
    @Override
    public Duration timeout() {
        return Duration.ofNanos(session.timeoutNanos());
    }

    /** Sets the limit of every wait from now on, also of teams; {@link Duration#ZERO}: no limit. */
    @Override
    public void timeout(Duration timeout) {
        session.timeoutNanos(timeoutNanos(timeout, "timeout"));
    }

    // ---- teams ----

    /** All PEs ({@code NVSHMEM_TEAM_WORLD}). */
    @Override
    public Team world() {
        return session.teams.world();
    }

    /** Returns the PEs that reach each other's memory by loads and stores ({@code NVSHMEM_TEAM_SHARED}). */
    @Override
    public Team shared() {
        return present(session.teams.predefined(LibNvshmem.NVSHMEM_TEAM_SHARED, "shared"), "shared");
    }

    /** Returns the PEs on this machine ({@code NVSHMEMX_TEAM_NODE}). */
    public Team node() {
        return present(session.teams.predefined(LibNvshmem.NVSHMEMX_TEAM_NODE, "node"), "node");
    }

    /**
     * Returns the PEs that have this one's number in the {@link #node} of theirs ({@code
     * NVSHMEMX_TEAM_SAME_MYPE_NODE}).
     */
    public Team sameMypeNode() {
        return present(
                session.teams.predefined(LibNvshmem.NVSHMEMX_TEAM_SAME_MYPE_NODE, "sameMypeNode"), "sameMypeNode");
    }

    /** Returns the PEs that have the GPU of this one ({@code NVSHMEMI_TEAM_SAME_GPU}). */
    public Team sameGpu() {
        return present(session.teams.predefined(LibNvshmem.NVSHMEMI_TEAM_SAME_GPU, "sameGpu"), "sameGpu");
    }

    /** One PE of each GPU ({@code NVSHMEMI_TEAM_GPU_LEADERS}); null for a PE that is not among them. */
    public @Nullable Team gpuLeaders() {
        return session.teams.predefined(LibNvshmem.NVSHMEMI_TEAM_GPU_LEADERS, "gpuLeaders");
    }

    /**
     * Returns the PEs that can share multicast memory ({@code NVSHMEM_TEAM_MC_SHARED}; NVSHMEM 3.7); null if this PE
     * cannot.
     *
     * @throws UnsupportedOperationException if NVSHMEM is older
     */
    public @Nullable Team multicastShared() {
        Library.require("multicastShared", session.where(), 3, 7);
        return session.teams.predefined(LibNvshmem.NVSHMEM_TEAM_MC_SHARED, "multicastShared");
    }

    private Team present(@Nullable Team team, String name) {
        if (team == null) {
            throw new UnsupportedOperationException(
                    name + " on " + session.where() + ": NVSHMEM " + Library.version() + " made no such team");
        }
        return team;
    }

    /**
     * Returns an id by which the PEs that know it make a team ({@code nvshmemx_team_get_uniqueid}). One PE makes it and
     * tells the others.
     */
    public long newTeamId() {
        return session.teams.newId();
    }

    /** {@link #team(long, int, int, TeamConfig)} with {@link TeamConfig#DEFAULT}. */
    public Team team(long id, int size, int rank) {
        return team(id, size, rank, TeamConfig.DEFAULT);
    }

    /**
     * Collective over the PEs that call it with this id: a team of them, in any order ({@code nvshmemx_team_init}).
     *
     * @param id of {@link #newTeamId}
     * @param size the number of members
     * @param rank this PE's number in the team, another one on each member
     */
    public Team team(long id, int size, int rank, TeamConfig config) {
        nonNull(config, "team", "config");
        return session.teams.byId(id, size, rank, config);
    }

    // ---- the communicator of all engines ----

    /**
     * Collective over all PEs: a {@link org.comm4j.core.Communicator} of them, in their order, for programs that do not
     * depend on an engine. It ends with this Nvshmem at the latest; several may be open at a time. Needs no compiler
     * for GPUs, and works where PEs share one; where that is given, {@link #communicator(KernelCollectives)} is faster.
     *
     * @throws org.comm4j.core.SymmetricMemoryException if the heap has no room for the workspace of communicators, 64
     *     MiB
     */
    public NvshmemCommunicator communicator() {
        return NvshmemCommunicator.of(this, session, null, () -> {});
    }

    /**
     * Collective over all PEs: {@link #communicator()} whose collectives are done by {@code kernels} where they can:
     * {@code PeerCollectives} of {@code comm4j-device}, which choose an algorithm by size. They are the caller's to
     * close, after the communicator.
     */
    public NvshmemCommunicator communicator(KernelCollectives kernels) {
        return NvshmemCommunicator.of(this, session, nonNull(kernels, "communicator", "kernels"), () -> {});
    }

    /** {@link #communicator()} of an engine, whose end is that of this Nvshmem, too. */
    NvshmemCommunicator communicator(Runnable end) {
        return NvshmemCommunicator.of(this, session, null, end);
    }

    // ---- symmetric memory ----

    /**
     * Collective: zeroed memory for {@code count} elements on every PE, at the same place of each heap ({@code
     * nvshmem_calloc}). Every PE passes the same arguments; all have their memory when the method returns.
     *
     * @throws org.comm4j.core.CollectiveMismatchException if PEs pass different arguments; nothing is allocated then
     * @throws org.comm4j.core.SymmetricMemoryException if a heap is exhausted; nothing is allocated then
     */
    @Override
    public SymmetricArray allocate(DataType type, long count) {
        return session.heap.allocate(type, count, 0);
    }

    /**
     * {@link #allocate(DataType, long)} at a multiple of {@code alignment} bytes, a power of two ({@code
     * nvshmem_align}).
     */
    public SymmetricArray allocate(DataType type, long count, long alignment) {
        nonNull(type, "allocate", "type");
        if (alignment == 0) {
            throw new IllegalArgumentException("allocate on " + session.where() + ": alignment 0");
        }
        return session.heap.allocate(type, count, alignment);
    }

    /**
     * {@link #allocate(DataType, long)} of memory with any content ({@code nvshmem_malloc}): for arrays of gigabytes,
     * which take milliseconds to be zeroed, and are written anyhow before they are read.
     */
    public SymmetricArray allocateUninitialized(DataType type, long count) {
        return session.heap.allocate(type, count, 0, false);
    }

    /**
     * Collective: memory that was allocated elsewhere, all of it, as a part of the symmetric heap
     * ({@code nvshmemx_buffer_register_symmetric}). The result is the same memory at another address; {@code memory}
     * may be used, too, and is freed, whoever closes it, when the result is closed at the earliest; NVSHMEM has it
     * until its end, so register what is used again and again once.
     *
     * <pre>{@code
     * try (DeviceArray memory = gpu.allocateShareable(FLOAT32, n, shmem.granularity());
     *         SymmetricArray everywhere = shmem.register(memory)) {
     *     shmem.put(everywhere, source, pe);
     * }
     * }</pre>
     *
     * @param memory a whole piece that {@code cuMemCreate} made, with a handle for other processes as the heap has
     *     them: memory of {@link Device#allocateShareable}, or of NCCL's allocator. The memory behind the array, which
     *     may be shorter, is a multiple of {@link #granularity()}
     * @throws IllegalArgumentException if it is not such memory
     * @throws org.comm4j.core.CollectiveMismatchException if that of another PE is not; nothing is registered then
     * @throws UnsupportedOperationException if the heap has a fixed size ({@code NVSHMEM_DISABLE_CUDA_VMM})
     */
    public SymmetricArray register(DeviceArray memory) {
        nonNull(memory, "register", "memory");
        return session.heap.register(memory, 0);
    }

    /**
     * {@link #register(DeviceArray)} at an address that the PEs have agreed on
     * ({@code nvshmemx_buffer_register_symmetric_at_preferred_address}; NVSHMEM 3.6).
     *
     * @param preferred in this PE's heap, such as {@link SymmetricArray#address} of an earlier registration that was
     *     closed; where it is not free, NVSHMEM takes another one or refuses
     * @throws UnsupportedOperationException if NVSHMEM is older
     */
    public SymmetricArray register(DeviceArray memory, long preferred) {
        nonNull(memory, "register", "memory");
        if (preferred == 0) {
            throw new IllegalArgumentException("register on " + session.where() + ": the preferred address is NULL");
        }
        Library.require("register at a preferred address", session.where(), 3, 6);
        return session.heap.register(memory, preferred);
    }

    /** Of what number of bytes memory for {@link #register} is a multiple ({@link NvshmemOptions#granularity}). */
    public long granularity() {
        return session.heap.granularity();
    }

    /**
     * Lets puts from, and gets to, memory of this PE go to PEs of other machines ({@code nvshmemx_buffer_register}).
     * Not collective, and not needed where the GPUs reach each other.
     *
     * @param memory of this GPU, or of the host; not symmetric
     */
    public Registration registerLocal(Buffer memory) {
        nonNull(memory, "registerLocal", "memory");
        return session.heap.registerLocal(memory);
    }

    /**
     * Returns the copy of {@code array} on {@code pe}, for direct loads and stores of kernels and copies ({@code
     * nvshmem_ptr}); it lives as long as {@code array}.
     *
     * @throws UnsupportedOperationException if this GPU cannot reach that one's memory; {@link #reaches} tells before
     */
    public DeviceArray ptr(SymmetricArray array, int pe) {
        nonNull(array, "ptr", "array");
        return session.heap.ptr(array, pe);
    }

    /** Returns whether this GPU reaches the memory of {@code pe} by loads and stores, so that {@link #ptr} works. */
    @Override
    public boolean reaches(int pe) {
        session.checkPe("reaches", pe);
        return shared().memberOf(pe) >= 0;
    }

    /**
     * Returns what keeps kernels of this GPU from doing everything by loads, stores and atomic instructions: a PE that
     * it does not {@linkplain #reaches reach}, or a GPU whose memory it reaches but not atomically, as across PCIe; or
     * more PEs than such kernels are made for, 72. Null if there is nothing, so that nothing goes over a network.
     */
    public @Nullable String outOfReach() {
        for (int pe = 0; pe < nPes(); pe++) {
            if (!reaches(pe)) {
                return "this GPU does not reach the memory of PE " + pe + " by loads and stores";
            }
        }
        int own = device().ordinal();
        for (int other = 0; other < Cuda.deviceCount(); other++) {
            if (other != own && Library.canAccess(own, other) && !Library.isAtomic(own, other)) {
                return "between the GPUs " + own + " and " + other + " there are no atomic operations";
            }
        }
        return Modules.tooMany(nPes());
    }

    /**
     * Returns the copies of {@code array} on all members of {@code team} as one: a store there reaches all ({@code
     * nvshmemx_mc_ptr}).
     *
     * @throws UnsupportedOperationException if the GPUs, or this set-up, have no multicast
     */
    public DeviceArray multicast(Team team, SymmetricArray array) {
        nonNull(team, "multicast", "team");
        nonNull(array, "multicast", "array");
        return session.heap.multicast(team, array);
    }

    // ---- code that calls NVSHMEM itself ----

    /**
     * Makes kernels of {@code module} able to communicate ({@code nvshmemx_cumodule_init}); undone at {@link #close} at
     * the latest. Until then the code stays loaded, also when {@code module} is closed; afterwards it is closed, and
     * its kernels cannot be launched any more.
     */
    public void initModule(CudaModule module) {
        nonNull(module, "initModule", "module");
        session.modules.init(module);
    }

    /** Undoes {@link #initModule}, and closes the module ({@code nvshmemx_cumodule_finalize}). */
    public void finalizeModule(CudaModule module) {
        nonNull(module, "finalizeModule", "module");
        session.modules.end(module);
    }

    /** {@link #initModule} for a library ({@code nvshmemx_culibrary_init}). */
    public void initLibrary(CudaLibrary library) {
        nonNull(library, "initLibrary", "library");
        session.modules.init(library);
    }

    /** Undoes {@link #initLibrary}, and closes the library ({@code nvshmemx_culibrary_finalize}). */
    public void finalizeLibrary(CudaLibrary library) {
        nonNull(library, "finalizeLibrary", "library");
        session.modules.end(library);
    }

    /**
     * Collective: queue pairs to other machines for kernels that choose them ({@code nvshmemx_qp_create}; NVSHMEM 3.5).
     * They live as long as this Nvshmem.
     *
     * @param count of this PE, the same on all
     * @return their handles; {@code NVSHMEMX_QP_DEFAULT}, 1, where the transport has no others, as between GPUs that
     *     reach each other
     * @throws UnsupportedOperationException if NVSHMEM is older
     */
    public int[] newQueuePairs(int count) {
        return session.modules.newQueuePairs(count);
    }

    // ---- regions ----

    /**
     * Begins a region of this PE's operations, with hints for transports ({@code nvshmemx_region_start}; NVSHMEM 3.8).
     *
     * @return what ends it
     * @throws UnsupportedOperationException if NVSHMEM is older
     */
    public Region region(Region.Hint... hints) {
        nonNull(hints, "region", "hints");
        return Region.start(session, hints);
    }

    /** Returns whether a region with all these hints is open ({@code nvshmemx_region_is_active}; NVSHMEM 3.8). */
    public boolean isRegionActive(Region.Hint... hints) {
        nonNull(hints, "isRegionActive", "hints");
        return Region.isActive(session, hints);
    }

    // ---- order and synchronisation ----

    /** Returns when every PE has called it and all that was put before has arrived ({@code nvshmem_barrier_all}). */
    @Override
    public void barrierAll() {
        quiet();
        barrierAll(session.own);
        session.complete("barrierAll");
    }

    /** {@link #barrierAll()}, ordered on {@code stream} ({@code nvshmemx_barrier_all_on_stream}). */
    public void barrierAll(Stream stream) {
        nonNull(stream, "barrierAll", "stream");
        CUstream queue = session.enter("barrierAll", stream, null, 0, Session.NO_PE);
        try {
            LibNvshmem.nvshmemx_barrier_all_on_stream(queue);
            session.note(stream, "barrierAll", null, 0, null, 0);
        } finally {
            session.leave();
        }
    }

    /** Returns when every PE has called it, whatever is under way ({@code nvshmem_sync_all}). */
    @Override
    public void syncAll() {
        syncAll(session.own);
        session.complete("syncAll");
    }

    /** {@link #syncAll()}, ordered on {@code stream} ({@code nvshmemx_sync_all_on_stream}). */
    public void syncAll(Stream stream) {
        nonNull(stream, "syncAll", "stream");
        CUstream queue = session.enter("syncAll", stream, null, 0, Session.NO_PE);
        try {
            LibNvshmem.nvshmemx_sync_all_on_stream(queue);
            session.note(stream, "syncAll", null, 0, null, 0);
        } finally {
            session.leave();
        }
    }

    /** {@link Team#barrier()}. */
    public void barrier(Team team) {
        nonNull(team, "barrier", "team");
        team.barrier();
    }

    /** {@link Team#barrier(Stream)}. */
    public void barrier(Team team, Stream stream) {
        nonNull(team, "barrier", "team");
        nonNull(stream, "barrier", "stream");
        team.barrier(stream);
    }

    /** Orders what this PE did before it, at each other PE, before what it does after it ({@code nvshmem_fence}). */
    @Override
    public void fence() {
        session.enter("fence", null, 0, Session.NO_PE);
        try {
            LibNvshmem.nvshmem_fence();
        } finally {
            session.leave();
        }
    }

    /** Returns when all that this PE started has arrived ({@code nvshmem_quiet}). */
    @Override
    public void quiet() {
        session.quiet("quiet");
    }

    /** {@link #quiet()}, ordered on {@code stream} ({@code nvshmemx_quiet_on_stream}). */
    public void quiet(Stream stream) {
        nonNull(stream, "quiet", "stream");
        CUstream queue = session.enter("quiet", stream, null, 0, Session.NO_PE);
        try {
            LibNvshmem.nvshmemx_quiet_on_stream(queue);
        } finally {
            session.leave();
        }
    }

    /** Returns when the sources of all that this PE started can be used again ({@code nvshmemx_flush}; NVSHMEM 3.7). */
    public void flush() {
        session.enter("flush", null, 0, Session.NO_PE);
        try {
            LibNvshmem.nvshmemx_flush();
        } finally {
            session.leave();
        }
    }

    /** {@link #flush()}, ordered on {@code stream} ({@code nvshmemx_flush_on_stream}; NVSHMEM 3.7). */
    public void flush(Stream stream) {
        nonNull(stream, "flush", "stream");
        CUstream queue = session.enter("flush", stream, null, 0, Session.NO_PE);
        try {
            LibNvshmem.nvshmemx_flush_on_stream(queue);
        } finally {
            session.leave();
        }
    }

    /**
     * Waits for the work in {@code stream}, of this PE's GPU, at most {@link #timeout()}, and not when a PE died.
     *
     * @throws org.comm4j.core.CommTimeoutException at the limit; it names what the stream waits for: the last
     *     collectives and waits for values that were put into it, with the values as they are. The work goes on, and
     *     can be waited for again
     * @throws org.comm4j.core.RankFailedException when a PE died
     * @throws org.comm4j.cuda.CudaException for what went wrong in that work
     */
    public void synchronize(Stream stream) {
        nonNull(stream, "synchronize", "stream");
        synchronize(stream, timeout());
    }

    /** {@link #synchronize(Stream)} with a limit of its own; {@link Duration#ZERO} for none. */
    public void synchronize(Stream stream, Duration timeout) {
        nonNull(stream, "synchronize", "stream");
        session.synchronize(stream, timeoutNanos(timeout, "synchronize"));
    }

    /**
     * Says that code of the program that waits for other PEs was put into a stream, so that a wait for the stream in
     * vain can name it. Allocates nothing once the stream is known.
     *
     * @param what as messages are to call it: "kernel Ring.exchange"
     */
    public void waitsIn(Stream stream, String what) {
        nonNull(stream, "waitsIn", "stream");
        nonNull(what, "waitsIn", "what");
        session.note(stream, what, null, 0, null, 0);
    }

    // ---- end ----

    /** NVSHMEM with its version and file, and this PE's GPU. */
    @Override
    public String engine() {
        return "nvshmem " + version() + " (" + file() + ") on " + device().name();
    }

    @Override
    public boolean isOpen() {
        return session.isOpen();
    }

    /**
     * Collective: ends NVSHMEM in this process ({@code nvshmemx_hostlib_finalize}), when all work on the GPU is done.
     * Arrays and teams that are still open are reported with the place where they were made, and freed; all are dead
     * afterwards. A second time it does nothing.
     *
     * <p>If the PEs are out of step, they cannot end together: then it only says so in the log, and NVSHMEM's memory
     * stays until the process ends.
     *
     * @throws IllegalStateException on all PEs if one of them has lent symmetric memory ({@link
     *     org.comm4j.cuda.DlPack}) and has not got it back; nothing is closed then
     * @throws org.comm4j.core.CollectiveMismatchException on all PEs if one of them calls something else; nothing is
     *     closed then
     * @throws org.comm4j.core.CommTimeoutException if another PE does not close in time
     * @throws org.comm4j.core.RankFailedException if another PE died before it closed
     */
    @Override
    public void close() {
        session.checkNotRecording("close");
        try {
            Shutdown.run(session);
        } finally {
            if (!isOpen()) {
                end.run();
            }
        }
    }

    @Override
    public String toString() {
        return "Nvshmem[" + session.where()
                + (isOpen() ? "]" : session.failure() == null ? ", closed]" : ", out of step]");
    }
}
