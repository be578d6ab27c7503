// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.spi.AbstractCommunicator;
import org.comm4j.core.spi.Arguments;
import org.comm4j.core.spi.Standstill;

/**
 * Waits for the device without sitting in a native call, so that a wait can end at a timeout or an interrupt, and a
 * virtual thread does not hold up its carrier. It spins for what is nearly done, then lets others run, then sleeps
 * between looks.
 */
final class Polling {
    private static final int SPINS = 200;
    private static final long YIELD_NANOS = 200_000;
    private static final long SLEEP_NANOS = 50_000;

    /** The limit of waits that no caller gave one: for what may be in use for ever. */
    static final Duration LIMIT = limit();

    private Polling() {}

    private static Duration limit() {
        Duration chosen = AbstractCommunicator.defaultTimeout();
        return chosen.isZero() ? Duration.ofMinutes(5) : chosen;
    }

    /**
     * @param timeout {@link Duration#ZERO} for no limit
     * @param what for messages
     */
    static void until(BooleanSupplier isDone, Duration timeout, Object what) {
        long asked = Arguments.timeoutNanos(timeout, "synchronize");
        for (int i = 0; i < SPINS; i++) {
            if (isDone.getAsBoolean()) {
                return;
            }
            Thread.onSpinWait();
        }
        long limit = asked == 0 ? Long.MAX_VALUE : asked;
        long start = System.nanoTime();
        while (!isDone.getAsBoolean()) {
            long waited = System.nanoTime() - start;
            if (waited >= limit) {
                throw new CommTimeoutException(String.format(
                        "waited %.3f s for %s in vain (timeout %.3f s)", waited / 1e9, what, limit / 1e9));
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new CommException("interrupted while waiting for " + what);
            }
            if (waited < YIELD_NANOS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(SLEEP_NANOS);
                Standstill.look(waited, "this process", () -> "waiting for " + what);
            }
        }
        Standstill.end();
    }
}
