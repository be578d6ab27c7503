// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.comm4j.kernel.KernelException;

/** The processors of one launch: threads that share its blocks, and the wait for them. */
final class Workers {
    private static final ExecutorService POOL = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("kernel worker ", 0).factory());

    /** Time for a launch that is to end to do so; afterwards nobody waits for it any more. */
    private static final long GRACE = TimeUnit.SECONDS.toNanos(1);

    private final Launch launch;
    private final Runnable work;
    private final CountDownLatch ended;

    private Workers(Launch launch, Runnable work, int helpers) {
        this.launch = launch;
        this.work = work;
        this.ended = new CountDownLatch(helpers);
    }

    /**
     * Runs {@code work} on that many threads, and returns when it is done, or when the launch has to end and does not.
     *
     * @param joins whether the calling thread is one of them. If it is, nobody can interrupt a block.
     * @param work takes blocks, until none is left
     */
    static void run(Launch launch, int workers, boolean joins, Runnable work) {
        if (Thread.currentThread().isInterrupted()) {
            launch.interrupt();
            return;
        }
        int helpers = joins ? workers - 1 : workers;
        if (helpers == 0) {
            work(launch, work);
            return;
        }
        Workers all = new Workers(launch, work, helpers);
        all.start(helpers, joins);
        if (joins) {
            work(launch, work);
        }
        all.await();
    }

    /** Goes on with fewer if the system has no more threads. */
    private void start(int helpers, boolean joins) {
        for (int i = 0; i < helpers; i++) {
            try {
                POOL.execute(() -> {
                    work(launch, work);
                    left();
                });
            } catch (OutOfMemoryError none) {
                if (i == 0 && !joins) {
                    launch.lose(none);
                }
                for (int left = i; left < helpers; left++) {
                    left();
                }
                return;
            }
        }
    }

    /** Whatever is thrown is a failure of the launch. */
    private static void work(Launch launch, Runnable work) {
        try {
            work.run();
        } catch (KernelException e) {
            launch.fail(e);
        } catch (Launch.Stopped e) {
            // The launch knows why.
        } catch (Throwable e) {
            launch.lose(e);
        }
    }

    /** Notes that a helper has ended, or never began. */
    private void left() {
        ended.countDown();
    }

    private void await() {
        boolean interrupted = false;
        boolean expired = false;
        long left = launch.left();
        long until = 0;
        while (ended.getCount() > 0) {
            try {
                if (ended.await(left, TimeUnit.NANOSECONDS)) {
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
}
