// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.comm4j.ffi.Callbacks;
import org.comm4j.ffi.ExitGuard;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUgraph;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.handle.CUuserObject;
import org.jspecify.annotations.Nullable;

/**
 * Java code in streams. Three C functions serve all callbacks; what they get as their argument is the number of a body
 * in a table. A body in a captured graph runs many times, so it stays until the driver drops the last graph that has
 * it; so does what else the garbage collector must leave to a graph.
 */
final class HostCallbacks {
    private static final System.Logger LOG = System.getLogger("org.comm4j.cuda");

    /** By their numbers: bodies, and what else graphs need. */
    private static final Map<Long, Object> HELD = new ConcurrentHashMap<>();

    private static final AtomicLong NEXT = new AtomicLong(1);

    /** Made when the first callback is. */
    private static final class Functions {
        static {
            // A thread of the driver belongs to the JVM from its first callback on, and waits for ever when it leaves a
            // JVM that is ending; exit handlers of CUDA runtimes, which NCCL and NVSHMEM contain, wait for it to leave.
            ExitGuard _ = ExitGuard.open();
        }

        static final MemorySegment RUN_ONCE = Callbacks.pointerTo(HostCallbacks::runOnce, Arena.global());
        static final MemorySegment RUN = Callbacks.pointerTo(HostCallbacks::run, Arena.global());
        static final MemorySegment DROP = Callbacks.pointerTo(HostCallbacks::drop, Arena.global());
    }

    /** Threads that are inside of a body. */
    private static final Set<Thread> INSIDE = ConcurrentHashMap.newKeySet();

    /** Their number at least, so that looking costs next to nothing. */
    private static final AtomicInteger RUNNING = new AtomicInteger();

    private HostCallbacks() {}

    /**
     * The driver need not refuse calls from its own threads: it may also wait for ever.
     *
     * @throws IllegalStateException inside of a body
     */
    static void checkOutside() {
        if (isInside()) {
            throw new IllegalStateException("a callback in a stream must not call CUDA: the device waits for it");
        }
    }

    /** Whether this thread is inside of a body. */
    static boolean isInside() {
        return RUNNING.get() != 0 && INSIDE.contains(Thread.currentThread());
    }

    static void launch(Stream stream, Runnable body) {
        CUstream handle = stream.acquire();
        long number = NEXT.getAndIncrement();
        HELD.put(number, body);
        boolean ordered = false;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(JAVA_LONG, 3);
            MemorySegment once = Functions.RUN_ONCE;
            stream.enter();
            CUgraph graph = capturing(handle, cells);
            LibCuda.cuLaunchHostFunc(handle, graph.isNull() ? once : Functions.RUN, number);
            ordered = true;
            if (!graph.isNull()) {
                dropWith(graph, number, cells);
            }
        } catch (NativeCallException e) {
            throw CudaException.of("host callback in " + stream, e);
        } finally {
            stream.release();
            if (!ordered) {
                HELD.remove(number);
            }
        }
    }

    /**
     * Keeps an object from the garbage collector until the driver has dropped {@code graph} and all that was
     * instantiated from it, and the launches of that have ended.
     */
    static void keep(CUgraph graph, Object what) {
        long number = NEXT.getAndIncrement();
        HELD.put(number, what);
        try (Arena arena = Arena.ofConfined()) {
            dropWith(graph, number, arena.allocate(JAVA_LONG));
        } catch (RuntimeException e) {
            HELD.remove(number);
            throw e;
        }
    }

    private static void dropWith(CUgraph graph, long number, MemorySegment cell) {
        LibCuda.cuUserObjectCreate(cell, number, Functions.DROP, 1, LibCuda.CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
        LibCuda.cuGraphRetainUserObject(
                graph, new CUuserObject(cell.get(JAVA_LONG, 0)), 1, LibCuda.CU_GRAPH_USER_OBJECT_MOVE);
    }

    /** The graph that the stream's work goes to, else NULL. */
    private static CUgraph capturing(CUstream handle, MemorySegment cells) {
        LibCuda.cuStreamGetCaptureInfo(
                handle,
                cells,
                MemorySegment.NULL,
                cells.asSlice(8),
                MemorySegment.NULL,
                MemorySegment.NULL,
                MemorySegment.NULL);
        return cells.get(JAVA_INT, 0) == LibCuda.CU_STREAM_CAPTURE_STATUS_ACTIVE
                ? new CUgraph(cells.get(JAVA_LONG, 8))
                : CUgraph.NULL;
    }

    /** How many objects wait for their turn or belong to graphs; for tests. */
    static int pending() {
        return HELD.size();
    }

    private static void runOnce(long number) {
        runSafely(HELD.remove(number));
    }

    private static void run(long number) {
        runSafely(HELD.get(number));
    }

    private static void drop(long number) {
        HELD.remove(number);
    }

    /** Nothing may be thrown into the driver: that ends the process. */
    private static void runSafely(@Nullable Object body) {
        RUNNING.incrementAndGet();
        INSIDE.add(Thread.currentThread());
        try {
            ((Runnable) Objects.requireNonNull(body, "the driver calls back once too often")).run();
        } catch (Throwable e) {
            try {
                LOG.log(Level.ERROR, "a callback in a stream threw; the stream goes on", e);
            } catch (Throwable alsoFailed) {
                // There is nowhere left to report to.
                return;
            }
        } finally {
            INSIDE.remove(Thread.currentThread());
            RUNNING.decrementAndGet();
        }
    }
}
