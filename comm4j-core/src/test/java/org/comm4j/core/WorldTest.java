// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.comm4j.core.rendezvous.Hub;
import org.comm4j.core.rendezvous.HubServer;
import org.comm4j.core.rendezvous.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class WorldTest {

    private static byte[] bytes(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    private static int number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getInt();
    }

    @Test
    void aloneUnlessStartedByALauncher() {
        try (World world = World.join()) {
            assertThat(world).hasToString("World[rank 0 of 1, local 0 of 1, alone]");
            world.publish("k", bytes(5));
            assertThat(number(world.lookup("k"))).isEqualTo(5);
            assertThat(world.exchange("x", bytes(6))).hasSize(1);
            world.barrier();
            assertThatThrownBy(World::join)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has joined its world already, as rank 0 of 1");
        }
        World again = World.join(Duration.ofSeconds(1));
        again.close();
        again.close();
        assertThatThrownBy(again::barrier)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    /** The rendezvous of {@code comm4j run} takes a rank once. */
    @Test
    void aWorldOfOneIsJoinedAgainUnderALauncher() {
        String token = HubServer.newToken();
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        // Not closed: a rank that loses its launcher ends its process.
        HubServer server = HubServer.open(new Hub(1), loopback, token);
        Map<String, String> environment = new HashMap<>(
                Map.of(Job.RANK, "0", Job.SIZE, "1", Job.LOCAL_RANK, "0", Job.LOCAL_SIZE, "1", Job.TOKEN, token));
        environment.put(Job.RENDEZVOUS, "127.0.0.1:" + ((InetSocketAddress) server.address()).getPort());
        environment.put(Job.LAUNCHER, "" + ProcessHandle.current().pid());
        World.forget();
        for (int i = 0; i < 3; i++) {
            try (World world = World.join(environment, null)) {
                assertThat(world.origin()).isEqualTo("comm4j run");
                world.publish("k", bytes(i));
                assertThat(number(world.lookup("k"))).isEqualTo(i);
                world.barrier();
            }
        }
    }

    @Test
    void threadsShareAWorld() {
        int ranks = 8;
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger before = new AtomicInteger();
        World.threads(ranks, world -> {
            assertThat(world.size()).isEqualTo(ranks);
            assertThat(world.localSize()).isEqualTo(ranks);
            assertThat(world.localRank()).isEqualTo(world.rank());
            assertThat(world.origin()).isEqualTo("threads");
            if (world.rank() == 3) {
                world.publish("root", bytes(33));
            }
            assertThat(number(world.lookup("root"))).isEqualTo(33);
            for (int i = 0; i < 20; i++) {
                int round = i;
                List<byte[]> all = world.exchange("k", bytes(100 * world.rank() + i));
                assertThat(all).hasSize(ranks);
                for (int r = 0; r < ranks; r++) {
                    assertThat(number(all.get(r))).isEqualTo(100 * r + round);
                }
            }
            before.incrementAndGet();
            world.barrier();
            assertThat(before.get()).isEqualTo(ranks);
            ran.incrementAndGet();
        });
        assertThat(ran.get()).isEqualTo(ranks);
    }

    @Test
    void theFirstFailureEndsAllThreads() {
        AtomicReferenceArray<Throwable> seen = new AtomicReferenceArray<>(4);
        CountDownLatch forever = new CountDownLatch(1);
        assertThatThrownBy(() -> World.threads(4, world -> {
                    try {
                        switch (world.rank()) {
                            case 0 -> world.barrier();
                            case 1 -> world.lookup("never");
                            case 2 -> {
                                Thread.sleep(100);
                                throw new IllegalArgumentException("broken");
                            }
                            default -> forever.await();
                        }
                    } catch (Exception e) {
                        seen.set(world.rank(), e);
                        throw e;
                    }
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("broken")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("this was rank 2 of 4"));
        // Told by the rendezvous or by the interrupt, whichever comes first.
        assertThat(seen.get(0)).isInstanceOf(CommException.class);
        assertThat(seen.get(1)).isInstanceOf(CommException.class);
        assertThat(seen.get(3)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void checkedExceptionsAreCauses() {
        assertThatThrownBy(() -> World.threads(2, world -> {
                    throw new IOException("disk");
                }))
                .isInstanceOf(CommException.class)
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void abortEndsAllThreads() {
        assertThatThrownBy(() -> World.threads(3, world -> {
                    if (world.rank() == 1) {
                        world.abort(7, "enough");
                    }
                    world.barrier();
                }))
                .isInstanceOf(CommException.class)
                .hasMessageContaining("rank 1 aborted the job with exit code 7: enough");
    }

    @Test
    void aThreadThatReturnsHasLeft() {
        assertThatThrownBy(() -> World.threads(2, world -> {
                    if (world.rank() == 0) {
                        world.barrier();
                    }
                }))
                .isInstanceOf(RankFailedException.class)
                .hasMessageContaining("rank 0: the barrier cannot complete: rank 1 has closed its world");
    }

    @Test
    void valuesAreCopied() {
        World.threads(2, world -> {
            byte[] mine = bytes(world.rank() + 1);
            List<byte[]> all = world.exchange("k", mine);
            mine[3] = 99;
            all.get(1 - world.rank())[3] = 77;
            assertThat(number(world.exchange("again", all.get(world.rank())).get(1 - world.rank())))
                    .isEqualTo(2 - world.rank());
        });
    }

    /** What one rank throws is the end of that one only. */
    @Test
    void threadsThatGoOn() {
        AtomicInteger went = new AtomicInteger();
        assertThatThrownBy(() -> World.threads(3, true, world -> {
                    if (world.rank() == 1) {
                        throw new IllegalStateException("on purpose");
                    }
                    while (world.failedRanks().isEmpty()) {
                        Thread.sleep(1);
                    }
                    assertThat(world.failedRanks()).containsExactly(1);
                    assertThat(world.agree("k", new int[] {0, 1, 2}, new byte[0], Duration.ofSeconds(10))
                                    .keySet())
                            .containsExactly(0, 2);
                    went.incrementAndGet();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("on purpose");
        assertThat(went).hasValue(2);
    }

    @Test
    void wrongArgumentsAreRefused() {
        assertThatThrownBy(() -> World.threads(0, world -> {})).isInstanceOf(IllegalArgumentException.class);
        World.threads(1, world -> {
            assertThatThrownBy(() -> world.barrier(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> world.publish("", new byte[0])).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> world.lookup("")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> world.exchange("", new byte[0])).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> world.exchange("k".repeat(1025), new byte[0]))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> world.abort(0, "fine")).isInstanceOf(IllegalArgumentException.class);
        });
    }
}
