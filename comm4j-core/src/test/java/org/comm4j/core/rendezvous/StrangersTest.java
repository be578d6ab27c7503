// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.RendezvousException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What strangers, false servers and broken peers do to the rendezvous. */
@Timeout(20)
class StrangersTest {
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
    void wrongTokenIsRefusedAndTheJobGoesOn() throws Exception {
        HubServer server = job.server(2);
        Future<HubClient> zero = job.join(server, 0, 2, Rendezvous.LONG, Rendezvous.TOKEN);
        assertThat(Rendezvous.failure(
                        job.join(
                                server,
                                1,
                                2,
                                Rendezvous.LONG,
                                Rendezvous.TOKEN.replace(Rendezvous.TOKEN.charAt(3), 'x')),
                        RendezvousException.class))
                .hasMessageContaining("rank 1")
                .hasMessageContaining("wrong token");
        assertThat(job.refusals).singleElement().asString().contains("wrong token");
        job.join(server, 1, 2, Rendezvous.LONG, Rendezvous.TOKEN).get();
        zero.get();
    }

    @Test
    void refusalsAreMentionedWhenRanksAreMissing() {
        HubServer server = job.server(2);
        Future<?> zero = job.join(server, 0, 2, Duration.ofSeconds(1), Rendezvous.TOKEN);
        Rendezvous.failure(job.join(server, 1, 2, Rendezvous.LONG, "guess"), RendezvousException.class);
        assertThat(Rendezvous.failure(zero, RendezvousException.class))
                .hasMessageContaining("rank 1 did not join")
                .hasMessageContaining("turned away meanwhile: a connection from 127.0.0.1:")
                .hasMessageContaining("wrong token");
    }

    @Test
    void garbageIsRefusedAndTheJobGoesOn() throws Exception {
        HubServer server = job.server(2);
        Future<HubClient> zero = job.join(server, 0, 2, Rendezvous.LONG, Rendezvous.TOKEN);
        Random random = new Random(42);
        byte[] noise = new byte[4096];
        random.nextBytes(noise);
        assertThat(job.answerTo(server, Rendezvous.bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n")))
                .isNotInstanceOf(Message.Welcome.class);
        assertThat(job.answerTo(server, noise)).isNotInstanceOf(Message.Welcome.class);
        // The right opening, then nonsense: too long, negative, empty, unknown kind, cut short, trailing bytes, wrong
        // version.
        assertRefused(
                server,
                Rendezvous.frame(Message.HELLO_LIMIT + 1, (byte) 0),
                "a message of 4097 bytes, where 1 to 4096 are");
        assertRefused(server, Rendezvous.frame(-1, (byte) 0), "a message of 4294967295 bytes");
        assertRefused(server, Rendezvous.frame(0, (byte) 0), "a message of 0 bytes");
        assertRefused(server, Rendezvous.frame(1, (byte) 99), "unknown kind 99");
        assertRefused(server, Rendezvous.frame(3, (byte) 0, (byte) 1, (byte) 2), "cut short");
        assertRefused(server, Rendezvous.frame(6, new byte[] {0, 0x7f, -1, -1, -1, 0}), "cut short");
        assertRefused(server, Rendezvous.frame(2, (byte) 4, (byte) 4), "1 bytes too many");
        assertRefused(server, Rendezvous.frame(1, (byte) 4), "it did not say who it is");
        byte[] otherVersion = Rendezvous.frame(1, (byte) 4);
        otherVersion[7] = 9;
        assertRefused(server, otherVersion, "it speaks version 9 of the protocol");
        job.connect(server).close();
        job.join(server, 1, 2, Rendezvous.LONG, Rendezvous.TOKEN).get();
        zero.get();
    }

    private void assertRefused(HubServer server, byte[] bytes, String why) throws IOException {
        assertThat(job.answerTo(server, bytes))
                .isInstanceOf(Message.Refused.class)
                .asString()
                .contains(why);
    }

    @Test
    void aConnectionThatSaysNothingIsTurnedAway() throws Exception {
        HubServer server = job.server(1);
        Socket silent = job.connect(server);
        Socket half = job.connect(server);
        half.getOutputStream().write(Message.preamble(), 0, 5);
        job.join(server, 0, 1, Rendezvous.LONG, Rendezvous.TOKEN).get();
        for (Socket socket : List.of(silent, half)) {
            assertThat(Message.read(new DataInputStream(socket.getInputStream()), Message.LIMIT))
                    .asString()
                    .contains("it did not say who it is within 0.5 s");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aMemberThatBreaksTheProtocolIsShutOut() throws Exception {
        HubServer server = job.server(2);
        Future<HubClient> zero = job.join(server, 0, 2, Rendezvous.LONG, Rendezvous.TOKEN);
        Socket socket = job.connect(server);
        OutputStream out = socket.getOutputStream();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        Message.Hello ignored = Rendezvous.greet(socket, in, 1, 2, Rendezvous.TOKEN);
        assertThat(Message.read(in, Message.LIMIT)).isInstanceOf(Message.Proven.class);
        assertThat(Message.read(in, Message.LIMIT)).isInstanceOf(Message.Welcome.class);
        out.write(ByteBuffer.allocate(4).putInt(Message.LIMIT + 1).array());
        assertThat(Message.read(in, Message.LIMIT)).asString().contains("received a message of 17825793 bytes");
        assertThatThrownBy(() -> zero.get().exchange(Hub.BARRIER, new byte[0], Rendezvous.LONG))
                .isInstanceOf(RankFailedException.class)
                .hasMessageContaining("rank 1 was shut out");
    }

    @Test
    void manyStrangersKeepNobodyOut() throws Exception {
        HubServer server = job.server(2, Rendezvous.LONG);
        Future<HubClient> zero = job.join(server, 0, 2, Rendezvous.LONG, Rendezvous.TOKEN);
        int before = Thread.activeCount();
        List<Socket> strangers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Socket socket = job.connect(server);
            socket.getOutputStream().write(Message.preamble(), 0, 1);
            strangers.add(socket);
        }
        job.join(server, 1, 2, Rendezvous.LONG, Rendezvous.TOKEN).get();
        zero.get();
        // The oldest had to go; not more than so many are served at a time, and hardly any is told about.
        assertThat(Message.read(new DataInputStream(strangers.getFirst().getInputStream()), Message.LIMIT))
                .asString()
                .contains("too many others came");
        assertThat(Thread.activeCount() - before).isLessThan(100);
        assertThat(job.refusals).hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void aByteNowAndThenBuysNoTime() throws Exception {
        HubServer server = job.server(1);
        Socket slow = job.connect(server);
        long start = System.nanoTime();
        DataInputStream in = new DataInputStream(slow.getInputStream());
        slow.getOutputStream().write(Message.preamble());
        assertThat(Message.read(in, Message.LIMIT)).isInstanceOf(Message.Challenge.class);
        Future<?> dripping = job.threads.submit(() -> {
            slow.getOutputStream().write(new byte[] {0, 0, 15, 0});
            while (true) {
                slow.getOutputStream().write(0);
                Thread.sleep(20);
            }
        });
        assertThat(Message.read(in, Message.LIMIT)).asString().contains("it did not say who it is within 0.5 s");
        assertThat(System.nanoTime() - start).isBetween(500_000_000L, 6_000_000_000L);
        Rendezvous.failure(dripping, IOException.class);
    }

    @Test
    void whatWasOverheardIsOfNoUse() throws Exception {
        HubServer server = job.server(2);
        Future<HubClient> zero = job.join(server, 0, 2, Rendezvous.LONG, Rendezvous.TOKEN);
        Socket honest = job.connect(server);
        DataInputStream heard = new DataInputStream(honest.getInputStream());
        // A rank that does not exist: the proof is right, so that it could be replayed if that helped.
        Message.Hello hello = Rendezvous.greet(honest, heard, 7, 2, Rendezvous.TOKEN);
        assertThat(Message.read(heard, Message.LIMIT)).isInstanceOf(Message.Proven.class);
        Socket replay = job.connect(server);
        DataInputStream in = new DataInputStream(replay.getInputStream());
        replay.getOutputStream().write(Message.preamble());
        assertThat(Message.read(in, Message.LIMIT)).isInstanceOf(Message.Challenge.class);
        hello.write(replay.getOutputStream());
        assertThat(Message.read(in, Message.LIMIT)).asString().contains("wrong token");
        // Nor can what a rank says of itself be changed on the way.
        Socket changed = job.connect(server);
        DataInputStream changedIn = new DataInputStream(changed.getInputStream());
        changed.getOutputStream().write(Message.preamble());
        byte[] challenge = ((Message.Challenge) requireNonNull(Message.read(changedIn, Message.LIMIT))).nonce();
        byte[] proof = Proof.ofRank(
                Rendezvous.TOKEN, challenge, new Message.Hello(0, 2, "raw", 1, hello.nonce(), new byte[0]));
        new Message.Hello(1, 2, "raw", 1, hello.nonce(), proof).write(changed.getOutputStream());
        assertThat(Message.read(changedIn, Message.LIMIT)).asString().contains("wrong token");
        job.join(server, 1, 2, Rendezvous.LONG, Rendezvous.TOKEN).get();
        zero.get();
    }

    /**
     * Whoever listens at the rendezvous's address in its stead is sent no secret, and nothing that it says is believed.
     */
    @Test
    void aFalseServerIsFoundOutAndLearnsNothing() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Future<byte[]> seen = job.threads.submit(() -> {
                try (Socket socket = listener.accept()) {
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    byte[] preamble = in.readNBytes(8);
                    new Message.Challenge(Proof.nonce()).write(socket.getOutputStream());
                    Message hello = Message.read(in, Message.LIMIT);
                    new Message.Proven(Proof.nonce()).write(socket.getOutputStream());
                    new Message.Welcome(List.of(new byte[0], new byte[0])).write(socket.getOutputStream());
                    ByteArrayOutputStream all = new ByteArrayOutputStream();
                    all.writeBytes(preamble);
                    requireNonNull(hello).write(all);
                    all.writeBytes(in.readAllBytes());
                    return all.toByteArray();
                }
            });
            InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
            assertThatThrownBy(() -> HubClient.join(
                            () -> new Invitation(at, Rendezvous.TOKEN, 0),
                            true,
                            1,
                            2,
                            new byte[0],
                            Rendezvous.LONG,
                            new Watcher() {}))
                    .isInstanceOf(RendezvousException.class)
                    .hasMessageContaining("rank 1: whoever listens at 127.0.0.1:")
                    .hasMessageContaining("does not know this job's token");
            assertThat(new String(seen.get(), StandardCharsets.ISO_8859_1)).doesNotContain(Rendezvous.TOKEN);
        }
    }

    /** As many as come after the first ones: the launcher's standard error is nobody's to fill. */
    @Test
    void refusalsAreToldAFewOnly() throws Exception {
        Hub hub = new Hub(1);
        List<String> told = new ArrayList<>();
        hub.watch(new Watcher() {
            @Override
            public void refused(String why) {
                told.add(why);
            }
        });
        for (int i = 0; i < 180; i++) {
            hub.remark("stranger " + i);
        }
        assertThat(told).containsExactly("stranger 0", "stranger 1", "stranger 2", "stranger 3");
    }
}
