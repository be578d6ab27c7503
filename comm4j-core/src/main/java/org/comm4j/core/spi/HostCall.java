// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.jspecify.annotations.Nullable;

/**
 * A call that blocks inside a native library until the other ranks come: making communicators, registering memory. It
 * runs in a thread of its own, so that the caller can have a limit and hear of dead ranks, and with a large stack,
 * because such libraries search recursively for paths between GPUs. A call that is given up goes on in its thread until
 * the library returns.
 */
public final class HostCall {
    private static final long STACK_BYTES = 16 << 20;
    private static final long LOOK_MILLIS = 20;

    private final String what;
    private final String library;
    private final Peers peers;
    private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    private boolean givenUp;

    private HostCall(String what, String library, Peers peers) {
        this.what = what;
        this.library = library;
        this.peers = peers;
    }

    /**
     * Runs {@code body}, and throws what it throws.
     *
     * @param library whose call it is, for the message at the limit: what goes on there, and how to avoid that
     * @param timeoutNanos the limit; 0 for none
     * @param late what to do when {@code body} ended well after it was given up
     * @throws CommTimeoutException at the limit
     * @throws RankFailedException when a rank is gone
     */
    public static void run(String what, String library, Peers peers, long timeoutNanos, Runnable body, Runnable late) {
        HostCall call = new HostCall(what, library, peers);
        Thread thread = Thread.ofPlatform()
                .daemon()
                .name("comm4j " + what)
                .stackSize(STACK_BYTES)
                .unstarted(() -> call.execute(body, late));
        thread.start();
        try {
            call.await(timeoutNanos);
        } finally {
            Standstill.end();
        }
    }

    private void execute(Runnable body, Runnable late) {
        try {
            body.run();
        } catch (Throwable e) {
            if (ended(e)) {
                tooLate("failed after it was given up", e);
            }
            return;
        }
        if (ended(null)) {
            try {
                late.run();
            } catch (Throwable e) {
                tooLate("ended after it was given up, and cleaning up after it failed", e);
            }
        }
    }

    /** Tells whoever waits how it ended; true if it was given up before. */
    private synchronized boolean ended(@Nullable Throwable failure) {
        if (failure == null) {
            end.complete(null);
        } else {
            end.completeExceptionally(failure);
        }
        return givenUp;
    }

    /** Logs what nobody waits for any more. */
    private void tooLate(String how, Throwable failure) {
        System.getLogger("org.comm4j.core").log(System.Logger.Level.WARNING, what + " " + how, failure);
    }

    private void await(long timeoutNanos) {
        long start = System.nanoTime();
        while (true) {
            try {
                end.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                // "call on rank 0 of 2"
                int on = what.lastIndexOf(" on ");
                Standstill.look(
                        System.nanoTime() - start,
                        on < 0 ? "this rank" : what.substring(on + " on ".length()),
                        () -> on < 0 ? what : what.substring(0, on));
                List<Integer> failed = peers.failedRanks();
                if (!failed.isEmpty()) {
                    giveUp(new RankFailedException(
                            peers.worldRank(failed.getFirst()),
                            what + ": rank " + failed.getFirst() + " is gone" + peers.fate(failed.getFirst())));
                }
                if (timeoutNanos > 0 && System.nanoTime() - start >= timeoutNanos) {
                    giveUp(new CommTimeoutException(what + " is not done after "
                            + Duration.ofNanos(timeoutNanos).toMillis()
                            + " ms: another rank has not called it, or is stuck; " + library));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                giveUp(new CommException(what + ": interrupted while waiting for the other ranks", e));
            } catch (ExecutionException e) {
                switch (e.getCause()) {
                    case RuntimeException cause -> throw cause;
                    case Error cause -> throw cause;
                    case null, default -> throw new CommException(what + " failed", e);
                }
            }
        }
    }

    private void giveUp(CommException e) {
        synchronized (this) {
            if (end.isDone()) {
                // Just in time.
                return;
            }
            givenUp = true;
        }
        throw e;
    }
}
