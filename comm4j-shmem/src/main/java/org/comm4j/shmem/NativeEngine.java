// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.core.World;
import org.comm4j.core.spi.AbstractCommunicator;
import org.comm4j.core.spi.Standstill;
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
final class NativeEngine extends Engine {
    /**
     * {@code -Dorg.comm4j.shmem.direct=false}: nothing but a PE's own memory counts as within reach, for tests of the
     * other way.
     */
    private static final String DIRECT = "org.comm4j.shmem.direct";

    private static final long DEFAULT_HEAP = 1L << 30;
    /** What the library needs of the heap for itself, generously. */
    private static final long LIBRARYS_OWN = 16 << 20;

    private static final long PAGE = 4096;
    /** {@code SHMEM_THREAD_MULTIPLE}; the header has it in an enum without a name. */
    private static final int THREAD_MULTIPLE = 3;

    private static final long YIELD_NANOS = 1_000_000;
    private static final long NAP_NANOS = 50_000;
    private static final long LOOK_AROUND_NANOS = 20_000_000;
    /** Calls that copy end in this time; what takes longer waits for something else. */
    private static final long CLOSE_NANOS = 1_000_000_000;

    /** Those that such libraries ask who they are. */
    private static final Set<String> LAUNCHERS = Set.of("Open MPI", "MPICH", "Slurm");

    /** The library has one life in a process. */
    private static final AtomicBoolean USED = new AtomicBoolean();

    private final World job;
    /** The piece of memory on this PE, which is also what the library takes for the same place on another. */
    private final long base;

    private final Arena arena;
    private final NativeHeap heap;
    private final NativeMembers world;
    private final Vendor vendor;
    private final NativeStream stream;
    private final int spins;
    private volatile long timeoutNanos;
    private volatile boolean closed;
    /** Whether all PEs have come to close, and the library is to be ended. */
    private boolean together;

    private NativeEngine(World job, Vendor vendor, Arena arena, long base, long bytes, long[] heaps, int spins) {
        // Addresses are places in it.
        super(job.rank(), NativeMemory.at(0, Long.MAX_VALUE, arena, () -> {}), heaps);
        this.job = job;
        this.vendor = vendor;
        this.arena = arena;
        this.base = base;
        this.stream = new NativeStream(this, base, vendor.defaultContext());
        this.spins = spins;
        this.timeoutNanos = TimeUnit.NANOSECONDS.convert(AbstractCommunicator.defaultTimeout());
        this.world = NativeMembers.world(this);
        this.heap = new NativeHeap(this, NativeMembers.BYTES, bytes - NativeMembers.BYTES);
    }

    static NativeEngine open(World job, long heapBytes) {
        long bytes = (heapBytes > 0 ? heapBytes : DEFAULT_HEAP) / PAGE * PAGE + PAGE + NativeMembers.BYTES;
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
        engine.own(0, NativeMembers.BYTES).fill((byte) 0);
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
            return "this process has made an OpenShmem of the native engine before, and the library cannot be initialised"
                    + " again";
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

    /** This PE's own. */
    MemorySegment own(long offset, long bytes) {
        return memory.asSlice(base + offset, bytes);
    }

    @Override
    Allocation allocate(DataType type, long count, String what) {
        return heap.allocate(world, type, count, what);
    }

    @Override
    void written(int pe) {
        // Whoever waits looks.
    }

    @Override
    NativeStream stream() {
        return stream;
    }

    @Override
    Stream newStream(Set<Context.Option> options) {
        return allWithinReach ? stream : NativeStream.create(this, vendor, base, options);
    }

    /** One word of any PE's memory. */
    long getWord(long from, int pe) {
        if (heaps[pe] >= 0) {
            return (long) Atomic.LONG.getAcquire(memory, heaps[pe] + from);
        }
        return stream.atomic(Atomic.Operation.FETCH, true, from, 0, 0, pe);
    }

    /** Stores one word on any PE, after what this PE has put there before. */
    void setWord(long to, long value, int pe) {
        if (heaps[pe] >= 0) {
            Atomic.LONG.setRelease(memory, heaps[pe] + to, value);
        } else {
            long ignored = stream.atomic(Atomic.Operation.SET, true, to, value, 0, pe);
        }
    }

    // ---- waits ----

    @Override
    void progress() {
        if (!allWithinReach) {
            check("wait");
            vendor.progress(base + NativeMembers.BYTES);
        }
    }

    @Override
    Wait newWait(String what, Supplier<String> waitedFor) {
        Polling polling = new Polling();
        polling.begin(what, waitedFor);
        return polling;
    }

    /** Spins, yields, naps; looks around now and then. One object serves one thread, for one wait after the other. */
    final class Polling implements Wait {
        private String what = "";
        /** For messages; null: {@link #pe} says it. */
        private @Nullable Supplier<String> waitedFor;

        private int pe;
        private int count;
        private long start;
        private long lookedAround;

        void begin(String operation, Supplier<String> waitedFor) {
            this.what = operation;
            this.waitedFor = waitedFor;
            this.count = 0;
        }

        /** The wait is for a PE, or others that it waits for. */
        void begin(String operation, int pe) {
            this.what = operation;
            this.waitedFor = null;
            this.pe = pe;
            this.count = 0;
        }

        private String waitedFor() {
            return waitedFor == null ? "PE " + pe + ", or one that it waits for," : waitedFor.get();
        }

        @Override
        public void once() {
            progress();
            if (count < spins) {
                count++;
                Thread.onSpinWait();
                return;
            }
            long now = System.nanoTime();
            if (count == spins) {
                count++;
                start = now;
                lookedAround = now;
            }
            if (now - start < YIELD_NANOS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(NAP_NANOS);
                if (now - lookedAround >= LOOK_AROUND_NANOS) {
                    lookedAround = now;
                    lookAround(what, this::waitedFor, start, now);
                }
            }
        }

        @Override
        public void end() {
            if (count > spins) {
                Standstill.end();
            }
        }
    }

    @Override
    void lookAround(String waiting, long start) {
        progress();
        lookAround(waiting, () -> "it", start, System.nanoTime());
    }

    private void lookAround(String what, Supplier<String> waitedFor, long start, long now) {
        String where = what + " on PE " + myPe + " of " + nPes;
        if (closed) {
            throw new IllegalStateException(where + ": this OpenShmem was closed by another thread while "
                    + waitedFor.get() + " was waited for");
        }
        List<Integer> failed = job.failedRanks();
        if (!failed.isEmpty()) {
            throw new RankFailedException(
                    failed.getFirst(),
                    where + ": PE " + failed.getFirst() + " died while " + waitedFor.get() + " was waited for");
        }
        if (timeoutNanos > 0 && now - start >= timeoutNanos) {
            throw new CommTimeoutException(String.format(
                    "%s: waited %.1f s for %s in vain, though no PE died (timeout %.1f s)",
                    where, (now - start) / 1e9, waitedFor.get(), timeoutNanos / 1e9));
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new CommException(where + ": interrupted while it waited for " + waitedFor.get());
        }
        Standstill.look(now - start, "PE " + myPe + " of " + nPes, () -> what + ", for " + waitedFor.get());
    }

    /** Whether a PE is known to have died. */
    boolean hasDied(int pe) {
        return job.failedRanks().contains(pe);
    }

    @Override
    Members world() {
        return world;
    }

    @Override
    Duration timeout() {
        return Duration.ofNanos(timeoutNanos);
    }

    @Override
    void timeout(Duration timeout) {
        timeoutNanos = TimeUnit.NANOSECONDS.convert(timeout);
    }

    // ---- end ----

    void check(String operation) {
        if (closed) {
            throw new IllegalStateException(
                    operation + " on PE " + myPe + " of " + nPes + ": this OpenShmem was closed");
        }
    }

    @Override
    void globalExit(int status) {
        job.abort(status, "globalExit");
    }

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
        if (!closed) {
            together = allWithinReach ? meet() : meetAtWork();
            closed = true;
        }
        if (!NativeMemory.close(arena, CLOSE_NANOS)) {
            throw new IllegalStateException("close on PE " + myPe + " of " + nPes
                    + ": a native call or a channel of this process is still using the symmetric heap; close again when that"
                    + " has ended");
        }
        if (together) {
            together = false;
            LibOpenshmem.shmem_finalize();
        }
    }

    private boolean meet() {
        try {
            List<byte[]> ignored = job.exchange("comm4j.shmem.close", new byte[0], limit());
            return true;
        } catch (CommException e) {
            return false;
        }
    }

    /** {@link #meet} while the library does what slower PEs still want of this one. */
    private boolean meetAtWork() {
        CompletableFuture<Boolean> met = new CompletableFuture<>();
        Thread ignored = Thread.ofVirtual().start(() -> met.complete(meet()));
        while (!met.isDone()) {
            progress();
            LockSupport.parkNanos(NAP_NANOS);
        }
        return met.join();
    }

    private Duration limit() {
        Duration limit = timeout();
        return limit.isZero() ? job.timeout() : limit;
    }

    @Override
    public String toString() {
        return "native: " + LibOpenshmem.library();
    }
}
