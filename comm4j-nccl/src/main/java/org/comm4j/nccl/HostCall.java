// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.cuda.Device;
import org.jspecify.annotations.Nullable;

/**
 * A call that blocks inside NCCL until the other ranks come: making and splitting communicators, registering windows. It runs in
 * a thread of its own, so that the caller can have a limit and hear of dead ranks, and with a large stack, because NCCL's search
 * for paths between GPUs is recursive. A call that is given up goes on in its thread until NCCL returns.
 */
final class HostCall {
    private static final long STACK_BYTES = 16 << 20;
    private static final long LOOK_MILLIS = 20;

    private final String what;
    private final Device device;
    private final Peers peers;
    private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    private boolean givenUp;

    private HostCall(String what, Device device, Peers peers) {
        this.what = what;
        this.device = device;
        this.peers = peers;
    }

    /**
     * Runs {@code body}.
     *
     * @param timeoutNanos the limit; 0 for none
     * @param late what to do when {@code body} ended well after it was given up
     */
    static void run(String what, Device device, Peers peers, long timeoutNanos, Runnable body, Runnable late) {
        HostCall call = new HostCall(what, device, peers);
        Thread thread = Thread.ofPlatform()
                .daemon()
                .name("comm4j nccl " + what)
                .stackSize(STACK_BYTES)
                .unstarted(() -> call.execute(body, late));
        thread.start();
        call.await(timeoutNanos);
    }

    private void execute(Runnable body, Runnable late) {
        try {
            device.makeCurrent();
            body.run();
            boolean tooLate;
            synchronized (this) {
                tooLate = givenUp;
                end.complete(null);
            }
            if (tooLate) {
                late.run();
            }
        } catch (Throwable e) {
            end.completeExceptionally(e);
        }
    }

    private void await(long timeoutNanos) {
        long start = System.nanoTime();
        while (true) {
            try {
                end.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                List<Integer> failed = peers.failedRanks();
                if (!failed.isEmpty()) {
                    giveUp(new RankFailedException(
                            peers.worldRank(failed.getFirst()), what + ": rank " + failed.getFirst() + " is gone"));
                }
                if (timeoutNanos > 0 && System.nanoTime() - start >= timeoutNanos) {
                    giveUp(new CommTimeoutException(what + " is not done after "
                            + Duration.ofNanos(timeoutNanos).toMillis()
                            + " ms: another rank has not called it, or is stuck; NCCL goes on waiting in a thread of its"
                            + " own (a communicator with CommConfig.blocking(false) can be given up entirely)"));
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
