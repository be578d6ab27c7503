// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.comm4j.core.CommException;
import org.comm4j.core.World;
import org.comm4j.core.spi.RemoteMemory;
import org.jspecify.annotations.Nullable;

/**
 * The side of a rank whose memory others read and change: does what they ask, in the order of their messages. A thread
 * looks for these; who waits looks, too, and is quicker.
 */
final class MemoryServer {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private static final int SPINS = 50;
    /** So long after a request the next one is looked for all the time. */
    private static final long BUSY_NANOS = 1_000_000;
    /** So long after it the next one is looked for often. */
    private static final long QUIET_NANOS = 100_000_000;
    /** Who waits and does not nap looks again within this time. */
    private static final long WAITER_NANOS = 20_000;

    private static final long SHORT_NAP_NANOS = 20_000;
    private static final long NAP_NANOS = 500_000;
    private static final long LOOK_AROUND_NANOS = 20_000_000;
    /** So many requests are done before who has come for them goes on with its own. */
    private static final int MOST_AT_ONCE = 16;

    private static final long END_MILLIS = 2000;

    private final World world;
    private final MpiProcess process;
    private final long comm;
    private final MemorySegment own;
    private final RemoteMemory.Owner owner;
    private final int anySource;

    /** Of the thread that does requests. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Request incoming;
    private final Request data;
    private final ArrayDeque<Request> idle = new ArrayDeque<>();
    private final List<Request> answers = new ArrayList<>();

    /** When a thread that waits has looked, by {@link System#nanoTime}. */
    private volatile long waited = System.nanoTime() - QUIET_NANOS;
    /** When one that looks all the time has. */
    private volatile long watched = waited;

    private volatile boolean stopped;
    private volatile @Nullable CommException failure;

    private final Thread thread =
            Thread.ofPlatform().daemon().name("comm4j-mpi-memory").unstarted(this::serve);

    MemoryServer(World world, MpiProcess process, long comm, MemorySegment own, RemoteMemory.Owner owner) {
        this.world = world;
        this.process = process;
        this.comm = comm;
        this.own = own;
        this.owner = owner;
        this.anySource = Math.toIntExact(process.abi().get("ANY_SOURCE"));
        this.incoming = new Request(process, 0);
        this.data = new Request(process, 0);
    }

    void start() {
        thread.start();
    }

    private void serve() {
        try {
            long last = System.nanoTime();
            while (!stopped && failure == null) {
                long now = System.nanoTime();
                if (now - watched < WAITER_NANOS) {
                    // Two that look are slower than one, because the library lets in one at a time.
                    LockSupport.parkNanos(SHORT_NAP_NANOS);
                } else if (attend()) {
                    last = now;
                } else if (now - last < BUSY_NANOS) {
                    Thread.yield();
                } else {
                    LockSupport.parkNanos(now - last < QUIET_NANOS ? SHORT_NAP_NANOS : NAP_NANOS);
                }
            }
        } catch (CommException e) {
            System.getLogger("org.comm4j.mpi")
                    .log(System.Logger.Level.DEBUG, "the memory of rank " + world.rank() + " is served no more", e);
        }
    }

    /**
     * Does requests that have come, unless another thread is at it: for threads that wait.
     *
     * @throws CommException if that has failed, now or before
     */
    void progress() {
        long now = System.nanoTime();
        if (now - waited < WAITER_NANOS) {
            watched = now;
        }
        waited = now;
        boolean ignored = attend();
    }

    /** Returns whether there were requests. */
    private boolean attend() {
        CommException failed = failure;
        if (failed != null) {
            throw new CommException(
                    "the memory of rank " + world.rank() + " is served no more: " + failed.getMessage(), failed);
        }
        if (stopped || !lock.tryLock()) {
            return false;
        }
        try {
            return work();
        } catch (CommException e) {
            failure = e;
            throw e;
        } catch (RuntimeException | Error e) {
            failure = new CommException("a request for the memory of rank " + world.rank() + " failed: " + e, e);
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private boolean work() {
        int done = 0;
        while (done < MOST_AT_ONCE && !stopped && incoming.hasCome(comm, anySource)) {
            int rank = incoming.source();
            incoming.begin(Request.Kind.PUT, 0, 0);
            incoming.receive(comm, rank, incoming.address(), Request.MESSAGE, Request.TAG);
            if (ends(incoming, rank)) {
                execute(rank);
            }
            done++;
        }
        sweep();
        return done > 0;
    }

    /** Looks which answers have left. */
    private void sweep() {
        for (int i = answers.size() - 1; i >= 0; i--) {
            Request answer = answers.get(i);
            if (answer.isDone()) {
                answer.used = MemorySegment.NULL;
                answers.set(i, answers.getLast());
                answers.removeLast();
                idle.push(answer);
            }
        }
    }

    private void execute(int rank) {
        MemorySegment message = incoming.memory;
        long at = Request.at(message);
        long bytes = Request.bytes(message);
        int number = Request.number(message);
        switch (Request.kind(message)) {
            case PUT -> store(message, at, bytes);
            case PUT_ANSWERED -> {
                store(message, at, bytes);
                answer(rank, number, 0);
            }
            case PUT_LARGE -> {
                data.begin(Request.Kind.PUT_LARGE, at, bytes);
                data.receive(comm, rank, own.asSlice(at, bytes).address(), bytes, Request.putTag(number));
                boolean ignored = ends(data, rank);
            }
            case GET -> {
                Request answer = answer();
                answer.used = own.asSlice(at, bytes);
                answer.send(comm, rank, answer.used.address(), bytes, Request.answerTag(number));
            }
            case FETCH -> answer(rank, number, atomic(message));
            case ATOMIC -> {
                long ignored = atomic(message);
            }
            case FLUSH -> answer(rank, number, 0);
        }
    }

    private long atomic(MemorySegment message) {
        return owner.atomic(
                Request.operation(message),
                Request.wide(message),
                Request.at(message),
                Request.value(message),
                Request.condition(message));
    }

    /** A single element is stored as a whole, because somebody may wait for it. */
    private void store(MemorySegment message, long at, long bytes) {
        if (bytes == Long.BYTES && at % Long.BYTES == 0) {
            LONG.setRelease(own, at, message.get(ValueLayout.JAVA_LONG, Request.HEAD));
        } else if (bytes == Integer.BYTES && at % Integer.BYTES == 0) {
            INT.setRelease(own, at, message.get(ValueLayout.JAVA_INT, Request.HEAD));
        } else {
            MemorySegment.copy(message, Request.HEAD, own, at, bytes);
            VarHandle.releaseFence();
        }
    }

    private Request answer() {
        Request known = idle.poll();
        Request answer = known == null ? new Request(process, 0) : known;
        answer.begin(Request.Kind.FETCH, 0, 0);
        answers.add(answer);
        return answer;
    }

    private void answer(int rank, int number, long value) {
        Request answer = answer();
        answer.answer(value);
        answer.send(comm, rank, answer.answerAddress(), Long.BYTES, Request.answerTag(number));
    }

    /** Waits for what a rank has sent already; false if it died before it came. */
    private boolean ends(Request message, int rank) {
        long lookedAround = System.nanoTime();
        int vain = 0;
        while (!message.isDone()) {
            if (vain++ < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            Thread.yield();
            long now = System.nanoTime();
            if (now - lookedAround >= LOOK_AROUND_NANOS) {
                lookedAround = now;
                if (world.failedRanks().contains(rank)) {
                    // Who waits hears of the death from the world; nobody gets anything of this memory any more.
                    MpiProcess.keep(List.of(message, own));
                    stopped = true;
                    return false;
                }
            }
        }
        VarHandle.releaseFence();
        return true;
    }

    /** Ends it; returns whether nothing is under way any more. */
    boolean close() {
        stopped = true;
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lock.lock();
        try {
            long end = System.nanoTime() + END_MILLIS * 1_000_000;
            while (failure == null && !answers.isEmpty() && System.nanoTime() - end < 0) {
                sweep();
            }
            boolean clean = failure == null && answers.isEmpty() && incoming.isDone() && data.isDone();
            if (!clean) {
                MpiProcess.keep(List.of(incoming, data, answers));
            }
            return clean;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "messages of " + process;
    }
}
