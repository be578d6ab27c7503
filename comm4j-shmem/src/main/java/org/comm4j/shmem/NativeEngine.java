// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.core.World;
import org.comm4j.ffi.ExitGuard;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.OpenshmemProcess;
import org.comm4j.ffi.OperatingSystem;
import org.comm4j.ffi.shmem.LibOpenshmem;
import org.comm4j.host.HeapSize;
import org.comm4j.host.Processors;
import org.jspecify.annotations.Nullable;

/**
 * An OpenSHMEM library. All memory that PEs share is one piece, allocated once; what is within reach of loads and
 * stores ({@code shmem_ptr}) is moved by these, the rest by the library's puts, gets and atomics, see {@link
 * NativeStream}.
 *
 * <p>Over a network a PE may have to take part in what others do to its memory. Libraries have no thread for that, so
 * waits call them now and then.
 */
final class NativeEngine extends PolledEngine {
    /** What the library needs of the heap for itself, generously. */
    private static final long LIBRARYS_OWN = 16 << 20;

    private static final long PAGE = 4096;
    /** {@code SHMEM_THREAD_MULTIPLE}; the header has it in an enum without a name. */
    private static final int THREAD_MULTIPLE = 3;

    /** Those that such libraries ask who they are. */
    private static final Set<String> LAUNCHERS = Set.of("Open MPI", "MPICH", "Slurm");

    /** The library has one life in a process. */
    private static final AtomicBoolean USED = new AtomicBoolean();

    /** The piece of memory on this PE, which is also what the library takes for the same place on another. */
    private final long base;

    private final Arena arena;
    private final Vendor vendor;
    private final NativeStream stream;
    /** Whether all PEs have come to close, and the library is to be ended. */
    private boolean together;

    private NativeEngine(World job, Vendor vendor, Arena arena, long base, long bytes, long[] heaps, int spins) {
        // Addresses are places in it.
        super(job, NativeMemory.at(0, Long.MAX_VALUE, arena, () -> {}), heaps, bytes, spins);
        this.vendor = vendor;
        this.arena = arena;
        this.base = base;
        this.stream = new NativeStream(this, base, vendor.defaultContext());
    }

    static NativeEngine open(World job, long heapBytes) {
        long bytes = (heapBytes > 0 ? heapBytes : DEFAULT_HEAP) / PAGE * PAGE + PAGE + WordMembers.BYTES;
        int spins = Processors.spins(job, "comm4j.shmem.processors");
        String problem = problem(job, bytes + LIBRARYS_OWN);
        List<byte[]> problems = job.exchange("comm4j.shmem.init", (problem == null ? "" : problem).getBytes(UTF_8));
        for (int rank = 0; rank < problems.size(); rank++) {
            if (problems.get(rank).length > 0) {
                throw new SymmetricMemoryException("init of the native engine: PE " + rank + " of " + job.size()
                        + " cannot use OpenSHMEM: " + new String(problems.get(rank), UTF_8));
            }
        }
        try (Arena local = Arena.ofConfined()) {
            MemorySegment provided = local.allocate(ValueLayout.JAVA_INT);
            int status = LibOpenshmem.shmem_init_thread(THREAD_MULTIPLE, provided);
            if (status != 0 || provided.get(ValueLayout.JAVA_INT, 0) != THREAD_MULTIPLE) {
                throw new SymmetricMemoryException("init of the native engine on PE " + job.rank() + " of " + job.size()
                        + ": shmem_init_thread returned " + status + " and thread level "
                        + provided.get(ValueLayout.JAVA_INT, 0) + " (" + LibOpenshmem.library() + ")");
            }
        }
        // Those of its parts wait for ever in a process that ends early, even in a virtual machine that is halted.
        ExitGuard.skipHandlers();
        if (LibOpenshmem.shmem_my_pe() != job.rank() || LibOpenshmem.shmem_n_pes() != job.size()) {
            throw new SymmetricMemoryException("init of the native engine: this is rank " + job.rank() + " of "
                    + job.size() + ", but for OpenSHMEM PE " + LibOpenshmem.shmem_my_pe() + " of "
                    + LibOpenshmem.shmem_n_pes() + "; start the program by oshrun");
        }
        long base = LibOpenshmem.shmem_align(PAGE, bytes);
        if (base == 0) {
            throw new SymmetricMemoryException("init of the native engine on PE " + job.rank() + " of " + job.size()
                    + ": OpenSHMEM has not " + bytes + " bytes of symmetric memory (" + LibOpenshmem.library() + ")");
        }
        boolean direct = !"false".equals(System.getProperty(DIRECT));
        long[] heaps = new long[job.size()];
        for (int pe = 0; pe < heaps.length; pe++) {
            long there = pe == job.rank() ? base : direct ? LibOpenshmem.shmem_ptr(base, pe) : 0;
            heaps[pe] = there == 0 ? -1 : there;
        }
        Arena arena = Arena.ofShared();
        NativeEngine engine = new NativeEngine(job, vendor(), arena, base, bytes, heaps, spins);
        engine.own(0, WordMembers.BYTES).fill((byte) 0);
        LibOpenshmem.shmem_barrier_all();
        return engine;
    }

    /** Why this process cannot use the library, or null. */
    private static @Nullable String problem(World job, long heapBytes) {
        if (job.size() > 1 && !LAUNCHERS.contains(job.origin())) {
            return "it was started by '" + job.origin() + "'; start the program by oshrun, or choose the engine "
                    + OpenShmemOptions.Engine.EMBEDDED;
        }
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            return "the processor is not little-endian";
        }
        if (USED.getAndSet(true)) {
            return "this process has made an OpenShmem of the native engine before, and the library cannot be"
                    + " initialised again";
        }
        // Asked for more than there is, the library ends the process.
        long available = OperatingSystem.current().availableMemory();
        if (heapBytes > available / job.localSize()) {
            return "a symmetric heap of " + heapBytes + " bytes on each of " + job.localSize()
                    + " PEs is more than the " + available + " bytes of memory that this machine has available; set "
                    + HeapSize.VARIABLE + " lower";
        }
        OpenshmemProcess.heapBytes(heapBytes);
        return libraryProblem();
    }

    /** Why there is no library that can be used, or null. It is loaded here. */
    static @Nullable String libraryProblem() {
        String missing = LibOpenshmem.library().problem();
        return missing != null || Vendor.of(LibOpenshmem.library()) != null
                ? missing
                : "comm4j does not know " + LibOpenshmem.library() + "; it knows Open MPI's and Sandia's";
    }

    private static Vendor vendor() {
        return Objects.requireNonNull(Vendor.of(LibOpenshmem.library()));
    }

    // ---- memory ----

    @Override
    NativeStream stream() {
        return stream;
    }

    @Override
    Stream newStream(Set<Context.Option> options) {
        return allWithinReach ? stream : NativeStream.create(this, vendor, base, options);
    }

    // ---- waits ----

    @Override
    void progress() {
        if (!allWithinReach) {
            check("wait");
            vendor.progress(base + WordMembers.BYTES);
        }
    }

    // ---- end ----

    /**
     * The library's end is for all PEs together, and would wait for a dead one for ever. So it comes only when all are
     * here; the process can end without it, too. If the library was ended, nothing else of it can be called in this
     * process.
     *
     * @throws IllegalStateException if a native call or a channel is using the memory that long, with the library not
     *     ended; closing again tries again
     */
    @Override
    void close() {
        if (!isClosed()) {
            together = allWithinReach ? meet() : meetAtWork();
            closed();
        }
        if (!NativeMemory.close(arena, CLOSE_NANOS)) {
            throw new IllegalStateException("close on PE " + myPe + " of " + nPes
                    + ": a native call or a channel of this process is still using the symmetric heap; close again"
                    + " when that has ended");
        }
        if (together) {
            together = false;
            LibOpenshmem.shmem_finalize();
        }
    }

    @Override
    public String toString() {
        return "native: " + LibOpenshmem.library();
    }
}
