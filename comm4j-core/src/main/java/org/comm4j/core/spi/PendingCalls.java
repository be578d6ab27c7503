// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Request;
import org.jspecify.annotations.Nullable;

/** Calls that the worker of a communicator makes once. */
final class PendingCalls implements Request, Submission {
    private final String where;
    private final List<Call> calls;
    private final Consumer<List<Call>> perform;
    private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

    /** @param where who calls, for messages: "rank 0 of 2" */
    PendingCalls(String where, List<Call> calls, Consumer<List<Call>> perform) {
        this.where = where;
        this.calls = calls;
        this.perform = perform;
    }

    @Override
    public void submitted() {
        // It is under way from the beginning.
    }

    @Override
    public void run() {
        try {
            perform.accept(calls);
            end.complete(null);
        } catch (Throwable e) {
            end.completeExceptionally(e);
        }
    }

    @Override
    public void settle() {
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
