// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LastWordsTest {
    private final List<String> heard = new CopyOnWriteArrayList<>();

    private static void inThread(Runnable body, Thread.UncaughtExceptionHandler others) throws InterruptedException {
        Thread thread = Thread.ofPlatform().unstarted(body);
        thread.setUncaughtExceptionHandler(others);
        thread.start();
        thread.join();
    }

    @AfterEach
    void nobodyIsToldAnyMore() throws InterruptedException {
        inThread(() -> LastWords.tell(_ -> {}), (_, _) -> {});
    }

    @Test
    void theTellerHearsBeforeOtherHandlers() throws InterruptedException {
        inThread(
                () -> {
                    LastWords.tell(heard::add);
                    throw new IllegalStateException("enough");
                },
                (_, e) -> heard.add("then " + e.getMessage()));
        assertThat(heard).containsExactly("has thrown java.lang.IllegalStateException: enough", "then enough");
    }

    @Test
    void aTellerThatFailsHindersNobody() throws InterruptedException {
        inThread(
                () -> {
                    LastWords.tell(_ -> {
                        throw new IllegalStateException("there is no connection");
                    });
                    throw new IllegalStateException("enough");
                },
                (_, e) -> heard.add("then " + e.getMessage()));
        assertThat(heard).containsExactly("then enough");
    }

    @Test
    void whatAProgramCatchesCanBeSaid() throws InterruptedException {
        LastWords.say(new IllegalStateException("before there is a world"));
        inThread(() -> LastWords.tell(heard::add), (_, _) -> {});
        LastWords.say(new IllegalStateException("enough"));
        assertThat(heard).containsExactly("has thrown java.lang.IllegalStateException: enough");
    }

    @Test
    void textsAreBounded() {
        String said = LastWords.of(new IllegalStateException("x".repeat(5000)));
        assertThat(said).hasSize(1003).endsWith("x...");
    }
}
