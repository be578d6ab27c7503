// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.comm4j.kernel.loops.LoopThreads.Calls;
import org.comm4j.kernel.loops.LoopThreads.Wait;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread in which the threads of a block call Java methods that may wait. It calls for one after the other,
 * as long as none waits. With who gives it a turn it is as one thread: only one of both runs.
 */
final class CallRunner {
    private final CallingThreads threads;
    private final Thread carrier = Thread.ofVirtual().name("kernel call").unstarted(this::live);
    private @Nullable Thread owner;
    private volatile boolean isItsTurn;
    private volatile boolean isToEnd;

    private int next;
    private int to;
    private @Nullable Calls calls;
    private int thread;
    private boolean hasWaited;
    /** Whether the call is that of other threads, too. */
    private boolean isLeading;

    CallRunner(CallingThreads threads) {
        this.threads = threads;
    }

    /**
     * Calls for threads until one waits.
     *
     * @return the thread behind that one
     */
    int begin(int from, int behind, Calls of) {
        next = from;
        to = behind;
        calls = of;
        hasWaited = false;
        turn();
        return next;
    }

    /** Goes on with the call that waits, until it returns or waits again. */
    void turn() {
        owner = Thread.currentThread();
        isItsTurn = true;
        if (carrier.getState() == Thread.State.NEW) {
            carrier.start();
        } else {
            LockSupport.unpark(carrier);
        }
        while (isItsTurn) {
            LockSupport.park(this);
        }
    }

    /** Ends it, and with it the call that waits. */
    void end() {
        isToEnd = true;
        if (carrier.getState() != Thread.State.NEW) {
            turn();
        }
    }

    private void live() {
        try {
            while (!isToEnd) {
                while (next < to && !hasWaited) {
                    thread = next++;
                    call();
                }
                if (isToEnd) {
                    return;
                }
                threads.idle(this);
                pass();
            }
        } finally {
            KernelThread.setCurrent(null);
            isItsTurn = false;
            LockSupport.unpark(owner);
        }
    }

    private void call() {
        Calls here = Objects.requireNonNull(calls);
        int its = thread;
        isLeading = false;
        threads.runs(its, this);
        try {
            KernelThread.setCurrent(threads.caller(its));
            here.ended(
                    its,
                    Objects.requireNonNull(here.begins(its), () -> "thread " + its + " calls nothing")
                            .call());
        } catch (CooperativeScheduler.Ended e) {
            // Who ends it knows why.
        } catch (Throwable e) {
            to = next;
            here.failed(its, e);
        } finally {
            threads.runs(its, null);
        }
    }

    /** Makes the call that of the threads which follow, too, up to one; returns whether it is. */
    boolean leads(int behind) {
        if (!isLeading && Objects.requireNonNull(calls).leads(thread, behind)) {
            isLeading = true;
            next = behind;
        }
        return isLeading;
    }

    /** Whether the call is that of other threads, too. */
    boolean isLeading() {
        return isLeading;
    }

    /** Waits, in a call. */
    int await(Wait what, int argument) {
        int its = thread;
        Calls here = Objects.requireNonNull(calls);
        if (isToEnd) {
            throw new CooperativeScheduler.Ended();
        }
        hasWaited = true;
        here.waits(its, what, argument);
        pass();
        if (isToEnd) {
            throw new CooperativeScheduler.Ended();
        }
        return here.count(its);
    }

    private void pass() {
        isItsTurn = false;
        LockSupport.unpark(owner);
        while (!isItsTurn) {
            LockSupport.park(this);
        }
    }
}
