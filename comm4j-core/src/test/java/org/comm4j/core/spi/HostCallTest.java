// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.comm4j.core.CommTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Calls that block in a library: how they end, and what becomes of those that were given up. */
class HostCallTest {
    private static void never() {
        throw new AssertionError("was not given up");
    }

    private static void run(long timeoutNanos, Runnable body, Runnable late) {
        HostCall.run("init on rank 0 of 2", "the library goes on", Peers.UNKNOWN, timeoutNanos, body, late);
    }

    @Test
    void aCallThrowsWhatItsBodyThrows() {
        run(0, () -> {}, HostCallTest::never);
        IllegalStateException failure = new IllegalStateException("no");
        assertThatThrownBy(() -> run(0, () -> throwing(failure), HostCallTest::never))
                .isSameAs(failure);
        StackOverflowError error = new StackOverflowError();
        assertThatThrownBy(() -> run(0, () -> throwing(error), HostCallTest::never))
                .isSameAs(error);
    }

    private static void throwing(Throwable failure) {
        if (failure instanceof Error e) {
            throw e;
        }
        throw (RuntimeException) failure;
    }

    @Test
    void whatFailsAfterACallWasGivenUpIsLogged() throws Exception {
        IllegalStateException failure = new IllegalStateException("too late");
        for (boolean inBody : new boolean[] {true, false}) {
            CountDownLatch gate = new CountDownLatch(1);
            CompletableFuture<LogRecord> logged = new CompletableFuture<>();
            Logger logger = Logger.getLogger("org.comm4j.core");
            logger.setFilter(record -> {
                logged.complete(record);
                return false;
            });
            try {
                assertThatThrownBy(() -> run(1, () -> ending(gate, inBody ? failure : null), () -> throwing(failure)))
                        .isInstanceOf(CommTimeoutException.class)
                        .hasMessageContainingAll("init on rank 0 of 2", "the library goes on");
                gate.countDown();
                LogRecord record = logged.get(30, TimeUnit.SECONDS);
                assertThat(record.getLevel()).isEqualTo(Level.WARNING);
                assertThat(record.getMessage()).contains("init on rank 0 of 2", "after it was given up");
                assertThat(record.getThrown()).isSameAs(failure);
            } finally {
                logger.setFilter(null);
            }
        }
    }

    private static void ending(CountDownLatch gate, @Nullable IllegalStateException failure) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        if (failure != null) {
            throw failure;
        }
    }
}
