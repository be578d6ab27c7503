// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.comm4j.core.CommException;
import org.comm4j.core.spi.Call;
import org.comm4j.core.spi.Halt;
import org.jspecify.annotations.Nullable;

/**
 * Blocking functions of MPI, called when all ranks have come to the operation. Data need only move then, but a rank may
 * still die or leave. Where the communicator has a limit a thread of its own is in MPI, so that the caller can leave it
 * there. Where it has none the caller is in MPI, and is watched: a rank's end that keeps it there ends the process.
 */
final class Watched implements BooleanSupplier {
    private static final long LOOK_MILLIS = 250;

    /** Time that data of a rank that has left may take to come. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Length up to which calls are not looked at. */
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private static final List<WeakReference<Watched>> ALL = new CopyOnWriteArrayList<>();
    private static @Nullable Thread watch;

    private final MpiWaiting waiting;
    private final String name;

    /** Time when the caller went into MPI; 0 while it is not there. */
    private volatile long since;

    private volatile @Nullable Object what;
    private boolean isKnown;

    /** Odd while the caller is in a function of MPI that is not left before its end, and is only told of. */
    private final AtomicLong turns = new AtomicLong();

    private @Nullable Object inside;
    /** What the watch saw first, and when. */
    private long seenTurn;

    private long seenAt;

    private final Runnable startBlocking = this::startBlocking;
    private @Nullable Step step;
    private @Nullable Call call;
    private @Nullable Requests requests;

    private @Nullable Thread helper;
    private volatile @Nullable Runnable errand;
    private volatile boolean ended = true;
    private volatile boolean closed;
    private @Nullable Thread caller;
    private @Nullable Throwable failure;

    /** @param name of the rank, for its thread */
    Watched(MpiWaiting waiting, String name) {
        this.waiting = waiting;
        this.name = name;
    }

    /**
     * Starts a step by blocking functions, and ends with them. Allocates nothing.
     *
     * @param requests to which is added what remains
     * @param timeoutNanos the limit; 0 for none
     * @throws CommException when it would be in vain to wait longer; MPI is still running then
     */
    void run(Step step, Call call, Requests requests, long timeoutNanos) {
        this.step = step;
        this.call = call;
        this.requests = requests;
        if (timeoutNanos > 0) {
            runElsewhere(startBlocking, call, timeoutNanos);
            return;
        }
        know();
        what = call;
        caller = Thread.currentThread();
        since = System.nanoTime() | 1;
        try {
            startBlocking();
        } finally {
            since = 0;
        }
    }

    /** Notes that the caller goes into MPI until the call ends; {@link #leave} follows. Costs next to nothing. */
    void enter(Call call) {
        know();
        inside = call;
        caller = Thread.currentThread();
        turns.lazySet(turns.getPlain() + 1);
    }

    void leave() {
        turns.lazySet(turns.getPlain() + 1);
    }

    private void know() {
        if (!isKnown) {
            isKnown = true;
            watchOver(this);
        }
    }

    private void startBlocking() {
        Objects.requireNonNull(step).start(Objects.requireNonNull(call), Objects.requireNonNull(requests), true);
    }

    // ---- with a limit

    /** Runs what calls MPI on a thread of its own; the limit may be 0, which is none. */
    void runElsewhere(Runnable body, Object what, long timeoutNanos) {
        Thread known = helper;
        if (known == null) {
            known = Thread.ofPlatform().daemon().name("comm4j mpi " + name).start(this::serve);
            helper = known;
        }
        failure = null;
        caller = Thread.currentThread();
        ended = false;
        errand = body;
        LockSupport.unpark(known);
        waiting.await(this, what, System.nanoTime(), timeoutNanos);
        Throwable thrown = failure;
        switch (thrown) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError(thrown);
        }
    }

    /** Returns whether the errand has ended, after a moment if it has not. */
    @Override
    public boolean getAsBoolean() {
        if (!ended) {
            LockSupport.parkNanos(this, TICK_NANOS);
        }
        return ended;
    }

    private void serve() {
        while (true) {
            Runnable next = errand;
            if (next == null) {
                if (closed) {
                    return;
                }
                LockSupport.park(this);
                continue;
            }
            errand = null;
            try {
                next.run();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
            ended = true;
            LockSupport.unpark(caller);
        }
    }

    /** Ends the thread, if it is not in MPI for ever. */
    void close() {
        closed = true;
        LockSupport.unpark(helper);
    }

    // ---- without one

    private static synchronized void watchOver(Watched watched) {
        ALL.add(new WeakReference<>(watched));
        if (watch == null) {
            watch = Thread.ofPlatform().daemon().name("comm4j mpi watch").start(Watched::lookAgainAndAgain);
        }
    }

    private static void lookAgainAndAgain() {
        while (true) {
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            ALL.removeIf(each -> each.get() == null);
            for (WeakReference<Watched> each : ALL) {
                Watched watched = each.get();
                if (watched != null) {
                    watched.look();
                }
            }
        }
    }

    private void look() {
        long now = System.nanoTime();
        long turn = turns.getAcquire();
        if (turn != seenTurn) {
            seenTurn = turn;
            seenAt = now;
        } else if ((turn & 1) != 0) {
            waiting.tell(Objects.requireNonNull(caller), Objects.requireNonNull(inside), now - seenAt);
        }
        long start = since;
        Object operation = what;
        long waited = now - start;
        if (start == 0 || operation == null || waited < SHORT_NANOS) {
            return;
        }
        waiting.tell(Objects.requireNonNull(caller), operation, waited);
        if (waiting.revoke() || waited < PATIENCE_NANOS) {
            return;
        }
        CommException problem = waiting.problem(operation);
        if (problem != null && since == start) {
            System.getLogger("org.comm4j.mpi")
                    .log(
                            System.Logger.Level.ERROR,
                            problem.getMessage() + "; MPI's blocking function cannot be left, so this process ends");
            Halt.now(1);
        }
    }
}
