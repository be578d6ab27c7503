// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@code META-INF/services} names the two providers here, the one that fails first. */
class RehearsalTest {
    private record Heard(String engine, Thread thread) {}

    private static final BlockingQueue<Heard> HEARD = new LinkedBlockingQueue<>();

    public static final class Failing extends Rehearsal {
        @Override
        protected void run(String engine) {
            HEARD.add(new Heard(engine, Thread.currentThread()));
            throw new NoClassDefFoundError("something is missing");
        }
    }

    public static final class Noting extends Rehearsal {
        @Override
        protected void run(String engine) {
            HEARD.add(new Heard(engine, Thread.currentThread()));
        }
    }

    @Test
    void allAreRunOnceInADaemonThreadWhateverTheyThrow() throws Exception {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
        try {
            Rehearsal.begin("one");
            Rehearsal.begin("one");
            Heard failing = HEARD.poll(10, TimeUnit.SECONDS);
            Heard noting = HEARD.poll(10, TimeUnit.SECONDS);
            assertThat(failing).isNotNull().isEqualTo(noting);
            assertThat(failing.engine()).isEqualTo("one");
            Thread thread = failing.thread();
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread).isNotSameAs(Thread.currentThread());
            thread.join(10_000);
            assertThat(thread.isAlive()).isFalse();
            assertThat(uncaught).isEmpty();

            Rehearsal.begin("another");
            Heard next = HEARD.poll(10, TimeUnit.SECONDS);
            assertThat(next).isNotNull();
            // "one" would have come before.
            assertThat(next.engine()).isEqualTo("another");
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }
}
