// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.comm4j.core.HostArray;
import org.comm4j.core.spi.RefCount;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Graph} uses that is being recorded by this thread. Its memory is not in use now, but whenever the graph
 * is launched.
 */
final class Recording implements AutoCloseable {
    private static final AtomicInteger UNDER_WAY = new AtomicInteger();
    private static final ThreadLocal<@Nullable Recording> CURRENT = new ThreadLocal<>();

    /**
     * The calls on graphs, by the memory and code that the graphs use: there are none any more when these are closed.
     * Weak both ways, and guarded by itself.
     */
    private static final Map<Uses, Set<RefCount>> USERS = new WeakHashMap<>();

    private final @Nullable Recording outer = CURRENT.get();
    private final Stream stream;
    private final Set<Uses> memory = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Memory that is allocated and freed by the graph itself. */
    private final Set<Uses> own = Collections.newSetFromMap(new IdentityHashMap<>());

    private final Set<HostArray> hosts = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Recorded> owners = Collections.newSetFromMap(new IdentityHashMap<>());
    private final RefCount calls = new RefCount(() -> {});
    private final RefCount codeCalls = new RefCount(() -> {});

    private Recording(Stream stream) {
        this.stream = stream;
    }

    /** @param stream the one whose work is recorded; those that wait for it join in */
    static Recording begin(Stream stream) {
        Recording recording = new Recording(stream);
        UNDER_WAY.incrementAndGet();
        CURRENT.set(recording);
        return recording;
    }

    /** A quick look, for the usual case. */
    static boolean isUnderWay() {
        return UNDER_WAY.get() > 0;
    }

    static boolean isByThisThread() {
        return isUnderWay() && CURRENT.get() != null;
    }

    /**
     * Looks before anything is done that the driver would refuse, and spoil the recording.
     *
     * @throws IllegalStateException if this thread records a stream
     */
    static void checkOutside(String operation, Object where) {
        if (isByThisThread()) {
            throw new IllegalStateException(operation + " on " + where
                    + ": this thread is recording a stream (Graph.capture), which takes only stream-ordered work; do this"
                    + " before or after the capture; memory comes from MemoryPool.allocate with the stream");
        }
    }

    /** Whether this thread records the work of exactly this stream. */
    static boolean isOf(Stream stream) {
        for (Recording each = isUnderWay() ? CURRENT.get() : null; each != null; each = each.outer) {
            if (each.stream == stream) {
                return true;
            }
        }
        return false;
    }

    /** Whether it is memory that the graph allocates which this thread records. */
    static boolean isOwner(Uses memory) {
        for (Recording each = isUnderWay() ? CURRENT.get() : null; each != null; each = each.outer) {
            if (each.own.contains(memory)) {
                return true;
            }
        }
        return false;
    }

    /** Whether work in {@code stream} is being recorded by this thread; its memory is noted here then. */
    static boolean takes(Uses uses, Stream stream) {
        Recording its = of(stream);
        if (its == null) {
            return false;
        }
        if (its.memory.add(uses) && !its.own.contains(uses)) {
            // The caller looks after that whether the memory is open.
            its.breaksWith(uses);
        }
        return true;
    }

    private void breaksWith(Uses uses) {
        synchronized (USERS) {
            Set<RefCount> users = USERS.computeIfAbsent(uses, _ -> Collections.newSetFromMap(new WeakHashMap<>()));
            users.add(calls);
            if (uses.isCode()) {
                users.add(codeCalls);
            }
        }
    }

    /**
     * Notes memory that the graph itself allocates by work in {@code stream}, if that is being recorded by this thread.
     */
    static void owns(Uses memory, Stream stream) {
        Recording its = of(stream);
        if (its != null) {
            its.own.add(memory);
        }
    }

    /** Notes host memory whose address goes into work in {@code stream}, if that is being recorded by this thread. */
    static void takes(HostArray memory, Stream stream) {
        Recording its = isUnderWay() ? of(stream) : null;
        if (its != null) {
            its.hosts.add(memory);
        }
    }

    /** Notes whose work it is, if work in {@code stream} is being recorded by this thread. */
    static void takes(Recorded owner, Stream stream) {
        Recording its = of(stream);
        if (its != null) {
            its.owners.add(owner);
        }
    }

    private static @Nullable Recording of(Stream stream) {
        Recording innermost = CURRENT.get();
        if (innermost == null || !stream.isCapturing()) {
            return null;
        }
        // One thread may record several streams at a time, of several devices.
        Recording its = innermost;
        for (Recording each = innermost; each != null; each = each.outer) {
            if (each.stream == stream) {
                its = each;
                break;
            }
            if (!its.stream.device().isSame(stream.device())) {
                its = each;
            }
        }
        return its;
    }

    Contents contents() {
        own.forEach(this::breaksWith);
        return new Contents(
                memory.toArray(Uses[]::new),
                hosts.toArray(HostArray[]::new),
                owners.toArray(Recorded[]::new),
                calls,
                codeCalls);
    }

    /** The memory, or code, goes as soon as no call on a graph that uses it is under way; new ones are refused. */
    static void ends(Uses uses) {
        synchronized (USERS) {
            Set<RefCount> users = USERS.remove(uses);
            if (users != null) {
                users.forEach(RefCount::close);
                uses.endIn(users.toArray(RefCount[]::new));
            }
        }
    }

    /**
     * What the recorded work uses, as far as it is known, and whose it is.
     *
     * @param calls those on graphs with these contents; closed when memory or code among them is
     * @param codeCalls those that look at the code only; closed when code among the contents is
     */
    record Contents(Uses[] memory, HostArray[] hosts, Recorded[] owners, RefCount calls, RefCount codeCalls) {
        /**
         * Begins a call of the driver that looks at the memory and code, which stay until {@link #release}.
         *
         * @throws IllegalStateException if some of it was closed: the driver would use what is gone
         */
        void acquire(String operation, Object graph) {
            if (!calls.acquire()) {
                throw broken(operation, graph);
            }
        }

        void release() {
            calls.release();
        }

        /** As {@link #acquire}, for a call that does not care about the memory. */
        void acquireCode(String operation, Object graph) {
            if (!codeCalls.acquire()) {
                throw broken(operation, graph);
            }
        }

        void releaseCode() {
            codeCalls.release();
        }

        /** Checks that nothing was closed; a launch notes its stream at the memory first. */
        void check(String operation, Object graph) {
            if (!calls.isOpen()) {
                throw broken(operation, graph);
            }
        }

        private static IllegalStateException broken(String operation, Object graph) {
            return new IllegalStateException(
                    operation + " " + graph + ": an array or module that the work uses was closed; keep it open"
                            + " as long as the graph is launched, or record it again");
        }

        /** {@code graph} has these contents. */
        Contents in(AutoCloseable graph) {
            for (Recorded owner : owners) {
                owner.add(graph);
            }
            return this;
        }
    }

    @Override
    public void close() {
        CURRENT.set(outer);
        UNDER_WAY.decrementAndGet();
    }
}
