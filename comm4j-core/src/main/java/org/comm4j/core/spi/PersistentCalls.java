// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.comm4j.core.CommException;
import org.comm4j.core.PersistentGroup;
import org.jspecify.annotations.Nullable;

/** Calls that are made again and again, by the caller or by the communicator's worker. Allocates nothing then. */
final class PersistentCalls implements PersistentGroup {
    private final String where;
    private final List<Call> calls;
    private final Consumer<List<Call>> now;
    private final Consumer<List<Call>> perform;
    private final BiConsumer<String, Submission> submit;
    private final Turn turn = new Turn();
    private boolean started;

    /**
     * Makes the group.
     *
     * @param where who calls, for messages: "rank 0 of 2"
     * @param now makes calls in this thread, after what was submitted
     * @param perform makes calls in the worker
     * @param submit gives something to the worker, for an operation of a name
     */
    PersistentCalls(
            String where,
            List<Call> calls,
            Consumer<List<Call>> now,
            Consumer<List<Call>> perform,
            BiConsumer<String, Submission> submit) {
        this.where = where;
        this.calls = calls;
        this.now = now;
        this.perform = perform;
        this.submit = submit;
    }

    /** The calls in the worker. Waits at a monitor, which allocates nothing. */
    private final class Turn implements Submission {
        private boolean isUnderWay;
        private @Nullable Throwable failure;

        @Override
        public synchronized void submitted() {
            failure = null;
            isUnderWay = true;
        }

        @Override
        public void run() {
            Throwable met = null;
            try {
                perform.accept(calls);
            } catch (Throwable e) {
                met = e;
            }
            end(met);
        }

        private synchronized void end(@Nullable Throwable met) {
            failure = met;
            isUnderWay = false;
            notifyAll();
        }

        @Override
        public synchronized void settle() {
            boolean interrupted = false;
            while (isUnderWay) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        synchronized @Nullable Throwable failure() {
            return failure;
        }
    }

    private void check(String operation) {
        if (started) {
            throw new IllegalStateException(
                    operation + " on " + where + ": " + calls + " are under way; await their end first");
        }
        for (int i = 0; i < calls.size(); i++) {
            calls.get(i).checkAlive();
        }
    }

    @Override
    public void run() {
        check("run");
        now.accept(calls);
    }

    @Override
    public void start() {
        check("start");
        submit.accept("start", turn);
        started = true;
    }

    @Override
    public void await() {
        if (!started) {
            throw new IllegalStateException("await on " + where + ": " + calls + " were not started");
        }
        turn.settle();
        started = false;
        Throwable met = turn.failure();
        if (met instanceof RuntimeException exception) {
            throw exception;
        }
        if (met instanceof Error error) {
            throw error;
        }
        if (met != null) {
            throw new CommException("a persistent operation failed on " + where, met);
        }
    }

    @Override
    public String toString() {
        return "PersistentGroup" + calls;
    }
}
