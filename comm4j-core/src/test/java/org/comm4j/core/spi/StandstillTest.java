// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class StandstillTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static List<String> errorsOf(Runnable body) {
        PrintStream before = System.err;
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        System.setErr(new PrintStream(seen, true, StandardCharsets.UTF_8));
        try {
            // Without a caller that could be taken for a user's program.
            Thread.ofPlatform().start(body).join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            System.setErr(before);
        }
        return seen.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** What a wait does that looks around: time is what it says. */
    private static void waitUpTo(int seconds, String operation) {
        for (int waited = 0; waited <= seconds; waited++) {
            Standstill.look(waited * SECOND, "rank 0 of 2", () -> operation);
        }
        Standstill.end();
    }

    @Test
    void aWaitOfTenSecondsIsToldOnceForEachPlace() {
        assertThat(errorsOf(() -> waitUpTo(9, "send, for rank 1 of 2"))).isEmpty();
        assertThat(errorsOf(() -> waitUpTo(30, "send, for rank 1 of 2")))
                .containsExactly("rank 0 of 2 has waited 10 s in send, for rank 1 of 2");
        assertThat(errorsOf(() -> waitUpTo(30, "send, for rank 1 of 2"))).isEmpty();
        assertThat(errorsOf(() -> waitUpTo(30, "recv, for rank 1 of 2"))).hasSize(1);
    }

    @Test
    void aReportSaysWhatThreadsAreDoingAndNothingOfWaitsThatAreOver() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform().name("user's thread").start(() -> {
            Standstill.begin("rank 1 of 2", () -> "the barrier");
            waiting.countDown();
            try {
                enough.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            Standstill.end();
        });
        waiting.await();
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(Standstill.report("rank 1 of 2"))
                .startsWith("rank 1 of 2 (pid " + ProcessHandle.current().pid() + ")\n")
                .contains("  rank 1 of 2 has waited 0 s in the barrier\n  \"user's thread\" WAITING\n      at ")
                .contains("StandstillTest");
        enough.countDown();
        thread.join();
        assertThat(Standstill.report("rank 1 of 2")).doesNotContain("the barrier");
    }

    @Test
    void aWaitThatLooksAroundNoMoreIsOver() throws Exception {
        Standstill.look(SECOND, "rank 2 of 3", () -> "the wait of a kernel");
        assertThat(Standstill.report("rank 2 of 3")).contains("rank 2 of 3 has waited 1 s in the wait of a kernel");
        Thread.sleep(2100);
        assertThat(Standstill.report("rank 2 of 3")).doesNotContain("the wait of a kernel");
    }

    @Test
    void aFutureIsWaitedForAsItsOwnMethodDoes() throws Exception {
        assertThat(Standstill.get(CompletableFuture.completedFuture("x"), SECOND, "rank 0", () -> "it"))
                .isEqualTo("x");
        CompletableFuture<String> never = new CompletableFuture<>();
        long start = System.nanoTime();
        assertThatThrownBy(() -> Standstill.get(never, SECOND / 2, "rank 0", () -> "it"))
                .isInstanceOf(TimeoutException.class);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SECOND / 2);
    }
}
