// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Each family of calls by two threads, while a third one closes each thing that the calls use: whoever comes too late gets an exception, and
 * the library is never called with what is gone, for it would end the process. For one PE, because closing is collective.
 */
class CloseStressContract {
    /** Calls of each thread, at least. */
    private static final int CALLS = 50;

    private final Map<String, Throwable> wrong = new ConcurrentHashMap<>();
    private long rounds;

    @BeforeEach
    void nothingIsOpen() {
        Pes.close();
    }

    /** What the calls of one round use. */
    private static final class Things {
        final Nvshmem shmem = Pes.current();
        final Stream stream = Pes.device().newStream();
        final SymmetricArray x = shmem.allocate(DataType.FLOAT32, 256);
        final SymmetricArray y = shmem.allocate(DataType.FLOAT32, 256);
        final SymmetricArray n = shmem.allocate(DataType.UINT64, 4);
        final Team team = Objects.requireNonNull(shmem.world().splitStrided(0, 1, shmem.nPes()));

        Map<String, Runnable> families() {
            Map<String, Runnable> calls = new LinkedHashMap<>();
            calls.put("put in a stream", () -> shmem.put(x, y, 0, stream));
            calls.put("put", () -> shmem.put(x, y, 0));
            calls.put("get", () -> shmem.get(y, x, 0));
            calls.put("one value", () -> {
                shmem.p(n, 0, 1, 0);
                assertThat(shmem.g(n, 0, 0)).isNotNegative();
            });
            calls.put("signal", () -> shmem.putSignal(x, y, n, 1, 1, SignalOp.SET, 0, stream));
            calls.put("barrier", () -> shmem.barrierAll(stream));
            calls.put("quiet", () -> shmem.quiet(stream));
            calls.put("team in a stream", () -> team.sync(stream));
            calls.put("reduction", () -> team.reduce(x, y, ReduceOp.SUM, stream));
            calls.put("config", () -> assertThat(team.config()).isNotNull());
            calls.put("ptr", () -> assertThat(shmem.ptr(x, 0).address()).isNotZero());
            calls.put("synchronize", () -> shmem.synchronize(stream));
            return calls;
        }

        Map<String, Runnable> closers() {
            Map<String, Runnable> closers = new LinkedHashMap<>();
            closers.put("memory", x::close);
            closers.put("signals", n::close);
            closers.put("team", team::close);
            closers.put("stream", stream::close);
            closers.put("NVSHMEM", shmem::close);
            return closers;
        }

        void close() {
            team.close();
            n.close();
            y.close();
            x.close();
            stream.close();
        }
    }

    @Test
    void noCallMeetsWhatAnotherThreadCloses() {
        assertThat(Pes.world().size()).isOne();
        Things first = new Things();
        List<String> families = List.copyOf(first.families().keySet());
        List<String> closers = List.copyOf(first.closers().keySet());
        first.close();
        long end = System.nanoTime()
                + Duration.ofSeconds(Integer.getInteger("comm4j.stress.seconds", 1))
                        .toNanos();
        do {
            for (String family : families) {
                closers.forEach(closer -> round(family, closer));
            }
        } while (System.nanoTime() < end);
        System.out.println(rounds + " rounds of calls and closes");
        assertThat(wrong).isEmpty();
    }

    private void round(String family, String closer) {
        Things things = new Things();
        Runnable call = things.families().get(family);
        Runnable close = things.closers().get(closer);
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; n < CALLS || !over.get(); n++) {
                    attempt(family + " while closing: " + closer, call);
                }
            }));
        }
        int delay = (int) (rounds++ % 20);
        for (int i = 0; i < 100 * delay; i++) {
            Thread.onSpinWait();
        }
        attempt("close of " + closer + " in calls: " + family, close);
        over.set(true);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new AssertionError("nobody knows this thread", e);
        }
        things.close();
        if (!things.shmem.isOpen() && !closer.equals("NVSHMEM")) {
            wrong.putIfAbsent(family + " while closing: " + closer, new AssertionError(things.shmem.toString()));
            Pes.close();
        }
    }

    private void attempt(String what, Runnable call) {
        try {
            call.run();
        } catch (IllegalStateException | CommException tooLate) {
            return;
        } catch (Throwable e) {
            // An array of an Nvshmem that was closed meanwhile is of no other one.
            wrong.putIfAbsent(what, e);
        }
    }
}
