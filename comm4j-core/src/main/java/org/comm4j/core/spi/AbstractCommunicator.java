// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.Communicator;
import org.comm4j.core.Operations;
import org.comm4j.core.PersistentGroup;
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
    private final Allocations allocations;

    private volatile long timeoutNanos;
    private @Nullable CallWorker worker;
    private @Nullable Submission last;
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
        this.allocations = new Allocations(where);
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

    /**
     * Takes memory that {@link #free}, or this communicator's end, gives back; returns it.
     *
     * @param free runs with nothing under way, and before {@link #release}
     */
    protected final <B extends Buffer> B own(B buffer, Runnable free) {
        return allocations.add(buffer, free);
    }

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

    /** As long as the communicator exists, whatever has become of the other ranks. */
    @Override
    public final void free(Buffer buffer) {
        lock.lock();
        try {
            groupBody.check("free", where);
            if (last != null) {
                last.settle();
                last = null;
            }
            allocations.free(buffer);
        } finally {
            lock.unlock();
        }
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
        runNow(collect(body, Thread.currentThread()));
    }

    @Override
    public final Request groupAsync(Consumer<Operations> body) {
        return submitted("groupAsync", collect(body, ANOTHER));
    }

    @Override
    public final Request barrierAsync() {
        return submitted("barrierAsync", List.of(new Call(rank, size).barrier()));
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

    private Request submitted(String operation, List<Call> calls) {
        PendingCalls pending = new PendingCalls(where, calls, this::perform);
        submit(operation, pending);
        return pending;
    }

    private void submit(String operation, Submission submission) {
        lock.lock();
        try {
            checkUsable(operation);
            if (worker == null) {
                worker = new CallWorker("comm4j " + engine + " rank " + rank);
            }
            // The worker is one thread, so what is submitted in order runs in order; blocking calls wait for the last
            // of it.
            submission.submitted();
            worker.execute(submission);
            last = submission;
        } finally {
            lock.unlock();
        }
    }

    private void perform(List<Call> calls) {
        if (broken != null || shrunk) {
            checkUsable(calls.isEmpty() ? "group" : calls.getFirst().kind().method());
        }
        runGroup(calls);
    }

    @Override
    public final PersistentGroup persistent(Consumer<Operations> body) {
        return new PersistentCalls(where, collect(body, ANOTHER), this::runNow, this::perform, this::submit);
    }

    private void runNow(List<Call> calls) {
        begin("group");
        try {
            runGroup(calls);
        } finally {
            lock.unlock();
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
                worker.end();
            }
            allocations.freeAll();
            release();
            released = true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether it is open, and no operation has ended in the middle, which others may go on with. */
    protected final boolean isInStep() {
        return !closed && !shrunk && broken == null;
    }

    /** False once this communicator was closed. */
    protected final boolean isOpen() {
        return !closed;
    }
}
