// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A rendezvous for tests, with ranks that are threads, and with connections of anybody else. */
final class Rendezvous {
    static final String TOKEN = HubServer.newToken();
    static final Duration GREETING = Duration.ofMillis(500);
    static final Duration LONG = Duration.ofSeconds(10);

    final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<AutoCloseable> open = new ArrayList<>();
    final ConcurrentLinkedQueue<String> refusals = new ConcurrentLinkedQueue<>();

    void close() throws Exception {
        for (AutoCloseable resource : open) {
            resource.close();
        }
        threads.shutdownNow();
        assertThat(threads.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
    }

    private final Path folder;

    Rendezvous(Path folder) {
        this.folder = folder;
    }

    HubServer server(int size) {
        return server(size, GREETING);
    }

    HubServer server(int size, Duration greeting) {
        return server(size, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), greeting);
    }

    HubServer localServer(int size) {
        return server(size, UnixDomainSocketAddress.of(folder.resolve("rendezvous")), GREETING);
    }

    HubServer server(int size, SocketAddress address, Duration greeting) {
        Hub hub = new Hub(size);
        hub.watch(new Watcher() {
            @Override
            public void refused(String why) {
                refusals.add(why);
            }
        });
        HubServer server = HubServer.open(hub, address, TOKEN, greeting);
        open.add(server);
        return server;
    }

    Future<HubClient> join(HubServer server, int rank, int size, Duration patience, String token) {
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

    List<HubClient> world(HubServer server, int size) throws Exception {
        List<Future<HubClient>> joining = IntStream.range(0, size)
                .mapToObj(r -> join(server, r, size, LONG, TOKEN))
                .toList();
        List<HubClient> clients = new ArrayList<>();
        for (Future<HubClient> client : joining) {
            clients.add(client.get());
        }
        return clients;
    }

    Socket connect(HubServer server) throws IOException {
        InetSocketAddress at = (InetSocketAddress) server.address();
        Socket socket = new Socket(at.getAddress(), at.getPort());
        open.add(socket);
        socket.setSoTimeout(8_000);
        return socket;
    }

    /** What the server says to a connection that starts with these bytes; null if it just closes it. */
    Message answerTo(HubServer server, byte[] bytes) throws IOException {
        Socket socket = connect(server);
        try {
            socket.getOutputStream().write(bytes);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            Message message = Message.read(in, Message.LIMIT);
            return message instanceof Message.Challenge ? Message.read(in, Message.LIMIT) : message;
        } catch (IOException e) {
            // It closed the connection with some of our bytes unread.
            return null;
        }
    }

    /** Greets as a rank does, and gives what it said. */
    static Message.Hello greet(Socket socket, DataInputStream in, int rank, int size, String token) throws IOException {
        socket.getOutputStream().write(Message.preamble());
        byte[] challenge = ((Message.Challenge) requireNonNull(Message.read(in, Message.LIMIT))).nonce();
        byte[] nonce = Proof.nonce();
        Message.Hello claims = new Message.Hello(rank, size, "raw", LONG.toNanos(), nonce, new byte[0]);
        Message.Hello hello =
                new Message.Hello(rank, size, "raw", LONG.toNanos(), nonce, Proof.ofRank(token, challenge, claims));
        hello.write(socket.getOutputStream());
        return hello;
    }

    static byte[] frame(int length, byte... content) {
        return ByteBuffer.allocate(8 + 4 + content.length)
                .put(Message.preamble())
                .putInt(length)
                .put(content)
                .array();
    }

    static <T extends Throwable> T failure(Future<?> future, Class<T> type) {
        ExecutionException e = catchThrowableOfType(ExecutionException.class, () -> future.get(15, TimeUnit.SECONDS));
        assertThat(e).isNotNull();
        assertThat(e.getCause()).isInstanceOf(type);
        return type.cast(e.getCause());
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
