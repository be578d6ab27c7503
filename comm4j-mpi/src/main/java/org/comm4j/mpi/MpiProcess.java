// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.comm4j.core.CommException;
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

    /** What requests that were given up may still read and write. MPI cannot cancel them, so it is kept for ever. */
    private static final List<Object> KEPT = new ArrayList<>();

    private final Abi abi;
    private final String library;
    private final int rank;
    private final int size;
    /** Whether it is initialised here, so that it is ended here, too. */
    private final boolean own;

    private final MpiTypes types;

    private boolean ended;

    private MpiProcess(Abi abi, String library, boolean own) {
        this.abi = abi;
        this.types = new MpiTypes(abi);
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

    /** The process of a world's rank, initialised if it is not yet. */
    static MpiProcess of(World world) {
        MpiProcess process = alone();
        if (process.size != world.size()) {
            throw new CommException(process.library + " knows " + process.size + " processes, but the world has "
                    + world.size() + " (" + world.origin() + "): the library and the launcher do not belong together;"
                    + " start the program with the launcher of this library, or set COMM4J_MPI to the launcher's");
        }
        return process;
    }

    /** The process, whatever its world, initialised if it is not yet. */
    static synchronized MpiProcess alone() {
        MpiProcess process = started;
        if (process == null) {
            process = start();
            started = process;
        }
        if (process.ended) {
            throw new IllegalStateException("MPI has been ended in this process, with the World that was closed; it"
                    + " cannot be initialised again");
        }
        return process;
    }

    private static MpiProcess start() {
        // Before the library is loaded: what it loads may take signals already then.
        SignalHandlers handlers = SignalHandlers.now();
        NativeLibrary found = LibMpi.library();
        if (isTrue(LibMpi::MPI_Finalized, "MPI_Finalized")) {
            throw new IllegalStateException(
                    "MPI has been ended in this process by somebody else; it cannot be" + " initialised again");
        }
        Abi abi = Abi.ofLibrary();
        String description = description(abi);
        boolean own = !isTrue(LibMpi::MPI_Initialized, "MPI_Initialized");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment provided = arena.allocate(ValueLayout.JAVA_INT);
            if (own) {
                refuseWrongLauncher(abi, description, found);
                int multiple = Math.toIntExact(abi.get("THREAD_MULTIPLE"));
                int status = LibMpi.MPI_Init_thread(0, 0, multiple, provided.address());
                if (status != 0) {
                    throw new CommException("MPI_Init_thread of " + description + " failed with code " + status);
                }
            } else {
                int status = LibMpi.MPI_Query_thread(provided.address());
                if (status != 0) {
                    throw new CommException("MPI_Query_thread of " + description + " failed with code " + status);
                }
            }
            List<String> taken = handlers.restore();
            if (!taken.isEmpty()) {
                System.getLogger("org.comm4j.mpi")
                        .log(
                                System.Logger.Level.DEBUG,
                                "{0} had taken {1}; the JVM has them again",
                                description,
                                String.join(", ", taken));
            }
            if (provided.get(ValueLayout.JAVA_INT, 0) < abi.get("THREAD_MULTIPLE")) {
                throw new CommException(
                        description + " does not bear calls from several threads: it grants thread level "
                                + provided.get(ValueLayout.JAVA_INT, 0) + ", not MPI_THREAD_MULTIPLE"
                                + (own ? "" : ", as somebody else in this process has initialised it"));
            }
        }
        return new MpiProcess(abi, description, own);
    }

    /** A question that may be asked before the initialisation. */
    @FunctionalInterface
    private interface Question {
        int ask(long answer);
    }

    private static boolean isTrue(Question question, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ValueLayout.JAVA_INT);
            int status = question.ask(answer.address());
            if (status != 0) {
                throw new CommException(name + " failed with code " + status);
            }
            return answer.get(ValueLayout.JAVA_INT, 0) != 0;
        }
    }

    /** The library in its own words, and its file. */
    private static String description(Abi abi) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(abi.get("MAX_LIBRARY_VERSION_STRING") + 1);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            int status = LibMpi.MPI_Get_library_version(text.address(), length.address());
            String words = status == 0 ? text.getString(0) : "";
            // "MPICH Version:\t4.0.2\n…", "Open MPI v4.1.4, package: …"
            String first = words.lines().findFirst().orElse("MPI");
            return first.split(",", 2)[0]
                            .replaceAll("\\s+", " ")
                            .replace("MPICH Version: ", "MPICH ")
                            .strip() + " (" + LibMpi.library().file() + ")";
        }
    }

    /** What ends the process inside of the initialisation, or leaves it alone in a world of one. */
    private static void refuseWrongLauncher(Abi abi, String description, NativeLibrary found) {
        Mpiexec.Kind kind = abi.family() == Abi.Family.OPEN_MPI
                ? Mpiexec.Kind.OPEN_MPI
                : description.startsWith("Intel") ? Mpiexec.Kind.INTEL : Mpiexec.Kind.MPICH;
        boolean hasPmix = found.function("PMIx_Init").isPresent();
        String problem = MpiStart.of(System.getenv())
                .problem(kind, Objects.toString(found.version(), ""), Objects.toString(found.file(), ""), hasPmix);
        if (problem != null) {
            throw new CommException(problem);
        }
    }

    MpiCommunicator communicator(World world) {
        return new MpiCommunicator(this, duplicate(world), world.rank(), world.size(), Peers.all(world));
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

    private @Nullable Leavers leavers;

    /** Who leaves, once there is a communicator. */
    synchronized @Nullable Leavers leavers() {
        return leavers;
    }

    private final List<World> worlds = new ArrayList<>();

    private synchronized void endWith(World world) {
        if (!worlds.contains(world)) {
            worlds.add(world);
            Farewells.add(world, () -> end(world));
        }
    }

    /** Ends MPI if all ranks come to this; a rank that died, or a request that was given up, would keep the others. */
    void end(World world) {
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
        synchronized (MpiProcess.class) {
            ended = true;
        }
        if (clean && (told == null || told.settle())) {
            check(LibMpi.MPI_Finalize(), "MPI_Finalize");
        }
    }

    boolean hasEnded() {
        synchronized (MpiProcess.class) {
            return ended;
        }
    }

    int rank() {
        return rank;
    }

    int size() {
        return size;
    }

    Abi abi() {
        return abi;
    }

    MpiTypes types() {
        return types;
    }

    /** The communicator of the ranks that pass the same color; that of nobody for {@code MPI_UNDEFINED}. */
    long split(long comm, int color, int key) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check(LibMpi.MPI_Comm_split(comm, color, key, result.address()), "MPI_Comm_split");
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    void free(long comm) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocateFrom(ValueLayout.JAVA_LONG, comm);
            check(LibMpi.MPI_Comm_free(cell.address()), "MPI_Comm_free");
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
