// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.Communicator;
import org.comm4j.core.Operations;
import org.comm4j.core.Request;
import org.comm4j.core.SymmetricMemoryException;
import org.jspecify.annotations.Nullable;

/**
 * What communicators in host memory have in common: order, checking, groups, asynchronous calls, events, timeouts. An
 * engine adds how one checked {@link Call} is executed. A blocking call allocates nothing here.
 */
public abstract class AbstractCommunicator extends AbstractOperations implements Communicator {
    private final String engine;
    private final int rank;
    private final int size;
    private final String where;
    private final Call call;
    private final ReentrantLock lock = new ReentrantLock();
    private final GroupBody groupBody = new GroupBody();

    private volatile long timeoutNanos;
    private @Nullable ExecutorService worker;
    private @Nullable Pending last;
    private volatile @Nullable CommException broken;
    private volatile boolean shrunk;
    private volatile boolean closed;
    private boolean released;

    protected AbstractCommunicator(String engine, int rank, int size) {
        this.engine = engine;
        this.rank = rank;
        this.size = size;
        this.where = "rank " + rank + " of " + size;
        this.call = new Call(rank, size);
        this.timeoutNanos = TimeUnit.NANOSECONDS.convert(defaultTimeout());
    }

    /** Executes one call, blocking, with no other call under way. */
    protected abstract void execute(Call call);

    /** Executes several calls as one; sends and receives make progress together. */
    protected abstract void executeGroup(List<Call> calls);

    /** Executes a checked split. */
    protected abstract @Nullable Communicator executeSplit(Call call, int color, int key);

    /**
     * Makes a communicator of the ranks that live, with nothing under way; the ranks agree on who that is ({@link
     * Survivors}).
     */
    protected abstract Communicator executeShrink();

    /**
     * Gives back what the engine holds, with nothing under way; called again by the next {@link #close} only if it
     * threw.
     */
    protected abstract void release();

    /** The limit of a wait in nanoseconds; 0 for none. */
    protected final long timeoutNanos() {
        return timeoutNanos;
    }

    /**
     * The limit of waits that {@code COMM4J_TIMEOUT} gives, in seconds; {@link Duration#ZERO}, no limit, if it is not
     * set.
     */
    public static Duration defaultTimeout() {
        String seconds = System.getenv("COMM4J_TIMEOUT");
        if (seconds == null || seconds.isBlank()) {
            return Duration.ZERO;
        }
        try {
            Duration timeout = Duration.ofMillis((long) (Double.parseDouble(seconds) * 1000));
            return Duration.ofNanos(Arguments.timeoutNanos(timeout, "COMM4J_TIMEOUT"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "COMM4J_TIMEOUT is '" + seconds + "', which is not a number of seconds of at least 0", e);
        }
    }

    @Override
    public final int rank() {
        return rank;
    }

    @Override
    public final int size() {
        return size;
    }

    @Override
    public final String engine() {
        return engine;
    }

    @Override
    public final Duration timeout() {
        return Duration.ofNanos(timeoutNanos);
    }

    @Override
    public final void timeout(Duration timeout) {
        timeoutNanos = Arguments.timeoutNanos(timeout, "timeout on " + where);
    }

    // ---- blocking calls ----

    @Override
    public final void barrier() {
        begin("barrier");
        try {
            run(call.barrier());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public final @Nullable Communicator split(int color, int key) {
        begin("split");
        try {
            call.split(color);
            return executeSplit(call, color, key);
        } catch (CommException e) {
            noteBroken(e);
            throw e;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public final Communicator shrink() {
        lock.lock();
        try {
            groupBody.check("shrink", where);
            if (closed) {
                throw new IllegalStateException("shrink on " + where + ": " + this + " is closed");
            }
            if (last != null) {
                last.settle();
                last = null;
            }
            Communicator rest = executeShrink();
            rest.timeout(timeout());
            shrunk = true;
            return rest;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the ranks are in step after a failure: when all ranks refused the call, or one could not do it at all.
     * Not after what ended in the middle, an interrupted wait included.
     */
    protected boolean isInStepAfter(CommException e) {
        return e instanceof CollectiveMismatchException || e instanceof SymmetricMemoryException;
    }

    private void noteBroken(CommException e) {
        if (!isInStepAfter(e)) {
            broken = e;
        }
    }

    /** Takes the lock, in the order after everything asynchronous, with the communicator open and in step. */
    @Override
    protected final Call begin(String operation) {
        lock.lock();
        try {
            checkUsable(operation);
            if (last != null) {
                last.settle();
                last = null;
                checkUsable(operation);
            }
            return call;
        } catch (RuntimeException | Error e) {
            lock.unlock();
            throw e;
        }
    }

    private void checkUsable(String operation) {
        groupBody.check(operation, where);
        checkInStep(operation);
    }

    private void checkInStep(String operation) {
        if (closed) {
            throw new IllegalStateException(operation + " on " + where + ": " + this + " is closed");
        }
        if (shrunk) {
            throw new IllegalStateException(operation + " on " + where
                    + ": this communicator was shrunk; close it and use the one that shrink returned");
        }
        if (broken != null) {
            throw new IllegalStateException(
                    operation + " on " + where
                            + ": this communicator is out of step with the other ranks since an earlier failure; close"
                            + " it ("
                            + broken.getMessage() + ")",
                    broken);
        }
    }

    @Override
    protected final void done() {
        lock.unlock();
    }

    @Override
    protected final void run(Call call) {
        call.notToSelf();
        call.checkAccess(Thread.currentThread());
        CommunicationEvent event = Events.begin();
        try {
            execute(call);
        } catch (RuntimeException | Error e) {
            failed(event, e);
            throw e;
        } finally {
            if (event != null) {
                Events.commit(event, this, call);
            }
        }
    }

    private void failed(@Nullable CommunicationEvent event, Throwable failure) {
        Events.failed(event, failure);
        if (failure instanceof CommException e) {
            noteBroken(e);
        }
    }

    private void runGroup(List<Call> calls) {
        CommunicationEvent event = Events.begin();
        try {
            if (calls.size() == 1 && !calls.getFirst().kind().isPointToPoint()) {
                execute(calls.getFirst());
            } else if (!calls.isEmpty()) {
                executeGroup(calls);
            }
        } catch (RuntimeException | Error e) {
            failed(event, e);
            throw e;
        } finally {
            if (event != null) {
                for (Call each : calls) {
                    Events.commit(event, this, each);
                }
            }
        }
    }

    // ---- groups and asynchronous calls ----

    @Override
    public final void group(Consumer<Operations> body) {
        List<Call> calls = collect(body, Thread.currentThread());
        begin("group");
        try {
            runGroup(calls);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public final Request groupAsync(Consumer<Operations> body) {
        return submit("groupAsync", collect(body, ANOTHER));
    }

    @Override
    public final Request barrierAsync() {
        return submit("barrierAsync", List.of(new Call(rank, size).barrier()));
    }

    /** Like the worker, which need not be there yet, it owns no memory. */
    private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

    /** @param thread who will run the calls */
    private List<Call> collect(Consumer<Operations> body, Thread thread) {
        if (body == null) {
            throw new NullPointerException("group on " + where + ": body is null");
        }
        groupBody.check("group", where);
        Collector collector = new Collector(thread);
        groupBody.enter();
        try {
            body.accept(collector);
        } finally {
            groupBody.leave();
            collector.open = false;
        }
        Call[] calls = collector.calls.toArray(new Call[0]);
        Call.checkSelfMessages(calls, calls.length);
        GroupMemory.check(calls, calls.length);
        return collector.calls;
    }

    private Request submit(String operation, List<Call> calls) {
        lock.lock();
        try {
            checkUsable(operation);
            if (worker == null) {
                worker = Executors.newSingleThreadExecutor(task -> Thread.ofPlatform()
                        .daemon()
                        .name("comm4j " + engine + " rank " + rank)
                        .unstarted(task));
            }
            // The worker is one thread, so what is submitted in order runs in order; blocking calls wait for the last
            // of it.
            Pending pending = new Pending(calls);
            worker.execute(pending::run);
            last = pending;
            return pending;
        } finally {
            lock.unlock();
        }
    }

    /** One submission to the worker thread. */
    private final class Pending implements Request {
        private final List<Call> calls;
        private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

        Pending(List<Call> calls) {
            this.calls = calls;
        }

        void run() {
            try {
                if (broken != null || shrunk) {
                    checkUsable(
                            calls.isEmpty() ? "group" : calls.getFirst().kind().method());
                }
                runGroup(calls);
                end.complete(null);
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        }

        /** Waits for the end; how it ended is the business of whoever holds the request. */
        void settle() {
            try {
                end.join();
            } catch (CompletionException e) {
                return;
            }
        }

        @Override
        public boolean isDone() {
            return end.isDone();
        }

        @Override
        public void await() {
            try {
                end.join();
            } catch (CompletionException e) {
                throw unwrapped(e);
            }
        }

        @Override
        public void await(Duration timeout) {
            Arguments.nonNull(timeout, "await on " + where, "timeout");
            try {
                end.get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                throw new CommTimeoutException(where + " waited " + timeout.toMillis() + " ms for the end of " + calls
                        + ", which is still under way");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommException(where + " was interrupted while it waited for " + calls, e);
            } catch (ExecutionException e) {
                throw unwrapped(e);
            }
        }

        private static RuntimeException unwrapped(Exception e) {
            if (e.getCause() instanceof RuntimeException cause) {
                return cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            return new CommException("an asynchronous operation failed", e);
        }

        @Override
        public String toString() {
            return "Request" + calls + (isDone() ? ", done" : ", under way");
        }
    }

    /** What the body of a group sees: checks, and remembers. */
    private final class Collector extends AbstractOperations {
        private final List<Call> calls = new ArrayList<>();
        private final Thread thread;
        private boolean open = true;

        Collector(Thread thread) {
            this.thread = thread;
        }

        @Override
        protected Call begin(String operation) {
            if (!open) {
                throw new IllegalStateException(
                        "the group has ended; its operations object is only for the group's body");
            }
            checkInStep("group");
            return new Call(rank, size);
        }

        @Override
        protected void run(Call call) {
            call.checkAccess(thread);
            calls.add(call.keepCounts());
        }
    }

    @Override
    public final void close() {
        lock.lock();
        try {
            if (released) {
                return;
            }
            if (last != null) {
                last.settle();
            }
            closed = true;
            if (worker != null) {
                worker.shutdown();
            }
            release();
            released = true;
        } finally {
            lock.unlock();
        }
    }

    /** False once this communicator was closed. */
    protected final boolean isOpen() {
        return !closed;
    }
}
