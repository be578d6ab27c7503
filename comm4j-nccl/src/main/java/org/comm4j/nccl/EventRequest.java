// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Request;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Recorded;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/** Work on the communicator's own stream: done when it is there, and the event behind it has been reached. */
final class EventRequest implements Request {
    private final NcclOperations communicator;
    private final String what;
    private final Event event;
    private final long start = System.nanoTime();
    private final long timeoutNanos;
    private volatile boolean launched;
    private volatile boolean done;
    private volatile @Nullable CommException failure;

    EventRequest(NcclOperations communicator, String what, Event event) {
        this.communicator = communicator;
        this.what = what;
        this.event = event;
        this.timeoutNanos = communicator.timeoutNanos();
    }

    /** The work is in {@code stream}. */
    synchronized void launched(Stream stream) {
        // Else the event may be closed.
        if (failure == null) {
            stream.record(event);
            launched = true;
        }
    }

    private boolean reached() {
        return (launched || communicator.isLaunched(this)) && passed();
    }

    private synchronized boolean passed() {
        if (!done && failure == null && event.isDone()) {
            done = true;
            event.close();
        }
        return done;
    }

    @Override
    public boolean isDone() {
        if (done || failure != null) {
            return true;
        }
        if (reached()) {
            return true;
        }
        try {
            communicator.watch.lookForErrors(what);
        } catch (CommException e) {
            fail(e);
        }
        return failure != null;
    }

    @Override
    public void await() {
        await(timeoutNanos);
    }

    private void await(long limit) {
        if (done) {
            return;
        }
        if (failure == null) {
            Recorded.checkNotRecording("await of " + what, communicator.where());
            try {
                communicator.watch.await(this::reached, what, start, limit);
                return;
            } catch (CommException e) {
                fail(e);
            }
        }
        throw failure();
    }

    @Override
    public void await(Duration timeout) {
        if (timeout == null) {
            throw new NullPointerException(what + " on " + communicator.where() + ": timeout is null");
        }
        // Since the start, as the limit of the operation is; at most what a number can hold.
        long since = System.nanoTime() - start;
        long limit = Math.max(1, since + Math.min(TimeUnit.NANOSECONDS.convert(timeout), Long.MAX_VALUE - since));
        if (failure != null || (timeoutNanos > 0 && timeoutNanos <= limit)) {
            await(timeoutNanos);
            return;
        }
        if (done) {
            return;
        }
        Recorded.checkNotRecording("await of " + what, communicator.where());
        try {
            communicator.watch.await(this::reached, what, start, limit);
        } catch (CommTimeoutException e) {
            // Only this wait is over.
            throw new CommTimeoutException(what + " on " + communicator.where() + " is still under way after "
                    + timeout.toMillis() + " ms of waiting");
        } catch (CommException e) {
            if (!Thread.currentThread().isInterrupted()) {
                fail(e);
            }
            throw e;
        }
    }

    private void fail(CommException e) {
        failure = e;
        communicator.health.failed(e);
    }

    private CommException failure() {
        CommException e = failure;
        return e != null ? e : new CommException(what + " failed");
    }

    /** Waits for the end, whatever it is: how it ended is the business of whoever holds the request. */
    void settle() {
        try {
            await();
        } catch (CommException e) {
            return;
        }
    }

    /** The communicator ended: nothing is under way any more. */
    synchronized void abandon() {
        if (!done) {
            if (failure == null) {
                failure = new CommException(
                        what + " on " + communicator.where() + ": the communicator was aborted meanwhile");
            }
            event.close();
        }
    }

    @Override
    public String toString() {
        return "Request[" + what + (done ? ", done]" : failure != null ? ", failed]" : ", under way]");
    }
}
