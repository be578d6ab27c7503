// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.RendezvousException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rendezvous over TCP: what it is for, and what strangers and broken peers do to it. */
@Timeout(20)
class HubServerTest {
    private static final String TOKEN = HubServer.newToken();
    private static final int HELLO_MILLIS = 500;
    private static final Duration LONG = Duration.ofSeconds(10);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> refusals = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : open) {
            resource.close();
        }
        threads.shutdownNow();
        assertThat(threads.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
    }

    private HubServer server(int size) {
        Hub hub = new Hub(size);
        hub.watch(new Watcher() {
            @Override
            public void refused(String why) {
                refusals.add(why);
            }
        });
        HubServer server =
                HubServer.open(hub, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TOKEN, HELLO_MILLIS);
        open.add(server);
        return server;
    }

    private Future<HubClient> join(HubServer server, int rank, int size, Duration patience, String token) {
        return threads.submit(() -> {
            HubClient client = HubClient.join(
                    () -> new Invitation(server.address(), token, -1),
                    false,
                    rank,
                    size,
                    ("card " + rank).getBytes(StandardCharsets.UTF_8),
                    patience,
                    new Watcher() {});
            synchronized (open) {
                open.add(client::disconnect);
            }
            return client;
        });
    }

    private List<HubClient> world(HubServer server, int size) throws Exception {
        List<Future<HubClient>> joining = IntStream.range(0, size)
                .mapToObj(r -> join(server, r, size, LONG, TOKEN))
                .toList();
        List<HubClient> clients = new ArrayList<>();
        for (Future<HubClient> client : joining) {
            clients.add(client.get());
        }
        return clients;
    }

    private Socket connect(HubServer server) throws IOException {
        Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort());
        open.add(socket);
        socket.setSoTimeout(8_000);
        return socket;
    }

    /** What the server says to a connection that starts with these bytes; null if it just closes it. */
    private Message answerTo(HubServer server, byte[] bytes) throws IOException {
        Socket socket = connect(server);
        try {
            socket.getOutputStream().write(bytes);
            return Message.read(new DataInputStream(socket.getInputStream()), Message.LIMIT);
        } catch (IOException e) {
            // It closed the connection with some of our bytes unread.
            return null;
        }
    }

    private static byte[] frame(int length, byte... content) {
        return ByteBuffer.allocate(8 + 4 + content.length)
                .put(Message.preamble())
                .putInt(length)
                .put(content)
                .array();
    }

    private static <T extends Throwable> T failure(Future<?> future, Class<T> type) {
        ExecutionException e = catchThrowableOfType(ExecutionException.class, () -> future.get(15, TimeUnit.SECONDS));
        assertThat(e).isNotNull();
        assertThat(e.getCause()).isInstanceOf(type);
        return type.cast(e.getCause());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void publishesLooksUpAndExchanges() throws Exception {
        List<HubClient> ranks = world(server(3), 3);
        assertThat(ranks.get(2).cards()).map(String::new).containsExactly("card 0", "card 1", "card 2");
        Future<byte[]> early = threads.submit(() -> ranks.get(1).lookup("id", LONG));
        ranks.get(0).publish("id", bytes("hello"));
        assertThat(early.get()).asString().isEqualTo("hello");
        assertThat(ranks.get(2).lookup("id", LONG)).asString().isEqualTo("hello");
        assertThatThrownBy(() -> ranks.get(1).publish("id", bytes("again")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("rank 1")
                .hasMessageContaining("published before");

        // The same key again and again, from ranks that run ahead of each other.
        List<Future<Void>> all = new ArrayList<>();
        for (int r = 0; r < 3; r++) {
            int me = r;
            all.add(threads.submit(() -> {
                Random pauses = new Random(me);
                for (int i = 0; i < 50; i++) {
                    byte[] mine = bytes(me + ":" + i);
                    assertThat(ranks.get(me).exchange("k", mine, LONG))
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
        List<HubClient> ranks = world(server(2), 2);
        byte[] large = new byte[Hub.VALUE_LIMIT];
        new Random(7).nextBytes(large);
        ranks.get(0).publish("large", large);
        assertThat(Arrays.equals(ranks.get(1).lookup("large", LONG), large)).isTrue();
        assertThatThrownBy(() -> ranks.get(0).publish("larger", new byte[Hub.VALUE_LIMIT + 1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16777217");
        Future<?> other = threads.submit(() -> ranks.get(1).exchange("sum", large, LONG));
        assertThatThrownBy(() -> ranks.get(0).exchange("sum", bytes("+"), LONG))
                .isInstanceOf(CommException.class)
                .hasMessageContaining("16777217 bytes");
        failure(other, CommException.class);
        assertThatThrownBy(() -> ranks.get(0).publish("k".repeat(1025), large))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void timeoutsNameWhoDidNotCome() throws Exception {
        List<HubClient> ranks = world(server(4), 4);
        Duration brief = Duration.ofMillis(200);
        assertThatThrownBy(() -> ranks.get(2).lookup("nothing", brief))
                .isInstanceOf(CommTimeoutException.class)
                .hasMessage("rank 2 waited 0.2 s in the lookup of 'nothing': nobody has published it");
        Future<?> one = threads.submit(() -> ranks.get(1).exchange(Hub.BARRIER, new byte[0], Duration.ofSeconds(2)));
        Thread.sleep(100);
        assertThatThrownBy(() -> ranks.get(0).exchange(Hub.BARRIER, new byte[0], brief))
                .isInstanceOf(CommTimeoutException.class)
                .hasMessage("rank 0 waited 0.2 s in the barrier: ranks 2 and 3 of 4 did not come");
        // Rank 0 gave up and has not taken part: now all four are needed again.
        List<Future<?>> others = new ArrayList<>();
        for (int r : new int[] {0, 2, 3}) {
            others.add(threads.submit(() -> ranks.get(r).exchange(Hub.BARRIER, new byte[0], LONG)));
        }
        one.get();
        for (Future<?> other : others) {
            other.get();
        }
    }

    @Test
    void aMissingRankIsNamedToAll() {
        HubServer server = server(4);
        long start = System.nanoTime();
        Future<?> zero = join(server, 0, 4, Duration.ofMillis(500), TOKEN);
        Future<?> two = join(server, 2, 4, LONG, TOKEN);
        for (Future<?> one : List.of(zero, two)) {
            assertThat(failure(one, RendezvousException.class))
                    .hasMessageContaining("the world of 4 ranks was not formed: ranks 1 and 3 did not join within 0.4");
        }
        assertThat(System.nanoTime() - start).isLessThan(LONG.toNanos());
        assertThat(failure(join(server, 1, 4, LONG, TOKEN), RendezvousException.class))
                .hasMessageContaining("rank 1 comes too late");
    }

    @Test
    void wrongTokenIsRefusedAndTheJobGoesOn() throws Exception {
        HubServer server = server(2);
        Future<HubClient> zero = join(server, 0, 2, LONG, TOKEN);
        assertThat(failure(join(server, 1, 2, LONG, TOKEN.replace(TOKEN.charAt(3), 'x')), RendezvousException.class))
                .hasMessageContaining("rank 1")
                .hasMessageContaining("wrong token");
        assertThat(refusals).singleElement().asString().contains("wrong token");
        join(server, 1, 2, LONG, TOKEN).get();
        zero.get();
    }

    @Test
    void refusalsAreMentionedWhenRanksAreMissing() {
        HubServer server = server(2);
        Future<?> zero = join(server, 0, 2, Duration.ofSeconds(1), TOKEN);
        failure(join(server, 1, 2, LONG, "guess"), RendezvousException.class);
        assertThat(failure(zero, RendezvousException.class))
                .hasMessageContaining("rank 1 did not join")
                .hasMessageContaining("turned away meanwhile: a connection from 127.0.0.1:")
                .hasMessageContaining("wrong token");
    }

    @Test
    void duplicateOutOfRangeAndDisagreeingRanksAreRefused() throws Exception {
        HubServer server = server(2);
        // Whichever of the two comes second is the duplicate.
        Future<HubClient> one = join(server, 0, 2, LONG, TOKEN);
        Future<HubClient> other = join(server, 0, 2, LONG, TOKEN);
        while (!one.isDone() && !other.isDone()) {
            Thread.sleep(1);
        }
        Future<HubClient> zero = one.isDone() ? other : one;
        assertThat(failure(one.isDone() ? one : other, RendezvousException.class))
                .hasMessageContaining("rank 0 is there already");
        assertThat(failure(join(server, 2, 2, LONG, TOKEN), RendezvousException.class))
                .hasMessageContaining("rank 2 is out of range: this job has ranks 0 to 1");
        assertThat(failure(join(server, -1, 2, LONG, TOKEN), RendezvousException.class))
                .hasMessageContaining("rank -1 is out of range");
        assertThat(failure(join(server, 1, 3, LONG, TOKEN), RendezvousException.class))
                .hasMessageContaining("rank 1 says that the job has 3 ranks, the rendezvous expects 2");
        assertThat(refusals).hasSize(4);
        join(server, 1, 2, LONG, TOKEN).get();
        zero.get();
    }

    @Test
    void garbageIsRefusedAndTheJobGoesOn() throws Exception {
        HubServer server = server(2);
        Future<HubClient> zero = join(server, 0, 2, LONG, TOKEN);
        Random random = new Random(42);
        byte[] noise = new byte[4096];
        random.nextBytes(noise);
        assertThat(answerTo(server, bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))).isNotInstanceOf(Message.Welcome.class);
        assertThat(answerTo(server, noise)).isNotInstanceOf(Message.Welcome.class);
        // The right opening, then nonsense: too long, negative, empty, unknown kind, cut short, trailing bytes, wrong
        // version.
        assertRefused(server, frame(Message.HELLO_LIMIT + 1, (byte) 0), "a message of 4097 bytes, where 1 to 4096 are");
        assertRefused(server, frame(-1, (byte) 0), "a message of 4294967295 bytes");
        assertRefused(server, frame(0, (byte) 0), "a message of 0 bytes");
        assertRefused(server, frame(1, (byte) 99), "unknown kind 99");
        assertRefused(server, frame(3, (byte) 0, (byte) 1, (byte) 2), "cut short");
        assertRefused(server, frame(6, new byte[] {0, 0x7f, -1, -1, -1, 0}), "cut short");
        assertRefused(server, frame(2, (byte) 4, (byte) 4), "1 bytes too many");
        assertRefused(server, frame(1, (byte) 4), "it did not say who it is");
        byte[] otherVersion = frame(1, (byte) 4);
        otherVersion[7] = 9;
        assertRefused(server, otherVersion, "it speaks version 9 of the protocol");
        connect(server).close();
        join(server, 1, 2, LONG, TOKEN).get();
        zero.get();
    }

    private void assertRefused(HubServer server, byte[] bytes, String why) throws IOException {
        assertThat(answerTo(server, bytes))
                .isInstanceOf(Message.Refused.class)
                .asString()
                .contains(why);
    }

    @Test
    void aConnectionThatSaysNothingIsTurnedAway() throws Exception {
        HubServer server = server(1);
        Socket silent = connect(server);
        Socket half = connect(server);
        half.getOutputStream().write(Message.preamble(), 0, 5);
        join(server, 0, 1, LONG, TOKEN).get();
        for (Socket socket : List.of(silent, half)) {
            Message answer = Message.read(new DataInputStream(socket.getInputStream()), Message.LIMIT);
            assertThat(answer).asString().contains("it did not say who it is within 0.5 s");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aMemberThatBreaksTheProtocolIsShutOut() throws Exception {
        HubServer server = server(2);
        Future<HubClient> zero = join(server, 0, 2, LONG, TOKEN);
        Socket socket = connect(server);
        OutputStream out = socket.getOutputStream();
        out.write(Message.preamble());
        new Message.Hello(TOKEN, 1, 2, "raw", LONG.toNanos()).write(out);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        assertThat(Message.read(in, Message.LIMIT)).isInstanceOf(Message.Welcome.class);
        out.write(ByteBuffer.allocate(4).putInt(Message.LIMIT + 1).array());
        assertThat(Message.read(in, Message.LIMIT)).asString().contains("received a message of 17825793 bytes");
        assertThatThrownBy(() -> zero.get().exchange(Hub.BARRIER, new byte[0], LONG))
                .isInstanceOf(RankFailedException.class)
                .hasMessageContaining("rank 1 was shut out");
    }

    @Test
    void aLostConnectionFailsTheRankForAllWhoWait() throws Exception {
        List<HubClient> ranks = world(server(4), 4);
        ranks.get(3).publish("before", bytes("kept"));
        Future<?> barrier = threads.submit(() -> ranks.get(0).exchange(Hub.BARRIER, new byte[0], LONG));
        Future<?> lookup = threads.submit(() -> ranks.get(1).lookup("never", LONG));
        Thread.sleep(100);
        long start = System.nanoTime();
        ranks.get(3).disconnect();
        for (Future<?> one : List.of(barrier, lookup)) {
            RankFailedException e = failure(one, RankFailedException.class);
            assertThat(e.failedRank()).isEqualTo(3);
            assertThat(e).hasMessageContaining("rank 3 died: its connection ended without goodbye");
        }
        assertThat(System.nanoTime() - start).isLessThan(LONG.toNanos());
        while (ranks.get(2).failedRanks().isEmpty()) {
            assertThat(System.nanoTime() - start).isLessThan(LONG.toNanos());
            Thread.sleep(1);
        }
        assertThat(ranks.get(2).failedRanks()).containsExactly(3);
        assertThat(ranks.get(2).lookup("before", LONG)).asString().isEqualTo("kept");
        assertThatThrownBy(() -> ranks.get(2).lookup("later", LONG)).isInstanceOf(RankFailedException.class);
    }

    @Test
    void whenTheHostingRankDiesTheOthersNameIt() throws Exception {
        HubServer server = server(1);
        HubClient client = HubClient.join(
                () -> new Invitation(server.address(), TOKEN, 5), false, 0, 1, new byte[0], LONG, new Watcher() {});
        Future<?> lookup = threads.submit(() -> client.lookup("never", LONG));
        Thread.sleep(100);
        server.close();
        assertThat(failure(lookup, RankFailedException.class))
                .hasMessageContaining("rank 0: rank 5, which hosted the rendezvous, died");
        assertThat(client.failedRanks()).containsExactly(5);
        assertThatThrownBy(() -> client.publish("k", bytes("v"))).isInstanceOf(RankFailedException.class);
    }

    @Test
    void leavingInPeaceIsNoFailure() throws Exception {
        List<HubClient> ranks = world(server(3), 3);
        ranks.get(2).close();
        ranks.get(2).disconnect();
        assertThatThrownBy(() -> ranks.get(0).exchange(Hub.BARRIER, new byte[0], LONG))
                .isInstanceOf(RankFailedException.class)
                .hasMessageContaining("rank 0: the barrier cannot complete: rank 2 has closed its world");
        assertThat(ranks.get(0).failedRanks()).isEmpty();
        Future<byte[]> lookup = threads.submit(() -> ranks.get(0).lookup("still", LONG));
        ranks.get(1).publish("still", bytes("works"));
        assertThat(lookup.get()).asString().isEqualTo("works");
        ranks.get(1).close();
        assertThatThrownBy(() -> ranks.get(0).lookup("never", LONG)).isInstanceOf(RankFailedException.class);
        assertThat(failure(join(server(1), 0, 2, LONG, TOKEN), RendezvousException.class))
                .hasMessageContaining("2 ranks");
    }

    @Test
    void aRankThatDiesBeforeAllHaveJoinedEndsTheWait() throws Exception {
        HubServer server = server(3);
        Future<?> zero = join(server, 0, 3, LONG, TOKEN);
        Socket socket = connect(server);
        socket.getOutputStream().write(Message.preamble());
        new Message.Hello(TOKEN, 1, 3, "raw", LONG.toNanos()).write(socket.getOutputStream());
        Thread.sleep(100);
        socket.close();
        assertThat(failure(zero, RendezvousException.class))
                .hasMessageContaining("the world of 3 ranks was not formed: rank 1 died");
    }

    @Test
    void waitsCanBeInterrupted() throws Exception {
        List<HubClient> ranks = world(server(2), 2);
        List<Throwable> thrown = new ArrayList<>();
        Thread waiter = Thread.ofPlatform().start(() -> {
            try {
                ranks.get(0).lookup("never", LONG);
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
        HubServer gone = server(2);
        gone.close();
        assertThat(failure(join(gone, 1, 2, LONG, TOKEN), RendezvousException.class))
                .hasMessageContaining("does not answer");
        assertThatThrownBy(() -> HubClient.join(
                        () -> new Invitation(gone.address(), TOKEN, 0),
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
}
