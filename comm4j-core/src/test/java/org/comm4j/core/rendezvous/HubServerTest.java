// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.RendezvousException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rendezvous between processes, over TCP and over the sockets of one machine. */
@Timeout(20)
class HubServerTest {
    @TempDir
    private Path folder;

    private Rendezvous job = new Rendezvous(Path.of(""));

    @BeforeEach
    void open() {
        job = new Rendezvous(folder);
    }

    @AfterEach
    void close() throws Exception {
        job.close();
    }

    @Test
    void publishesLooksUpAndExchanges() throws Exception {
        List<HubClient> ranks = job.world(job.server(3), 3);
        assertThat(ranks.get(2).cards()).map(String::new).containsExactly("card 0", "card 1", "card 2");
        Future<byte[]> early = job.threads.submit(() -> ranks.get(1).lookup("id", Rendezvous.LONG));
        ranks.get(0).publish("id", Rendezvous.bytes("hello"));
        assertThat(early.get()).asString().isEqualTo("hello");
        assertThat(ranks.get(2).lookup("id", Rendezvous.LONG)).asString().isEqualTo("hello");
        assertThatThrownBy(() -> ranks.get(1).publish("id", Rendezvous.bytes("again")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("rank 1")
                .hasMessageContaining("published before");

        // The same key again and again, from ranks that run ahead of each other.
        List<Future<Void>> all = new ArrayList<>();
        for (int r = 0; r < 3; r++) {
            int me = r;
            all.add(job.threads.submit(() -> {
                Random pauses = new Random(me);
                for (int i = 0; i < 50; i++) {
                    byte[] mine = Rendezvous.bytes(me + ":" + i);
                    assertThat(ranks.get(me).exchange("k", mine, Rendezvous.LONG))
                            .map(String::new)
                            .containsExactly("0:" + i, "1:" + i, "2:" + i);
                    Thread.sleep(0, pauses.nextInt(200_000));
                }
                return null;
            }));
        }
        for (Future<Void> one : all) {
            one.get();
        }
    }

    @Test
    void carriesLargeValues() throws Exception {
        List<HubClient> ranks = job.world(job.server(2), 2);
        byte[] large = new byte[Hub.VALUE_LIMIT];
        new Random(7).nextBytes(large);
        ranks.get(0).publish("large", large);
        assertThat(Arrays.equals(ranks.get(1).lookup("large", Rendezvous.LONG), large))
                .isTrue();
        assertThatThrownBy(() -> ranks.get(0).publish("larger", new byte[Hub.VALUE_LIMIT + 1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16777217");
        Future<?> other = job.threads.submit(() -> ranks.get(1).exchange("sum", large, Rendezvous.LONG));
        assertThatThrownBy(() -> ranks.get(0).exchange("sum", Rendezvous.bytes("+"), Rendezvous.LONG))
                .isInstanceOf(CommException.class)
                .hasMessageContaining("16777217 bytes");
        Rendezvous.failure(other, CommException.class);
        assertThatThrownBy(() -> ranks.get(0).publish("k".repeat(1025), large))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void timeoutsNameWhoDidNotCome() throws Exception {
        List<HubClient> ranks = job.world(job.server(4), 4);
        Duration brief = Duration.ofMillis(200);
        assertThatThrownBy(() -> ranks.get(2).lookup("nothing", brief))
                .isInstanceOf(CommTimeoutException.class)
                .hasMessage("rank 2 waited 0.2 s in the lookup of 'nothing': nobody has published it");
        Future<?> one =
                job.threads.submit(() -> ranks.get(1).exchange(Hub.BARRIER, new byte[0], Duration.ofSeconds(2)));
        Thread.sleep(100);
        assertThatThrownBy(() -> ranks.get(0).exchange(Hub.BARRIER, new byte[0], brief))
                .isInstanceOf(CommTimeoutException.class)
                .hasMessage("rank 0 waited 0.2 s in the barrier: ranks 2 and 3 of 4 did not come");
        // Rank 0 gave up and has not taken part: now all four are needed again.
        List<Future<?>> others = new ArrayList<>();
        for (int r : new int[] {0, 2, 3}) {
            others.add(job.threads.submit(() -> ranks.get(r).exchange(Hub.BARRIER, new byte[0], Rendezvous.LONG)));
        }
        one.get();
        for (Future<?> other : others) {
            other.get();
        }
    }

    @Test
    void aMissingRankIsNamedToAll() {
        HubServer server = job.server(4);
        long start = System.nanoTime();
        Future<?> zero = job.join(server, 0, 4, Duration.ofMillis(500), Rendezvous.TOKEN);
        Future<?> two = job.join(server, 2, 4, Rendezvous.LONG, Rendezvous.TOKEN);
        for (Future<?> one : List.of(zero, two)) {
            assertThat(Rendezvous.failure(one, RendezvousException.class))
                    .hasMessageContaining("the world of 4 ranks was not formed: ranks 1 and 3 did not join within 0.4");
        }
        assertThat(System.nanoTime() - start).isLessThan(Rendezvous.LONG.toNanos());
        assertThat(Rendezvous.failure(
                        job.join(server, 1, 4, Rendezvous.LONG, Rendezvous.TOKEN), RendezvousException.class))
                .hasMessageContaining("rank 1 comes too late");
    }

    @Test
    void duplicateOutOfRangeAndDisagreeingRanksAreRefused() throws Exception {
        HubServer server = job.server(2);
        // Whichever of the two comes second is the duplicate.
        Future<HubClient> one = job.join(server, 0, 2, Rendezvous.LONG, Rendezvous.TOKEN);
        Future<HubClient> other = job.join(server, 0, 2, Rendezvous.LONG, Rendezvous.TOKEN);
        while (!one.isDone() && !other.isDone()) {
            Thread.sleep(1);
        }
        Future<HubClient> zero = one.isDone() ? other : one;
        assertThat(Rendezvous.failure(one.isDone() ? one : other, RendezvousException.class))
                .hasMessageContaining("rank 0 is there already");
        assertThat(Rendezvous.failure(
                        job.join(server, 2, 2, Rendezvous.LONG, Rendezvous.TOKEN), RendezvousException.class))
                .hasMessageContaining("rank 2 is out of range: this job has ranks 0 to 1");
        assertThat(Rendezvous.failure(
                        job.join(server, -1, 2, Rendezvous.LONG, Rendezvous.TOKEN), RendezvousException.class))
                .hasMessageContaining("rank -1 is out of range");
        assertThat(Rendezvous.failure(
                        job.join(server, 1, 3, Rendezvous.LONG, Rendezvous.TOKEN), RendezvousException.class))
                .hasMessageContaining("rank 1 says that the job has 3 ranks, the rendezvous expects 2");
        assertThat(job.refusals).hasSize(4);
        job.join(server, 1, 2, Rendezvous.LONG, Rendezvous.TOKEN).get();
        zero.get();
    }

    @Test
    void aLostConnectionFailsTheRankForAllWhoWait() throws Exception {
        List<HubClient> ranks = job.world(job.server(4), 4);
        ranks.get(3).publish("before", Rendezvous.bytes("kept"));
        Future<?> barrier = job.threads.submit(() -> ranks.get(0).exchange(Hub.BARRIER, new byte[0], Rendezvous.LONG));
        Future<?> lookup = job.threads.submit(() -> ranks.get(1).lookup("never", Rendezvous.LONG));
        Thread.sleep(100);
        long start = System.nanoTime();
        ranks.get(3).disconnect();
        for (Future<?> one : List.of(barrier, lookup)) {
            RankFailedException e = Rendezvous.failure(one, RankFailedException.class);
            assertThat(e.failedRank()).isEqualTo(3);
            assertThat(e).hasMessageContaining("rank 3 died: its connection ended without goodbye");
        }
        assertThat(System.nanoTime() - start).isLessThan(Rendezvous.LONG.toNanos());
        while (ranks.get(2).failedRanks().isEmpty()) {
            assertThat(System.nanoTime() - start).isLessThan(Rendezvous.LONG.toNanos());
            Thread.sleep(1);
        }
        assertThat(ranks.get(2).failedRanks()).containsExactly(3);
        assertThat(ranks.get(2).lookup("before", Rendezvous.LONG)).asString().isEqualTo("kept");
        assertThatThrownBy(() -> ranks.get(2).lookup("later", Rendezvous.LONG)).isInstanceOf(RankFailedException.class);
    }

    @Test
    void whenTheHostingRankDiesTheOthersNameIt() throws Exception {
        HubServer server = job.server(1);
        HubClient client = HubClient.join(
                () -> new Invitation(server.address(), Rendezvous.TOKEN, 5),
                false,
                0,
                1,
                new byte[0],
                Rendezvous.LONG,
                new Watcher() {});
        Future<?> lookup = job.threads.submit(() -> client.lookup("never", Rendezvous.LONG));
        Thread.sleep(100);
        server.close();
        assertThat(Rendezvous.failure(lookup, RankFailedException.class))
                .hasMessageContaining("rank 0: rank 5, which hosted the rendezvous, died");
        assertThat(client.failedRanks()).containsExactly(5);
        assertThatThrownBy(() -> client.publish("k", Rendezvous.bytes("v"))).isInstanceOf(RankFailedException.class);
    }

    @Test
    void leavingInPeaceIsNoFailure() throws Exception {
        List<HubClient> ranks = job.world(job.server(3), 3);
        ranks.get(2).close();
        ranks.get(2).disconnect();
        assertThatThrownBy(() -> ranks.get(0).exchange(Hub.BARRIER, new byte[0], Rendezvous.LONG))
                .isInstanceOf(RankFailedException.class)
                .hasMessageContaining("rank 0: the barrier cannot complete: rank 2 has closed its world");
        assertThat(ranks.get(0).failedRanks()).isEmpty();
        Future<byte[]> lookup = job.threads.submit(() -> ranks.get(0).lookup("still", Rendezvous.LONG));
        ranks.get(1).publish("still", Rendezvous.bytes("works"));
        assertThat(lookup.get()).asString().isEqualTo("works");
        ranks.get(1).close();
        assertThatThrownBy(() -> ranks.get(0).lookup("never", Rendezvous.LONG)).isInstanceOf(RankFailedException.class);
        assertThat(Rendezvous.failure(
                        job.join(job.server(1), 0, 2, Rendezvous.LONG, Rendezvous.TOKEN), RendezvousException.class))
                .hasMessageContaining("2 ranks");
    }

    /** A program's exception is seen behind the end of its blocks, which close the world. */
    @Test
    void aRankThatHasLeftMaySayWhatEndedIt() throws Exception {
        List<HubClient> ranks = job.world(job.server(3), 3);
        assertThat(ranks.get(1).fate(2)).isNull();
        ranks.get(2).close();
        ranks.get(2).fail("has thrown a ball");
        while (ranks.get(1).fate(2) == null) {
            Thread.sleep(1);
        }
        assertThat(ranks.get(1).fate(2)).isEqualTo("has thrown a ball");
        assertThat(ranks.get(1).failedRanks()).containsExactly(2);
        assertThatThrownBy(() -> ranks.get(0).exchange(Hub.BARRIER, new byte[0], Rendezvous.LONG))
                .isInstanceOf(RankFailedException.class)
                .hasMessageContaining("the barrier cannot complete: rank 2 has thrown a ball");
    }

    /** A wait that ends because a rank has left gives that one time to say why. */
    @Test
    void aWaitForARankThatHasLeftTellsWhatEndedThat() throws Exception {
        List<HubClient> ranks = job.world(job.server(2), 2);
        Future<?> barrier = job.threads.submit(() -> ranks.get(0).exchange(Hub.BARRIER, new byte[0], Rendezvous.LONG));
        ranks.get(1).close();
        ranks.get(1).fail("has thrown a ball");
        assertThat(Rendezvous.failure(barrier, RankFailedException.class))
                .hasMessageContaining("the barrier cannot complete: rank 1 has thrown a ball");
    }

    @Test
    void aRankThatDiesBeforeAllHaveJoinedEndsTheWait() throws Exception {
        HubServer server = job.server(3);
        Future<?> zero = job.join(server, 0, 3, Rendezvous.LONG, Rendezvous.TOKEN);
        Socket socket = job.connect(server);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        Message.Hello ignored = Rendezvous.greet(socket, in, 1, 3, Rendezvous.TOKEN);
        assertThat(Message.read(in, Message.LIMIT)).isInstanceOf(Message.Proven.class);
        socket.close();
        assertThat(Rendezvous.failure(zero, RendezvousException.class))
                .hasMessageContaining("the world of 3 ranks was not formed: rank 1 died");
    }

    @Test
    void waitsCanBeInterrupted() throws Exception {
        List<HubClient> ranks = job.world(job.server(2), 2);
        List<Throwable> thrown = new ArrayList<>();
        Thread waiter = Thread.ofPlatform().start(() -> {
            try {
                ranks.get(0).lookup("never", Rendezvous.LONG);
            } catch (CommException e) {
                thrown.add(e);
                thrown.add(Thread.currentThread().isInterrupted() ? e : null);
            }
        });
        Thread.sleep(100);
        waiter.interrupt();
        assertThat(waiter.join(Duration.ofSeconds(2))).isTrue();
        assertThat(thrown).hasSize(2).doesNotContainNull();
        assertThat(thrown.getFirst()).hasMessageContaining("rank 0 was interrupted in the lookup of 'never'");
    }

    @Test
    void nobodyThereIsSaidAtOnceOrAfterTheTimeout() throws Exception {
        HubServer gone = job.server(2);
        gone.close();
        assertThat(Rendezvous.failure(
                        job.join(gone, 1, 2, Rendezvous.LONG, Rendezvous.TOKEN), RendezvousException.class))
                .hasMessageContaining("does not answer");
        assertThatThrownBy(() -> HubClient.join(
                        () -> new Invitation(gone.address(), Rendezvous.TOKEN, 0),
                        true,
                        1,
                        2,
                        new byte[0],
                        Duration.ofMillis(300),
                        new Watcher() {}))
                .isInstanceOf(RendezvousException.class)
                .hasMessageContaining("rank 1 of 2 waited 0.3 s")
                .hasMessageContaining("does not answer");
    }

    @Test
    void ranksOfOneMachineNeedNoTokenAndNobodyElseComesNear() throws Exception {
        HubServer server = job.localServer(2);
        Future<HubClient> zero = job.join(server, 0, 2, Rendezvous.LONG, "");
        HubClient one = job.join(server, 1, 2, Rendezvous.LONG, "").get();
        one.publish("id", Rendezvous.bytes("hello"));
        assertThat(zero.get().lookup("id", Rendezvous.LONG)).asString().isEqualTo("hello");
        zero.get().disconnect();
        assertThatThrownBy(() -> one.exchange(Hub.BARRIER, new byte[0], Rendezvous.LONG))
                .isInstanceOf(RankFailedException.class)
                .hasMessageContaining("rank 0 died");
        assertThat(job.refusals).isEmpty();
    }

    /** An interrupt closes a channel in whose middle it comes; a rank must not die of one. */
    @Test
    void aRankThatIsInterruptedStaysConnected() throws Exception {
        HubServer server = job.localServer(2);
        Future<HubClient> zero = job.join(server, 0, 2, Rendezvous.LONG, Rendezvous.TOKEN);
        HubClient one =
                job.join(server, 1, 2, Rendezvous.LONG, Rendezvous.TOKEN).get();
        Future<String> interrupted = job.threads.submit(() -> {
            Thread.currentThread().interrupt();
            try {
                one.publish("k", Rendezvous.bytes("v"));
                // The answer was there before anybody had to wait for it.
                return Thread.interrupted() ? "done" : "the interrupt is lost";
            } catch (CommException e) {
                return String.valueOf(e.getMessage());
            }
        });
        assertThat(interrupted.get(5, TimeUnit.SECONDS))
                .satisfiesAnyOf(
                        text -> assertThat(text).isEqualTo("done"),
                        text -> assertThat(text).contains("rank 1 was interrupted in publishing 'k'"));
        assertThat(zero.get().lookup("k", Rendezvous.LONG)).asString().isEqualTo("v");
        one.close();
        assertThat(zero.get().failedRanks()).isEmpty();
    }

    @Test
    void ranksAreAskedWhatTheyAreDoing() throws Exception {
        HubServer server = job.localServer(2);
        Future<HubClient> zero = job.join(server, 0, 2, Rendezvous.LONG, Rendezvous.TOKEN);
        HubClient one =
                job.join(server, 1, 2, Rendezvous.LONG, Rendezvous.TOKEN).get();
        assertThat(zero.get().cards()).hasSize(2);
        assertThat(server.report(Rendezvous.LONG)).isEmpty();
        one.close();
        // It has left, but its process may hang all the same.
        assertThat(server.connected()).containsExactlyInAnyOrder(0, 1);
        assertThat(server.report(Rendezvous.LONG)).isEmpty();
        one.disconnect();
        while (server.connected().size() > 1) {
            Thread.sleep(1);
        }
    }
}
