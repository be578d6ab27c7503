// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.comm4j.core.CommException;

/**
 * How a rank waits for a device: it asks whether what it waits for is there, and looks around meanwhile for what would
 * make the wait endless: an error, a rank that died, a limit that passed, an interrupt. There is no watchdog; whoever
 * does not wait is not watched.
 */
public abstract class Waiting {
    private static final int POLLS_BETWEEN_LOOKS = 64;
    /** A device's small operations take less. Whoever spins longer takes processors from what it waits for. */
    private static final long YIELD_AFTER = TimeUnit.MICROSECONDS.toNanos(20);

    /** Where there are few processors, what is waited for needs this one. */
    private static final long SLEEP_AFTER = Runtime.getRuntime().availableProcessors() > 4
            ? TimeUnit.MILLISECONDS.toNanos(10)
            : TimeUnit.MICROSECONDS.toNanos(100);

    private static final long SLEEP_LONGER_AFTER = TimeUnit.SECONDS.toNanos(1);
    /** Who is dead is asked so often: asking costs a list. */
    private static final long ASK_EVERY = TimeUnit.MILLISECONDS.toNanos(10);

    protected static final long NAP = TimeUnit.MICROSECONDS.toNanos(100);

    private final String where;
    private final Peers peers;
    private final long sleepAfter;

    /** @param where who waits, for messages */
    protected Waiting(String where, Peers peers) {
        this(where, peers, SLEEP_AFTER);
    }

    /**
     * @param where who waits, for messages
     * @param sleepAfter nanoseconds of a wait before it naps between looks
     */
    protected Waiting(String where, Peers peers, long sleepAfter) {
        this.where = where;
        this.peers = peers;
        this.sleepAfter = sleepAfter;
    }

    /**
     * Returns when {@code done}.
     *
     * @param what the operation, for the message
     * @param start when the operation started, by {@link System#nanoTime}
     * @param timeoutNanos the limit since then; 0 for none
     * @throws CommException when it would be in vain to wait longer
     */
    public void await(BooleanSupplier done, Object what, long start, long timeoutNanos) {
        int polls = 0;
        long waited = 0;
        long nextAsk = ASK_EVERY;
        long longSince = 0;
        try {
            while (!done.getAsBoolean()) {
                // Whoever sleeps polls once between two naps.
                if (++polls % POLLS_BETWEEN_LOOKS != 0 && waited <= sleepAfter) {
                    if (waited > YIELD_AFTER) {
                        Thread.yield();
                    } else {
                        Thread.onSpinWait();
                    }
                    continue;
                }
                long now = System.nanoTime();
                waited = now - start;
                lookForErrors(what);
                if (waited > nextAsk) {
                    nextAsk = waited + ASK_EVERY;
                    List<Integer> failed = peers.failedRanks();
                    if (!failed.isEmpty()) {
                        throw dead(what, failed);
                    }
                    // What is waited for may have begun long before somebody came to wait for it.
                    longSince = longSince == 0 ? now : longSince;
                    Standstill.look(now - longSince, where, what::toString);
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw new CommException(what + " on " + where + ": interrupted while waiting for its end");
                }
                if (timeoutNanos > 0 && waited >= timeoutNanos) {
                    throw expired(what, timeoutNanos);
                }
                if (waited > sleepAfter) {
                    long nap = waited > SLEEP_LONGER_AFTER ? 10 * NAP : NAP;
                    LockSupport.parkNanos(timeoutNanos > 0 ? Math.min(nap, timeoutNanos - waited) : nap);
                }
            }
        } finally {
            if (longSince != 0) {
                Standstill.end();
            }
        }
    }

    /** Throws what has gone wrong so far, apart from deaths. */
    protected abstract void lookForErrors(Object what);

    /** What to throw when ranks are gone. */
    protected abstract CommException dead(Object what, List<Integer> failed);

    /** What to throw when the limit has passed. */
    protected abstract CommException expired(Object what, long timeoutNanos);
}
