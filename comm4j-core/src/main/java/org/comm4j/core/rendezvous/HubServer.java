// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.RendezvousException;
import org.comm4j.core.rendezvous.Message.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Offers a {@link Hub} over TCP to peers that present the token. Platform threads throughout: one listens, one reads per
 * connection, and one per request that waits. A program's own virtual threads can therefore never starve the rendezvous.
 */
public final class HubServer implements AutoCloseable {

    /** How long a connection may take to say who it is, in milliseconds. */
    private static final int HELLO_MILLIS = 5_000;

    private final Hub hub;
    private final String token;
    private final int helloMillis;
    private final ServerSocket listener;
    // As many threads as there is work; after close() nothing new is begun.
    private final ExecutorService threads = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("comm4j-rendezvous-", 0).factory(),
            new ThreadPoolExecutor.DiscardPolicy());
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Connection> members = new ConcurrentHashMap<>();

    private HubServer(Hub hub, String token, int helloMillis, ServerSocket listener) {
        this.hub = hub;
        this.token = token;
        this.helloMillis = helloMillis;
        this.listener = listener;
    }

    /** 128 random bits, in hexadecimal. */
    public static String newToken() {
        byte[] bits = new byte[16];
        new SecureRandom().nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }

    /**
     * Opens the rendezvous.
     *
     * @param address where to listen; port 0 takes a free one
     * @throws RendezvousException if that is not possible
     */
    public static HubServer open(Hub hub, InetSocketAddress address, String token) {
        return open(hub, address, token, HELLO_MILLIS);
    }

    static HubServer open(Hub hub, InetSocketAddress address, String token, int helloMillis) {
        ServerSocket listener = null;
        try {
            listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(address, Math.max(50, hub.size()));
        } catch (IOException e) {
            closeQuietly(listener);
            throw new RendezvousException(
                    "the rendezvous cannot listen on " + text(address) + ": " + e.getMessage(), e);
        }
        HubServer server = new HubServer(hub, token, helloMillis, listener);
        hub.watch(new Watcher() {
            @Override
            public void gone(int rank, boolean failed, String how) {
                server.tellAll(new Message.Gone(rank, failed, how));
            }

            @Override
            public void aborted(int rank, int exitCode, String reason) {
                server.tellAll(new Message.Abort(rank, exitCode, reason));
            }
        });
        server.threads.execute(server::listen);
        return server;
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    static String text(InetSocketAddress address) {
        String host = address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private void listen() {
        while (!listener.isClosed()) {
            Socket socket = null;
            try {
                socket = listener.accept();
                Connection connection = new Connection(socket);
                connections.add(connection);
                threads.execute(connection::serve);
            } catch (IOException e) {
                closeQuietly(socket);
                if (!listener.isClosed()) {
                    // Out of file handles, most likely: nothing to do but to go on slowly.
                    pause(100);
                }
            }
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tellAll(Message message) {
        for (Connection member : members.values()) {
            // Each on its own thread: a peer that is stopped and reads nothing holds up nobody else.
            threads.execute(() -> member.send(message));
        }
    }

    /** Ends all connections and stops listening. */
    @Override
    public void close() {
        closeQuietly(listener);
        connections.forEach(Connection::close);
        threads.shutdown();
    }

    static void closeQuietly(@Nullable AutoCloseable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (Exception e) {
            // It is not used any more either way.
        }
    }

    private final class Connection {
        private final Socket socket;
        private final String peer;
        private final DataInputStream in;
        private final OutputStream out;

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            peer = text((InetSocketAddress) socket.getRemoteSocketAddress());
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = socket.getOutputStream();
        }

        void close() {
            connections.remove(this);
            closeQuietly(socket);
        }

        synchronized void send(Message message) {
            try {
                message.write(out);
            } catch (IOException e) {
                // The reader of this connection finds out too, and deals with it.
            }
        }

        void serve() {
            try {
                Message.Hello hello = greet();
                if (hello != null) {
                    serve(hello.rank());
                }
            } finally {
                close();
            }
        }

        /** The peer's hello if it may come in; else it has been told why not. */
        private Message.@Nullable Hello greet() {
            try {
                socket.setSoTimeout(helloMillis);
                ByteBuffer preamble = ByteBuffer.wrap(in.readNBytes(Message.MAGIC.length + Short.BYTES));
                if (!Arrays.equals(preamble.array(), 0, Math.min(6, preamble.capacity()), Message.MAGIC, 0, 6)
                        || preamble.capacity() < 8) {
                    return refuse("it does not speak comm4j's protocol");
                }
                if (preamble.getShort(6) != Message.VERSION) {
                    return refuse("it speaks version " + preamble.getShort(6) + " of the protocol, this job version "
                            + Message.VERSION + "; all ranks need the same comm4j");
                }
                if (!(Message.read(in, Message.HELLO_LIMIT) instanceof Message.Hello hello)) {
                    return refuse("it did not say who it is");
                }
                if (!MessageDigest.isEqual(bytes(hello.token()), bytes(token))) {
                    return refuse("wrong token");
                }
                if (hello.size() != hub.size()) {
                    return refuse("rank " + hello.rank() + " says that the job has " + hello.size()
                            + " ranks, the rendezvous expects " + hub.size());
                }
                socket.setSoTimeout(0);
                hub.arrive(hello.rank());
                members.put(hello.rank(), this);
                threads.execute(() -> join(hello));
                return hello;
            } catch (SocketTimeoutException e) {
                return refuse("it did not say who it is within " + helloMillis / 1000.0 + " s");
            } catch (IOException | RendezvousException e) {
                return refuse(String.valueOf(e.getMessage()));
            }
        }

        private Message.@Nullable Hello refuse(String why) {
            hub.remark("a connection from " + peer + ": " + why);
            send(new Message.Refused(why));
            return null;
        }

        private void join(Message.Hello hello) {
            try {
                send(new Message.Welcome(
                        hub.join(hello.rank(), bytes(hello.card()), Duration.ofNanos(hello.timeoutNanos()))));
            } catch (RuntimeException e) {
                send(new Message.Refused(String.valueOf(e.getMessage())));
            }
        }

        private void serve(int rank) {
            try {
                Message message;
                while ((message = Message.read(in, Message.LIMIT)) != null) {
                    switch (message) {
                        case Message.Publish m ->
                            answer(m.id(), () -> {
                                hub.publish(rank, m.key(), m.value());
                                return List.of();
                            });
                        case Message.Lookup m ->
                            threads.execute(() -> answer(
                                    m.id(),
                                    () -> List.of(hub.lookup(rank, m.key(), Duration.ofNanos(m.timeoutNanos())))));
                        case Message.Exchange m ->
                            threads.execute(() -> answer(
                                    m.id(),
                                    () -> hub.exchange(rank, m.key(), m.value(), Duration.ofNanos(m.timeoutNanos()))));
                        case Message.Goodbye _ -> {
                            members.remove(rank, this);
                            hub.leave(rank);
                        }
                        case Message.Abort m -> hub.abort(rank, m.exitCode(), m.reason());
                        default ->
                            throw new Message.MalformedException("a "
                                    + message.getClass().getSimpleName() + " message, which only the rendezvous sends");
                    }
                }
                hub.fail(rank, "died: its connection ended without goodbye");
            } catch (Message.MalformedException e) {
                send(new Message.Refused("the rendezvous received " + e.getMessage() + ", and ends this connection"));
                hub.fail(rank, "was shut out: it sent " + e.getMessage());
            } catch (IOException e) {
                hub.fail(rank, "died: its connection broke (" + e.getMessage() + ")");
            } finally {
                members.remove(rank, this);
            }
        }

        private void answer(int id, Answer answer) {
            Message reply;
            try {
                reply = new Message.Done(id, answer.values());
            } catch (RankFailedException e) {
                reply = failed(id, Fault.RANK_FAILED, e.failedRank(), e);
            } catch (CommTimeoutException e) {
                reply = failed(id, Fault.TIMEOUT, -1, e);
            } catch (IllegalStateException e) {
                reply = failed(id, Fault.ILLEGAL_STATE, -1, e);
            } catch (RuntimeException e) {
                reply = failed(id, Fault.OTHER, -1, e);
            }
            // Its abort is on the way to every rank and must not be overtaken by what it did to this call.
            if (reply instanceof Message.Done || !hub.isAborted()) {
                send(reply);
            }
        }

        private static Message failed(int id, Fault fault, int rank, RuntimeException e) {
            return new Message.Failed(id, fault, rank, String.valueOf(e.getMessage()));
        }
    }

    private interface Answer {
        List<byte[]> values();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
