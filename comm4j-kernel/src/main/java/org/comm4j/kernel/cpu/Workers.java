// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.comm4j.kernel.KernelException;
import org.jspecify.annotations.Nullable;

/** The processors of launches, one after the other: threads that share the blocks of one, and the wait for them. */
final class Workers {
    /** The work of each of them. */
    interface Share {
        /** Takes blocks, until none is left. */
        void run(int worker);
    }

    /** How far a helper is. */
    private enum Stage {
        ENDED,
        ASKED,
        RUNS
    }

    /** A thread of the pool while it is one of the workers. */
    private final class Helper implements Runnable {
        final AtomicReference<Stage> stage = new AtomicReference<>(Stage.ENDED);
        private final int number;

        Helper(int number) {
            this.number = number;
        }

        /** Does nothing if it comes when the others have done all of it. */
        @Override
        public void run() {
            if (takes(Stage.RUNS)) {
                work(number);
                Thread waits = owner;
                stage.set(Stage.ENDED);
                LockSupport.unpark(waits);
            }
        }

        boolean takes(Stage next) {
            return stage.compareAndSet(Stage.ASKED, next);
        }
    }

    private static final ExecutorService POOL = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("kernel worker ", 0).factory());

    /** Time for a launch that is to end to do so; afterwards nobody waits for it any more. */
    private static final long GRACE = TimeUnit.SECONDS.toNanos(1);

    /** Nanoseconds that a launch takes in which a helper just comes in time, once it is woken. */
    private static final long SHORT = TimeUnit.MICROSECONDS.toNanos(50);

    /** Looks before the wait for helpers sleeps: some microseconds. */
    private static final int SPINS = 500;

    private final Launch launch;
    private final Share share;
    private Helper[] helpers = {};
    private @Nullable Thread owner;
    private long begin;
    /** Nanoseconds of the launch before. */
    private long took = Long.MAX_VALUE;
    /** Helpers that are asked if it goes on for long. */
    private int later;

    Workers(Launch launch, Share share) {
        this.launch = launch;
        this.share = share;
    }

    /**
     * Runs the shares of workers with numbers from 0 to {@code count}, and returns when they are done, or when the
     * launch has to end and does not.
     *
     * @param joins whether the calling thread is one of them. If it is, nobody can interrupt a block.
     */
    void run(int count, boolean joins) {
        if (Thread.currentThread().isInterrupted()) {
            launch.interrupt();
            return;
        }
        int helping = joins ? count - 1 : count;
        if (helping == 0) {
            work(0);
            return;
        }
        owner = Thread.currentThread();
        begin = System.nanoTime();
        if (joins && took < SHORT) {
            later = helping;
        } else {
            ask(helping, joins);
        }
        if (joins) {
            work(0);
            later = 0;
            takeBack();
        }
        await();
        took = System.nanoTime() - begin;
        owner = null;
    }

    /**
     * Notes that there may be more to do: where the launch before was so short that no helper was asked, and this one
     * is not, they are asked now.
     *
     * @param worker who calls
     */
    void goOn(int worker) {
        if (worker == 0 && later > 0 && System.nanoTime() - begin >= SHORT) {
            int helping = later;
            later = 0;
            ask(helping, true);
        }
    }

    /** Goes on with fewer if the system has no more threads. */
    private void ask(int helping, boolean joins) {
        if (helpers.length < helping) {
            int known = helpers.length;
            helpers = Arrays.copyOf(helpers, helping);
            for (int i = known; i < helping; i++) {
                helpers[i] = new Helper(i + 1);
            }
        }
        for (int i = 0; i < helping; i++) {
            helpers[i].stage.set(Stage.ASKED);
            try {
                POOL.execute(helpers[i]);
            } catch (OutOfMemoryError none) {
                helpers[i].stage.set(Stage.ENDED);
                if (i == 0 && !joins) {
                    launch.lose(none);
                }
                return;
            }
        }
    }

    /** Nobody waits for helpers that have not come: all blocks are taken. */
    private void takeBack() {
        for (Helper helper : helpers) {
            boolean _ = helper.takes(Stage.ENDED);
        }
    }

    /** Whatever is thrown is a failure of the launch. */
    private void work(int number) {
        try {
            share.run(number);
        } catch (KernelException e) {
            launch.fail(e);
        } catch (Launch.Stopped e) {
            // The launch knows why.
        } catch (Throwable e) {
            launch.lose(e);
        }
    }

    private boolean haveEnded() {
        for (Helper helper : helpers) {
            if (helper.stage.get() != Stage.ENDED) {
                return false;
            }
        }
        return true;
    }

    private void await() {
        boolean interrupted = false;
        boolean expired = false;
        long left = launch.left();
        long until = 0;
        while (true) {
            try {
                if (haveEnded(left)) {
                    break;
                }
                if (expired || interrupted) {
                    launch.fail(launch.abandoned());
                    break;
                }
                expired = true;
                launch.expire();
                left = GRACE;
            } catch (InterruptedException e) {
                if (!interrupted) {
                    interrupted = true;
                    launch.interrupt();
                    until = System.nanoTime() + GRACE;
                }
                left = until - System.nanoTime();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean haveEnded(long nanos) throws InterruptedException {
        for (int i = 0; i < SPINS; i++) {
            if (haveEnded()) {
                return true;
            }
            Thread.onSpinWait();
        }
        long from = System.nanoTime();
        while (!haveEnded()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            long left = nanos - (System.nanoTime() - from);
            if (left <= 0) {
                return false;
            }
            LockSupport.parkNanos(this, left);
        }
        return true;
    }
}
