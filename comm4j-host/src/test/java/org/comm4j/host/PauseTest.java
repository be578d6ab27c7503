// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.World;
import org.comm4j.ffi.OperatingSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link Pause} with peers that do what a test wants. */
@Timeout(30)
class PauseTest {
    private static final class Peers implements Pause.Peers {
        private volatile int gone = -1;
        private int asked;
        private int askedFor;

        @Override
        public int gone(int peer) {
            asked++;
            askedFor = peer;
            return gone;
        }

        @Override
        public String waitedFor(int peer) {
            return "peer " + peer;
        }

        @Override
        public String waiter() {
            return "the test";
        }
    }

    private interface Body {
        void run(SharedHeap heap, Peers peers, Pause pause) throws Exception;
    }

    private static void withPause(Body body) {
        World.threads(1, world -> {
            SharedHeap heap = SharedHeap.open(world, 1 << 20);
            Peers peers = new Peers();
            try {
                body.run(heap, peers, new Pause(heap, peers));
            } finally {
                heap.close();
            }
        });
    }

    private static void forever(Pause pause) {
        while (true) {
            pause.once();
        }
    }

    /** Waits until {@code pause} has slept {@code times}. */
    private static void naps(Pause pause, SharedHeap heap, int times) {
        for (int i = 0; i < times; ) {
            heap.ring(0);
            i += heap.sleepers();
            pause.once();
        }
    }

    private static void nanos(Pause pause, long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            pause.once();
        }
    }

    @Test
    void timesOut() {
        withPause((heap, peers, pause) -> {
            pause.begin("get", Duration.ofMillis(120).toNanos(), 5);
            long start = System.nanoTime();
            assertThatThrownBy(() -> forever(pause))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageMatching("get on the test: waited \\d+\\.\\d s for peer 5 in vain, "
                            + "though no rank died \\(timeout 0\\.1 s\\)");
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(120_000_000);
        });
    }

    @Test
    void looksAroundNowAndThenOnly() {
        withPause((heap, peers, pause) -> {
            pause.begin("get", 0, 3);
            nanos(pause, 700_000_000);
            pause.end();
            assertThat(peers.asked).isBetween(1, 4);
            assertThat(peers.askedFor).isEqualTo(3);
        });
    }

    @Test
    void whatCameBeforeThePeerLeftCounts() {
        withPause((heap, peers, pause) -> {
            peers.gone = 0;
            pause.begin("get", 0, 7);
            assertThatThrownBy(() -> forever(pause))
                    .isInstanceOfSatisfying(
                            RankFailedException.class,
                            e -> assertThat(e.failedRank()).isEqualTo(0))
                    .hasMessageMatching(
                            "get on the test: rank 0 \\(process \\d+\\) has closed already, while this one waits for"
                                    + " peer 7");

            // The peer is found gone, and the condition is looked at once more before that is reported.
            pause.begin("get", 0, 7);
            while (peers.asked < 2) {
                pause.once();
            }
            pause.end();

            // Found gone, but then it is another one that is waited for.
            pause.begin("get", 0, 7);
            while (peers.asked < 3) {
                pause.once();
            }
            peers.gone = -1;
            pause.moveOn(8);
            nanos(pause, 400_000_000);
            pause.end();
            assertThat(peers.askedFor).isEqualTo(8);
        });
    }

    @Test
    void aTimeoutStartsAgainWhenTheWaitMovesOn() {
        withPause((heap, peers, pause) -> {
            pause.begin("get", Duration.ofMillis(600).toNanos(), 1);
            for (int i = 0; i < 4; i++) {
                nanos(pause, 200_000_000);
                pause.moveOn(1);
            }
            pause.end();
        });
    }

    @Test
    void anInterruptEndsTheWaitAndStaysSet() {
        withPause((heap, peers, pause) -> {
            Thread.currentThread().interrupt();
            pause.begin("get", 0, 1);
            assertThatThrownBy(() -> forever(pause))
                    .isExactlyInstanceOf(CommException.class)
                    .hasMessage("get on the test: interrupted while it waited for peer 1");
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    /** A rank that is often late must not make the others collect garbage. */
    @Test
    void aWaitThatSleepsAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        withPause((heap, peers, pause) -> {
            long least = Long.MAX_VALUE;
            // The first wait links what it calls, and the JVM may compile a call in any of them.
            for (int i = 0; i < 20 && least > 0; i++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                pause.begin("get", 0, 1);
                naps(pause, heap, 10);
                pause.end();
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).as("bytes of a wait that sleeps ten times").isZero();
        });
    }

    /**
     * The count of sleepers is what writers look at: one that stays behind would cost every later put a system call.
     */
    @Test
    void noSleeperStaysAnnounced() {
        withPause((heap, peers, pause) -> {
            for (int i = 0; i < 3; i++) {
                pause.begin("get", Duration.ofMillis(60).toNanos(), 1);
                assertThatThrownBy(() -> forever(pause)).isInstanceOf(CommTimeoutException.class);
                pause.begin("get", 0, 1);
                nanos(pause, 20_000_000);
                assertThat(heap.sleepers()).isEqualTo(1);
                pause.end();
                pause.end();
                assertThat(heap.sleepers()).isZero();
            }
        });
    }

    /** A put does not wake who waits for others to come to a step; who waits for stores it does. */
    @Test
    void aStoreWakesWhoWaitsForStoresOnly() {
        withPause((heap, peers, pause) -> {
            int doorbell = heap.announceSleep(false);
            heap.ring(0);
            assertThat(heap.nap(doorbell)).isEqualTo(doorbell);
            heap.ringAll();
            assertThat(heap.nap(doorbell)).isEqualTo(doorbell + 1);

            doorbell = heap.announceSleep(true);
            heap.ring(0);
            assertThat(heap.nap(doorbell)).isEqualTo(doorbell + 1);
            heap.ringAll();
            assertThat(heap.nap(doorbell)).isEqualTo(doorbell + 2);
            heap.withdrawSleep(true);
            heap.withdrawSleep(false);
            heap.ringAll();
            heap.ring(0);
            assertThat(heap.nap(doorbell)).isEqualTo(doorbell + 2);
            assertThat(heap.sleepers()).isZero();
        });
    }

    /** Two ranks on one processor in turns: whoever spins there keeps the other from coming. */
    @Test
    void whoSharesAProcessorSoonLetsTheOtherRun() {
        OperatingSystem system = OperatingSystem.current();
        AtomicLong steps = new AtomicLong();
        int[] fewest = new int[2];
        World.threads(2, world -> {
            int rank = world.rank();
            SharedHeap heap = SharedHeap.open(world, 1 << 20);
            Pause pause = new Pause(heap, new Peers());
            int most = pause.spins();
            fewest[rank] = most;
            system.bindThread(0, system.processors().cardinality());
            for (int i = 0; i < 1000; i++) {
                pause.begin("turn", 0, 1 - rank);
                while (steps.get() < 2L * i + rank) {
                    pause.once();
                }
                pause.end();
                fewest[rank] = Math.min(fewest[rank], pause.spins());
                steps.incrementAndGet();
            }
            for (int i = 0; i < 10; i++) {
                pause.begin("turn", 0, 1 - rank);
                pause.once();
                pause.end();
            }
            assertThat(pause.spins()).as("after waits that spinning ended").isEqualTo(most);
            heap.close();
        });
        assertThat(fewest).containsOnly(2);
    }
}
