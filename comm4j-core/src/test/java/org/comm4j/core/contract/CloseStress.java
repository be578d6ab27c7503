// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.comm4j.core.CommException;

/**
 * Calls by two threads, while a third one closes something that the calls use: a call that comes too late is an
 * exception, and the library is never called with what is gone, for it would end the process. Pairs of calls and closes
 * come in random order until the time is over, some seconds or {@code -Dcomm4j.stress.seconds}.
 */
public final class CloseStress {
    /** The system property. */
    public static final String SECONDS = "comm4j.stress.seconds";

    /** Calls of each thread, at least. */
    private static final int CALLS = 50;

    /** The objects that the calls of one round use. */
    public interface Things {
        /** Returns calls, by the names of their families. */
        Map<String, Runnable> calls();

        /** Returns what can be closed, by names. */
        Map<String, Runnable> closers();

        /** Closes what is left. */
        void close(String closed);
    }

    private final Supplier<Things> maker;
    private final Map<String, Throwable> wrong = new ConcurrentHashMap<>();
    private final Random random;

    private CloseStress(Supplier<Things> maker, long seed) {
        this.maker = maker;
        this.random = new Random(seed);
    }

    /** Runs rounds for {@code seconds}, unless the property says another number. */
    public static void run(Supplier<Things> maker, int seconds) {
        long seed = System.nanoTime();
        CloseStress stress = new CloseStress(maker, seed);
        Duration time = Duration.ofSeconds(Integer.getInteger(SECONDS, seconds));
        Things first = maker.get();
        List<String[]> pairs = new ArrayList<>();
        for (String call : first.calls().keySet()) {
            first.closers().keySet().forEach(closer -> pairs.add(new String[] {call, closer}));
        }
        first.close("");
        long end = System.nanoTime() + time.toNanos();
        int rounds = 0;
        for (; System.nanoTime() < end; rounds++) {
            int next = rounds % pairs.size();
            if (next == 0) {
                Collections.shuffle(pairs, stress.random);
            }
            stress.round(pairs.get(next)[0], pairs.get(next)[1]);
        }
        System.out.println(
                "seed " + seed + ": " + rounds + " rounds of " + pairs.size() + " pairs of calls and closes");
        assertThat(stress.wrong).as("seed " + seed).isEmpty();
    }

    private void round(String call, String closer) {
        Things things = maker.get();
        Runnable calls = things.calls().get(call);
        Runnable close = things.closers().get(closer);
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; n < CALLS || !over.get(); n++) {
                    attempt(call + " while closing: " + closer, calls);
                }
            }));
        }
        for (int i = random.nextInt(2000); i > 0; i--) {
            Thread.onSpinWait();
        }
        attempt("close of " + closer + " in calls: " + call, close);
        over.set(true);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new AssertionError("nobody knows this thread", e);
        }
        things.close(closer);
    }

    private void attempt(String what, Runnable call) {
        try {
            call.run();
        } catch (IllegalStateException | CommException tooLate) {
            return;
        } catch (Throwable e) {
            wrong.putIfAbsent(what, e);
        }
    }
}
