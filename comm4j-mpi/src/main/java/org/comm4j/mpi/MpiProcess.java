// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.core.launch.MpiStart;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.core.spi.Farewells;
import org.comm4j.core.spi.Peers;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.SignalHandlers;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/** MPI's one life in this process, from its initialisation to its end. */
final class MpiProcess {
    private static @Nullable MpiProcess started;

    /** The thread level that is asked for: {@code multiple}, or {@code serialized} in tests. */
    private static final String THREADS = System.getProperty("org.comm4j.mpi.threads", "multiple");

    /** Property that says whether MPI takes memory of GPUs, for libraries that do not say it themselves. */
    private static final String CUDA = "org.comm4j.mpi.cuda";

    /** Where {@code MPI_Finalized} answers, the same to every thread. */
    private static final MemorySegment FINALIZED = Arena.global().allocate(ValueLayout.JAVA_INT);

    /** Memory that requests that were given up may use: MPI cannot cancel them, so it is kept for ever. */
    private static final List<Object> KEPT = new ArrayList<>();

    private final Abi abi;
    private final String library;
    private final int rank;
    private final int size;
    /** True if it is initialised here, so that it is ended here, too. */
    private final boolean own;

    private final MpiTypes types;
    private final List<String> signals;
    private final boolean goesOn;
    private final boolean takesDeviceMemory;
    private int communicators;

    private volatile boolean ended;

    /** True once there is a world whose ranks are not all on this host. */
    private volatile boolean severalHosts;

    /** Held around every call where the library bears only one thread at a time; null where it bears several. */
    private final @Nullable ReentrantLock gate;

    private MpiProcess(Abi abi, String library, boolean own, boolean severalThreads, List<String> signals) {
        this.abi = abi;
        this.signals = List.copyOf(signals);
        this.gate = severalThreads ? null : new ReentrantLock();
        this.types = new MpiTypes(abi);
        this.goesOn = Ulfm.isOn(abi);
        this.takesDeviceMemory = Boolean.parseBoolean(System.getProperty(CUDA, Boolean.toString(isCudaAware())));
        this.library = library;
        this.own = own;
        long world = abi.get("COMM_WORLD");
        for (String comm : List.of("COMM_WORLD", "COMM_SELF")) {
            check(LibMpi.MPI_Comm_set_errhandler(abi.get(comm), abi.get("ERRORS_RETURN")), "MPI_Comm_set_errhandler");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
            check(LibMpi.MPI_Comm_rank(world, number.address()), "MPI_Comm_rank");
            rank = number.get(ValueLayout.JAVA_INT, 0);
            check(LibMpi.MPI_Comm_size(world, number.address()), "MPI_Comm_size");
            size = number.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** Returns the process of a world's rank, initialised if it is not yet. */
    static MpiProcess of(World world) {
        MpiProcess process = alone();
        if (process.size != world.size()) {
            throw new CommException(process.library + " knows " + process.size + " processes, but the world has "
                    + world.size() + " (" + world.origin() + "): the library and the launcher do not belong together;"
                    + " start the program with the launcher of this library, or set COMM4J_MPI to the launcher's"
                    + LibraryDescription.wrongPlaces());
        }
        return process;
    }

    /** Returns the process, whatever its world, initialised if it is not yet. */
    static synchronized MpiProcess alone() {
        MpiProcess process = started;
        if (process == null) {
            process = start();
            started = process;
            Runtime.getRuntime().addShutdownHook(new Thread(process::sayIfLeft, "comm4j-mpi-left"));
        }
        if (process.hasEnded()) {
            throw new IllegalStateException(
                    "MPI has been ended in this process, " + process.endedBy() + "; it cannot be initialised again");
        }
        return process;
    }

    private static MpiProcess start() {
        // Before the library is loaded: what it loads may take signals already then.
        SignalHandlers handlers = SignalHandlers.now();
        NativeLibrary found = LibMpi.library();
        if (isFinalized()) {
            throw new IllegalStateException(
                    "MPI has been ended in this process by somebody else; it cannot be initialised again");
        }
        Abi abi = Abi.ofLibrary();
        String description = LibraryDescription.of(abi);
        boolean own = !isInitialized();
        int granted;
        List<String> taken;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment provided = arena.allocate(ValueLayout.JAVA_INT);
            if (own) {
                refuseWrongLauncher(abi, description, found);
                int wanted = Math.toIntExact(abi.get("THREAD_" + THREADS.toUpperCase(Locale.ROOT)));
                int status = LibMpi.MPI_Init_thread(0, 0, wanted, provided.address());
                if (status != 0) {
                    throw new CommException("MPI_Init_thread of " + description + " failed with code " + status);
                }
            } else {
                int status = LibMpi.MPI_Query_thread(provided.address());
                if (status != 0) {
                    throw new CommException("MPI_Query_thread of " + description + " failed with code " + status);
                }
            }
            taken = handlers.restore();
            if (!taken.isEmpty()) {
                System.getLogger("org.comm4j.mpi")
                        .log(
                                System.Logger.Level.DEBUG,
                                "{0} had taken {1}; the JVM has them again",
                                description,
                                String.join(", ", taken));
            }
            granted = provided.get(ValueLayout.JAVA_INT, 0);
        }
        if (granted < abi.get("THREAD_SERIALIZED")) {
            throw new CommException(description + " does not bear calls from several threads: it grants thread level "
                    + granted + ", neither MPI_THREAD_MULTIPLE nor MPI_THREAD_SERIALIZED"
                    + (own ? "" : ", as somebody else in this process has initialised it"));
        }
        return new MpiProcess(abi, description, own, granted >= abi.get("THREAD_MULTIPLE"), taken);
    }

    private static boolean isFinalized() {
        int status = LibMpi.MPI_Finalized(FINALIZED.address());
        return status != 0 || FINALIZED.get(ValueLayout.JAVA_INT, 0) != 0;
    }

    private static boolean isInitialized() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ValueLayout.JAVA_INT);
            int status = LibMpi.MPI_Initialized(answer.address());
            if (status != 0) {
                throw new CommException("MPI_Initialized failed with code " + status);
            }
            return answer.get(ValueLayout.JAVA_INT, 0) != 0;
        }
    }

    /** Refuses what ends the process inside of the initialisation, or leaves it alone in a world of one. */
    private static void refuseWrongLauncher(Abi abi, String description, NativeLibrary found) {
        Mpiexec.Kind kind = abi.family() == Abi.Family.OPEN_MPI
                ? Mpiexec.Kind.OPEN_MPI
                : description.startsWith("Intel") ? Mpiexec.Kind.INTEL : Mpiexec.Kind.MPICH;
        boolean hasPmix = found.function("PMIx_Init").isPresent();
        String problem = MpiStart.of(System.getenv())
                .problem(kind, LibraryDescription.version(description), Objects.toString(found.file(), ""), hasPmix);
        if (problem != null) {
            throw new CommException(problem);
        }
    }

    MpiCommunicator communicator(World world, MpiOptions options) {
        long handle = duplicate(world);
        return new MpiCommunicator(this, nextName(), handle, world.rank(), Peers.all(world), world.size(), options);
    }

    /** Collective: an MPI communicator of all ranks of a world, numbered as there, for one use only. */
    long duplicate(World world) {
        long handle = split(abi.get("COMM_WORLD"), 0, world.rank());
        synchronized (this) {
            if (leavers == null) {
                leavers = new Leavers(this, split(abi.get("COMM_WORLD"), 0, world.rank()), world);
            }
        }
        endWith(world);
        return handle;
    }

    /** Returns a name that is the same on all ranks, since all make the same communicators of the world. */
    private synchronized String nextName() {
        return "mpi " + communicators++;
    }

    /**
     * Makes a communicator of the ranks of one that somebody else has made, in the same order.
     *
     * @param foreign the handle
     */
    MpiCommunicator communicator(World world, long foreign, MpiOptions options) {
        if (rank != world.rank()) {
            throw new CommException(
                    "the ranks of " + world + " are not numbered as in MPI_COMM_WORLD: this one is " + rank + " there");
        }
        int[] members;
        long handle;
        handle = split(foreign, 0, 0);
        check(LibMpi.MPI_Comm_set_errhandler(handle, abi.get("ERRORS_RETURN")), "MPI_Comm_set_errhandler");
        members = members(handle, abi.get("COMM_WORLD"));
        int here = 0;
        while (members[here] != rank) {
            here++;
        }
        endWith(world);
        String name = "mpi of " + foreign + " " + members[0] + " " + members.length;
        return new MpiCommunicator(this, name, handle, here, Peers.all(world).select(members), members.length, options);
    }

    private @Nullable Leavers leavers;

    /** Returns who leaves; null before there is a communicator. */
    synchronized @Nullable Leavers leavers() {
        return leavers;
    }

    private final List<World> worlds = new ArrayList<>();

    private synchronized void endWith(World world) {
        if (!worlds.contains(world)) {
            severalHosts |= world.localSize() < world.size();
            worlds.add(world);
            Farewells.add(world, () -> end(world));
        }
    }

    /** Ends MPI if all ranks come to this; a rank that died, or a request that was given up, would keep the others. */
    void end(World world) {
        // OpenSHMEM libraries end MPI, too.
        if (!own || hasEnded()) {
            return;
        }
        boolean clean;
        synchronized (KEPT) {
            clean = KEPT.isEmpty();
        }
        Leavers told = leavers();
        try {
            if (told != null) {
                told.tell();
            }
            for (byte[] each : world.exchange("mpi: the end", new byte[] {(byte) (clean ? 1 : 0)})) {
                clean &= each[0] == 1;
            }
        } catch (RuntimeException e) {
            System.getLogger("org.comm4j.mpi")
                    .log(System.Logger.Level.DEBUG, "MPI is left without MPI_Finalize: not all ranks came", e);
            return;
        }
        ended = true;
        if (clean && (told == null || told.settle())) {
            check(LibMpi.MPI_Finalize(), "MPI_Finalize");
        }
    }

    /** Says at the end of a program that has not closed its world what the launcher makes of it. */
    private void sayIfLeft() {
        // Where main has not returned, a signal or an exit code of the program's own ends it.
        boolean returned = Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("main"));
        if (returned && own && abi.family() == Abi.Family.OPEN_MPI && size > 1 && !isFinalized()) {
            System.err.println("comm4j: rank " + rank + " of " + size + " ends without MPI_Finalize, because its World"
                    + " was not closed, or an operation was given up; Open MPI's launcher makes of that a job that"
                    + " failed, with exit code 1");
        }
    }

    /** Begins calls of MPI, alone where the library bears one thread at a time. */
    void lock() {
        if (gate != null) {
            gate.lock();
        }
    }

    /** Ends what {@link #lock} has begun. */
    void unlock() {
        if (gate != null) {
            gate.unlock();
        }
    }

    /** Returns whether the job goes on when a rank dies. */
    boolean goesOn() {
        return goesOn;
    }

    /** Returns whether MPI reads and writes memory of GPUs by its address. */
    boolean takesDeviceMemory() {
        return takesDeviceMemory;
    }

    private static boolean isCudaAware() {
        return LibMpi.has("MPIX_Query_cuda_support") && LibMpi.MPIX_Query_cuda_support() != 0;
    }

    /** Returns whether collectives gain if the ranks meet and block then, see {@link Ways}; the same on all ranks. */
    boolean gainsByMeeting() {
        boolean slowBetweenHosts = !LibraryDescription.version(library).startsWith("4.");
        return abi.family() == Abi.Family.OPEN_MPI && !(slowBetweenHosts && severalHosts);
    }

    /** Returns whether several threads may be in MPI, so that one may block there. */
    boolean severalThreads() {
        return gate == null;
    }

    /** Returns whether MPI has been ended, by the world's close or by somebody else in this process. */
    boolean hasEnded() {
        return ended || isFinalized();
    }

    /** Returns in words who has ended MPI. */
    String endedBy() {
        return ended ? "with the World that was closed" : "by somebody else (MPI_Finalize)";
    }

    int rank() {
        return rank;
    }

    int size() {
        return size;
    }

    String library() {
        return library;
    }

    /** Returns the signals that the initialisation took from the JVM. */
    List<String> signals() {
        return signals;
    }

    Abi abi() {
        return abi;
    }

    MpiTypes types() {
        return types;
    }

    /** As {@link MpiTypes#isRight}, which may call MPI. */
    boolean isRight(DataType type, ReduceOp op) {
        lock();
        try {
            return types.isRight(type, op);
        } finally {
            unlock();
        }
    }

    /** Makes the communicator of the ranks that pass the same color; that of nobody for {@code MPI_UNDEFINED}. */
    long split(long comm, int color, int key) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            lock();
            try {
                check(LibMpi.MPI_Comm_split(comm, color, key, result.address()), "MPI_Comm_split");
            } finally {
                unlock();
            }
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** Makes the communicator of those ranks of {@code comm} that share this one's memory, in order of their keys. */
    long splitByHost(long comm, int key) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            lock();
            try {
                int kind = Math.toIntExact(abi.get("COMM_TYPE_SHARED"));
                check(
                        LibMpi.MPI_Comm_split_type(comm, kind, key, abi.get("INFO_NULL"), result.address()),
                        "MPI_Comm_split_type");
            } finally {
                unlock();
            }
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** Returns whether all ranks share memory, the same on all of them; collective. */
    boolean areOnOneHost(long comm, int size) {
        long part = splitByHost(comm, 0);
        int near = members(part, comm).length;
        free(part);
        return near == size;
    }

    /** Returns the ranks in {@code comm} of the ranks of another one; negative for those that are not in it. */
    int[] members(long part, long comm) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(24, 8);
            lock();
            try {
                check(LibMpi.MPI_Comm_size(part, cells.address()), "MPI_Comm_size");
                int count = cells.get(ValueLayout.JAVA_INT, 0);
                MemorySegment ranks = arena.allocate(8L * count, 8);
                for (int r = 0; r < count; r++) {
                    ranks.setAtIndex(ValueLayout.JAVA_INT, r, r);
                }
                check(LibMpi.MPI_Comm_group(part, cells.address() + 8), "MPI_Comm_group");
                check(LibMpi.MPI_Comm_group(comm, cells.address() + 16), "MPI_Comm_group");
                check(
                        LibMpi.MPI_Group_translate_ranks(
                                cells.get(ValueLayout.JAVA_LONG, 8),
                                count,
                                ranks.address(),
                                cells.get(ValueLayout.JAVA_LONG, 16),
                                ranks.address() + 4L * count),
                        "MPI_Group_translate_ranks");
                check(LibMpi.MPI_Group_free(cells.address() + 8), "MPI_Group_free");
                check(LibMpi.MPI_Group_free(cells.address() + 16), "MPI_Group_free");
                return ranks.asSlice(4L * count, 4L * count).toArray(ValueLayout.JAVA_INT);
            } finally {
                unlock();
            }
        }
    }

    void free(long comm) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocateFrom(ValueLayout.JAVA_LONG, comm);
            lock();
            try {
                check(LibMpi.MPI_Comm_free(cell.address()), "MPI_Comm_free");
            } finally {
                unlock();
            }
        }
    }

    static void keep(Object memory) {
        synchronized (KEPT) {
            KEPT.add(memory);
        }
    }

    /**
     * Checks what an MPI function returned.
     *
     * @param what was done, for the message
     * @throws CommException with the library's text if it is an error
     */
    void check(int code, String what) {
        if (code != 0) {
            throw new CommException(what + ": " + words(code) + " [" + library + "]");
        }
    }

    private String words(int code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(abi.get("MAX_ERROR_STRING") + 1);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            int status = LibMpi.MPI_Error_string(code, text.address(), length.address());
            return status == 0 ? text.getString(0).strip() : "code " + code;
        }
    }

    @Override
    public String toString() {
        return library + ", process " + rank + " of " + size;
    }
}
